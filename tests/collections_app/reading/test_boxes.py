"""Boxes and tabs on pages, however a document writes them."""

from __future__ import annotations

import re

import pytest

from collections_app.reading.markdown_blocks import MAX_QUOTE_DEPTH, Holders, rewrite_blocks
from collections_app.reading.markup import Renderer, clean_html
from collections_app.text.markdown.boxes import MAX_LINE_CHARACTERS
from tests.collections_app.reading.allowances import make_endless
from tests.collections_app.reading.inert import assert_inert
from tests.ends import ends
from tests.growth import assert_linear

TAG = re.compile(r"<[^>]*>")


def render(text: str) -> str:
    html = clean_html(Renderer(make_allowance=make_endless).render(text), lambda tag, address: address)
    return re.sub(r">\n+<", "><", html).strip()


def box(style: str, title: str, content: str = "<p>Mind the <em>jib</em>.</p>") -> str:
    return (
        f'<blockquote class="{f"callout {style}".strip()}"><p class="callout-title">{title}</p>{content}</blockquote>'
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("> [!NOTE]\n> Mind the *jib*.", box("note", "Note")),
        ("> [!CAUTION] \n>\n> Mind the *jib*.", box("caution", "Caution")),
        ("> [!TIP] Mind the *jib*.", box("tip", "Tip")),
        ("> [!bug]- The *boom*\n> Mind the *jib*.", box("caution", "The <em>boom</em>")),
        ("> [!faq]+\n> Mind the *jib*.", box("", "FAQ")),
        ("> [!tldr|left] Sails\n> Mind the *jib*.", box("note", "Sails")),
        (":::tip\nMind the *jib*.\n:::", box("tip", "Tip")),
        (":::tip\n\nMind the *jib*.\n\n:::", box("tip", "Tip")),
        (":::warning The `boom`\nMind the *jib*.\n:::", box("warning", "The <code>boom</code>")),
        (":::version-note\nMind the *jib*.\n:::", box("note", "Version note")),
        (":::old-sails-warning The `boom`\nMind the *jib*.\n:::", box("warning", "The <code>boom</code>")),
        ("::: danger STOP\nMind the *jib*.\n:::", box("caution", "STOP")),
        (":::info[The *boom*]{#boom .wide}\nMind the *jib*.\n:::", box("note", "The <em>boom</em>")),
        (':::info{title="The *boom*"}\nMind the *jib*.\n:::', box("note", "The <em>boom</em>")),
        ("::: details Sails {open}\nMind the *jib*.\n:::", box("", "Sails")),
        ("::: tip Set {sails}\nMind the *jib*.\n:::", box("tip", "Set {sails}")),
        ("::::tip\nMind the *jib*.\n:::::", box("tip", "Tip")),
        ('::: {.callout-important title="The boom\'s end"}\nMind the *jib*.\n:::', box("important", "The boom's end")),
        (":::{note}\nMind the *jib*.\n:::", box("note", "Note")),
        (":::{seealso}\n:class: dropdown\n:name: jibs\n\nMind the *jib*.\n:::", box("note", "See also")),
        (":::{admonition} The boom\n:class: dropdown tip\nMind the *jib*.\n:::", box("tip", "The boom")),
        (":::{admonition} The boom\nMind the *jib*.\n:::", box("", "The boom")),
        ("```{note}\nMind the *jib*.\n```", box("note", "Note")),
        ("~~~{admonition} The boom\n:class: warning\nMind the *jib*.\n~~~", box("warning", "The boom")),
        ("```{dropdown} Sails\nMind the *jib*.\n```", box("", "Sails")),
        ('!!! note "The *boom*"\n\n    Mind the *jib*.', box("note", "The <em>boom</em>")),
        ("!!! danger\n    Mind the *jib*.", box("caution", "Danger")),
        ("!!! info inline end\n    Mind the *jib*.", box("note", "Info")),
        ("!!! note\n\tMind the *jib*.", box("note", "Note")),
        ("??? tip\n    Mind the *jib*.", box("tip", "Tip")),
        ('???+ example "Sails"\n    Mind the *jib*.', box("", "Sails")),
        (
            '!!! note ""\n    Mind the *jib*.',
            '<blockquote class="callout note"><p>Mind the <em>jib</em>.</p></blockquote>',
        ),
        ("text\n!!! tip\n    Mind the *jib*.\ntext", f"<p>text</p>{box('tip', 'Tip')}<p>text</p>"),
        ("text\n:::tip\nMind the *jib*.\n:::\ntext", f"<p>text</p>{box('tip', 'Tip')}<p>text</p>"),
        (":::tip\n- Mind the *jib*.\n:::", box("tip", "Tip", "<ul><li>Mind the <em>jib</em>.</li></ul>")),
        (":::tip\n> Mind the *jib*.\n:::", box("tip", "Tip", "<blockquote><p>Mind the <em>jib</em>.</p></blockquote>")),
    ],
)
def test_a_box_has_its_title_and_its_content(text: str, shown: str) -> None:
    assert render(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        '=== "Sloop"\n\n    One *mast*.\n\n=== "Ketch"\n\n    Two.\n',
        "=== 'Sloop'\n    One *mast*.\n===! 'Ketch'\n    Two.\n",
        "::::{tab-set}\n:::{tab-item} Sloop\n:sync: one\nOne *mast*.\n:::\n:::{tab-item} Ketch\nTwo.\n:::\n::::",
        "````{tab-set}\n```{tab-item} Sloop\nOne *mast*.\n```\n\n```{tab-item} Ketch\nTwo.\n```\n````",
        "::: tabs\n::: tab Sloop\nOne *mast*.\n:::\n::: tab Ketch\nTwo.\n:::\n:::",
    ],
)
def test_tabs_stand_one_after_another_below_their_titles(text: str) -> None:
    assert render(text) == box("", "Sloop", "<p>One <em>mast</em>.</p>") + box("", "Ketch", "<p>Two.</p>")


