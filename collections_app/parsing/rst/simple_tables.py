"""Redraws simple tables (`=====  =====`) that docutils refuses because text crosses their columns or their borders are not aligned: columns
are made as wide as their text.

A table is redrawn only if each row shows its cells: by a border of the table, by two or more spaces between all of them, or by a cell's
first word or markup that is too long for it. Others, such as those with merged cells, stay as written. PURE.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from docutils import utils

_BORDER = re.compile(r"=+(?:[ ]+=+)+[ ]*")
_LINE_ACROSS = re.compile(r"[-= ]+")
_COLUMN = re.compile("=+")
_GAP = re.compile("  +")
# Counts as one word, whatever blanks are in it: ``code``, :role:`text`, `link`_.
_WORD = re.compile(r"(?:``[^`]*``|`[^`]*`|[^\s`])+")
_MOST_GROWN = 4
"""How many times larger than its source a table may be drawn."""

_MAX_BORDERS = 10
"""Different borders of a table: each row is tried with each of them."""

Columns = Sequence[tuple[int, int]]


def draw_simple(lines: Sequence[str]) -> Sequence[str]:
    """The same table with columns as wide as their text; empty if it is uncertain which text belongs to which column."""
    if not (_BORDER.fullmatch(lines[0]) and _BORDER.fullmatch(lines[-1])):
        return ()
    borders = [_find_columns(line) for line in dict.fromkeys(lines) if _BORDER.fullmatch(line)]
    if len(borders) > _MAX_BORDERS or len(set(map(len, borders))) > 1:
        return ()
    rows = [None if _BORDER.fullmatch(line) else _split(line, borders) for line in lines]
    if any(row is not None and len(row) != len(borders[0]) for row in rows):
        return ()
    widths = [max(1, *map(utils.column_width, column)) for column in zip(*filter(None, rows), strict=True)]
    if not widths or len(rows) * sum(widths) > _MOST_GROWN * sum(map(len, lines)):
        return ()
    return [_draw(row or ["=" * width for width in widths], widths) for row in rows]


def _find_columns(border: str) -> Columns:
    return [column.span() for column in _COLUMN.finditer(border)]


def _split(line: str, borders: Sequence[Columns]) -> Sequence[str]:
    """The cells of a line; another number than expected if they are uncertain. The cells of a blank line are empty."""
    if line.strip() and _LINE_ACROSS.fullmatch(line):
        return ()
    for columns in borders:
        gaps = [line[end:start] for (_, end), (start, _) in pairwise(columns)]
        if not any(map(str.strip, gaps)):
            return _cut(line, [start for start, _ in columns])
    cells = _GAP.split(line.strip())
    is_whole = len(cells) == len(borders[0]) and not line.startswith(" ")
    return cells if is_whole else _cut(line, _find_starts(line, borders[0]))


def _find_starts(line: str, columns: Columns) -> Sequence[int]:
    """The beginnings of the cells, if a cell that is too long for its column is a single word; else none."""
    starts = [columns[0][0]]
    for (_, end), (start, _) in pairwise(columns):
        word = _WORD.match(line, starts[-1])
        if not line[max(end, starts[-1]) : start].strip():
            starts.append(max(start, starts[-1]))
        elif word and word.end() > end and not line[word.end() : word.end() + 1].strip():
            starts.append(word.end() + 1)
        else:
            return ()
    return starts


def _cut(line: str, starts: Sequence[int]) -> Sequence[str]:
    return (
        [line[start:end].strip() for start, end in zip(starts, [*starts[1:], len(line)], strict=True)] if starts else ()
    )


def _draw(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(
        cell + " " * (width - utils.column_width(cell)) for cell, width in zip(cells, widths, strict=True)
    ).rstrip()
