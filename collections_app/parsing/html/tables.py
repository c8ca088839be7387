"""Tables: of data as GFM tables, of one column as lists; those that only lay out a page become what is in them.

A table with cells that fit in no line (code blocks, headings, other tables) is laid out too: its text reads on, cell by cell.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from collections_app.parsing.html.classes import ClassFacts, read_class
from collections_app.parsing.html.converter import Converter, Leave, leave_out
from collections_app.parsing.html.escaping import escape_text
from collections_app.parsing.html.grids import Cell, get_rows, get_width, lay_out
from collections_app.parsing.html.tree import Attributes, Element, get_raw_text, get_text
from collections_app.parsing.html.vocabulary import HEADING_TAGS

_MAX_CELL_CHARACTERS = 1000  # of a table without headings, before it counts as layout
_MAX_BLANKS = 20_000  # places of the grid that hold no cell: a few wide rows over many short ones
_LINE_NUMBERS = re.compile(r"[\d\s]*$")

_Rows = Sequence[Sequence[Cell]]


def enter_table(converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts) -> Leave | None:
    rows = get_rows(element)
    is_headed = any(cell.is_heading for row in rows for cell in row)
    if (
        attributes.get("role") == "presentation"
        or facts.is_code_table
        or _is_layout(element, rows, is_headed=is_headed)
    ):
        return converter.flush_unless_run_in
    _write_caption(converter, element)
    if get_width(rows) == 1:
        _write_list(converter, rows)
    else:
        _write_grid(converter, rows)
    return leave_out


def enter_layout_cell(
    converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts
) -> Leave | None:
    """Cells of data are converted by their table; here come those of layouts, of which line numbers are dropped."""
    converter.flush_unless_run_in()
    return leave_out if facts.is_gutter or _is_beside_code(element) else converter.flush_unless_run_in


def _is_beside_code(cell: Element) -> bool:
    beside = cell.getnext()
    if beside is None or next(beside.iter("pre"), None) is None or next(cell.iter("table"), None) is not None:
        return False
    return _LINE_NUMBERS.match(get_text(cell)) is not None


def _is_layout(table: Element, rows: _Rows, *, is_headed: bool) -> bool:
    parent = table.getparent()
    if parent is not None and read_class(parent.get("class", "")).admonition:
        return True
    if next(table.iterdescendants("table", *HEADING_TAGS), None) is not None:
        return True
    width = get_width(rows)
    if len(rows) * width > _MAX_BLANKS + 2 * sum(map(len, rows)):
        return True
    if width <= 1:
        return not is_headed and (len(rows) == 1 or _has_long_cell(rows))
    return _has_code_block(table) or (not is_headed and (len(rows) == 1 or _has_long_cell(rows)))


def _has_code_block(table: Element) -> bool:
    return any("\n" in get_raw_text(block).strip() for block in table.iter("pre"))


def _has_long_cell(rows: _Rows) -> bool:
    return any(len(get_text(cell.element)) > _MAX_CELL_CHARACTERS for row in rows for cell in row)


def _write_caption(converter: Converter, table: Element) -> None:
    caption = table.find("caption")
    if caption is not None:
        converter.convert(caption)


def _write_list(converter: Converter, rows: _Rows) -> None:
    """A table of one column, such as a list of functions, each with its signature, description and examples."""
    for number, (cell,) in enumerate(rows):
        if cell.is_heading:
            text = " / ".join(_convert_cell_lines(converter, cell.element))
            converter.writer.write([f"**{text}**"] if text else [])
            continue
        converter.writer.open_item("-", is_tight=number > 0 and not rows[number - 1][0].is_heading)
        converter.convert(cell.element)
        converter.writer.close_container()


def _write_grid(converter: Converter, rows: _Rows) -> None:
    """A GFM table: the rows of headings at its top are made one, the others may be of any kind."""
    header_count = _count_header_rows(rows)
    grid = lay_out(rows, lambda cell: _convert_cell(converter, cell))
    if not any(map(any, grid)):
        return
    header = [" ".join(dict.fromkeys(filter(None, column))) for column in zip(*grid[:header_count], strict=True)]
    header = header or [""] * len(grid[0])
    body = [row for row in grid[header_count:] if any(row)]
    converter.writer.write(_format_row(row) for row in [header, ["---"] * len(header), *body])


def _count_header_rows(rows: _Rows) -> int:
    count = next((n for n, row in enumerate(rows) if not all(cell.is_heading for cell in row)), len(rows))
    return count if count < len(rows) else 1


def _convert_cell(converter: Converter, cell: Element) -> str:
    if len(cell) == 0:
        return escape_text(get_text(cell)).replace("|", "\\|")
    return "<br>".join(_convert_cell_lines(converter, cell)).replace("|", "\\|")


def _convert_cell_lines(converter: Converter, cell: Element) -> list[str]:
    cell_converter = converter.make_cell_converter()
    cell_converter.convert(cell)
    return list(filter(None, map(str.strip, cell_converter.writer.lines)))


def _format_row(row: Sequence[str]) -> str:
    return f"| {' | '.join(row)} |"
