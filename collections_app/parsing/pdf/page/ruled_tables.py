"""Tables with horizontal rules only, as in books: the gaps between their words mark the columns. PURE.

Rules of the same width below each other enclose bands. A band is a part of a table if most of its lines have wide gaps.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, groupby, pairwise
from operator import itemgetter
from statistics import median
from typing import NamedTuple

from collections_app.parsing.pdf.breaks import LEADER
from collections_app.parsing.pdf.page.drawn_tables import DrawnTable, Ruling, merge_rulings
from collections_app.parsing.pdf.page.placed_texts import PlacedText, iter_lines

_MIN_WIDTH = 60.0  # points, of a rule
_SAME = 4.0  # points by which the ends of a table's rules may differ
_FEWEST_BANDS, _FEWEST_LINES = 2, 3
_MOSTLY = 0.5  # of a band's lines, or of the highest number of cells in a line
_MOST_CROSSING = 0.1  # of the lines with many cells may have words at a gutter; one, if there are at least
_ENOUGH = 4
_WIDE = 1.5  # times the size: no justified line has such a gap
_COLUMN_GAP = 0.9  # times the size: if some gaps are wide, these divide columns too
_MAX_COLUMNS = 50
_MAX_RULES = 500  # of a page
_MAX_HEAD_LINES = 5
_MOST_LINES = 2.5  # of a row, on average: with more it is paragraphs
_FEWEST_WORDS, _FILLED = 4, 0.75  # words in the median line of a column of text, and its share of the widest line


class _Span(NamedTuple):
    left: float
    right: float


_Line = Sequence[PlacedText]
"""Words side by side, from left to right."""


class _Band(NamedTuple):
    """The lines between two rules, from top to bottom."""

    below: Ruling
    above: Ruling
    lines: Sequence[_Line]


def find_ruled_tables(
    rules: Sequence[Ruling], words: Sequence[PlacedText], others: Sequence[DrawnTable]
) -> list[DrawnTable]:
    """`rules` are the horizontal lines, without those of the other tables."""
    long = (rule for rule in merge_rulings(rules) if rule.end - rule.start >= _MIN_WIDTH)
    merged = [rule for rule in long if not any(_is_of(rule, table) for table in others)]
    if not 2 <= len(merged) <= _MAX_RULES:
        return []
    tables = (_make_table(run) for stack in _iter_stacks(merged) for run in _iter_runs(stack, words))
    return [table for table in tables if table]


def _is_of(rule: Ruling, table: DrawnTable) -> bool:
    is_beside = rule.end < table.xs[0] or table.xs[-1] < rule.start
    return not is_beside and table.ys[0] - _SAME <= rule.at <= table.ys[-1] + _SAME


def _iter_stacks(rules: Sequence[Ruling]) -> Iterator[list[Ruling]]:
    """Stacks of rules with the same width, from bottom to top."""
    stacks: list[list[Ruling]] = []
    for rule in sorted(rules):
        own = next((stack for stack in stacks if _are_alike(stack[0], rule)), None)
        if own is None:
            stacks.append([rule])
        else:
            own.append(rule)
    return (stack for stack in stacks if len(stack) > 1)


def _are_alike(rule: Ruling, other: Ruling) -> bool:
    return abs(rule.start - other.start) <= _SAME and abs(rule.end - other.end) <= _SAME


def _iter_runs(stack: Sequence[Ruling], words: Sequence[PlacedText]) -> Iterator[list[_Band]]:
    """The bands of tables, at least two, from bottom to top, without other text between them: heads and feet of pages have rules too."""
    bands = (_Band(below, above, _list_lines(below, above, words)) for below, above in pairwise(stack))
    for is_tabular, run in groupby(bands, key=lambda band: _is_tabular(band.lines)):
        own = list(run) if is_tabular else []
        if len(own) >= _FEWEST_BANDS:
            yield own


def _list_lines(below: Ruling, above: Ruling, words: Sequence[PlacedText]) -> list[_Line]:
    inside = [
        word
        for word in words
        if below.at < word.middle < above.at and above.start - _SAME <= word.left and word.right <= above.end + _SAME
    ]
    return list(iter_lines(inside))


def _is_tabular(lines: Sequence[_Line]) -> bool:
    """Whether it is a table: not a table of contents, which has dots before its numbers, and not code."""
    divided = sum(len(_list_cells(line, _WIDE)) > 1 for line in lines)
    words = [word for line in lines for word in line]
    code = sum(word.is_code for word in words)
    has_dots = any(LEADER.search(" ".join(word.text for word in line)) for line in lines)
    return 0 < divided >= _MOSTLY * len(lines) and code <= _MOSTLY * len(words) and not has_dots


def _list_cells(line: _Line, gap: float) -> list[_Span]:
    cells: list[_Span] = []
    for word in line:
        if cells and word.left - cells[-1].right <= gap * word.size:
            cells[-1] = _Span(cells[-1].left, max(cells[-1].right, word.right))
        else:
            cells.append(_Span(word.left, word.right))
    return cells


def _make_table(bands: Sequence[_Band]) -> DrawnTable | None:
    lowest, highest = bands[0].below, bands[-1].above
    lines = [line for band in reversed(bands) for line in band.lines]
    gutters = _find_gutters([_list_cells(line, _COLUMN_GAP) for line in lines])
    if len(lines) < _FEWEST_LINES or not 0 < len(gutters) < _MAX_COLUMNS:
        return None
    xs = [lowest.start - _SAME, *gutters, lowest.end + _SAME]
    if sum(_is_text([word for line in lines for word in line], *ends) for ends in pairwise(xs)) > 1:
        return None
    rows = [row for band in reversed(bands) for row in _iter_rows(band.lines, xs, is_head=band is bands[-1])]
    if len(lines) > _MOST_LINES * len(rows):
        return None
    rows.reverse()
    ys = [
        lowest.at,
        *(((below[0][0].middle + above[-1][0].middle) / 2) for below, above in pairwise(rows)),
        highest.at,
    ]
    walls = frozenset(
        (number, wall)
        for number, row in enumerate(rows)
        for wall in set(range(1, len(xs) - 1)).difference(*(_iter_crossed(xs, line) for line in row))
    )
    floors = frozenset((column, row) for column in range(len(xs)) for row in range(len(ys)))
    return DrawnTable(xs, ys, walls, floors, is_ruled=True)


def _is_text(words: Sequence[PlacedText], left: float, right: float) -> bool:
    """Whether a column is one of a text: most of its lines are full of words."""
    lines = list(iter_lines(word for word in words if left <= word.left and word.right <= right))
    if not lines:
        return False
    widths = [line[-1].right - line[0].left for line in lines]
    return median(map(len, lines)) >= _FEWEST_WORDS and median(widths) >= _FILLED * max(widths)


def _find_gutters(lines: Sequence[Sequence[_Span]]) -> list[float]:
    """The gutters: in each gap that nearly all lines with many cells share, the middle of what most of these leave free."""
    most = max(map(len, lines), default=0)
    many = [line for line in lines if len(line) >= max(2, _MOSTLY * most)]
    ends = sorted(
        [(span.left, 1) for line in many for span in line] + [(span.right, -1) for line in many for span in line]
    )
    least = max(_MOST_CROSSING * len(many), len(many) >= _ENOUGH)
    covered = accumulate(step for _, step in ends)
    places = [
        (count, (x + following) / 2)
        for count, ((x, _), (following, _)) in zip(covered, pairwise(ends), strict=False)
        if following > x
    ]
    parts = [list(part) for _, part in groupby(places, key=lambda place: place[0] > least)]
    columns = [number for number, part in enumerate(parts) if part[0][0] > least]
    return [min(parts[number + 1], key=itemgetter(0))[1] for number in columns[:-1]]


def _iter_rows(lines: Sequence[_Line], xs: Sequence[float], *, is_head: bool) -> Iterator[list[_Line]]:
    """Lines that form one row: all lines of a short head, except those over several columns, and lines that continue cells without a word
    in the first column.
    """
    if is_head and len(lines) <= _MAX_HEAD_LINES:
        for _, part in groupby(lines, key=lambda line: any(True for _ in _iter_crossed(xs[1:-1], line))):
            yield list(part)
        return
    row: list[_Line] = []
    for line in lines:
        if row and _begins_row(line, xs):
            yield row
            row = []
        row.append(line)
    if row:
        yield row


def _begins_row(line: _Line, xs: Sequence[float]) -> bool:
    filled = {bisect_right(xs, word.left) for word in line}
    return 1 in filled or len(filled) >= _MOSTLY * (len(xs) - 1)


def _iter_crossed(xs: Sequence[float], line: _Line) -> Iterator[int]:
    """The numbers of the gutters that cells of the line cross."""
    for cell in _list_cells(line, _COLUMN_GAP):
        yield from range(bisect_right(xs, cell.left), bisect_left(xs, cell.right))
