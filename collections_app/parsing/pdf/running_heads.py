"""Finds what stands at the top or the bottom of page after page: running heads, footers, page numbers. It reads no other lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from itertools import islice, takewhile
from math import floor

from collections_app.parsing.pdf.pages import Line
from collections_app.parsing.pdf.running_titles import find_running_titles

_MIN_PAGES = 3
_MIN_TEXT_SHARE = 0.05  # of the pages, for a text to be a running head wherever it stands
_MIN_HEIGHT_SHARE = 0.3  # of the pages, for a height at which every line is one
_MAX_LINES = 3  # at either end of a page
_MAX_LETTERHEAD_LINES = 6  # where the same words stand on many pages
_MAX_NUMBERS = 3  # in cells of their own: more are a row of a table
_SAME_ROW = 1.0  # points
_TENTHS = 10  # of a point: footnotes stand nearly as high as page numbers
_NUMBER = re.compile(r"\d+|\b[ivxlc]+\b")


def drop_running_heads(pages: Sequence[Sequence[Line]], titles: Sequence[str] = ()) -> list[list[Line]]:
    """The pages without them. A head that is on too few pages to be seen goes if it stands where the others do, or is a title (of the
    outline, which are `titles`, or what is a line elsewhere) with the page's number beside it.

    Where nothing else is on the pages, they are left as they are.
    """
    of_tables = {id(line) for page in pages for line in _iter_lines_of_tables(page)}
    edges = [edge for page in pages for edge in _get_edge_keys(page, _MAX_LINES, of_tables)]
    counts = Counter(edge for edge in edges if edge[0])
    repeated = {edge for edge, count in counts.items() if count >= max(_MIN_PAGES, _MIN_TEXT_SHARE * len(pages))}
    heights = Counter(
        round(_TENTHS * row[0].y)
        for page in pages
        for rows in _get_edges(page, _MAX_LINES)
        for row in rows
        if _get_key(row) in repeated
    )
    usual = {y for y, count in heights.items() if count >= max(_MIN_PAGES, _MIN_HEIGHT_SHARE * len(pages))}
    head_heights = {y + offset for y in usual for offset in (-1, 0, 1)}
    wide = Counter(
        edge
        for page in pages
        for edge in _get_edge_keys(page, _MAX_LETTERHEAD_LINES, of_tables)
        if edge[0] and "#" not in edge[0]
    )
    letterhead = {edge for edge, count in wide.items() if count >= max(_MIN_PAGES, _MIN_HEIGHT_SHARE * len(pages))}

    titled = find_running_titles(
        [
            {id(line): line for rows in _get_edges(page, _MAX_LINES) for row in rows for line in row}.values()
            for page in pages
        ],
        pages,
        titles,
    )

    def is_running_head(numbered: tuple[int, _Row]) -> bool:
        number, row = numbered
        key = _get_key(row)
        if any(id(line) in of_tables for line in row):
            return False
        if number >= _MAX_LINES:
            return key in letterhead
        is_titled = all(id(line) in titled for line in row)
        return is_titled or round(_TENTHS * row[0].y) in head_heights or key in repeated or key in letterhead

    stripped = [_strip_page(page, is_running_head) for page in pages]
    return stripped if any(stripped) else [list(page) for page in pages]


_Row = Sequence[Line]
"""A line; the cells of a table's row are one together: `100` may stand at the same height on many pages."""


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


def _get_edge_keys(page: Sequence[Line], count: int, of_tables: Container[int]) -> set[tuple[str, int]]:
    """Of rows but those of lines with these ids."""
    return {
        _get_key(row)
        for rows in _get_edges(page, count)
        for row in rows
        if not any(id(line) in of_tables for line in row)
    }


def _iter_lines_of_tables(page: Sequence[Line]) -> Iterator[Line]:
    """Tables are tagged, and running heads are not; what is drawn as a small table may be one, and some rules are the page's."""
    counts = Counter(line.mark.cell.table for line in page if line.mark.cell)
    for line in page:
        cell = line.mark.cell
        if cell and not cell.is_ruled and (not cell.edges or counts[cell.table] > _MAX_LETTERHEAD_LINES):
            yield line


def _get_key(row: _Row) -> tuple[str, int]:
    """What it says, and at which height in points. Programs set lines at whole and half ones, more or less exactly: none of these is where
    it is rounded."""
    return _get_pattern(row), floor(row[0].y + 0.25)


def _get_pattern(row: _Row) -> str:
    """The row with its numbers made equal; empty if it says nothing, such as a brace at the end of some code, or a row of numbers."""
    pattern = _NUMBER.sub("#", " ".join(line.text for line in sorted(row, key=lambda line: line.left)))
    if any(map(str.isalpha, pattern)):
        return pattern
    return pattern if "#" in pattern and sum(len(line.cells) for line in row) <= _MAX_NUMBERS else ""


def _strip_page(page: Sequence[Line], is_running_head: Callable[[tuple[int, _Row]], bool]) -> list[Line]:
    edges = _get_edges(page, _MAX_LETTERHEAD_LINES)
    heads = {id(line) for rows in edges for _, row in takewhile(is_running_head, enumerate(rows)) for line in row}
    return [line for line in page if id(line) not in heads]
