"""Simple tables of reStructuredText with text between their columns, or with borders that are not aligned."""

from __future__ import annotations

from textwrap import dedent

import pytest

from collections_app.parsing.documents import NormalisedText, RawDocument
from collections_app.parsing.rst import parse_restructured_text
from collections_app.parsing.rst.simple_tables import draw_simple


def read(text: str) -> NormalisedText:
    return parse_restructured_text(RawDocument("page.rst", dedent(text).encode()))


def test_a_cell_that_is_too_long_for_its_column_is_one() -> None:
    document = read("""\
        =====  =======
        Part   What
        =====  =======
        bow    :option:`front` of
               the boat
        ``the stern`` :option:`behind`
        the main mast  in the *middle*
        =====  =======
        """)
    assert document.content.splitlines() == [
        "| Part | What |",
        "| --- | --- |",
        "| bow | `front` of the boat |",
        "| `the stern` | `behind` |",
        "| the main mast | in the *middle* |",
    ]
    assert document.warnings == ()


def test_rows_may_be_in_line_with_any_border() -> None:
    document = read("""\
        ====== ==== ====
        Part   What No
        ====== ===== ===
        bow    front 1
        stern  back  2
        ====== ===== ===
        """)
    assert document.content.splitlines()[2:] == ["| bow | front | 1 |", "| stern | back | 2 |"]


@pytest.mark.parametrize(
    "row",
    [
        "the main mast here",  # where its first cell ends is not told
        "a mast  in the  middle",
        "``the mast here",
        "-----  -----\nbow    front",
        "=====  =====  ===\nbow    front  1",
    ],
)
def test_where_cells_are_not_told_it_stays_as_it_is_written(row: str) -> None:
    table = f"=====  =====\nstern_beam  x\nmast-and-boom y\n{row}\n=====  ====="
    assert draw_simple(table.split("\n")) == ()
    assert "mast-and-boom y" in read(f"{table}\n").content


def test_it_grows_no_further_than_a_few_times() -> None:
    rows = [f"{'a' * 1000}  b", *["a      b"] * 1000]
    assert draw_simple(["=====  =====", *rows, "=====  ====="]) == ()
