"""Divides the cells of a sheet into what people see in them: titles, lines of text, and tables with headers. It goes by position and bold
type: the readers of file formats mark the headers of the formats' own tables as bold.

- Consecutive rows without a blank row between them form a run. A run of single cells is text.
- In any other run, the first row with several cells is the header of a table, unless the run continues the table above: it is no wider,
  and its first row does not look like a header.
- A single cell above a table, or at its left edge, that is bold or covers several columns is the title of what follows, if anything does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from collections_app.parsing.office.spreadsheets.sheets import Cell, Row

_MAX_TITLE_CHARACTERS = 150
_MAX_HEADER_CHARACTERS = 80  # of a sentence that may still be a label
_MAX_HEADER_ROWS = 3
_MAX_SPAN = 50  # columns that a header cell covers
_MAX_UNUSED = 60  # labelled columns in which no row of the table has a cell
_MIN_COUNTED = 3  # rows whose first cells differ only in a number
_MIN_TEXT = 30  # characters of a text that is too long for a label
_YEARS = range(1900, 2101)
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Block:
    """Rows that belong together."""

    rows: Sequence[Row]

    @property
    def number(self) -> int:
        """The number of its first row."""
        return self.rows[0].number


class Title(Block):
    """A row with one cell, which names what follows."""

    @property
    def cell(self) -> Cell:
        return next(iter(self.rows[0].cells.values()))


class Text(Block):
    """Lines of text: rows with one cell each."""


@dataclass(frozen=True, slots=True)
class Table(Block):
    """`labels` has the label of each column in column order, empty for a column without one. Only these columns have cells in `rows`."""

    labels: Mapping[int, str]


@dataclass(slots=True)
class _Header:
    """`rows` are those of the header, `columns` those of the whole table; `stands_out` if all its cells are bold."""

    rows: Sequence[Row]
    labels: Mapping[int, str]
    columns: set[int]
    stands_out: bool

    @property
    def own_columns(self) -> set[int]:
        """The columns in which the header itself has a cell."""
        return {column for row in self.rows for column in row.cells}


def find_blocks(rows: Sequence[Row]) -> Iterator[Block]:
    """Blocks in row order. Titles that nothing follows become text."""
    waiting: list[Block] = []  # titles, until something follows
    for block in _BlockFinder().find(_iter_runs(rows)):
        waiting.append(block)
        if not isinstance(block, Title):
            yield from waiting
            waiting.clear()
    if waiting:
        yield Text([row for title in waiting for row in title.rows])


class _BlockFinder:
    """Divides runs of rows into blocks. It holds the header of the open table, and those of its rows that are not in a block yet."""

    def __init__(self) -> None:
        self._header: _Header | None = None
        self._rows: list[Row] = []
        self._is_told = True  # whether the open table is in a block, at least in part

    def find(self, runs: Iterable[Sequence[Row]]) -> Iterator[Block]:
        for run in runs:
            first = next((n for n, row in enumerate(run) if len(row.cells) > 1), len(run))
            if first:
                yield from self._end_rows() if self._may_go_on() else self._end_table()
                yield from _read_lines(run[:first])
            if first == len(run):
                continue
            left = run[first:]
            if self._header is None or not _goes_on(self._header, left):
                yield from self._open_table(left)
            else:
                yield from self._read_rows(left)
        yield from self._end_table()

    def _may_go_on(self) -> bool:
        """Whether the open table may continue below other text. A header without rows may do so only if it stands out."""
        return self._is_told or (self._header is not None and (bool(self._rows) or self._header.stands_out))

    def _open_table(self, rows: Sequence[Row]) -> Iterator[Block]:
        yield from self._end_table()
        count = _count_header_rows(rows)
        self._header, self._is_told = _read_header(rows[:count], rows), False
        yield from self._read_rows(rows[count:])

    def _read_rows(self, rows: Sequence[Row]) -> Iterator[Block]:
        """Ends the table's rows at titles among them, at notes that cover several columns, and at another header."""
        for n, row in enumerate(rows):
            if self._is_header_again(rows, n):
                yield from self._open_table(rows[n:])
                return
            if self._is_apart(row):
                yield from self._end_rows()
                yield Title([row]) if _is_title(*row.cells.values()) else Text([row])
            else:
                self._rows.append(row)
                if self._header is not None:
                    self._header.columns.update(row.cells)

    def _is_apart(self, row: Row) -> bool:
        """Whether a row whose only cell is at the left edge is not part of the table: the cell covers several columns, or it is a title by
        its bold type and the cell above it is not bold.
        """
        if len(row.cells) > 1 or self._header is None:
            return False
        ((column, cell),) = row.cells.items()
        if column != min(self._header.columns, default=column):
            return False
        above = self._rows[-1].cells.get(column) if self._rows else None
        return cell.columns > 1 or (_is_title(cell) and not (above and above.is_bold))

    def _is_header_again(self, rows: Sequence[Row], n: int) -> bool:
        """Whether a bold row of texts between rows that are not bold begins another header."""
        if n + 1 == len(rows) or not self._rows or len(rows[n].cells) == 1:
            return False
        is_wide = 2 * len(rows[n].cells) >= len(self._rows[-1].cells)
        return (
            is_wide
            and _is_text(rows[n])
            and _is_bold(rows[n])
            and not _is_bold(rows[n + 1])
            and not _is_bold(self._rows[-1])
        )

    def _end_rows(self) -> Iterator[Block]:
        if self._header is not None and self._rows:
            columns = {column for row in self._rows for column in row.cells}
            if len(self._header.labels) <= _MAX_UNUSED + 2 * len(columns):
                columns |= self._header.own_columns
            yield Table(self._rows, {column: self._header.labels.get(column, "") for column in sorted(columns)})
            self._rows, self._is_told = [], True

    def _end_table(self) -> Iterator[Block]:
        """A header with nothing below it becomes the row of a table without labels."""
        yield from self._end_rows()
        if self._header is not None and not self._is_told:
            yield Table(self._header.rows, dict.fromkeys(sorted(self._header.own_columns), ""))
        self._header, self._is_told = None, True