@pytest.mark.parametrize(
    "text",
    [
        "::::info\n:::tip\nMind the *jib*.\n:::\n::::",
        ":::info\n:::tip\nMind the *jib*.\n:::\n:::",
        "!!! info\n    !!! tip\n        Mind the *jib*.",
        "> [!info]\n> > [!tip]\n> > Mind the *jib*.",
        "````{note} Info\n```{tip}\nMind the *jib*.\n```\n````",
    ],
)
def test_boxes_stand_in_boxes(text: str) -> None:
    assert render(text) == box("note", "Info", box("tip", "Tip"))


@pytest.mark.parametrize(
    "text",
    [
        "1. Hoist\n   :::tip\n   Mind the *jib*.\n   :::\n2. Sail",
        "1. Hoist\n\n    !!! tip\n\n        Mind the *jib*.\n\n2. Sail",
        "1. Hoist\n\n   > [!TIP]\n   > Mind the *jib*.\n\n2. Sail",
        "1. Hoist\n   ```{tip}\n   Mind the *jib*.\n   ```\n2. Sail",
    ],
)
def test_boxes_stand_in_lists(text: str) -> None:
    shown = render(text).replace("<p>Sail</p>", "Sail")
    assert shown == f"<ol><li><p>Hoist</p>{box('tip', 'Tip')}</li><li>Sail</li></ol>"


@pytest.mark.parametrize(
    "text",
    [
        "::: tip Rope\n- Flat\n- Round\n  :::\n\nBehind.",
        "::: tip Rope\n\n- Flat\n- Round\n\n  :::\n\nBehind.",
    ],
)
def test_a_box_ends_where_its_end_is_indented_as_if_it_were_of_a_list_in_it(text: str) -> None:
    html = render(text)
    assert ":::" not in html
    box, _, behind = html.partition("</blockquote>")
    assert ("Rope" in box, "Round" in box, "Behind" in box, "Behind" in behind) == (True, True, False, True)


def test_a_box_in_an_item_ends_before_one_around_the_list() -> None:
    html = render(":::: tip Outer\n- Flat\n\n  ::: note Inner\n  Words.\n  :::\n\n  Still an item.\n  ::::\n\nBehind.")
    assert ":::" not in html
    assert html.index("Words.") < html.index("</blockquote>") < html.index("Still an item.") < html.index("</li>")
    assert html.index("Behind.") > html.rindex("</blockquote>")


