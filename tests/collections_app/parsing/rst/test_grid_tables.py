"""Grid tables of reStructuredText whose borders are not aligned."""

from __future__ import annotations

from textwrap import dedent

import pytest

from collections_app.parsing.documents import NormalisedText, RawDocument
from collections_app.parsing.rst import grid_tables, parse_restructured_text
from collections_app.parsing.rst.grid_tables import draw_grid

TABLE = """\
+------+-------+
| Part | What  |
+======+=======+
| bow  | ``front`` of |name| |
|      | the boat
+------+-------+
| stern | behind |
+------+-------+
"""


def read(text: str) -> NormalisedText:
    return parse_restructured_text(RawDocument("page.rst", dedent(text).encode()))


def test_they_are_tables() -> None:
    document = read(TABLE.replace("|name| ", "`it <https://example.org>`__ "))
    assert document.content.splitlines() == [
        "| Part | What |",
        "| --- | --- |",
        "| bow | `front` of [it](https://example.org) the boat |",
        "| stern | behind |",
    ]
    assert document.warnings == ()


def test_they_are_so_within_other_blocks_and_know_what_the_document_defines() -> None:
    text = """\
        .. note::

           +-----+------+
           | |a| | mast |
           +-----+------+
           | [1]_ | 船 |
           +-----+------+

        .. [1] A note.
        .. |a| replace:: *bow*
        .. _a: b.html

        Behind.
        """
    assert "| [1]_ | 船 |" in read(text).content  # the signs of a substitution are those between cells
    assert read(text.replace("| |a| |", "| a_  |")).content.split("\n\n") == [
        "> **Note**:\n>\n> |  |  |\n> | --- | --- |\n> | [a](b.html) | mast |\n> | [1] | 船 |",
        "[1]: A note.",
        "Behind.\n",
    ]


def test_errors_in_them_have_the_lines_of_the_file() -> None:
    assert read("Text.\n\n+---+\n| |a|b|c |\n+---+\n").warnings == (
        "Line 4: Malformed table. Right border not aligned or missing.",
    )
    text = "Text.\n\n+---+---+\n| a | :unknown-directive |\n|   |     |\n+---+---+\n"
    assert read(text).warnings == ()


@pytest.mark.parametrize(
    "table",
    [
        "+---+---+\n| a | b |\n|   +---+\n| c |d  |\n+---+---+",
        "+---+---+\n| a | b |\n+---+---+\n| a | b | c |\n+---+---+",
        "+---+---+\n| a | b |\n+-------+\n| a | b |\n+---+---+",
        "+---+---+\n| a | b |",
        "no table",
        "+---+\n" + "| a |\n" * 100 + f"| {'b' * 1_000} |\n+---+",
    ],
)
def test_what_is_not_sure_is_not_drawn(table: str) -> None:
    assert draw_grid(table.split("\n")) == ()


def test_what_is_not_drawn_stays_as_it_is_written() -> None:
    document = read("+---+---+\n| a | b |\n+---+---+\n| a | b | c |\n+---+---+\n")
    assert document.content == "```\n+---+---+\n| a | b |\n+---+---+\n| a | b | c |\n+---+---+\n```\n"
    assert len(document.warnings) == 1


def test_so_do_those_beyond_the_most_that_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grid_tables, "MAX_TABLES", 1)
    document = read("+---+\n| ab  |\n+---+\n\n+---+\n| cd  |\n+---+\n")
    assert document.content == "|  |\n| --- |\n| ab |\n\n```\n+---+\n| cd  |\n+---+\n```\n"
