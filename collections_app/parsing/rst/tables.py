"""Tables of a document tree → rows of a GFM table. A merged cell leaves blanks to the right, and is repeated downwards where it is short.
A table with blocks that do not fit on one line becomes a list of its rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from docutils import nodes

MAX_LABEL_CHARACTERS = 200
"""Of a column's name, which each row of a list repeats."""

_MAX_REPEATED_CHARACTERS = 200

WriteCell = Callable[[nodes.Element], str]
Cell = nodes.Element | None


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells, all of the same length; None where nothing is written."""

    head: Sequence[Sequence[Cell]]
    body: Sequence[Sequence[Cell]]

    @property
    def has_blocks(self) -> bool:
        """Whether a cell has blocks that do not fit on a line: code of several lines, or a table."""
        cells = (cell for row in self.body for cell in row if cell is not None)
        return any(map(_is_block, (node for cell in cells for node in cell.findall(nodes.Element))))


def read_table(table: nodes.Element) -> Table:
    head = _lay_out(_get_rows(table, nodes.thead), repeats=False)  # the rows become one
    body = _lay_out(_get_rows(table, nodes.tbody), repeats=True)
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


def _lay_out(rows: Sequence[Any], *, repeats: bool) -> list[list[Cell]]:
    """The rows with each cell in its column. With `repeats`, a short cell also stands in the rows below that it covers."""
    grid: list[list[Cell]] = []
    from_above: dict[int, tuple[Cell, int]] = {}  # by column: what stands there, and in how many more rows
    for row in rows:
        places = {column: cell for column, (cell, _) in from_above.items()}
        from_above = {column: (cell, more - 1) for column, (cell, more) in from_above.items() if more > 1}
        column = 0
        for cell in row.children:
            while column in places:
                column += 1
            covered = range(column, column + cell.get("morecols", 0) + 1)
            places |= dict.fromkeys(covered) | {column: cell}
            if more_rows := cell.get("morerows", 0):
                repeated = cell if repeats and _is_short(cell) else None
                from_above |= dict.fromkeys(covered, (None, more_rows)) | {column: (repeated, more_rows)}
        grid.append([places.get(column) for column in range(max(places, default=-1) + 1)])
    return grid


def _is_short(cell: nodes.Element) -> bool:
    """Whether it is a few words, counted with their markup and addresses: what covers a thousand rows would stand there as often."""
    return len(str(cell)) <= _MAX_REPEATED_CHARACTERS and not any(map(_is_block, cell.findall(nodes.Element)))
