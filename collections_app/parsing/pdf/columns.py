"""Puts the lines of a page into reading order: columns that were written across are read one after the other.

Most programs write a column to its end before the next; their order is kept, except that headings written after the text below them are
moved above it. A page is split into columns only if lines run across a gutter and the text on both sides fills its column, which the
cells of a table do not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from math import inf
from statistics import median

from collections_app.parsing.pdf.pages import Line

_MIN_LINES = 6  # lines across a gutter, at least
_MIN_SHARE = 0.4  # of the page's lines across the gutter, at least
_MIN_FILL = 0.75  # of a column's width, filled by its median line
_MIN_WORDS = 4  # in a column's median line
_MIN_GUTTER = 0.9  # times the font size
_MIN_SHARE_OF_THREE = 0.15  # of the page's lines across each of two gutters, at least
_MOST_OF_PAGE = 0.8  # of its characters, in three columns
_MIN_ROWS = 3  # that begin at the same heights make three columns a table
_LARGER = 1.15  # times the font size of the text below a head
_MAX_SOUGHT = 100  # blocks of a page whose place among all lines is searched
_MAX_LEADING = 2.0  # times the font size, within a block
_LARGER_GAP = 1.2  # times the usual line spacing
_SLACK = 0.5  # times the font size: room by which a word has to fit
_BEFORE_COLUMN = 3  # points from a gutter to the column on its right


def order_lines(lines: Sequence[Line]) -> list[Line]:
    """The lines from top to bottom, column by column; a line across several columns is placed at its height. On a page without columns the
    lines keep the order in which they were written, except that heads are moved above the text below them.
    """
    gutter = _find_gutter(lines)
    gutters = _find_two_gutters(lines) if gutter is None else (gutter,)
    if not gutters:
        return _raise_heads(lines)
    ordered: list[Line] = []
    columns: list[list[Line]] = [[] for _ in range(len(gutters) + 1)]
    for line in sorted(lines, key=lambda line: -line.y):
        parts = _split_at_all(line, gutters)
        if any(part.left < gutter < part.right for part in parts for gutter in gutters):
            ordered += [*(each for column in columns for each in column), line]
            columns = [[] for _ in columns]
            continue
        for part in parts:
            columns[sum(gutter <= part.left for gutter in gutters)].append(part)
    return [*ordered, *(each for column in columns for each in column)]


def _raise_heads(lines: Sequence[Line]) -> list[Line]:
    """The lines as they were written, except for blocks above everything written before them: such a block moves before the first line that
    it stands above, if that line is in smaller type and does not continue a sentence. Other blocks, such as figures, may stand above text
    that continues from the page before.
    """
    ordered: list[Line] = []
    top = -inf  # of the highest line that stays where it was written
    left = _MAX_SOUGHT
    for block in _iter_blocks(lines):
        is_above = left > 0 and block[-1].y > top + block[-1].size
        left -= is_above
        place = _find_place(ordered, block) if is_above else len(ordered)
        if place == len(ordered):
            top = max(top, block[0].y)
        ordered[place:place] = block
    return ordered


def _find_place(ordered: Sequence[Line], block: Sequence[Line]) -> int:
    left, right = min(line.left for line in block), max(line.right for line in block)
    for place, line in enumerate(ordered):
        if line.left < right and left < line.right and line.y < block[-1].y:
            is_head = block[0].size > _LARGER * line.size and not line.text[0].islower()
            return place if is_head else len(ordered)
    return len(ordered)


def _iter_blocks(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Blocks of lines, each written directly below the one before."""
    block: list[Line] = []
    for line in lines:
        if block and not 0 <= block[-1].y - line.y <= _MAX_LEADING * line.size:
            yield block
            block = []
        block.append(line)
    if block:
        yield block


def _find_two_gutters(lines: Sequence[Line]) -> tuple[float, ...]:
    """The gutters of three columns, of which the second and the third each begin at one place; empty if there are none."""
    if len(lines) < _MIN_LINES:
        return ()
    least = max(_MIN_LINES, _MIN_SHARE_OF_THREE * len(lines))
    width = max(line.right for line in lines) - min(line.left for line in lines)
    starts = Counter(
        round(b.left) for line in lines for a, b in pairwise(line.words) if b.left - a.right > _MIN_GUTTER * line.size
    )
    usual = [(start - _BEFORE_COLUMN, count) for start, count in starts.most_common(2) if count >= least]
    if len(usual) < 2:
        return ()
    first, second = sorted(gutter for gutter, _ in usual)
    if second - first < width / 4:
        return ()
    columns = _gather_three(lines, first, second)
    are_filled = all(len(column) >= least and _is_filled(column) for column in columns)
    return (first, second) if are_filled and _holds_most(columns, lines) and not _has_rows(columns) else ()


