"""What browsers hide of raw HTML in Markdown is found in whatever way it is written; what only looks hidden is left."""

from __future__ import annotations

import pytest

from collections_app.parsing.documents import FindingKind
from collections_app.parsing.safety.hidden_html import Hidden, find_hidden
from collections_app.parsing.safety.places import Places
from tests.ends import ends

WORDS = "one two three four five six seven"


def find(text: str, *, is_jsx: bool = False) -> list[Hidden]:
    return find_hidden(Places(text, has_markup=True), is_jsx=is_jsx)


def find_texts(text: str, *, is_jsx: bool = False) -> list[str]:
    return [hidden.text for hidden in find(text, is_jsx=is_jsx)]


@pytest.mark.parametrize(
    "tag",
    [
        "<div HIDDEN>", "<DIV hidden>", "<div Style='display:none'>", "<div style=display:none>", "<div title='>' hidden>",
        '<div title=">" hidden>', "<div hidden />", "<div style='display:none'/>", "<div/hidden>", "<div hidden data-x='tabpanel'>",
        "<div style='display&#58;none'>", "<div style='d\\69splay:none'>", "<div style='display:/**/none'>", "<div\nhidden\n>",
        "<div a=b'c hidden>", "<div hidden=''>", "<div hidden={false}>", "<div a='b'hidden>", "<div < hidden>",
    ],
)  # fmt: skip
def test_it_reads_tags_as_browsers_do(tag: str) -> None:
    assert find_texts(f"text\n\n{tag}\n{WORDS}\n</div>\n\ntext") == [WORDS]


@pytest.mark.parametrize(
    "text",
    [
        f"<template>{WORDS}</template>",
        f"text <template id='a'>{WORDS}</template>",
        f"<script>{WORDS}</script>",
        f"<STYLE media=all>{WORDS}</style>",
        f"text \\\\<!--{WORDS}-->",
        f"<?{WORDS}?>"[:-2] + ">",
        f"text <?{WORDS}?>",
        f"<!x{WORDS}>",
        f"<![CDATA[{WORDS}]]>",
        f"<section>\n\\<div hidden>{WORDS}</div>\n</section>",
        f"<div hidden>\n\n{WORDS}",
    ],
)
def test_it_finds_what_browsers_drop(text: str) -> None:
    assert [each.strip("?[]x") for each in find_texts(text)] == [WORDS]


@pytest.mark.parametrize(
    "text",
    [
        "Use `<template>` and `<script>` here.",
        "```vue\n<template>\n<div hidden>\n</template>\n<script setup>\n```",
        "<Card>\n<template #header>shown by a component</template>\n</Card>",
        "<template v-if='a'>shown by a component</template>",
        "<div role=tabpanel hidden>chosen</div>",
        "<div class='tab-pane' style='display:none'>chosen</div>",
        "<details>\n<summary>a</summary>\nb\n</details>",
        "List<String> and Map<String, List<hidden>> and a <b",
        "\\<div hidden>text\\</div>",
        "\\<!-- text -->",
        "the tag <?php begins > code",
        "x <! y > z",
        "<!-->",
        "<b hidden='until-found'>a</b>",
        "[a]: http://b 'title'\n\nSee [A].",
        "[a]: http://b 'title'\n\nSee [a]: it is there.",
        "[a]: http://b\n\n[^1]: # (a footnote)",
    ],
)
def test_it_leaves_what_readers_see(text: str) -> None:
    assert find_texts(text) in ([], [""])


def test_in_jsx_a_slash_ends_an_element_and_hidden_may_be_false() -> None:
    text = "<div hidden />\n\na\n\n<div hidden={false}>b</div>"
    assert find_texts(text, is_jsx=True) == []
    assert find_texts("<div style={{display: 'none'}}>a</div>", is_jsx=True) == ["a"]


@pytest.mark.parametrize(
    "definition",
    [
        f"[any label]: # ({WORDS})",
        f"[//]: <> ({WORDS})",
        f'[a]: http://b "{WORDS}"',
        f"[a]: http://b\n  '{WORDS}'",
        f"> [a]: /b '{WORDS}'",
        f"[a]: /b\n\n[a]: /b '{WORDS}'",
    ],
)
def test_the_title_of_a_definition_that_nothing_refers_to_is_a_comment(definition: str) -> None:
    assert [(hidden.text, hidden.kind) for hidden in find(f"text\n\n{definition}\n\n[b]")] == [
        (WORDS, FindingKind.COMMENT)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("text <b hidden>a\nb\n\nc", ["a b"]),
        ("The <template> tag\n\n```html\n<template></template>\n```", ["tag"]),
        ("text <div hidden>a\n\nb", ["a b"]),
        ("<span hidden>a\n\nb", ["a b"]),
        ("<p hidden>a\n\nb", ["a"]),
        ("text <b hidden> <div hidden>a\n\nb", ["a", "b"]),
        ("<section> <!-- a\n\nb", ["a b"]),
    ],
)
def test_an_unclosed_block_goes_on_to_the_end_and_another_element_to_that_of_its_paragraph(
    text: str, expected: list[str]
) -> None:
    assert find_texts(text) == expected


def test_tags_in_comments_begin_and_end_nothing() -> None:
    assert find_texts("a <!-- <b hidden> --> b <i hidden>c</i>") == ["<b hidden>", "c"]
    assert find_texts("a <b hidden>b <!-- </b> --> c</b> d") == ["b <!-- --> c"]


def test_the_first_closing_tag_ends_a_script_and_one_in_code_ends_nothing() -> None:
    assert find_texts("<script>a <script> b</script> c") == ["a b"]
    assert find_texts("<div hidden>a `</div>` b</div> c") == ["a ` ` b"]


FILLINGS = [
    "<", "<a ", "<a hidden ", "<a b='", "<!--", "<?", "<!x", "<![CDATA[", "<script>", "</a>", "[a]: b '", "\\", "<div hidden>\n",
]  # fmt: skip


@pytest.mark.parametrize("filling", FILLINGS)
@pytest.mark.parametrize("other", ["", "'", '"', "\n", "=", "`"])
def test_a_long_text_is_read_in_linear_time(filling: str, other: str) -> None:
    with ends():
        find((filling + other) * 10_000)
