"""Writes tables of data as GFM tables, tables with one column as lists, and tables that only lay out a page as their content.

A table with blocks of code becomes a list of its rows, with each cell labelled by its column's heading, because code does not fit into a
line. Without column headings it counts as layout, and so does a table that contains headings of the page or other tables: its cells are
written one after the other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from collections_app.parsing.html.classes import ClassFacts, read_class
from collections_app.parsing.html.converter import Converter, Leave, leave_out
from collections_app.parsing.html.escaping import escape_text
from collections_app.parsing.html.handlers.code import get_code_text
from collections_app.parsing.html.handlers.grids import Cell, get_rows, get_width, lay_out
from collections_app.parsing.html.tree import Attributes, Element, get_raw_text, get_text
from collections_app.parsing.html.visibility import get_visible_text
from collections_app.parsing.html.vocabulary import HEADING_TAGS, MARKDOWN_BLOCK, MARKDOWN_TAG

_MAX_CELL_CHARACTERS = 1000  # of a cell in a table without headings; with a longer one it counts as layout
_MAX_LABEL_CHARACTERS = 200  # of a column's label, which each record repeats
_MAX_BLANKS = 20_000  # places of the grid without a cell, as when a few wide rows stand above many short ones
_MAX_LINE_NUMBER_DIGITS = 9
_DIGITS = re.compile(r"[0-9\s]*$")

_TAGS_BY_ROLE = {
    "table": "table",
    "rowgroup": "tbody",
    "row": "tr",
    "cell": "td",
    "columnheader": "th",
    "rowheader": "th",
}

_Rows = Sequence[Sequence[Cell]]


def enter_table(converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts) -> Leave | None:
    rows = get_rows(element)
    is_headed = any(cell.is_heading for row in rows for cell in row)
    if (
        attributes.get("role") == "presentation"
        or facts.is_code_table
        or _is_layout(element, rows, is_headed=is_headed or (facts.is_data_table and len(rows) == 1))
    ):
        return converter.flush_unless_run_in
    converter.flush()
    _write_caption(converter, element)
    if get_width(rows) == 1:
        _write_list(converter, rows)
    elif _has_code_block(element):
        _write_records(converter, rows)
    else:
        _write_grid(converter, rows)
    return leave_out


def enter_described_table(
    converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts
) -> Leave | None:
    """A table of other elements, whose roles (WAI-ARIA 1.2) say what they are."""
    for each in element.iter("*"):
        each.tag = _TAGS_BY_ROLE.get(each.get("role", ""), each.tag)
    return enter_table(converter, element, attributes, facts)


def enter_layout_cell(
    converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts
) -> Leave | None:
    """A cell of a layout table; line numbers are dropped. The cells of a data table are converted by their table."""
    converter.flush_unless_run_in()
    return leave_out if _has_line_numbers(element) else converter.flush_unless_run_in


def _has_line_numbers(cell: Element) -> bool:
    """Whether the cell has line numbers: by its class, or because it counts the lines of the code beside it. A `200` beside a response does
    not count.
    """
    if read_class(cell.get("class", "")).is_gutter:
        return True
    beside = cell.getnext()
    code = None if beside is None else next(beside.iter("pre"), None)
    if code is None or next(cell.iter("table"), None) is not None or not _DIGITS.match(get_text(cell)):
        return False
    if any(read_class(each.get("class", "")).is_gutter for each in cell.iterdescendants("*")):
        return True
    numbers = get_code_text(cell)
    line_count = get_code_text(code).count("\n") + 1
    # A line that says where the code is from has no number, but a blank line beside it.
    is_as_long = numbers.count("\n") + 1 >= line_count > 1 or len(numbers.split()) >= line_count > 1
    is_list = len(numbers.split()) > 1 or next(cell.iter("pre"), None) is not None
    return is_as_long and is_list and _are_consecutive(numbers.split())


def _are_consecutive(numbers: Sequence[str]) -> bool:
    return (
        bool(numbers)
        and all(len(each) <= _MAX_LINE_NUMBER_DIGITS for each in numbers)
        and all(int(after) == int(before) + 1 for before, after in pairwise(numbers))
    )


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
    is_unlabelled = not _count_header_rows(rows) and _has_code_block(table)
    return is_unlabelled or (not is_headed and (len(rows) == 1 or _has_long_cell(rows)))


def _has_code_block(table: Element) -> bool:
    """Whether it has code of several lines, or another block that is Markdown already."""
    if any(MARKDOWN_BLOCK in each.attrib for each in table.iter(MARKDOWN_TAG)):
        return True
    return any("\n" in get_raw_text(block).strip() for block in table.iter("pre"))


def _has_long_cell(rows: _Rows) -> bool:
    return any(len(get_text(cell.element)) > _MAX_CELL_CHARACTERS for row in rows for cell in row)


def _write_caption(converter: Converter, table: Element) -> None:
    caption = table.find("caption")
    if caption is not None:
        converter.convert(caption)


def _write_list(converter: Converter, rows: _Rows) -> None:
    """Write a table with one column, such as a list of functions, each with its signature, description and examples."""
    for number, (cell,) in enumerate(rows):
        if cell.is_heading:
            _drop_bold(cell.element)
            text = " / ".join(_convert_cell_lines(converter, cell.element))
            converter.writer.write([f"**{text}**"] if text else [])
            continue
        converter.writer.open_item("-", is_tight=number > 0 and not rows[number - 1][0].is_heading)
        converter.convert(cell.element)
        converter.writer.close_container()


def _drop_bold(cell: Element) -> None:
    """Drop the bold type within a cell that becomes bold as a whole."""
    for each in cell.iter("b", "strong"):
        each.tag = "span"


def _write_records(converter: Converter, rows: _Rows) -> None:
    """Write the rows as a list, with the cells of a row below one another."""
    header_count = _count_header_rows(rows)
    grid = lay_out(rows, lambda cell: cell, None)
    headings = [["" if cell is None else get_visible_text(cell) for cell in row] for row in grid[:header_count]]
    labels = [label[:_MAX_LABEL_CHARACTERS] for label in _join_columns(headings)]
    for row in grid[header_count:]:
        fields = [
            (label, cell) for label, cell in zip(labels, row, strict=True) if cell is not None and _says_something(cell)
        ]
        if fields:
            converter.writer.open_item("-", is_tight=False)
            for label, cell in fields:
                _write_field(converter, label, cell)
            converter.writer.close_container()


def _says_something(cell: Element) -> bool:
    return (bool(get_text(cell)) or next(cell.iter("img"), None) is not None) and not _has_line_numbers(cell)


def _write_field(converter: Converter, label: str, cell: Element) -> None:
    converter.flush()
    if label:
        converter.run_in(f"**{escape_text(label)}:** ")
    converter.convert(cell)


def _write_grid(converter: Converter, rows: _Rows) -> None:
    """Write a GFM table. The heading rows at its top are joined into one; the other rows may have cells of any kind. A column in which
    nothing stands, as where all cells of two are merged, is left out.
    """
    header_count = _count_header_rows(rows)
    columns = zip(*lay_out(rows, lambda cell: _convert_cell(converter, cell), ""), strict=True)
    grid = list(zip(*filter(any, columns), strict=True))
    if not grid:
        return
    header = _join_columns(grid[:header_count]) or [""] * len(grid[0])
    body = [row for row in grid[header_count:] if any(row)]
    converter.writer.write(_format_row(row) for row in [header, ["---"] * len(header), *body])


def _join_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """The heading rows joined into one."""
    return [" ".join(dict.fromkeys(filter(None, column))) for column in zip(*rows, strict=True)]


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
