"""Tables of a document tree → rows of a GFM table. A merged cell appears at its first position, the others are blank. A table with blocks
that do not fit on one line becomes a list of its rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from docutils import nodes

MAX_LABEL_CHARACTERS = 200
"""Of a column's name, which each row of a list repeats."""

WriteCell = Callable[[nodes.Element], str]
Cell = nodes.Element | None


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells, all of the same length; None where no cell begins."""

    head: Sequence[Sequence[Cell]]
    body: Sequence[Sequence[Cell]]

    @property
    def has_blocks(self) -> bool:
        """Whether a cell has blocks that do not fit on a line: code of several lines, or a table."""
        cells = (cell for row in self.body for cell in row if cell is not None)
        return any(map(_is_block, (node for cell in cells for node in cell.findall(nodes.Element))))


def read_table(table: nodes.Element) -> Table:
    head, body = (_lay_out(_get_rows(table, part)) for part in (nodes.thead, nodes.tbody))
    width = max((len(row) for row in [*head, *body]), default=0)
    return Table(*([row + [None] * (width - len(row)) for row in rows] for rows in (head, body)))


def write_grid(table: Table, write_cell: WriteCell) -> list[str]:
    """The lines of the table; none for an empty one. `write_cell` returns a cell's text on one line."""
    head, body = ([_write_row(row, write_cell) for row in rows] for rows in (table.head, table.body))
    if not any(map(any, [*head, *body])):
        return []
    width = len([*head, *body][0])
    rows = [_join_columns(head) or [""] * width, ["---"] * width, *body]
    return [f"| {' | '.join(row)} |" for row in rows]


def iter_records(table: Table) -> Iterator[list[tuple[str, nodes.Element]]]:
    """The cells of each non-empty row: (the column's name, the cell)."""
    headings = _join_columns([_write_row(row, _get_words) for row in table.head]) or [""] * len(table.body[0])
    labels = [heading[:MAX_LABEL_CHARACTERS] for heading in headings]
    for row in table.body:
        pairs = zip(labels, row, strict=True)
        if cells := [(label, cell) for label, cell in pairs if cell is not None and cell.children]:
            yield cells


def _get_words(cell: nodes.Element) -> str:
    return " ".join(cell.astext().split())


def _is_block(node: nodes.Element) -> bool:
    is_code = isinstance(node, nodes.literal_block | nodes.doctest_block)
    return isinstance(node, nodes.table) or (is_code and "\n" in node.astext())


def _get_rows(table: nodes.Element, part: type[nodes.Element]) -> list[Any]:
    """The rows of the table itself, without those of tables in its cells."""
    groups = (group for group in table.children if isinstance(group, nodes.tgroup))
    parts = (each for group in groups for each in group.children if isinstance(each, part))
    return [row for each in parts for row in each.children]


def _write_row(row: Sequence[Cell], write_cell: WriteCell) -> list[str]:
    return ["" if cell is None else write_cell(cell) for cell in row]


def _join_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """The heading rows joined into one."""
    return [" ".join(filter(None, column)) for column in zip(*rows, strict=True)]


def _lay_out(rows: Sequence[Any]) -> list[list[Cell]]:
    grid: list[list[Cell]] = []
    taken: dict[int, int] = {}  # column → how many more rows a cell from above covers there
    for row in rows:
        places: list[Cell] = []
        taken_here = set(taken)
        for cell in row.children:
            while len(places) in taken_here:
                places.append(None)
            columns = cell.get("morecols", 0) + 1
            if more_rows := cell.get("morerows", 0):
                taken.update(dict.fromkeys(range(len(places), len(places) + columns), more_rows + 1))
            places += [cell, *[None] * (columns - 1)]
        taken = {column: count - 1 for column, count in taken.items() if count > 1}
        grid.append(places)
    return grid
