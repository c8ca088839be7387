"""Tables drawn on a page: lines that cross or touch form one. PURE: it knows neither PDFium nor words.

An area that no line divides is one cell. The lines around the table may be missing.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

NEAR = 3.0  # points: lines closer than this are one line, or touch
MIN_LENGTH = 5.0  # points
_MAX_COLUMNS, _MAX_PLACES = 100, 10_000  # of a table
_MAX_CROSSINGS = 250_000  # of a page, if all lines crossed each other


class Ruling(NamedTuple):
    """A line: its position across its direction, and its start and end."""

    at: float
    start: float
    end: float


class Rulings(NamedTuple):
    horizontal: list[Ruling]
    vertical: list[Ruling]


class Drawing(NamedTuple):
    """What a page draws: lines, and the edges of coloured areas."""

    lines: Rulings
    areas: Rulings


NOTHING_DRAWN = Drawing(Rulings([], []), Rulings([], []))


Place = tuple[int, int]
"""A row, counted from the bottom, and a column."""


@dataclass(frozen=True, slots=True)
class DrawnTable:
    """`xs` are the positions of its vertical lines from left to right, `ys` those of its horizontal lines from bottom to top. `walls` has
    pairs of a row and the x at whose left it has a line, `floors` pairs of a column and the y below which it has one. With `is_ruled`, its
    columns are not drawn.
    """

    xs: Sequence[float]
    ys: Sequence[float]
    walls: frozenset[tuple[int, int]]
    floors: frozenset[tuple[int, int]]
    is_ruled: bool = False

    @property
    def area(self) -> float:
        return (self.xs[-1] - self.xs[0]) * (self.ys[-1] - self.ys[0])

    def overlaps(self, other: DrawnTable) -> bool:
        is_beside = self.xs[-1] < other.xs[0] or other.xs[-1] < self.xs[0]
        return not (is_beside or self.ys[-1] < other.ys[0] or other.ys[-1] < self.ys[0])

    def find(self, x: float, y: float) -> Place | None:
        """The place that contains this point."""
        row, column = bisect_right(self.ys, y) - 1, bisect_right(self.xs, x) - 1
        return (row, column) if 0 <= row < len(self.ys) - 1 and 0 <= column < len(self.xs) - 1 else None

    def list_cells(self) -> list[set[Place]]:
        """The places of each cell; a merged cell has several."""
        cells: list[set[Place]] = []
        left = {(row, column) for row in range(len(self.ys) - 1) for column in range(len(self.xs) - 1)}
        while left:
            cell, open_ = set[Place](), [left.pop()]
            while open_:
                place = open_.pop()
                cell.add(place)
                beside = left.intersection(self._list_open(*place))
                left -= beside
                open_ += beside
            cells.append(cell)
        return cells

    def _list_open(self, row: int, column: int) -> Iterator[Place]:
        """The neighbouring places that no line separates from this one."""
        if (row, column) not in self.walls:
            yield row, column - 1
        if (row, column + 1) not in self.walls:
            yield row, column + 1
        if (column, row) not in self.floors:
            yield row - 1, column
        if (column, row + 1) not in self.floors:
            yield row + 1, column


def find_drawn_tables(drawing: Drawing) -> list[DrawnTable]:
    """Tables with at least two rows and columns, small ones first: they may be in a cell of another. Areas make and divide tables only
    where lines alone make none: in the cells of those they are only a background.
    """
    lines, areas = drawing
    drawn = _find_tables(lines)
    coloured = (
        _find_tables(Rulings(lines.horizontal + areas.horizontal, lines.vertical + areas.vertical))
        if any(areas)
        else []
    )
    tables = drawn + [table for table in coloured if not any(map(table.overlaps, drawn))]
    return sorted(tables, key=lambda table: table.area)


def _find_tables(rulings: Rulings) -> list[DrawnTable]:
    horizontal, vertical = merge_rulings(rulings.horizontal), merge_rulings(rulings.vertical)
    if len(horizontal) < 2 or len(horizontal) * len(vertical) > _MAX_CROSSINGS:
        return []
    tables = (_make_table(*part) for part in _iter_connected(horizontal, vertical))
    return [table for table in tables if table]


def merge_rulings(rulings: Iterable[Ruling]) -> list[Ruling]:
    """Merges lines that are side by side, or behind one another without a gap; sorted by position."""
    merged = [ruling for near in _iter_near(rulings) for ruling in _join(near)]
    return [ruling for ruling in merged if ruling.end - ruling.start >= MIN_LENGTH]


def _iter_near(rulings: Iterable[Ruling]) -> Iterator[list[Ruling]]:
    near: list[Ruling] = []
    for ruling in sorted(rulings):
        if near and ruling.at - near[-1].at > NEAR:
            yield near
            near = []
        near.append(ruling)
    if near:
        yield near


def _join(rulings: Sequence[Ruling]) -> list[Ruling]:
    at = sum(ruling.at for ruling in rulings) / len(rulings)
    joined: list[Ruling] = []
    for _, start, end in sorted(rulings, key=lambda ruling: ruling.start):
        if joined and start - joined[-1].end <= NEAR:
            joined[-1] = joined[-1]._replace(end=max(joined[-1].end, end))
        else:
            joined.append(Ruling(at, start, end))
    return joined


def _iter_connected(
    horizontal: Sequence[Ruling], vertical: Sequence[Ruling]
) -> Iterator[tuple[list[Ruling], list[Ruling]]]:
    """Groups of lines that cross or touch, directly or by way of others."""
    ats = [ruling.at for ruling in vertical]
    touched: defaultdict[int, list[int]] = defaultdict(list)  # vertical line → horizontal lines
    touches: list[list[int]] = []
    for number, line in enumerate(horizontal):
        between = range(bisect_left(ats, line.start - NEAR), bisect_right(ats, line.end + NEAR))
        own = [n for n in between if vertical[n].start - NEAR <= line.at <= vertical[n].end + NEAR]
        touches.append(own)
        for n in own:
            touched[n].append(number)
    left = set(touched)
    while left:
        open_, columns, rows = [left.pop()], set[int](), set[int]()
        while open_:
            column = open_.pop()
            columns.add(column)
            new = set(touched[column]) - rows
            rows |= new
            found = {n for row in new for n in touches[row]} & left
            left -= found
            open_ += found
        yield [horizontal[n] for n in sorted(rows)], [vertical[n] for n in sorted(columns)]


def _make_table(horizontal: Sequence[Ruling], vertical: Sequence[Ruling]) -> DrawnTable | None:
    """A table; None if it has fewer than two rows or columns."""
    ys, xs = _place(horizontal, vertical), _place(vertical, horizontal)
    if not 3 <= len(xs) <= _MAX_COLUMNS or len(ys) < 3 or len(xs) * len(ys) > _MAX_PLACES:
        return None
    return DrawnTable(xs, ys, _find_walls(xs, ys, vertical), _find_walls(ys, xs, horizontal))


def _place(rulings: Sequence[Ruling], across: Sequence[Ruling]) -> list[float]:
    """The positions of these lines, and the ends of crossing lines beyond the outer ones."""
    places = sorted({ruling.at for ruling in rulings})
    first, last = min(ruling.start for ruling in across), max(ruling.end for ruling in across)
    before = [first] if first < places[0] - NEAR else []
    behind = [last] if last > places[-1] + NEAR else []
    return [*before, *places, *behind]


def _find_walls(
    places: Sequence[float], across: Sequence[float], rulings: Sequence[Ruling]
) -> frozenset[tuple[int, int]]:
    """The pairs of a span across and of a position at which it has a line, by their numbers. The outer edges need no line."""
    numbers = {place: number for number, place in enumerate(places)}
    middles = [(start + end) / 2 for start, end in pairwise(across)]
    drawn = {
        (number, numbers[ruling.at])
        for ruling in rulings
        for number in range(bisect_left(middles, ruling.start), bisect_right(middles, ruling.end))
    }
    return frozenset(drawn)
