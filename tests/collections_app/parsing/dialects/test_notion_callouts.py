"""Callouts of Notion's Markdown become quotes with their kind, on the same lines."""

from __future__ import annotations

import pytest

from collections_app.parsing import RawDocument, parse
from collections_app.parsing.dialects.notion import write_notion_callouts


@pytest.mark.parametrize(
    ("callout", "expected"),
    [
        ("<aside>\n💡 Warm the cup.\n\n</aside>", "\n> **Tip:** Warm the cup.\n\n"),
        ("<aside>\n⚠️ It burns.\n\nReally.\n</aside>", "\n> **Warning:** It burns.\n>\n> Really.\n"),
        (
            '<aside>\n<img src="/icons/x.svg" alt="/icons/x.svg" width="40px" /> A **pot**.\n\n</aside>',
            "\n> **Note:** A **pot**.\n\n",
        ),
        (
            '<aside>\n<img src="/icons/warning_red.svg" alt="/icons/warning_red.svg" width="40px" /> It burns.\n</aside>',
            "\n> **Warning:** It burns.\n",
        ),
        (
            '<aside>\n<img src="https://n.example/icons/info-alternate_blue.svg" alt="" width="40px" /> A plant.\n</aside>',
            "\n> **Info:** A plant.\n",
        ),
        ("<aside>\nℹ️ A plant.\n</aside>", "\n> **Info:** A plant.\n"),
        ("<aside>\n‼️ It burns.\n</aside>", "\n> **Important:** It burns.\n"),
        ("<aside>\n⁉️ Does it?\n</aside>", "\n> **Note:** Does it?\n"),
        ("<aside>\n👩\u200d🍳 Ann's.\n</aside>", "\n> **Note:** Ann's.\n"),
        ("<aside> 🚧 Not yet.\n\nSoon.\n</aside>", "> **Warning:** Not yet.\n>\n> Soon.\n"),
        ("<aside>\n🫖\n\nA pot.\n\n</aside>", "\n> **Note:**\n>\n> A pot.\n\n"),
    ],
)
def test_a_callout_is_a_quote_with_its_kind(callout: str, expected: str) -> None:
    assert write_notion_callouts(f"# Tea\n\n{callout}\n\nMore.") == f"# Tea\n\n{expected}\n\nMore."
    assert expected.count("\n") == callout.count("\n")


@pytest.mark.parametrize(
    "text",
    [
        "<aside>\nAn aside of somebody else.\n</aside>",
        "<aside>\n¡Cuidado! Quema mucho.\n</aside>",
        "<aside>\n§ 7 is about cups.\n</aside>",
        "<aside>\n© 2020 Teapot Works\n</aside>",
        "<aside>\n° is a degree.\n</aside>",
        "<aside>\n• a cup\n</aside>",
        "<aside>\n● a cup\n</aside>",
        "<aside>\n… and a cup\n</aside>",
        "<aside>\n🫖Pot is what it is called.\n</aside>",
        "<aside>\n💡 With <span hidden>HTML</span>.\n</aside>",
        "<aside>\n💡 With sections\n\n## Cups\n\nSmall.\n\n</aside>",
        "```html\n<aside>\n💡 Code.\n</aside>\n```",
        "<aside>\n💡 Without an end.",
        "</aside>\n<aside>",
        "<aside>\n</aside>",
        '<aside class="note">\n💡 Of somebody else.\n</aside>',
    ],
)
def test_what_is_no_such_callout_stays_as_it_is_written(text: str) -> None:
    assert write_notion_callouts(text) == text


def test_callouts_are_written_in_pages_of_notion() -> None:
    text = "# Tea\n\nStatus: Done\n\n<aside>\n💡 Warm the cup.\n\n</aside>\n\n## Cups\n\nSmall ones.\n"
    document = parse(RawDocument("Tea 8c1c7fdb8efa4dee956440eba060e013.md", text.encode()))
    assert document.title == "Tea"
    assert "> **Tip:** Warm the cup.\n" in document.content
    assert "aside" not in document.content


def test_many_callouts_take_time_that_grows_as_the_text_does() -> None:
    text = "<aside>\n" * 50_000 + "💡 a\n</aside>\n" * 50_000 + "<aside>\n💡 a\n</aside>\n" * 20_000
    assert write_notion_callouts(text).count("**Tip:**") == 20_001