def test_an_item_may_begin_with_a_box() -> None:
    item = "- ```{tip}\n  Mind the *jib*.\n  ```\n"
    assert render(f"{item}{item}") == "<ul>" + f"<li>{box('tip', 'Tip')}</li>" * 2 + "</ul>"
    assert render(f"- a\n{item}").endswith(f"<li>{box('tip', 'Tip')}</li></ul>")


@pytest.mark.parametrize(
    "text", [":::tip\n{}\n:::", "!!! tip\n{}", "> [!TIP]\n{}", "````{{tip}}\n{}\n````", '=== "Tab"\n{}']
)
def test_code_in_boxes_is_coloured_and_shows_what_looks_like_a_box(text: str) -> None:
    code = "```python\ndef f(): ...\n:::\n```"
    if "!!!" in text or "===" in text:
        code = "".join(f"    {line}\n" for line in code.splitlines())
    if ">" in text:
        code = "".join(f"> {line}\n" for line in code.splitlines())
    shown = render(text.format(code))
    assert '<span class="k">def</span>' in shown
    assert "<p>:::" not in shown
    assert TAG.sub("", shown).endswith(":::")
    assert shown.count("<blockquote") == 1


@pytest.mark.parametrize(
    "text", ["```\n{}\n```", "~~~md\n{}\n~~~", "    {}", "<pre>\n{}\n</pre>", "- ```\n  {}\n  ```"]
)
@pytest.mark.parametrize(
    "sample", [":::tip\n{0}a\n{0}:::", "!!! note\n{0}    a", "> [!NOTE]\n{0}> a", '=== "A"\n{0}    a']
)
def test_code_that_shows_boxes_stays(text: str, sample: str) -> None:
    shown = render(text.format(sample.format(text.split("{}")[0].split("\n")[-1])))
    assert "blockquote" not in shown
    assert "".join(TAG.sub("", shown).replace("&gt;", ">").split()) == "".join(sample.format("").split())


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (":::regatta\na\n:::", ":::regatta a :::"),
        (":::regatta\n\na\n\n:::", ":::regatta a :::"),
        (":::tip A\na", ":::tip A a"),
        (":::{tip} A\n:class: b\n\na", ":::{tip} A :class: b a"),
        (":::tip\n\na\n\n::", ":::tip a ::"),
        ("a\n\n:::", "a :::"),
        ("::::tip\na\n:::", "::::tip a :::"),
        ("- :::tip\n- a\n- :::", ":::tip a :::"),
        ("- a\n  :::tip\n  b\n\nc\n\n:::", "a :::tip b c :::"),
        ('!!! regatta "A"\n\n    a', '!!! regatta "A" a'),
        ("!!! note", "!!! note"),
        ('!!! note "A"\n\na', '!!! note "A" a'),
        ('=== "A"\n\na', '=== "A" a'),
        ("=== A\n    a", "=== A a"),
        ("> [!PARTY]\n> a", "[!PARTY] a"),
        ("> [!note](a.md) b", "!note b"),
        ("```{regatta}\n:class: tip\na\n```", ":class: tip a"),
        ("```{note}\na", "a"),
        (':::image type="a" source="b":::', ':::image type="a" source="b":::'),
        (f":::tip {'a' * MAX_LINE_CHARACTERS}\na\n:::", f":::tip {'a' * MAX_LINE_CHARACTERS} a :::"),
        ("::tip\na\n::", "::tip a ::"),
        ("\\:::tip\na\n\\:::", ":::tip a :::"),
    ],
)
def test_what_is_no_whole_box_of_a_known_kind_stays_as_it_is_written(text: str, shown: str) -> None:
    html = render(text)
    assert "callout" not in html
    assert TAG.sub(" ", html).split() == shown.split()


@pytest.mark.parametrize(
    "text", [":::tip\n:anchor: a\n:::", ":::{tip}\n:anchor: a\n:::", "```{tip}\n:class: b\n:anchor: a\n```"]
)
def test_an_emoji_is_no_option(text: str) -> None:
    assert render(text) == box("tip", "Tip", "<p>:anchor: a</p>")


def test_an_unknown_container_in_a_box_ends_by_itself() -> None:
    assert render(":::tip\n:::regatta\na\n:::\nb\n:::") == box("tip", "Tip", "<p>:::regatta\na\n:::\nb</p>")


