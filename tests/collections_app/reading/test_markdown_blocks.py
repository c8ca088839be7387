"""Blocks as CommonMark sees them, through Python-Markdown."""

import re

import pytest
from markdown_it import MarkdownIt

from collections_app.reading.markup import Renderer, clean_html
from tests.collections_app.reading.allowances import make_endless

# What differs and means nothing: spaces between blocks, the paragraph around a list item's text.
SPACES = re.compile(r"\s+")
BETWEEN_TAGS = re.compile(r"\s*(</?(?:p|ul|ol|li|blockquote|div|pre|table|thead|tbody|tr|th|td|hr|h[1-6])\b[^>]*>)\s*")
PARAGRAPHS = re.compile(r"</?p>")


def simplify(html: str) -> str:
    return PARAGRAPHS.sub("|", BETWEEN_TAGS.sub(r"\1", SPACES.sub(" ", html))).replace("||", "|").strip("| ")


def render(text: str) -> str:
    html = clean_html(Renderer(make_allowance=make_endless).render(text), lambda tag, address: address)
    html = re.sub(r' data-language="[^"]*"| class="[^"]*"| rel="[^"]*"', "", html)
    return simplify(re.sub(r"</?(?:span|div)>", "", html))


def render_by_the_book(text: str) -> str:
    html = MarkdownIt("commonmark").enable("table").render(text)
    html = re.sub(
        r' class="[^"]*"', "", html.replace("<hr />", "<hr>").replace("<br />", "<br>").replace("&quot;", '"')
    )
    return simplify(html.replace("<h1>", "<h2>").replace("</h1>", "</h2>"))


def drop_paragraphs(html: str) -> str:
    return html.replace("|", " ").replace(" <", "<").replace("> ", ">")


@pytest.mark.parametrize(
    "text",
    [
        "- a\n- b\n- c",
        "- a\n  - b\n    - c\n  - d\n- e",
        "* a\n    * b\n* c",
        "1. a\n2. b\n3. c",
        "7. a\n8. b",
        "1) a\n2) b",
        "1. a\n   - b\n   - c\n2. d",
        "10. a\n    - b\n11. c",
        "text\n- a\n- b",
        "text\n1. a\n2. b",
        "text\n2. not a list",
        "- a\n\n- b",
        "- a\n\n  more of a\n- b",
        "- a\n  goes on\n- b",
        "- a\n\n  - nested\n- b",
        "- a\n  - b\n\n    more of b\n  - c\n- d",
        "1. a\n   - b\n\n   more of a\n2. c",
        "- a\ngoes on lazily\n- b",
        "- a\n1. b",
        "- a\n\ntext",
        "- ```sh\n  ls\n  ```\n- b",
        "1. a\n   ```sh\n   ls\n\n   cd x\n   ```\n2. b",
        "1. a\n\n   > quoted\n\n2. b",
        "- - a\n  - b",
        "-\n  a\n- b",
        "text\n    - goes on",
        "text\n\n    - is code",
        "- a\n\n      code of a\n- b",
        "- a\n- b\n1. c",
        "1. a\n2. b\n1. c",
        "a \\<b\\> \\& \\| \\~",
        "```\n- no list\n# no heading\n```",
        "````\n```\n````",
        "~~~\ncode\n~~~",
        "```\nnever closed\n- x",
        "text\n```\ncode\n```\ntext",
        "    indented\n\n    code",
        "text\n    not code",
        "> a\n> b\n\nc",
        "> a\nlazy",
        "> - a\n> - b",
        "> ```\n> code\n> ```\n> text",
        "> > deeper\n> back",
        "> a\n\n> b",
        "***\n\n- - -\n\n___",
        "a\n\n---\n\nb",
        "a\\\nb",
        "a  \nb",
        "Title\n===\n\nSecond\n---\ntext",
        "#hashtag",
        "- # heading in a list",
        "<div>\n\n**bold**\n\n</div>",
        "<details>\n<summary>S</summary>\n\n- a\n- b\n\n</details>",
        "- <div>\n  b\n  </div>\nc\n- d",
        "1. <div>\n   a\n   </div>\n2. b",
        "- <pre>\n  a\n  </pre>\n\n[b](c)",
        "<pre>\n- as\n\n  it stands\n</pre>",
        "| a | b |\n|---|:-:|\n| 1 | 2 |\n\ntext",
        "\ta tab of code",
        "-\ta\n-\tb",
        "*a* **b** `c` [d](e)",
        "snake_case_name and 2 * 3 * 4",
    ],
)
def test_blocks_are_those_of_commonmark(text: str) -> None:
    expected = re.sub(
        r"</?div>|<(td|th) [^>]*>", lambda found: f"<{found[1]}>" if found[1] else "", render_by_the_book(text)
    )
    actual = re.sub(r"<(td|th) [^>]*>", r"<\1>", render(text))
    assert drop_paragraphs(actual) == drop_paragraphs(simplify(expected))


def test_a_table_may_follow_text_at_once() -> None:
    assert "<table>" in render("text\n| a | b |\n|---|---|\n| 1 | 2 |")


def test_tight_lists_have_no_paragraphs() -> None:
    assert "|" not in render("- a\n- b\n  - c\n- d")


def test_a_year_at_the_end_of_an_item_stays() -> None:
    assert render("- a in\n 2019.") == "<ul><li>a in 2019.</li></ul>"
