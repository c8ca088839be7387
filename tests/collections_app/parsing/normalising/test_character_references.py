"""Character references in Markdown: those of plain characters become the characters, and none becomes markup."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from collections_app.parsing import RawDocument, parse
from collections_app.parsing.normalising.character_references import write_characters
from tests.growth import assert_linear


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Ropes &#x26; knots&rsquo; &mdash; &#39;all&#x27; of &quot;them&quot; &copy;",
            "Ropes & knots’ — 'all' of \"them\" ©",
        ),
        ("a&#x20;\nb &#x20;\nc", "a\nb\nc"),
        ("a &#x20;&#32; b", "a b"),
        ("# A &#x26; b&#x20;\n## `c` &#x20;", "# A &#x26; b\n## `c`"),
        ("**Jib**&#x20;and&#x20;**main**&#x20;", "**Jib** and **main**"),
        ("a &#x3C; b &lt;b&gt; &lt;/b&gt; &lt;3 &lt;!-- &lt;", "a < b \\<b> \\</b> <3 \\<!-- \\<"),
        ("| a&#x20; | &#10004; |", "| a | ✔ |"),
        ("- &#x3C;b>\n> &quot;a&quot;", '- \\<b>\n> "a"'),
        ("`&lt;` and &lt;3", "`&lt;` and <3"),
        ("&nbsp;\n\n# A\n\n &#160;&emsp;\n\nb &nbsp;c\n&nbsp;\nd", "\n\n# A\n\n\n\nb &nbsp;c\n&nbsp;\nd"),
        ("[a &#x26; b](c?d=1&amp;e)", "[a & b](c?d=1&amp;e)"),
        ('A <b title="&quot;">b &#x26; c</b>', 'A <b title="&quot;">b & c</b>'),
    ],
)
def test_they_become_their_characters(text: str, expected: str) -> None:
    assert write_characters(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "&#42;a&#42; &#95;b&#95; &#96;c&#96; &#91;d&#93;(e) &#92;* &#124; &#126;&#126; &#35; a",
        "&gt; no quote\n- &gt; none",
        "&#43; no item",
        "&amp;lt; &amp;#60; &#x26;copy;",
        "\\&lt;b&gt;"[:6],
        "&#x20;&#x20;&#x20;&#x20;no code",
        "&#x20;# no heading",
        "**a&#x20;**b &#x20;"[:12],
        "*&eacute;* a*&eacute;b*",
        "&#x200B;&#xE0069;&nbsp;&#0;&#xD800;&#9999999;&unknown;",
        "# A &#x26; b\n> ## C &lt;d",
        "# A #&#x20;\n# A {#b}&#x20;\n# &#x20;",
        "```\n&lt;b&gt;\n```\n\n    &lt;b&gt;\n\n<p>&lt;b&gt;\n&#x26;</p>",
        "<pre>&lt;b&gt;</pre>",
        "Two `spans\n&lt;b&gt; of` code",
        'A <a\ntitle="&quot;">tag</a>',
        '<b title="a > &quot;b">c &#x26; d</b>',
        '[a]: b "c &quot; d"',
        '[a](b "c (d) &quot;") &#x26;',
        '[a](b\n"c &quot;") &#x26;',
    ],
)
def test_what_may_be_markup_stays(text: str) -> None:
    assert write_characters(text) == text


def test_ids_of_sections_stay() -> None:
    document = parse(RawDocument("a.md", b"# Ropes &#x26; knots {#ropes}\n\nA &lt;rope>&#x20;\n"))
    assert (document.sections[0].section_id, document.sections[0].anchor) == ("ropes-knots", "ropes")
    assert document.content.endswith("\n\nA \\<rope>\n")


PIECES = st.sampled_from(
    ["a", "b c", " ", "\n", "\n\n", "&lt;", "&#x3C;", "&gt;", "&amp;", "&#x26;", "&#x20;", "&quot;", "&eacute;", "&rsquo;", "&#42;", "lt;",
     "*", "**", "_", "`", "``", "<b>", "</b>", "<", ">", "[", "](x)", "\\", "- ", "# ", "> ", "1. ", "|", "=", "    ", "!--", "#60;"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=25).map("".join))
def test_readers_see_the_same(text: str) -> None:
    """Except for blanks, of which readers see at most one."""
    render = MarkdownIt("commonmark").render
    assert render(write_characters(text)).split() == render(text).split()


@pytest.mark.parametrize(
    "line",
    ["&#x20;" * 800, "# a" + "&#x20;" * 800 + "b", "&lt;a " * 800, "*a&#x20;" * 600, "a&amp;b" * 700,
     "](&lt;" * 800, '<a "&lt;' * 600, "&" * 4900,
     "`" * 2400 + "&lt;" * 500],
    ids=lambda line: line[:8],
)  # fmt: skip
def test_it_takes_linear_time(line: str) -> None:
    assert_linear(lambda line: write_characters("\n".join([line] * 300)), line)
    assert_linear(write_characters, line * 300)