def test_of_unknown_containers_that_are_alike_the_inner_ends_first() -> None:
    text = ":::tip\n:::regatta\n:::regatta\na\n:::\n:::\nb\n:::\nc"
    assert render(text) == box("tip", "Tip", "<p>:::regatta\n:::regatta\na\n:::\n:::\nb</p>") + "<p>c</p>"


def test_what_never_ends_is_in_no_boxes_way() -> None:
    assert render(":::tip\n\n" * 20 + ":::tip\nMind the *jib*.\n:::").endswith(box("tip", "Tip"))


def test_quotes_that_follow_each_other_are_several() -> None:
    assert render("> a\n\n> [!TIP]\n> Mind the *jib*.\n\n> b") == (
        f"<blockquote><p>a</p></blockquote>{box('tip', 'Tip')}<blockquote><p>b</p></blockquote>"
    )


@pytest.mark.parametrize("sign", ["[!tip] ", "\x02box:tip\x03", "&#2;box:tip&#3;", "<x>"])
def test_no_text_makes_itself_a_box(sign: str) -> None:
    assert "callout" not in render(f"> a\n>\n> {sign}b") + render(f"{sign}b")


@pytest.mark.parametrize(
    "form", [":::tip {}\n{}\n:::", '!!! tip "{}"\n    {}', "> [!TIP] {}\n> {}", "```{{tip}} {}\n{}\n```"]
)
def test_titles_and_contents_are_as_inert_as_other_text(form: str) -> None:
    hostile = "<script>alert(1)</script><img src=x onerror=alert(1)> [a](javascript:alert(1)) <b onclick=x class=y>"
    shown = clean_html(Renderer(make_allowance=make_endless).render(form.format(hostile, hostile)), lambda *_: None)
    assert_inert(shown)
    assert "alert(1)</" not in shown.replace("alert(1))", "")
    assert 'class="y"' not in shown


@pytest.mark.parametrize(
    "text",
    [
        ":::tip\n" * 10_000 + ":::\n" * 10_000,
        "".join(f"{':' * n}tip\n" for n in range(20, 2, -1)) + "a\n" + "".join(f"{':' * n}\n" for n in range(3, 21)),
        "".join(f"{'    ' * n}!!! tip\n" for n in range(300)) + "    " * 300 + "a",
        "".join(f"{'> ' * n}[!TIP]\n" for n in range(1, 300)),
        "".join(f"{'`' * n}{{tip}}\n" for n in range(300, 2, -1))
        + "a\n"
        + "".join(f"{'`' * n}\n" for n in range(3, 301)),
    ],
)
def test_boxes_nest_to_a_depth_and_no_further(text: str) -> None:
    with ends():
        shown = render(text)
    found = assert_inert(shown)
    assert "callout" in shown
    assert found.deepest <= MAX_QUOTE_DEPTH + 3


HOSTILE = [
    ":::tip\n",
    ":::tip\n\n",
    ":::\n",
    ":::tip\n:::\n",
    "::::tip\n:::tip\n",
    ":::regatta\n",
    ":::{note}\n:class: tip\n",
    "- a\n  :::tip\n",
    "> [!NOTE]\n",
    "> [!NOTE]\n\n",
    "!!! note\n",
    "!!! note\n\n",
    "!!! note\n    a\n",
    '=== "a"\n',
    '=== "a"\n    a\n\n',
    "```{note}\n",
    "```{note}\n```\n",
    ":::tip " + "{=" * 100 + "}\n",
    "!!! " + "a " * 100 + "\n",
    "> [!a|" + "[!a|" * 60 + "\n",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_lines_are_read_a_bounded_number_of_times(text: str) -> None:
    plain = Holders(code=lambda code, info: "C", html=lambda html: "H", text=lambda text: "T", box=lambda style: "B")
    assert_linear(lambda page: rewrite_blocks(page.split("\n"), plain), text * (200_000 // len(text)))


@pytest.mark.parametrize("text", HOSTILE)
def test_a_page_of_them_is_within_its_allowance(text: str) -> None:
    page = text * (100_000 // len(text))
    assert_inert(clean_html(Renderer().render(page), lambda tag, address: None))
