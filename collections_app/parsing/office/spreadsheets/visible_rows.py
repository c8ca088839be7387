"""The visible rows of a sheet in order: hidden rows are left out, but a cell that covers hidden and visible rows keeps its text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from collections_app.parsing.office.spreadsheets.sheets import Cell, Row

_MAX_COPIED = 200_000  # of copied cells: their characters, and one for each open cell in each row


class VisibleRows:
    """Collects the rows of a sheet in order. `hidden` has the texts of the hidden rows, except for cells that cover rows below them;
    `hidden_count` is how many hidden rows have cells.
    """

    def __init__(self) -> None:
        self._rows: list[Row] = []
        self._last = 0
        self._has_gap = False
        # From hidden rows, by column, with the last row that each covers.
        self._carried: dict[int, tuple[int, Cell]] = {}
        self.hidden: list[str] = []
        self.hidden_count = 0

    def add(self, number: int, cells: Mapping[int, Cell], *, is_hidden: bool) -> None:
        """Add a row. A hidden row does not count as a gap between its neighbours."""
        self._has_gap |= number > self._last + 1 and self._last > 0
        self._last = number
        if is_hidden:
            self._hide(number, cells)
            return
        if self._carried:
            cells = self._take_carried(number, cells)
        if cells:
            self._rows.append(Row(number, cells, has_gap=self._has_gap))
        self._has_gap = not cells

    def _hide(self, number: int, cells: Mapping[int, Cell]) -> None:
        self._carried |= {column: (number + cell.rows - 1, cell) for column, cell in cells.items() if cell.rows > 1}
        self.hidden += [cell.text for cell in cells.values() if cell.rows == 1]
        self.hidden_count += bool(cells)

    def _take_carried(self, number: int, cells: Mapping[int, Cell]) -> Mapping[int, Cell]:
        carried = {
            column: replace(cell, rows=last - number + 1)
            for column, (last, cell) in self._carried.items()
            if last >= number
        }
        self._carried = {}
        return dict(sorted({**carried, **cells}.items()))

    def finish(self) -> list[Row]:
        """The visible rows. A cell that covers several rows, such as the name of a group, is repeated in those that have cells of their
        own.
        """
        spread: list[Row] = []
        # Cells that cover rows below, by column, with the last row that each covers.
        above: dict[int, tuple[int, Cell]] = {}
        left = _MAX_COPIED
        for row in self._rows:
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


def list_texts(rows: Sequence[Row]) -> list[str]:
    return [cell.text for row in rows for cell in row.cells.values()]
