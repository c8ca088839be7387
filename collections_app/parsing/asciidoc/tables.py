"""Tables → rows of an HTML table: their columns, cells with their specifiers, and rows of values (CSV, TSV, DSV).

https://docs.asciidoctor.org/asciidoc/latest/tables/build-a-basic-table/
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from collections_app.exceptions import ParseError
from collections_app.parsing.asciidoc.attributes import read_number
from collections_app.parsing.asciidoc.code import write_code
from collections_app.parsing.html.elements import Node, add, make_element
from collections_app.parsing.html.tree import Element

if TYPE_CHECKING:
    from collections_app.parsing.asciidoc.attribute_lists import AttributeList
    from collections_app.parsing.asciidoc.blocks import BlockReader

MAX_COLUMNS = 200
MAX_CELLS = 100_000
MAX_REPEATED_CHARACTERS = 2_000_000
"""The limit for cells of a document that a number repeats (`3*|`), each counted as often as it is written: a short line could make
gigabytes.
"""

_CELL_CHARACTERS = 20  # that a cell counts for in addition to its text

_SPEC = re.compile(
    r"(?:(?P<columns>\d{1,6})?(?:\.(?P<rows>\d{1,6}))?(?P<sign>[*+]))?(?:[<^>](?:\.[<^>])?|\.[<^>])?(?P<style>[adehlmsv])?"
)
_COLUMN = re.compile(
    r"(?:(?P<times>\d{1,6})\*)?(?:[<^>](?:\.[<^>]?)?|[<^>]?\.[<^>])?(?:\d{1,6}(?:\.\d{1,6})?%?|~)?(?P<style>[a-z])?"
)
_BETWEEN_CELLS = {"csv": ",", "tsv": "\t", "dsv": ":"}
_FORMATS = {",": "csv", ":": "dsv"}
_TAGS = {"e": "em", "s": "strong", "m": "code"}


@dataclass(frozen=True, slots=True)
class _Cell:
    text: str
    columns: int = 1
    rows: int = 1
    style: str = ""


@dataclass(frozen=True, slots=True)
class _Table:
    """`first_count`: how many cells its first line has, which is its width unless `styles` tell of its columns."""

    cells: Sequence[_Cell]
    first_count: int
    styles: Sequence[str]
    has_header: bool

    @property
    def width(self) -> int:
        return len(self.styles) or self.first_count


def write_table(
    blocks: BlockReader, lines: Sequence[str], delimiter: str, attributes: AttributeList, parent: Element, depth: int
) -> None:
    """Raises ParseError for a table with too many columns or cells."""
    read = _read_table(blocks, lines, delimiter, attributes)
    if not read.width:
        blocks.read(_strip_blank(lines), parent, depth + 1)
        return
    if read.width > MAX_COLUMNS or len(read.cells) > MAX_CELLS:
        raise ParseError(f"A table has more than {MAX_COLUMNS} columns or {MAX_CELLS:,} cells; cut it into several.")
    table = add(parent, "table")
    for number, row in enumerate(_iter_rows(read.cells, read.width)):
        element = add(table, "tr")
        for column, cell in row:
            style = cell.style or (read.styles[column] if column < len(read.styles) else "")
            _write_cell(blocks, element, cell, "h" if read.has_header and number == 0 else style, depth)


def _read_table(blocks: BlockReader, lines: Sequence[str], delimiter: str, attributes: AttributeList) -> _Table:
    format = attributes.named.get("format", "") or _FORMATS.get(delimiter[0], "psv")
    separator = attributes.named.get("separator", "")
    styles = _read_columns(attributes.named.get("cols", ""))
    text = _strip_blank(lines)
    cells: Sequence[_Cell]
    if format in _BETWEEN_CELLS:
        rows = _read_values(text, format, "\t" if separator == "\\t" else separator or _BETWEEN_CELLS[format])
        cells, first_count = [_Cell(value) for row in rows for value in row], len(rows[0]) if rows else 0
    else:
        cells, first_count = _read_cells(blocks, text, separator or ("!" if delimiter[0] == "!" else "|"))
    is_told = not attributes.options.isdisjoint(("header", "noheader"))
    # A line right below the table's own, which a blank line follows, is one.
    is_apart = len(text) > 1 and bool(lines[0]) and not text[1] and first_count == (len(styles) or first_count)
    return _Table(cells, first_count, styles, "header" in attributes.options if is_told else is_apart)


def _read_columns(text: str) -> list[str]:
    """The style of each column, from `1,2a,3*m`; a number alone is the number of columns."""
    styles: list[str] = []
    if text.strip().isdecimal():
        text = f"{text.strip()}*"
    for part in re.split("[,;]", text[:5000]) if text.strip() else ():
        column = _COLUMN.fullmatch(part.strip())
        if column is None:
            continue
        times = read_number(column["times"] or "1")
        if len(styles) + times > MAX_COLUMNS:
            raise ParseError(f"A table has more than {MAX_COLUMNS} columns; cut it into several.")
        styles += [column["style"] or ""] * times
    return styles


def _strip_blank(lines: Sequence[str]) -> Sequence[str]:
    first = next((number for number, line in enumerate(lines) if line), len(lines))
    return lines[first:]


def _read_values(lines: Sequence[str], format: str, separator: str) -> list[list[str]]:
    if format == "dsv":
        split = re.compile(r"(?<!\\)" + re.escape(separator))
        return [
            [value.replace(f"\\{separator}", separator).strip() for value in split.split(line)]
            for line in lines
            if line
        ]
    try:
        reader = csv.reader([f"{line}\n" for line in lines], delimiter=separator[:1], skipinitialspace=True)
        return [[value.strip() for value in row] for row in reader if row]
    except csv.Error:
        return [[line] for line in lines if line]


def _read_cells(blocks: BlockReader, lines: Sequence[str], separator: str) -> tuple[list[_Cell], int]:
    """All cells in order, and the number of columns in the first line."""
    pieces = re.split(r"(?<!\\)" + re.escape(separator), "\n".join(lines))
    in_first_line = len(re.split(r"(?<!\\)" + re.escape(separator), lines[0])) - 1 if lines else 0
    cells: list[_Cell] = []
    first_count = 0
    spec = _SPEC.fullmatch(pieces[0].strip())
    if spec is None and pieces[0].strip():
        cells.append(_Cell(pieces[0].strip()))
    for number, piece in enumerate(pieces[1:]):
        is_last = number == len(pieces) - 2
        text, following = (piece, None) if is_last else _split_spec(piece)
        times, cell = _make_cell(text.replace(f"\\{separator}", separator), spec)
        if len(cells) + times > MAX_CELLS:
            raise ParseError(f"A table has more than {MAX_CELLS:,} cells; cut it into several.")
        if times > 1:
            blocks.repeated_characters += times * (len(cell.text) + _CELL_CHARACTERS)
        if blocks.repeated_characters > MAX_REPEATED_CHARACTERS:
            raise ParseError(
                f"Repeated cells of tables make more than {MAX_REPEATED_CHARACTERS:,} characters; cut the file into several."
            )
        cells += [cell] * times
        if number < in_first_line:
            first_count += times * cell.columns
        spec = following
    return cells, first_count


def _split_spec(piece: str) -> tuple[str, re.Match[str] | None]:
    """The text of a cell, and the specifier before the next separator."""
    if not piece or piece[-1].isspace():
        return piece, None
    last = re.split(r"\s", piece[-40:])[-1]
    spec = _SPEC.fullmatch(last) if len(last) < min(40, len(piece)) else None
    return (piece[: len(piece) - len(last)], spec) if spec else (piece, None)


def _make_cell(text: str, spec: re.Match[str] | None) -> tuple[int, _Cell]:
    """How often the cell is repeated, and the cell."""
    if spec is None:
        return 1, _Cell(text.strip("\n"))
    columns, rows = (max(1, read_number(spec[name] or "1")) for name in ("columns", "rows"))
    style = spec["style"] or ""
    if spec["sign"] == "*":
        return columns, _Cell(text.strip("\n"), style=style)
    return 1, _Cell(text.strip("\n"), columns, rows, style)


def _iter_rows(cells: Sequence[_Cell], width: int) -> Iterator[list[tuple[int, _Cell]]]:
    """The cells of each row, each with its column. The last row may be incomplete."""
    row: list[tuple[int, _Cell]] = []
    column, taken, below = 0, dict[int, int](), dict[int, int]()
    for cell in cells:
        while column in taken and column < width:
            column += 1
        if column >= width:
            yield row
            row, column, taken = [], 0, {place: rows - 1 for place, rows in {**taken, **below}.items() if rows > 1}
            below = {}
            while column in taken and column < width:
                column += 1
            if column >= width:
                taken, column = {}, 0
        columns = min(cell.columns, width - column)
        row.append((column, cell))
        if cell.rows > 1:
            below.update(dict.fromkeys(range(column, column + columns), cell.rows))
        column += columns
    if row:
        yield row


def _write_cell(blocks: BlockReader, row: Element, cell: _Cell, style: str, depth: int) -> None:
    element = add(
        row,
        "th" if style == "h" else "td",
        colspan=str(cell.columns) if cell.columns > 1 else "",
        rowspan=str(cell.rows) if cell.rows > 1 else "",
    )
    text = cell.text.strip()
    if style == "a":
        blocks.read([line.rstrip() for line in text.split("\n")], element, depth + 1, is_document=True)
    elif style == "l":
        write_code(element, cell.text.split("\n"))
    elif "\n\n" in text:
        for paragraph in re.split(r"\n\n+", text):
            add(element, "p", _read(blocks, paragraph, style))
    elif text:
        add(element, "p", _read(blocks, text, style))


def _read(blocks: BlockReader, text: str, style: str) -> list[Node]:
    nodes = blocks.inline.read("\n".join(line.strip() for line in text.split("\n")))
    return [make_element(_TAGS[style], nodes)] if style in _TAGS else nodes
