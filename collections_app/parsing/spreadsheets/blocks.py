"""What the cells of a sheet are to people: titles, lines of text, and tables with their headers. Nothing in the file says so.

- Rows that follow each other without a blank row between them are one run. One of single cells is text.
- Else its first row with several cells is the header of a table, unless the run goes on with the table above: it is no wider, and its first
  row does not look like a header.
- A single cell above a table, or within it, that is bold or covers several columns is the title of what follows, if anything does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from collections_app.parsing.spreadsheets.sheets import Cell, Row

_MAX_TITLE_CHARACTERS = 150
_MAX_HEADER_CHARACTERS = 80  # of a cell of a header that is not bold
_MAX_HEADER_ROWS = 3
_MAX_SPAN = 50  # columns that a cell of a header covers
_MAX_UNUSED = 20  # columns with a label that no row of a table has a cell in
_MAX_LABEL_CHARACTERS = 200  # of a column: records repeat it


@dataclass(frozen=True, slots=True)
class Block:
    """Rows that belong together."""

    rows: Sequence[Row]

    @property
    def number(self) -> int:
        """Of its first row."""
        return self.rows[0].number


class Title(Block):
    """A row of one cell, which names what follows."""

    @property
    def text(self) -> str:
        return next(iter(self.rows[0].cells.values())).text


class Text(Block):
    """Lines that stand by themselves: rows of one cell each."""


@dataclass(frozen=True, slots=True)
class Table(Block):
    """`labels` are those of its columns, in their order; empty texts where it has none. `rows` have no others."""

    labels: Mapping[int, str]


@dataclass(slots=True)
class _Header:
    """`rows` are its own, `columns` all of the table's; `is_bold` of all its cells."""

    rows: Sequence[Row]
    labels: Mapping[int, str]
    columns: set[int]
    is_bold: bool


def find_blocks(rows: Sequence[Row], *, has_gaps: bool = True) -> Iterator[Block]:
    """In the order of the rows. Without gaps all rows are one run, however they are numbered."""
    waiting: list[Block] = []  # titles, until something follows
    for block in _BlockFinder().find(_iter_runs(rows) if has_gaps else [rows]):
        waiting.append(block)
        if not isinstance(block, Title):
            yield from waiting
            waiting.clear()
    if waiting:
        yield Text([row for title in waiting for row in title.rows])


class _BlockFinder:
    """The table that is open, with those of its rows that are still to be told of."""

    def __init__(self) -> None:
        self._header: _Header | None = None
        self._rows: list[Row] = []
        self._is_told = True  # something of the table

    def find(self, runs: Iterable[Sequence[Row]]) -> Iterator[Block]:
        for run in runs:
            first = next((n for n, row in enumerate(run) if len(row.cells) > 1), len(run))
            if first:
                yield from self._end_rows()
                yield from _read_lines(run[:first])
            if first == len(run):
                continue
            left = run[first:]
            if self._header is None or not _goes_on(self._header, left):
                yield from self._end_table()
                count = _count_header_rows(left)
                self._header, self._is_told = _read_header(left[:count], left), False
                left = left[count:]
            yield from self._read_rows(self._header, left)
        yield from self._end_table()

    def _read_rows(self, header: _Header, rows: Sequence[Row]) -> Iterator[Block]:
        """Cut at the titles among them, and at notes over several columns."""
        for row in rows:
            cell = next(iter(row.cells.values()))
            if len(row.cells) == 1 and (_is_title(cell) or cell.columns > 1):
                yield from self._end_rows()
                yield Title([row]) if _is_title(cell) else Text([row])
            else:
                self._rows.append(row)
                header.columns.update(row.cells)

    def _end_rows(self) -> Iterator[Block]:
        if self._header is not None and self._rows:
            columns = {column for row in self._rows for column in row.cells}
            if len(self._header.labels) <= _MAX_UNUSED + 2 * len(columns):
                columns.update(self._header.labels)
            yield Table(self._rows, {column: self._header.labels.get(column, "") for column in sorted(columns)})
            self._rows, self._is_told = [], True

    def _end_table(self) -> Iterator[Block]:
        """A header with nothing below it is a row too."""
        yield from self._end_rows()
        if self._header is not None and not self._is_told:
            yield Table(self._header.rows, dict.fromkeys(self._header.labels, ""))
        self._header, self._is_told = None, True


def _iter_runs(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    start = 0
    for n in range(1, len(rows) + 1):
        if n == len(rows) or rows[n].number > rows[n - 1].number + 1:
            yield rows[start:n]
            start = n


def _read_lines(rows: Sequence[Row]) -> Iterator[Block]:
    """Of rows of a single cell each."""
    for is_title, alike in groupby(rows, lambda row: _is_title(*row.cells.values())):
        if is_title:
            yield from (Title([row]) for row in alike)
        else:
            yield Text(list(alike))


def _is_title(cell: Cell) -> bool:
    is_line = len(cell.text) <= _MAX_TITLE_CHARACTERS and "\n" not in cell.text and not cell.text.endswith(".")
    return is_line and not cell.is_number and (cell.is_bold or cell.columns > 1)


def _goes_on(header: _Header, rows: Sequence[Row]) -> bool:
    """Whether rows below a gap belong to the table above it."""
    first = rows[0]
    if not header.columns.issuperset(first.cells):
        return False
    if _is_bold(first) and (header.is_bold or not all(map(_is_bold, rows[1:]))):
        return False
    return header.is_bold or not (_is_text(first) and any(not _is_text(row) for row in rows[1:]))


def _is_bold(row: Row) -> bool:
    return all(cell.is_bold for cell in row.cells.values())


def _is_text(row: Row) -> bool:
    return not any(cell.is_number for cell in row.cells.values())


def _count_header_rows(rows: Sequence[Row]) -> int:
    """None where the first row has numbers or sentences, and does not stand out as headers do."""
    first = rows[0]
    stands_out = _is_bold(first) and len(rows) > 1 and not _is_bold(rows[1])
    if not stands_out and not (
        _is_text(first) and all(len(each.text) <= _MAX_HEADER_CHARACTERS for each in first.cells.values())
    ):
        return 0
    covered = max(cell.rows for cell in first.cells.values())
    if covered == 1 and len(rows) > 1 and _is_below_groups(first, rows[1]):
        covered = 2
    return min(covered, _MAX_HEADER_ROWS, len(rows))


def _is_below_groups(groups: Row, row: Row) -> bool:
    """Whether a row labels the columns that those of the row above it name together."""
    is_grouped = any(cell.columns > 1 for cell in groups.cells.values())
    looks_alike = _is_text(row) and _is_bold(row) == _is_bold(groups)
    return is_grouped and looks_alike and len(row.cells) > len(groups.cells)


def _read_header(rows: Sequence[Row], all_rows: Sequence[Row]) -> _Header:
    """Of several rows, the labels above each other are one."""
    labels: dict[int, list[str]] = {}
    for row in rows:
        for column, cell in row.cells.items():
            for covered in range(column, column + (min(cell.columns, _MAX_SPAN) if len(rows) > 1 else 1)):
                labels.setdefault(covered, []).append(" ".join(cell.text.split()))
    joined = {
        column: " ".join(dict.fromkeys(texts))[:_MAX_LABEL_CHARACTERS] for column, texts in sorted(labels.items())
    }
    columns = {column for row in all_rows for column in row.cells}
    return _Header(rows, joined, columns, bool(rows) and all(map(_is_bold, rows)))
