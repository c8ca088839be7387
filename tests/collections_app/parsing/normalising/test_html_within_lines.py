"""HTML tags within a line of Markdown: what becomes Markdown, and what stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collections_app.parsing.documents import ContentPolicy, RawDocument
from collections_app.parsing.formats import Format
from collections_app.parsing.normalising.html_within_lines import write_tags_as_markdown
from collections_app.parsing.pipeline import parse_as
from tests.growth import assert_linear


def write(text: str, *, is_jsx: bool = True) -> str:
    return write_tags_as_markdown(text, is_jsx=is_jsx)


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("**Type:** <code>(sail: Sail) =\\> void</code>", "**Type:** `(sail: Sail) => void`"),
        ('a <code>(to: <a href="#sail">Sail</a>) => Promise\\<Sail[]\\></code>', "a `(to: Sail) => Promise<Sail[]>`"),
        ("<code>\\{ sail: string \\} | null</code>", "`{ sail: string } | null`"),
        ("<code>Set&lt;Sail&gt;</code> &lt;", "`Set<Sail>` &lt;"),
        ("Press <kbd>Ctrl</kbd>+<kbd class='key'>S</kbd>.", "Press `Ctrl`+`S`."),
        ('See <a href="/sails#linen" target="_blank">the sails</a>.', "See [the sails](/sails#linen)."),
        ('- Sail <span style="margin: 0.25em;">**New**</span> here', "- Sail **New** here"),
        ('<span class="badge">New</span> sail', "New sail"),
        ('<span class="badge">⚓ Old</span>', "⚓ Old"),
        ('Write <mark style="color:red;">the **name**</mark>', "Write the **name**"),
        ("| `a` | <code>b</code> |", "| `a` | `b` |"),
        ("> Press <kbd>S</kbd>", "> Press `S`"),
        ('| <a id="opt-sail" href="#opt-sail" title="#opt-sail">`sail.area`</a> | m² |', "| `sail.area` | m² |"),
        ('- <a name="a" href="#a">Mast</a>, <a class="x" href="#b" id="b">a `boom`</a> too', "- Mast, a `boom` too"),
        ('<a id="sail" href="#sail">sail</a>: its area', "sail: its area"),
        ('- **sail_area** <span id="sail_area"/> is in m²', "- **sail_area** is in m²"),
        ('Its <a name="sail-area"></a>sail area', "Its sail area"),
        ('<a class="x" id="Mast"></a>Mast: of wood', "Mast: of wood"),
        ('| <span id="mast">mast</span> | a `b`<br>c |', "| mast | a `b`<br>c |"),
        ('| Mast | <span title="Not stepped" class="sign">&#x274c;</span> |', "| Mast | &#x274c; Not stepped |"),
        ('| Mast | <span title="Is stepped." >**Is stepped**</span> |', "| Mast | **Is stepped** |"),
        ('| Mast | <span title="Stepped">&#x2705;</span> Stepped |', "| Mast | &#x2705; Stepped |"),
        ('The mast <span title="Stepped"></span> here', "The mast Stepped here"),
        (
            '| <span class="material-symbols big" style="color: #158477" aria-label="Stepped" title="Up">done</span> |',
            "| Stepped |",
        ),
        ('The <i class="material-icons" title="Not stepped">close</i> mast', "The Not stepped mast"),
        ('<i class="material-symbols">sailing</i> The mast', "The mast"),
        ("- Mast <span class='material-symbols-outlined' aria-hidden='true'> open_in_new </span>", "- Mast "),
        ('[The mast <img src="/out.svg" class="out">](https://a.test)', "[The mast](https://a.test)"),
        ('[`mast` <img src="/out.svg">](/a) and [a<img src=\'b.png\' alt="new"/>](/b)', "[`mast`](/a) and [a new](/b)"),
        ('[<img src="/in.svg"> The mast](/a), [<img src="/in.svg" alt="a [b]"> c](/d)', "[The mast](/a), [a b c](/d)"),
    ],
)
def test_a_tag_becomes_what_markdown_has_for_it(text: str, markdown: str) -> None:
    assert write(text) == markdown


@pytest.mark.parametrize(
    "text",
    [
        '<i class="material-symbols">sailing</i> - The mast',
        'The <i class="sign" title="Stepped">done</i> mast',
        'The <i class="material-icons" title="`Stepped` *and* so on">done</i> mast',
        "## The <kbd>S</kbd> key",
        "Use <kbd>S</kbd> now\n=====",
        '<span>[note]: /url "words"</span>',
        "<span># No heading</span>",
        "<<span></span>script>",
        "a <span><</span>!-- seen --> b",
        "[x]<span></span>(javascript:x)",
        'Look!<a href="x.html">foo</a>',
        "`a`<code>b</code>",
        "```\n<kbd>S</kbd>\n```",
        "Write `<kbd>S</kbd>` or \\<kbd>S</kbd>.",
        "Two `lines\nof <kbd>code</kbd>` and <kbd>S</kbd>",
        "<kbd hidden>S</kbd>",
        '<kbd style="display: none">S</kbd>',
        '<code class="sr-only">S</code>',
        '<span style="font-size: 0">S</span>',
        'A <span title="The sail">S</span>',
        'A <span title="*x*">&#x2705;</span>',
        "<code>{sail}</code>",
        "<code>a *b* c</code>",
        "<code>[Sail](#sail)</code>",
        "<code>`a`</code>",
        "<code>a &#96; b &#124; c</code>",
        "<code>a <!-- b --></code>",
        "<code>a <b hidden>b</b></code>",
        "<code>a <img src=x></code>",
        "<code> </code>",
        "<code>a",
        '<a href="javascript:sail()">S</a>',
        'The <span id="sail-area"/> mast',
        'The <span id="sailarea"/> sail area',
        '<span id="sail"/> - sail',
        '<span id="sail"/>',
        'The sail <span id="sail" hidden></span> here',
        '| <span id="sail-area">sail</span> |',
        '[<img src="/sail.png">](/a), [<img src="/sail.png" alt="Sail">](/a), <img src="/sail.png"> (a)',
        '[Sail <img src="/sail.png" alt="x" onload="sail()">](/a)',
        '[Sail <img src="/sail.png" alt="x" style="display:none">](/a)',
        '<a id="sail" href="/sail">S</a>',
        'The <a id="sail" href="#mast">S</a>',
        'The <a id="sail" href="#sail" title="The sail">S</a>',
        'The <a id="sail" href="#sail" hidden>S</a>',
        'The <a id="sail" href="#sail" style="display:none">S</a>',
        'The <a id="sail" href="#sail"></a>S',
        '<a id="sail" href="#sail"># S</a>',
        '`a`<a id="sail" href="#sail">`b`</a>',
        'Write `<a id="sail" href="#sail">S</a>`.',
        '[x]<a id="sail" href="#sail">(javascript:x)</a>',
        '<<a id="sail" href="#sail">script>alert(1)</a>',
        "<a href={sail}>S</a>",
        '<a href="/a b">S</a>',
        '<a href="/sail"></a>',
        '[Sails <a href="/sail">S</a>](/sails)',
        "H<sub>2</sub>O, 10<sup>6</sup>",
        "| a | b<br> |\n| --- | --- |",
        "a | b<br>\n--- | ---",
        "<pre><code>a</code></pre>",
        "<div hidden><kbd>S</kbd></div>",
        "    <kbd>S</kbd>",
    ],
)
def test_what_markdown_cannot_say_so_stays(text: str) -> None:
    assert write(text) == text


def test_braces_are_expressions_in_jsx_alone() -> None:
    assert write("<code>{sail}</code>", is_jsx=False) == "`{sail}`"
    assert write("<code>{{ sail }}</code>", is_jsx=False) == "<code>{{ sail }}</code>"


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("**Type:** `a | b`<br />\n**Default:** `a` <br>\nText.", "**Type:** `a | b`  \n**Default:** `a`  \nText."),
        ("One<br/>\n\nTwo<br>", "One\n\nTwo"),
        ("One\n\n<br><br> <br/>\n\nTwo<br><br>\nthree", "One\n\n\n\nTwo  \nthree"),
        ("One</br>\nTwo </br>\n\nThree </br> four `</br>`", "One  \nTwo\n\nThree <br> four `</br>`"),
        ("- one<br>\n  two<br>\n- three", "- one  \n  two\n- three"),
        ("One<br>\n---", "One\n---"),
        ("One<br>\n```\ntwo\n```", "One\n```\ntwo\n```"),
    ],
)
def test_a_break_at_the_end_of_a_line_is_two_blanks_where_its_paragraph_goes_on(text: str, markdown: str) -> None:
    assert write(text) == markdown


def test_a_type_with_escaped_signs_loses_nothing_to_the_tags_of_components() -> None:
    text = '**Type:** <code>(sail: <a href="#sail">Sail</a>) => Promise\\<Sail | undefined\\></code><br />\n<Since v="2.1" />\n'
    document = parse_as(Format.MDX, RawDocument("sail.mdx", text.encode()), ContentPolicy.STRIP)
    assert document.content == "**Type:** `(sail: Sail) => Promise<Sail | undefined>`  \nSince 2.1 \n"


PIECES = st.sampled_from(
    ["word", " ", "\n", "`", "``", "<code>", "</code>", "<kbd>", "</kbd>", '<a href="#x">', '<a id="x" href="#x">', "</a>", "<span>",
     "</span>", "<br>", "|", "*", "\\", "<", ">", "{", "}", "[", "](", "- ", "# ", "&lt;", "<!--", "-->", "<b hidden>", "</b>"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=40).map("".join), st.booleans())
def test_it_loses_no_word_and_no_line(text: str, is_jsx: bool) -> None:
    written = write(text, is_jsx=is_jsx)
    assert written.count("word") == text.count("word")
    assert written.count("\n") == text.count("\n")


@pytest.mark.parametrize(
    "line",
    ["<code>" * 800, "<code>a</code>" * 350, "<span " * 800, "<a " + " " * 4900, "<br>" + " " * 4900 + "x",
     "<code>" + "_a" * 2400 + "</code>", "<a x>" + " " * 4900, "<code>" + "*" * 4900, "<span>" * 800,
     "<a " + "b= " * 1600 + ">x</a>", '<a id="a" href="#a">x</a>' * 200, "<a b>" * 900, "<br>" + "|" * 4900 + "<br>"],
    ids=lambda line: line[:12],
)  # fmt: skip
def test_it_takes_linear_time(line: str) -> None:
    assert_linear(lambda line: write("\n".join([line] * 200)), line)
