"""Tagged or drawn tables as Markdown: the cells carry their positions, so their lines need not be next to each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise

from collections_app.parsing.pdf.breaks import find_item_marker
from collections_app.parsing.pdf.page.drawn_tables import NEAR
from collections_app.parsing.pdf.pages import Line

_MAX_CELL_CHARACTERS = 2000  # longer text is only laid out by a table
_MAX_COLUMNS = 100
_MAX_TITLED_WIDTH = 2  # columns: up to this width, a row with one cell is a header

Join = Callable[[Sequence[Line]], str]
"""Writes the lines of a paragraph as one."""


def gather_tables(lines: Sequence[Line]) -> list[Line]:
    """The lines of a page, with those of each table together at its first one. Text that a table only lays out loses its cells."""
    tables: defaultdict[int, list[Line]] = defaultdict(list)
    for line in lines:
        if cell := line.mark.cell:
            tables[cell.table].append(line)
    gathered: list[Line] = []
    for line in lines:
        cell = line.mark.cell
        gathered += tables.pop(cell.table, []) if cell else [line]
    return gathered


def is_table(lines: Sequence[Line]) -> bool:
    """Whether the lines of a table are data: no long texts, and more than one cell."""
    sizes: defaultdict[tuple[tuple[int, int], int], int] = defaultdict(int)
    for line in lines:
        if cell := line.mark.cell:
            sizes[cell.row, cell.column] += len(line.text)
    columns = {column for _, column in sizes}
    return len(columns) > 1 and max(columns) < _MAX_COLUMNS and max(sizes.values()) <= _MAX_CELL_CHARACTERS


def write_rows(lines: Sequence[Line], width: int, join: Join) -> list[str]:
    """A line of Markdown for each row, with at least `width` cells."""
    width = max(width, get_width(lines))
    rows = [[_write_cell(row.get(column, []), join) for column in range(width)] for row in _list_rows(lines)]
    return list(map(_write_row, rows))


def _list_rows(lines: Sequence[Line]) -> list[Mapping[int, Sequence[Line]]]:
    """The lines of each row by column. Excel names a row's cells in another order than it prints them, and no empty ones:
    positions count.
    """
    rows: defaultdict[tuple[int, int], defaultdict[int, list[Line]]] = defaultdict(lambda: defaultdict(list))
    for line in lines:
        if cell := line.mark.cell:
            rows[cell.row][cell.column].append(line)
    if get_edges(lines):
        return [cells for _, cells in sorted(rows.items())]
    return _align(
        [
            dict(zip(sorted(cells), sorted(cells.values(), key=_get_left), strict=True))
            for _, cells in sorted(rows.items())
        ]
    )


def get_edges(lines: Sequence[Line]) -> tuple[float, ...]:
    """The column edges of a drawn table; none for a tagged one."""
    return next((cell.edges for line in lines if (cell := line.mark.cell)), ())


def have_same_columns(edges: Sequence[float], others: Sequence[float]) -> bool:
    """Whether two drawn tables have the same columns."""
    is_near = (abs(edge - other) <= NEAR for edge, other in zip(edges, others, strict=False))
    return len(edges) == len(others) and all(is_near)


def _align(rows: list[Mapping[int, Sequence[Line]]]) -> list[Mapping[int, Sequence[Line]]]:
    """Align rows that end before the last column, with their cells below those of full rows."""
    width = 1 + max((max(row) for row in rows), default=0)
    full = [row for row in rows if len(row) == width]
    if not full:
        return rows
    edges = [(min(_get_left(row[n]) for row in full), max(_get_right(row[n]) for row in full)) for n in range(width)]
    return [row if max(row) == width - 1 else _place_below(list(row.values()), edges) for row in rows]


def _place_below(cells: Sequence[Sequence[Line]], edges: Sequence[tuple[float, float]]) -> Mapping[int, Sequence[Line]]:
    placed: dict[int, Sequence[Line]] = {}
    first = 0
    for number, cell in enumerate(cells):
        left, right = _get_left(cell), _get_right(cell)
        free = range(first, len(edges) - (len(cells) - number - 1))
        column = max(free, key=lambda column: min(right, edges[column][1]) - max(left, edges[column][0]))
        placed[column] = cell
        first = column + 1
    return placed


def _get_left(cell: Sequence[Line]) -> float:
    return min(line.left for line in cell)


def _get_right(cell: Sequence[Line]) -> float:
    return max(line.right for line in cell)


def split_title(lines: Sequence[Line]) -> tuple[list[Line], list[Line]]:
    """The text of the first rows with a single cell above others with several columns, and the other rows."""
    rows = _list_rows(lines)
    count = next((n for n, row in enumerate(rows) if len(row) > 1), 0) if get_width(lines) > _MAX_TITLED_WIDTH else 0
    title = [line for row in rows[:count] for cell in row.values() for line in cell]
    return title, [line for row in rows[count:] for cell in row.values() for line in cell]


def write_rule(width: int) -> str:
    return _write_row(["---"] * width)


def get_width(lines: Sequence[Line]) -> int:
    return 1 + max((cell.column for line in lines if (cell := line.mark.cell)), default=0)


def get_first_row(lines: Sequence[Line]) -> tuple[int, int]:
    return min(cell.row for line in lines if (cell := line.mark.cell))


def get_last_row(lines: Sequence[Line]) -> tuple[int, int]:
    return max(cell.row for line in lines if (cell := line.mark.cell))


def _write_cell(lines: Sequence[Line], join: Join) -> str:
    return "<br>".join(join(part) for part in _iter_paragraphs(lines)).replace("|", "\\|")


def _iter_paragraphs(lines: Sequence[Line]) -> Iterator[Sequence[Line]]:
    """The paragraphs of a cell, by tags; without them, only list items are separate."""
    for block, part in groupby(lines, key=lambda line: line.mark.block):
        own = list(part)
        starts = [] if block else [n for n, line in enumerate(own) if n and _begins_item(line)]
        yield from (own[start:end] for start, end in pairwise([0, *starts, len(own)]))


def _begins_item(line: Line) -> bool:
    """Whether a line begins an item. A letter with a full stop may be part of a name."""
    marker = find_item_marker(line)
    return marker == "-" or marker[:1].isdecimal()


def _write_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
