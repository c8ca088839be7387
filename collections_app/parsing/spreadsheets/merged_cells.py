"""Cells that cover rows below them, such as the name of a group beside its rows: each of these rows has it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from collections_app.parsing.spreadsheets.sheets import Cell, Row

_MAX_COPIED = 200_000  # characters


def spread_down(rows: Sequence[Row]) -> list[Row]:
    """Of rows that hold nothing else none is made."""
    spread: list[Row] = []
    above: dict[int, tuple[int, Cell]] = {}  # by column, with the last row that it covers
    left = _MAX_COPIED
    for row in rows:
        copied: dict[int, Cell] = {}
        if above and left > 0:
            above = {column: (last, cell) for column, (last, cell) in above.items() if last >= row.number}
            copied = {column: cell for column, (_, cell) in above.items() if column not in row.cells}
            left -= len(above) + sum(len(cell.text) for cell in copied.values())
        cells = dict(sorted({**row.cells, **copied}.items())) if copied else row.cells
        spread.append(replace(row, cells=cells))
        above |= {
            column: (row.number + cell.rows - 1, replace(cell, rows=1))
            for column, cell in row.cells.items()
            if cell.rows > 1
        }
    return spread
