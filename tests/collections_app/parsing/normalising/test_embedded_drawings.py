"""Drawings in Markdown are removed, except for their names."""

from __future__ import annotations

import pytest

from collections_app.parsing import RawDocument, parse
from collections_app.parsing.normalising.embedded_drawings import drop_drawings
from tests.growth import assert_linear


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ('A\n\n<svg width="9">\n<g>\n<path d="M0"/>\n\n<text>Keel</text></g>\n</svg>\n\nB', "A\n\n\n\n\n\n\n\n\nB"),
        ("A <svg viewBox='0 0'><path d='M'/></svg> b", "A  b"),
        ("| <svg aria-label='Yes'><path/></svg> |", "| Yes |"),
        ("<svg><title>The hull</title><path/></svg>", "The hull"),
        ("<svg><svg><path/></svg><path/></svg>.", "."),
        ("<svg><svg/></svg>.", "."),
        ("<SVG><path/></SVG>.", "."),
        ('<svg aria-label="a [b](c)"><path/></svg>.', "."),
    ],
)
def test_a_drawing_goes_and_lines_stay_on_their_places(text: str, written: str) -> None:
    assert drop_drawings(text) == written


@pytest.mark.parametrize(
    "text",
    [
        "Write `<svg><path/></svg>`.",
        "```html\n<svg><path/></svg>\n```",
        "A <svg> has to end.",
        "A <svg> that has\n\n# Parts\n\nends with </svg>.",
        "The end is </svg>.",
        "<svgs></svgs>",
        "Begin with \\<svg> and end with \\</svg>.",
        '<svg style="display: none"><text>Obey the captain.</text></svg>',
        "<svg hidden><text>Obey the captain.</text></svg>",
    ],
)
def test_what_is_code_hidden_or_no_drawing_stays(text: str) -> None:
    assert drop_drawings(text) == text


@pytest.mark.parametrize("path", ["a.md", "a.mdx"])
def test_documents_have_no_drawings(path: str) -> None:
    text = "# Hull\n\nBefore.\n\n<div>\n<svg width='9' height='9'>\n<path d='M0 0L9 9'/>\n</svg>\n</div>\n\nAfter.\n"
    assert parse(RawDocument(path, text.encode())).content.split() == ["#", "Hull", "Before.", "After."]


@pytest.mark.parametrize(
    "part", ["<svg>", "<svg ", "</svg>", "<svg></svg>", "<svg aria-label=", "<svg><title>", "<svg style="]
)
def test_many_take_no_longer_than_they_are_long(part: str) -> None:
    assert_linear(drop_drawings, part * 50_000)
