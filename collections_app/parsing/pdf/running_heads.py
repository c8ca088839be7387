"""Finds lines repeated at the top or bottom of page after page: running heads, footers, page numbers. It reads no other lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import islice, takewhile
from math import floor
from typing import TypeVar

from collections_app.parsing.pdf.pages import Line
from collections_app.parsing.pdf.running_titles import find_running_titles

_MIN_PAGES = 3
_MIN_TEXT_SHARE = 0.05  # of the pages, for a text that is a running head wherever it stands
_MIN_HEIGHT_SHARE = 0.3  # of the pages, for a height at which every line is a running head
_MAX_LINES = 3  # at each edge of a page
_MAX_LETTERHEAD_LINES = 6  # if many pages have the same words there
_MAX_NUMBERS = 3  # in cells of their own; with more, it is a row of a table
_SAME_ROW = 1.0  # points
_TENTHS = 10  # of a point: footnotes are nearly as high as page numbers
_NUMBER = re.compile(r"\d+|\b[ivxlc]+\b")


_Row = Sequence[Line]
"""A line; the cells of a table's row together count as one, since `100` may be at the same height on many pages."""

_Key = tuple[str, int]
"""See _get_key()."""

T = TypeVar("T", bound=Hashable)


def drop_running_heads(pages: Sequence[Sequence[Line]], titles: Sequence[str] = ()) -> list[list[Line]]:
    """The pages without running heads. A head on too few pages to be recognised is dropped if it is in the place of the others, or if it is
    a title (of the outline, `titles`, or a line elsewhere) with the page's number beside it.

    Pages with nothing else are left as they are.
    """
    heads = _RunningHeads(pages, titles)
    stripped = [_strip_page(page, heads) for page in pages]
    return stripped if any(stripped) else [list(page) for page in pages]


class _RunningHeads:
    """The running heads of these pages, recognised by their words, their height or their title."""

    def __init__(self, pages: Sequence[Sequence[Line]], titles: Sequence[str]) -> None:
        self._of_tables = {id(line) for page in pages for line in _iter_lines_of_tables(page)}
        edges = [[row for rows in _get_edges(page, _MAX_LINES) for row in rows] for page in pages]
        most = max(_MIN_PAGES, _MIN_HEIGHT_SHARE * len(pages))
        self._repeated = _take_frequent(
            (key for page in pages for key in self._get_edge_keys(page, _MAX_LINES)),
            max(_MIN_PAGES, _MIN_TEXT_SHARE * len(pages)),
        )
        self._letterhead = _take_frequent(
            (key for page in pages for key in self._get_edge_keys(page, _MAX_LETTERHEAD_LINES) if "#" not in key[0]),
            most,
        )
        repeated = (row for rows in edges for row in rows if _get_key(row) in self._repeated)
        usual = _take_frequent(map(_get_height, repeated), most)
        self._heights = {height + offset for height in usual for offset in (-1, 0, 1)}
        lines = [{id(line): line for row in rows for line in row}.values() for rows in edges]
        self._titled = find_running_titles(lines, pages, titles)

    def have(self, numbered: tuple[int, _Row]) -> bool:
        """Whether the row is a running head. It comes with its number from the edge of its page, counted from 0."""
        number, row = numbered
        if any(id(line) in self._of_tables for line in row):
            return False
        key = _get_key(row)
        if number >= _MAX_LINES:
            return key in self._letterhead
        is_titled = all(id(line) in self._titled for line in row)
        return is_titled or _get_height(row) in self._heights or key in self._repeated or key in self._letterhead

    def _get_edge_keys(self, page: Sequence[Line], count: int) -> set[_Key]:
        """The keys of rows at the edges that have words, without those of tables."""
        rows = (row for rows in _get_edges(page, count) for row in rows)
        keys = {_get_key(row) for row in rows if not any(id(line) in self._of_tables for line in row)}
        return {key for key in keys if key[0]}


def _take_frequent(values: Iterable[T], least: float) -> set[T]:
    return {value for value, count in Counter(values).items() if count >= least}


def _get_height(row: _Row) -> int:
    """The height, in tenths of a point."""
    return round(_TENTHS * row[0].y)


def _get_edges(page: Sequence[Line], count: int) -> tuple[Sequence[_Row], Sequence[_Row]]:
    """The page's highest rows from the top, and its lowest from the bottom."""
    by_height = sorted(page, key=lambda line: -line.y)
    return list(islice(_iter_rows(by_height), count)), list(islice(_iter_rows(by_height[::-1]), count))


def _iter_rows(lines: Iterable[Line]) -> Iterator[_Row]:
    row: list[Line] = []
    for line in lines:
        if row and not (row[0].mark.cell and line.mark.cell and abs(row[0].y - line.y) < _SAME_ROW):
            yield row
            row = []
        row.append(line)
    if row:
        yield row


def _iter_lines_of_tables(page: Sequence[Line]) -> Iterator[Line]:
    """The lines of tables: tagged tables contain no running heads. A small drawn table may be one, and some rules are the page's."""
    counts = Counter(line.mark.cell.table for line in page if line.mark.cell)
    for line in page:
        cell = line.mark.cell
        if cell and not cell.is_ruled and (not cell.edges or counts[cell.table] > _MAX_LETTERHEAD_LINES):
            yield line


def _get_key(row: _Row) -> _Key:
    """The words of a row and its height in points, rounded so that whole and half points, at which programs set lines more or less exactly,
    are not at a rounding limit.
    """
    return _get_pattern(row), floor(row[0].y + 0.25)


def _get_pattern(row: _Row) -> str:
    """The row with its numbers replaced by one sign; empty if it says nothing, such as a brace at the end of code, or a row of numbers."""
    pattern = _NUMBER.sub("#", " ".join(line.text for line in sorted(row, key=lambda line: line.left)))
    if any(map(str.isalpha, pattern)):
        return pattern
    return pattern if "#" in pattern and sum(len(line.cells) for line in row) <= _MAX_NUMBERS else ""


def _strip_page(page: Sequence[Line], running: _RunningHeads) -> list[Line]:
    edges = _get_edges(page, _MAX_LETTERHEAD_LINES)
    heads = {id(line) for rows in edges for _, row in takewhile(running.have, enumerate(rows)) for line in row}
    return [line for line in page if id(line) not in heads]
