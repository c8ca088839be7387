"""Which lines of a plain text are headings, and of which level."""

from __future__ import annotations

import pytest

from collections_app.parsing import parse
from collections_app.parsing.documents import ParsedDocument, RawDocument
from tests.growth import assert_linear

MANUAL = """\
            -------------
             Tea manual
            -------------
              version 2

Summary
-------

1.  Leaves
1.1.    Green

1. Leaves
---------

# Not a heading: a comment.
```

1.1. Green
------------

  # Also a comment.
Steep briefly.

Notes
-----

Cold water does too.

2.    Water
-----------

Boil it.
"""


def read(text: str) -> ParsedDocument:
    return parse(RawDocument(path="tea.txt", content=text.encode()))


def list_headings(text: str) -> list[tuple[int, str]]:
    return [(section.level, section.heading) for section in read(text).sections if section.level]


def test_underlined_lines_are_headings_at_the_levels_of_their_numbers() -> None:
    assert list_headings(MANUAL) == [
        (1, "Tea manual"),
        (2, "Summary"),
        (2, "1. Leaves"),
        (3, "1.1. Green"),
        (4, "Notes"),
        (2, "2. Water"),
    ]


def test_the_heading_at_the_top_is_the_title() -> None:
    assert read(MANUAL).title == "Tea manual"
    assert read("One\n---\n\nx\n\nTwo\n---\n\ny\n").title == "tea"


def test_everything_else_stays_as_it_is_line_by_line() -> None:
    before, after = MANUAL.split("\n"), read(MANUAL).content.split("\n")
    changed = {number: line for number, line in enumerate(after) if line != before[number]}
    assert len(after) == len(before)
    assert {line for line in changed.values() if line} == {
        "# Tea manual",
        "## Summary",
        "## 1. Leaves",
        "### 1.1. Green",
        "#### Notes",
        "## 2. Water",
    }


def test_without_numbers_the_kind_of_line_is_the_level() -> None:
    text = "Tea\n***\n\nLeaves\n======\n\nGreen\n-----\n\nx\n\nWater\n=====\n\nHot\n---\n\ny\n"
    assert list_headings(text) == [(1, "Tea"), (2, "Leaves"), (3, "Green"), (2, "Water"), (3, "Hot")]


def test_wide_characters_may_count_as_one_or_as_two() -> None:
    text = "烏龍茶與綠茶的沖泡\n------------------\n\nx\n\n水溫和時間和茶葉\n--------\n\ny\n"
    assert list_headings(text) == [(2, "烏龍茶與綠茶的沖泡"), (2, "水溫和時間和茶葉")]


@pytest.mark.parametrize(
    "part",
    [
        "Words of a paragraph\nthat ends here\n--------------\n",  # no blank line above
        "Tea\n-----------------\n",  # a rule
        "  Tea\n  ---\n",  # an example
        "Leaf    Water\n-------------\n",  # a table
        "***\n---\n",
        "---\ntitle: of a page\n---\n",
        "--\n--\n",
        "=======\nLeaves:\n\n= Green\n=======\n",  # the end of a box
        "- Green\n-------\n",
    ],
)
def test_other_lines_below_lines_make_no_headings(part: str) -> None:
    assert list_headings(f"x\n\n{part}\nx\n\n{part}\nx\n") == []


def test_rules_between_the_lines_of_a_list_make_no_headings() -> None:
    assert list_headings("-------\nOne tea\n-------\nTwo tea\n-------\nTen tea\n-------\n") == []


def test_a_single_heading_may_be_the_head_of_a_table() -> None:
    assert list_headings("These are there:\n\nLeaves\n------\nGreen\nBlack\n") == []
    assert read("Tea\n---\n\nx\n").content == "Tea\n---\n\nx\n"


def test_it_takes_linear_time() -> None:
    assert_linear(read, "Tea\n---\n\n1.1.1 x\n-----\n" * 3_000)
    assert_linear(read, f"Tea\n---\n\n{'1.' * 30_000}\n{'-' * 60_000}\n")