def _gather_three(lines: Sequence[Line], first: float, second: float) -> list[list[Line]]:
    """The parts of lines in each column, from top to bottom, without those that cross a gutter."""
    columns: list[list[Line]] = [[], [], []]
    for line in sorted(lines, key=lambda line: -line.y):
        for part in _split_at_all(line, (first, second)):
            if not (part.left < first < part.right or part.left < second < part.right):
                columns[(first <= part.left) + (second <= part.left)].append(part)
    return columns


def _has_rows(columns: Sequence[Sequence[Line]]) -> bool:
    """Whether these are the columns of a table: in all of them texts begin at the same heights, or all have a head."""
    shared = sorted(set.intersection(*({part.y for part in column} for column in columns)), reverse=True)
    begun = set.intersection(*(set(_iter_beginnings(column)) for column in columns))
    return len(begun) >= _MIN_ROWS or not begun.isdisjoint(shared[1:2])


def _iter_beginnings(column: Sequence[Line]) -> Iterator[float]:
    """The heights at which a text begins: below a larger gap, or where its first word would have fitted in the line above."""
    right = max(part.right for part in column)
    usual = median(above.y - part.y for above, part in pairwise(column))
    for above, part in pairwise(column):
        room = right - above.right - _SLACK * part.size
        if above.y - part.y > _LARGER_GAP * usual or part.words[0].right - part.left < room:
            yield part.y


def _holds_most(columns: Sequence[Sequence[Line]], lines: Sequence[Line]) -> bool:
    """Whether nearly all of the page is in the columns: then they are the page's, and not those of a table on it."""
    held = sum(len(line.text) for column in columns for line in column)
    return held >= _MOST_OF_PAGE * sum(len(line.text) for line in lines)


def _split_at_all(line: Line, gutters: Sequence[float]) -> list[Line]:
    parts = [line]
    for gutter in gutters:
        parts = [*parts[:-1], *_split_at(parts[-1], gutter)]
    return parts


def _find_gutter(lines: Sequence[Line]) -> float | None:
    """The middle of a gap that many lines share, if the text on both sides fills its column."""
    if len(lines) < _MIN_LINES:
        return None
    left, right = min(line.left for line in lines), max(line.right for line in lines)
    quarter = (right - left) / 4
    crossing = [(line, gap) for line in lines if (gap := _find_widest_gap(line, left + quarter, right - quarter))]
    if len(crossing) < max(_MIN_LINES, _MIN_SHARE * len(lines)):
        return None
    start, end = (median(gap[side] for _, gap in crossing) for side in (0, 1))
    gutter = (start + end) / 2
    shared = [line for line, gap in crossing if gap[0] < gutter < gap[1]]
    if len(shared) < max(_MIN_LINES, _MIN_SHARE * len(lines)):
        return None
    pairs = [_split_at(line, gutter) for line in shared]
    return gutter if all(_is_filled([pair[side] for pair in pairs]) for side in (0, 1)) else None


def _find_widest_gap(line: Line, start: float, end: float) -> tuple[float, float] | None:
    """The line's widest gap whose middle is between `start` and `end`."""
    gaps = [
        (a.right, b.left)
        for a, b in pairwise(line.words)
        if b.left - a.right > _MIN_GUTTER * line.size and start < (a.right + b.left) / 2 < end
    ]
    return max(gaps, key=lambda gap: gap[1] - gap[0], default=None)


def _is_filled(parts: Sequence[Line]) -> bool:
    """Whether the lines of a column are full of words, like those of a paragraph and unlike those of a table."""
    width = max(part.right for part in parts) - min(part.left for part in parts)
    fill = median(part.right - part.left for part in parts)
    words = median(len(part.words) if len(part.cells) == 1 else 0 for part in parts)
    return fill >= _MIN_FILL * width and words >= _MIN_WORDS


def _split_at(line: Line, gutter: float) -> list[Line]:
    """The parts of the line on both sides, or the whole line if there is a word at the gutter or no gap."""
    for position, (a, b) in enumerate(pairwise(line.words), 1):
        if a.right <= gutter <= b.left and b.left - a.right > _MIN_GUTTER * line.size:
            return [
                replace(line, words=line.words[:position], is_hyphenated=False),
                replace(line, words=line.words[position:]),
            ]
    return [line]