def _iter_runs(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    start = 0
    for n in range(1, len(rows) + 1):
        if n == len(rows) or rows[n].has_gap:
            yield rows[start:n]
            start = n


def _read_lines(rows: Sequence[Row]) -> Iterator[Block]:
    """Titles and texts of rows with a single cell each. Of titles directly below each other only the first is a title."""
    for is_title, alike in groupby(rows, lambda row: _is_title(*row.cells.values())):
        group = list(alike)
        if is_title:
            yield Title(group[:1])
        if rest := group[is_title:]:
            yield Text(rest)


def _is_title(cell: Cell) -> bool:
    is_line = len(cell.text) <= _MAX_TITLE_CHARACTERS and "\n" not in cell.text and not cell.text.endswith(".")
    return is_line and not cell.is_number and (cell.is_bold or cell.columns > 1)


def _goes_on(header: _Header, rows: Sequence[Row]) -> bool:
    """Whether rows below a gap belong to the table above it."""
    first = rows[0]
    if not header.columns.issuperset(first.cells):
        return False
    if _is_bold(first) and (header.stands_out or not all(map(_is_bold, rows[1:]))):
        return False
    return header.stands_out or not (_is_text(first) and any(not _is_text(row) for row in rows[1:]))


def _is_bold(row: Row) -> bool:
    return all(cell.is_bold for cell in row.cells.values())


def _is_text(row: Row) -> bool:
    return not any(cell.is_number for cell in row.cells.values())


def _count_header_rows(rows: Sequence[Row]) -> int:
    """How many rows the header has. Unless the first row alone is bold, it is no header if it has numbers or sentences, if it is numbered
    like those below it, or if the labels are in the first column. It is none either if only some of its cells cover several rows.
    """
    first = rows[0]
    stands_out = _is_bold(first) and len(rows) > 1 and not _is_bold(rows[1])
    if not stands_out and (not _holds_labels(first) or _is_labelled_at_left(rows) or _is_counted(rows)):
        return 0
    covered = max(cell.rows for cell in first.cells.values())
    if covered > 1:
        are_groups = all(cell.rows == covered or cell.columns > 1 for cell in first.cells.values())
        return min(covered, _MAX_HEADER_ROWS, len(rows)) if are_groups else 0
    below = next((n for n in range(1, min(len(rows), _MAX_HEADER_ROWS)) if not _is_below_labels(rows, n)), 1)
    return max(below, 2) if len(rows) > 1 and _is_below_groups(first, rows[1]) else below


def _holds_labels(row: Row) -> bool:
    """Whether a row may be a header: it has texts, none of them a long sentence (a question may be long), and its numbers are different
    years.
    """
    cells = list(row.cells.values())
    years = [cell.text for cell in cells if cell.is_number]
    are_years = all(text.isdecimal() and int(text[:9]) in _YEARS for text in years) and len(set(years)) == len(years)
    has_sentence = any(len(cell.text) > _MAX_HEADER_CHARACTERS and cell.text.endswith((".", "!")) for cell in cells)
    return are_years and len(years) < len(cells) and not has_sentence


def _is_counted(rows: Sequence[Row]) -> bool:
    """Whether the first rows are numbered in their first column (`A1.1`, `A1.2`) and have values in another."""
    counted = rows[:_MIN_COUNTED]
    column, *others = sorted(rows[0].cells)
    names = [row.cells[column].text for row in counted if column in row.cells]
    is_named = any(map(str.isalpha, names[0])) and len(set(names)) == _MIN_COUNTED
    is_row = any(all(other in row.cells and _is_value(row.cells[other]) for row in counted) for other in others)
    return is_named and is_row and len({_NUMBER.sub("0", name) for name in names}) == 1


def _is_value(cell: Cell) -> bool:
    """Whether it is a number, a date, an amount or a longer text, and so no label."""
    return cell.is_number or cell.text[:1].isdigit() or len(cell.text) >= _MIN_TEXT


def _is_labelled_at_left(rows: Sequence[Row]) -> bool:
    """Whether the first of two columns has the labels: its cells end in a colon, or they alone are bold."""
    columns = sorted({column for row in rows for column in row.cells})
    firsts = [row.cells[columns[0]] for row in rows if columns[0] in row.cells]
    others = [cell for row in rows for column, cell in row.cells.items() if column != columns[0]]
    are_called = all(cell.text.endswith((":", "：")) for cell in firsts)
    stand_out = all(cell.is_bold for cell in firsts) and not any(cell.is_bold for cell in others)
    return len(columns) == 2 and len(firsts) > 1 and (are_called or stand_out)


def _is_below_labels(rows: Sequence[Row], n: int) -> bool:
    """Whether row `n` continues the labels above it: it has only texts, none in the first column, and a row with numbers follows soon."""
    first_column = min(rows[0].cells)
    return (
        n + 1 < len(rows)
        and _is_text(rows[n])
        and first_column not in rows[n].cells
        and any(not _is_text(row) for row in rows[n + 1 : n + _MAX_HEADER_ROWS])
    )


def _is_below_groups(groups: Row, row: Row) -> bool:
    """Whether `row` labels the single columns that the cells of `groups`, the row above it, cover together."""
    is_grouped = any(cell.columns > 1 for cell in groups.cells.values())
    looks_alike = _is_text(row) and _is_bold(row) == _is_bold(groups)
    return is_grouped and looks_alike and len(row.cells) > len(groups.cells)


def _read_header(rows: Sequence[Row], all_rows: Sequence[Row]) -> _Header:
    """The labels of a column in several rows are joined; a label that covers several columns belongs to each of them."""
    labels: dict[int, list[str]] = {}
    for row in rows:
        for column, cell in row.cells.items():
            for covered in range(column, column + min(cell.columns, _MAX_SPAN)):
                labels.setdefault(covered, []).append(" ".join(cell.text.split()))
    joined = {column: " ".join(dict.fromkeys(texts)) for column, texts in sorted(labels.items())}
    columns = {column for row in all_rows for column in row.cells}.union(joined)
    return _Header(rows, joined, columns, bool(rows) and all(map(_is_bold, rows)))
