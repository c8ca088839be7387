"""Tables of a document tree → rows of a GFM table; a merged cell stands at its first place, the others are blank."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from docutils import nodes


def write_table(table: nodes.Element, write_cell: Callable[[nodes.Element], str]) -> list[str]:
    """The lines of the table; none for an empty one. `write_cell` gives a cell's text on one line."""
    head = _lay_out([row for part in table.findall(nodes.thead) for row in part.children], write_cell)
    body = _lay_out([row for part in table.findall(nodes.tbody) for row in part.children], write_cell)
    width = max((len(row) for row in [*head, *body]), default=0)
    if not any(map(any, [*head, *body])):
        return []
    header = [" ".join(filter(None, column)) for column in zip(*(_pad(row, width) for row in head), strict=True)]
    rows = [header or [""] * width, ["---"] * width, *(_pad(row, width) for row in body)]
    return [f"| {' | '.join(row)} |" for row in rows]


def _lay_out(rows: Sequence[Any], write_cell: Callable[[nodes.Element], str]) -> list[list[str]]:
    grid: list[list[str]] = []
    taken: dict[int, int] = {}  # column → how many more rows a cell from above takes there
    for row in rows:
        places: list[str] = []
        taken_here = set(taken)
        for cell in row.children:
            while len(places) in taken_here:
                places.append("")
            columns = cell.get("morecols", 0) + 1
            if more_rows := cell.get("morerows", 0):
                taken.update(dict.fromkeys(range(len(places), len(places) + columns), more_rows + 1))
            places += [write_cell(cell), *[""] * (columns - 1)]
        taken = {column: count - 1 for column, count in taken.items() if count > 1}
        grid.append(places)
    return grid


def _pad(row: list[str], width: int) -> list[str]:
    return row + [""] * (width - len(row))
