"""Tables lose the blanks that align their columns; code and text do not change."""

from __future__ import annotations

import pytest

from collections_app.parsing import RawDocument, parse
from collections_app.parsing.normalising.table_padding import drop_table_padding


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("| a    | b   |\n|------|:----|\n| c d  |     |", "| a | b |\n|---|:---|\n| c d | |"),
        ("a   |   b\n----|------\nc   |   d  ", "a | b\n---|---\nc | d"),
        ("- x\n\n  | a   | b  |\n  |-----|----|\n  | c   | d  |", "- x\n\n  | a | b |\n  |---|---|\n  | c | d |"),
        ("|a   |b|\n|-|-|\n|`x   y`   |c|", "|a |b|\n|-|-|\n|`x   y` |c|"),
        ("| a  | b |\n|----|---|\n\n| c    | d |", "| a | b |\n|---|---|\n\n| c    | d |"),
    ],
)
def test_one_blank_is_left_on_each_side_of_a_cell(source: str, expected: str) -> None:
    assert drop_table_padding(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        "```\n| a    | b   |\n|------|-----|\n```",
        "    | a    | b   |\n    |------|-----|",
        "a    | b\n\nc   | d",
        "| a | b |\n|---|---|\n| c \\|    d | e |",
        "a\n-----\nb    c",
    ],
)
def test_what_is_no_padding_stays(source: str) -> None:
    assert drop_table_padding(source) == source


def test_documents_are_read_without_padding_on_the_same_lines() -> None:
    document = parse(RawDocument("a.md", b"# A\n\n| a    | b   |\n|------|-----|\n| c    | d   |\n\n## B\n"))
    assert "| c | d |" in document.content
    assert document.sections[1].start_line == 7
