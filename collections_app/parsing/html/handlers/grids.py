"""Lays out the cells of a table in a grid: merged cells repeat downwards and leave blanks to the right."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from collections_app.parsing.html.classes import read_class
from collections_app.parsing.html.tree import Element, get_attributes
from collections_app.parsing.html.visibility import is_hidden

_MAX_SPAN = 50

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell, with the number of columns and rows that it covers."""

    element: Element
    columns: int
    rows: int

    @property
    def is_heading(self) -> bool:
        return self.element.tag == "th"


def get_rows(table: Element) -> list[list[Cell]]:
    """The table's own rows that have visible cells; not those of tables inside it."""
    rows = ([_make_cell(cell) for cell in row.iterchildren("td", "th") if _is_seen(cell)] for row in iter_rows(table))
    return [row for row in rows if row]


def iter_rows(table: Element) -> Iterator[Element]:
    """The table's own visible rows, including those without cells."""
    _complete_rows(table)
    for child in filter(_is_seen, table.iterchildren("tr", "thead", "tbody", "tfoot")):
        if child.tag == "tr":
            yield child
        else:
            _complete_rows(child)
            yield from filter(_is_seen, child.iterchildren("tr"))


def _complete_rows(part: Element) -> None:
    """Put cells outside of rows into rows, as browsers do. Changes the tree."""
    row = None
    for child in list(part) if next(part.iterchildren("td", "th"), None) is not None else ():
        if not isinstance(child.tag, str):  # a comment
            continue
        if child.tag not in ("td", "th"):
            row = None
            continue
        if row is None:
            row = part.makeelement("tr")
            child.addprevious(row)
        row.append(child)


def _is_seen(part: Element) -> bool:
    return not is_hidden(get_attributes(part), read_class(part.get("class", "")))


def get_width(rows: Sequence[Sequence[Cell]]) -> int:
    """The number of columns of the widest row, counting only the row's own cells."""
    return max((sum(cell.columns for cell in row) for row in rows), default=0)


def lay_out(rows: Sequence[Sequence[Cell]], convert: Callable[[Element], T], blank: T) -> list[list[T]]:
    """The grid of what `convert` makes of each cell, with `blank` elsewhere; all rows have the same length."""
    grid = []
    from_above: dict[int, tuple[T, int]] = {}  # by column: a merged cell, and how many more rows it covers
    for row in rows:
        places: list[T] = []
        below: dict[int, tuple[T, int]] = {}
        for cell, more_rows in _iter_places(row, convert, blank):
            places.extend(_take_from_above(from_above, len(places), below))
            if more_rows:
                below[len(places)] = (cell, more_rows)
            places.append(cell)
        places.extend(_take_from_above(from_above, len(places), below))
        from_above = below
        grid.append(places)
    width = max(map(len, grid), default=0)
    return [places + [blank] * (width - len(places)) for places in grid]


def _iter_places(row: Sequence[Cell], convert: Callable[[Element], T], blank: T) -> Iterator[tuple[T, int]]:
    for cell in row:
        converted = convert(cell.element)
        for column in range(cell.columns):
            yield (blank if column else converted), cell.rows - 1


def _take_from_above(from_above: dict[int, tuple[T, int]], column: int, below: dict[int, tuple[T, int]]) -> Iterator[T]:
    """The merged cells of earlier rows that cover this row from `column` on. Those that cover further rows are added to `below`."""
    while column in from_above:
        cell, more_rows = from_above.pop(column)
        if more_rows > 1:
            below[column] = (cell, more_rows - 1)
        yield cell
        column += 1


def _make_cell(element: Element) -> Cell:
    return Cell(element, _read_span(element, "colspan"), _read_span(element, "rowspan"))


def _read_span(element: Element, name: str) -> int:
    value = (element.get(name) or "1").strip()
    is_number = value.isascii() and value.isdigit() and len(value) < 6
    return max(1, min(int(value), _MAX_SPAN)) if is_number else 1
