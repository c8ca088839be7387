"""The cells of a table, put where they stand on the page: merged cells repeat downwards and leave blanks to the right."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from collections_app.parsing.html.tree import Element

_MAX_SPAN = 50


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell and how many columns and rows it takes."""

    element: Element
    columns: int
    rows: int

    @property
    def is_heading(self) -> bool:
        return self.element.tag == "th"


def get_rows(table: Element) -> list[list[Cell]]:
    """The table's own rows that have cells; those of tables within it are not among them."""
    rows = ([_make_cell(cell) for cell in row.iterchildren("td", "th")] for row in _iter_rows(table))
    return [row for row in rows if row]


def _iter_rows(table: Element) -> Iterator[Element]:
    for child in table.iterchildren("tr", "thead", "tbody", "tfoot"):
        if child.tag == "tr":
            yield child
        else:
            yield from child.iterchildren("tr")


def get_width(rows: Sequence[Sequence[Cell]]) -> int:
    """Columns of the widest row, by its own cells."""
    return max((sum(cell.columns for cell in row) for row in rows), default=0)


def lay_out(rows: Sequence[Sequence[Cell]], convert: Callable[[Element], str]) -> list[list[str]]:
    """The text at each place of the grid; all rows are equally long."""
    grid = []
    from_above: dict[int, tuple[str, int]] = {}  # column → a merged cell's text, and how many more rows have it
    for row in rows:
        places: list[str] = []
        below: dict[int, tuple[str, int]] = {}
        for text, more_rows in _iter_places(row, convert):
            places.extend(_take_from_above(from_above, len(places), below))
            if more_rows:
                below[len(places)] = (text, more_rows)
            places.append(text)
        places.extend(_take_from_above(from_above, len(places), below))
        from_above = below
        grid.append(places)
    width = max(map(len, grid), default=0)
    return [places + [""] * (width - len(places)) for places in grid]


def _iter_places(row: Sequence[Cell], convert: Callable[[Element], str]) -> Iterator[tuple[str, int]]:
    for cell in row:
        text = convert(cell.element)
        for column in range(cell.columns):
            yield ("" if column else text), cell.rows - 1


def _take_from_above(
    from_above: dict[int, tuple[str, int]], column: int, below: dict[int, tuple[str, int]]
) -> Iterator[str]:
    """The merged cells of earlier rows that reach into this one from `column` on; `below` learns which go on."""
    while column in from_above:
        text, more_rows = from_above.pop(column)
        if more_rows > 1:
            below[column] = (text, more_rows - 1)
        yield text
        column += 1


def _make_cell(element: Element) -> Cell:
    return Cell(element, _read_span(element, "colspan"), _read_span(element, "rowspan"))


def _read_span(element: Element, name: str) -> int:
    value = (element.get(name) or "1").strip()
    is_number = value.isascii() and value.isdigit() and len(value) < 6
    return max(1, min(int(value), _MAX_SPAN)) if is_number else 1
