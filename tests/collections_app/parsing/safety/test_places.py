"""The positions of a Markdown text that are code, compared with markdown-it-py."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from collections_app.parsing.headings import LineKind, iter_line_kinds, leaves_block_open
from collections_app.parsing.safety.places import Places, find_code_spans

REFERENCE = MarkdownIt("commonmark").disable("inline")
LINES = st.sampled_from(
    [
        "",
        "text",
        "    code",
        "\tcode",
        "```",
        "````",
        "~~~",
        "``` py",
        "- item",
        "  more",
        "> quote",
        "> ```",
        "# h",
        "1. one",
        "<div>",
        "   ```",
        "- ```",
    ]
)


def find_reference_lines(text: str) -> set[int]:
    """Indented code ends with its last line that is not blank."""
    tokens = [token for token in REFERENCE.parse(text) if token.type in {"fence", "code_block"}]
    lines = text.split("\n")
    return {number for token in tokens if token.map for number in range(*token.map) if lines[number].strip(" \t>")}


@given(st.lists(LINES, max_size=12))
def test_code_lines_are_those_of_commonmark(lines: list[str]) -> None:
    kinds = enumerate(iter_line_kinds(lines))
    found = {number for number, kind in kinds if kind is LineKind.CODE and lines[number].strip(" \t>")}
    assert found == find_reference_lines("\n".join(lines))


@pytest.mark.parametrize(
    ("line", "spans"),
    [
        ("a `b` c", ["`b`"]),
        ("`` a ` b ``", ["`` a ` b ``"]),
        ("`a`` b", []),
        ("``a` b`", ["` b`"]),
        ("`a` `b`", ["`a`", "`b`"]),
        ("", []),
    ],
)
def test_code_spans_end_at_as_many_backticks(line: str, spans: list[str]) -> None:
    assert [line[start:end] for start, end in find_code_spans(line)] == spans


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("```\na", True),
        ("```\na\n```", False),
        ("<!-- a", True),
        ("<pre>", True),
        ("<div>", False),
        ("- ```\n  a", False),
        ("a", False),
    ],
)
def test_it_knows_whether_a_text_would_take_what_follows(text: str, expected: bool) -> None:
    assert leaves_block_open(text.split("\n")) is expected


def test_a_place_in_a_line_of_many_spans_is_found_in_its_own() -> None:
    places = Places("`a` b `c` d", has_markup=True)
    assert [offset for offset in range(11) if places.is_code(offset, offset + 1)] == [0, 1, 2, 6, 7, 8]
