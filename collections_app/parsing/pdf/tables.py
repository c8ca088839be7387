"""Tables of tagged PDFs as Markdown: the cells tell their places, so their lines need not stand beside each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from collections_app.parsing.pdf.pages import Line

_MAX_CELL_CHARACTERS = 2000  # more is text that a table lays out
_MAX_COLUMNS = 100

Join = Callable[[Sequence[Line]], str]
"""Writes the lines of a paragraph as one."""


def gather_tables(lines: Sequence[Line]) -> list[Line]:
    """The lines of a page, those of each table together where its first one stands; text that a table lays out without its cells."""
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
    """Whether these lines of one table are data: no long texts, and more than a cell."""
    sizes: defaultdict[tuple[tuple[int, int], int], int] = defaultdict(int)
    for line in lines:
        if cell := line.mark.cell:
            sizes[cell.row, cell.column] += len(line.text)
    columns = {column for _, column in sizes}
    return len(columns) > 1 and max(columns) < _MAX_COLUMNS and max(sizes.values()) <= _MAX_CELL_CHARACTERS


def write_rows(lines: Sequence[Line], width: int, join: Join) -> list[str]:
    """A line of Markdown for each row, with at least `width` cells."""
    rows: defaultdict[tuple[int, int], defaultdict[int, list[Line]]] = defaultdict(lambda: defaultdict(list))
    for line in lines:
        if cell := line.mark.cell:
            rows[cell.row][cell.column].append(line)
    width = max(width, get_width(lines))
    return [
        _write_row([_write_cell(rows[row].get(column, []), join) for column in range(width)]) for row in sorted(rows)
    ]


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
    for _, part in groupby(lines, key=lambda line: line.mark.block):
        yield list(part)


def _write_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
