"""Puts the lines of a page into reading order: columns that were written across are read one after the other.

Most programs write a column to its end before the next; their order is kept. Only where lines run over a gutter, and the text on both
sides fills its column (which the cells of a table do not), is the page taken apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from collections_app.parsing.pdf.pages import Line

_MIN_LINES = 6  # that run over the gutter, and at least
_MIN_SHARE = 0.4  # of the page's lines
_MIN_FILL = 0.75  # of a column's width, in its median line
_MIN_WORDS = 4  # in a column's median line
_MIN_GUTTER = 0.9  # times the font size


def order_lines(lines: Sequence[Line]) -> list[Line]:
    """The lines from the top to the bottom, column by column, a line over both columns at its height."""
    gutter = _find_gutter(lines)
    if gutter is None:
        return list(lines)
    ordered: list[Line] = []
    left: list[Line] = []
    right: list[Line] = []
    for line in sorted(lines, key=lambda line: -line.y):
        parts = _split_at(line, gutter)
        if len(parts) == 1 and parts[0].left < gutter < parts[0].right:
            ordered += [*left, *right, line]
            left, right = [], []
        left += [part for part in parts if part.right <= gutter]
        right += [part for part in parts if part.left >= gutter]
    return [*ordered, *left, *right]


def _find_gutter(lines: Sequence[Line]) -> float | None:
    """The middle of the gap that many lines have in common, if what stands beside it are columns of text."""
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
    """Whether the lines of a column are full of words, as those of a paragraph are and those of a table are not."""
    width = max(part.right for part in parts) - min(part.left for part in parts)
    fill = median(part.right - part.left for part in parts)
    words = median(len(part.words) if len(part.cells) == 1 else 0 for part in parts)
    return fill >= _MIN_FILL * width and words >= _MIN_WORDS


def _split_at(line: Line, gutter: float) -> list[Line]:
    """The line's parts on either side, or the line itself if a word or no gap is at the gutter."""
    for position, (a, b) in enumerate(pairwise(line.words), 1):
        if a.right <= gutter <= b.left and b.left - a.right > _MIN_GUTTER * line.size:
            return [
                replace(line, words=line.words[:position], is_hyphenated=False),
                replace(line, words=line.words[position:]),
            ]
    return [line]
