"""LibreOffice's spreadsheets (OpenDocument 1.3, part 3, section 9). The text of a cell is stored as it is shown; nothing is computed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from lxml import etree

from collections_app.parsing.documents import NormalisedText, RawDocument
from collections_app.parsing.office.html import add
from collections_app.parsing.office.numbers import read_number
from collections_app.parsing.office.odt.names import DRAW, FO, OFFICE, STYLE, TABLE, TEXT, XLINK
from collections_app.parsing.office.odt.package import ODS, Package, read_package
from collections_app.parsing.office.spreadsheets.sheets import (
    MAX_COLUMNS,
    SIGNS_OF_CELL,
    Box,
    Cell,
    Sheet,
    Workbook,
    check_characters,
)
from collections_app.parsing.office.spreadsheets.to_markdown import write_workbook
from collections_app.parsing.office.spreadsheets.visible_rows import VisibleRows, list_texts

_MAX_REPEATED = 1000
_MAX_COVERED = 500  # columns that a cell covers
_MAX_BASES = 20
_MAX_BLANKS = 100
_WHITE = "#ffffff"
_NO_COLOURS = frozenset({None, "transparent", _WHITE})
_NUMBERS = frozenset({"float", "percentage", "currency", "date", "time"})
_GROUPS = frozenset(
    f"{TABLE}table-{name}" for name in ("row-group", "header-rows", "rows", "column-group", "header-columns", "columns")
)
_SHAPES = frozenset({f"{DRAW}text-box", f"{DRAW}custom-shape", f"{DRAW}rect", f"{DRAW}ellipse"})


def parse_ods(raw: RawDocument) -> NormalisedText:
    """A section for each sheet, and within it for each title and for each part of a long table.

    Raises ParseError for a file that is encrypted, broken, not a spreadsheet, or larger than the limits.
    """
    package = read_package(raw.content, ODS, "spreadsheet")
    reader = _SheetReader(package)
    sheets = [sheet for table in package.body.iterfind(f"{TABLE}table") if (sheet := reader.read(table)) is not None]
    workbook = Workbook(sheets, package.properties, hidden=reader.hidden, left_out=reader.left_out, cut=reader.cut)
    return write_workbook(workbook, "ods")


@dataclass(frozen=True, slots=True)
class _Look:
    is_bold: bool = False
    has_white_text: bool = False


class _SheetReader:
    """Reads the sheets of one file. `hidden` has the texts that nobody sees; `left_out` counts the hidden sheets, rows and cells."""

    def __init__(self, package: Package) -> None:
        roots = [root for root in (package.styles, package.content) if root is not None]
        styles = [style for root in roots for style in root.iter(f"{STYLE}style")]
        self._styles = {(style.get(f"{STYLE}family", ""), style.get(f"{STYLE}name", "")): style for style in styles}
        self._looks: dict[str, _Look] = {}
        self._characters = 0
        self.hidden: list[str] = []
        self.left_out = Counter[str]()
        self.cut = 0

    def read(self, table: Element) -> Sheet | None:
        """The sheet; None if it is hidden."""
        rows = self._read_rows(table)
        self.hidden += rows.hidden
        if self._is_hidden(table):
            self.hidden += list_texts(rows.finish())
            self.left_out["sheet"] += 1
            return None
        self.left_out["row"] += rows.hidden_count
        boxes = sorted(_iter_boxes(table), key=lambda box: box.row)
        return Sheet(" ".join(table.get(f"{TABLE}name", "").split()), rows.finish(), boxes)

    def _is_hidden(self, table: Element) -> bool:
        style = self._styles.get(("table", table.get(f"{TABLE}style-name", "")))
        properties = None if style is None else style.find(f"{STYLE}table-properties")
        return properties is not None and properties.get(f"{TABLE}display") == "false"

    def _read_rows(self, table: Element) -> VisibleRows:
        hidden_columns = frozenset(_iter_hidden_columns(table))
        headers = {id(row) for rows in table.iter(f"{TABLE}table-header-rows") for row in rows}
        rows = VisibleRows()
        number = 1
        for element in _iter_inside(table, f"{TABLE}table-row"):
            repeated = max(1, read_number(element.get(f"{TABLE}number-rows-repeated"), 1))
            cells = self._read_cells(element, hidden_columns, is_header=id(element) in headers)
            is_hidden = element.get(f"{TABLE}visibility", "visible") != "visible"
            copies = min(repeated, _MAX_REPEATED) if cells else 1
            self.cut += copies < repeated and bool(cells)
            self._count(cells.values(), copies)
            for n in range(copies):
                rows.add(number + n, cells, is_hidden=is_hidden)
            number += repeated
        return rows

    def _read_cells(self, row: Element, hidden_columns: frozenset[int], *, is_header: bool) -> Mapping[int, Cell]:
        cells: dict[int, Cell] = {}
        column = 0
        for element in row:
            repeated = max(1, read_number(element.get(f"{TABLE}number-columns-repeated"), 1))
            if element.tag == f"{TABLE}table-cell" and (len(element) or f"{OFFICE}value-type" in element.attrib):
                cell = self._read_cell(element, is_header=is_header)
                is_white = self._get_look(element.get(f"{TABLE}style-name", "")).has_white_text
                copies = min(repeated, _MAX_REPEATED) if cell.text else 0
                self.cut += copies < repeated and bool(cell.text)
                for place in range(column, min(column + copies, MAX_COLUMNS)):
                    if is_white or all(
                        each in hidden_columns for each in range(place, place + min(cell.columns, _MAX_COVERED))
                    ):
                        self.hidden.append(cell.text)
                        self.left_out["cell"] += 1
                    else:
                        cells[place] = cell
            column += repeated
        return cells

    def _count(self, cells: Iterable[Cell], repeated: int) -> None:
        self._characters += repeated * sum(len(cell.text) + SIGNS_OF_CELL for cell in cells)
        check_characters(self._characters, ODS)

    def _read_cell(self, element: Element, *, is_header: bool) -> Cell:
        kind = element.get(f"{OFFICE}value-type", "string")
        paragraphs = list(_iter_paragraphs(element))
        shown = "\n".join(map(_get_text, paragraphs)).strip()
        text = _read_value(element, kind) if not paragraphs or (kind == "date" and shown) else shown
        link = next((link for paragraph in paragraphs for link in paragraph.iter(f"{TEXT}a")), None)
        address = "" if link is None else link.get(f"{XLINK}href", "")
        return Cell(
            text=text,
            address="" if address.startswith("#") else address,
            is_bold=is_header or self._get_look(element.get(f"{TABLE}style-name", "")).is_bold,
            is_number=kind in _NUMBERS,
            columns=read_number(element.get(f"{TABLE}number-columns-spanned"), 1),
            rows=read_number(element.get(f"{TABLE}number-rows-spanned"), 1),
        )

    def _get_look(self, name: str) -> _Look:
        if name not in self._looks:
            self._looks[name] = self._read_look(name)
        return self._looks[name]

    def _read_look(self, name: str) -> _Look:
        """The look of a cell style, with what it inherits from the styles that it is based on."""
        said: dict[str, str] = {}
        for _ in range(_MAX_BASES):
            style = self._styles.get(("table-cell", name))
            if style is None:
                break
            for kind in ("text-properties", "table-cell-properties"):
                properties = style.find(f"{STYLE}{kind}")
                said = {**({} if properties is None else properties.attrib), **said}
            name = style.get(f"{STYLE}parent-style-name", "")
        is_white = said.get(f"{FO}color") == _WHITE and said.get(f"{FO}background-color") in _NO_COLOURS
        return _Look(is_bold=said.get(f"{FO}font-weight") == "bold", has_white_text=is_white)


def _iter_inside(table: Element, tag: str) -> Iterator[Element]:
    """Children of a table with this tag, also those in its groups."""
    for child in table:
        if child.tag == tag:
            yield child
        elif child.tag in _GROUPS:
            yield from _iter_inside(child, tag)


def _iter_paragraphs(element: Element) -> Iterator[Element]:
    """The paragraphs of a cell or a box, those in lists included, but not those of comments or of boxes attached to a cell."""
    for child in element:
        if child.tag == f"{TEXT}p":
            yield child
        elif child.tag in (f"{TEXT}list", f"{TEXT}list-item", f"{TEXT}list-header"):
            yield from _iter_paragraphs(child)


def _read_value(element: Element, kind: str) -> str:
    """The stored value of a cell that has no text, or of a date."""
    named = {"date": "date-value", "time": "time-value", "boolean": "boolean-value", "string": "string-value"}
    value = element.get(f"{OFFICE}{named.get(kind, 'value')}", "")
    return value.removesuffix("T00:00:00").replace("T", " ") if kind == "date" else value


def _iter_hidden_columns(table: Element) -> Iterator[int]:
    first = 0
    for column in _iter_inside(table, f"{TABLE}table-column"):
        repeated = read_number(column.get(f"{TABLE}number-columns-repeated"), 1)
        if column.get(f"{TABLE}visibility", "visible") != "visible":
            yield from range(first, min(first + repeated, MAX_COLUMNS))
        first += repeated


def _iter_boxes(table: Element) -> Iterator[Box]:
    """The boxes of the sheet and those attached to the cells of visible rows."""
    shapes = table.find(f"{TABLE}shapes")
    places = [(1, shapes)] if shapes is not None else []
    number = 1
    for row in _iter_inside(table, f"{TABLE}table-row"):
        if row.get(f"{TABLE}visibility", "visible") == "visible":
            places += [(number, cell) for cell in row if len(cell)]
        number += read_number(row.get(f"{TABLE}number-rows-repeated"), 1)
    for number, place in places:
        body = etree.Element("body")
        for shape in (each for each in place.iter() if each.tag in _SHAPES):
            for paragraph in _iter_paragraphs(shape):
                if text := _get_text(paragraph).strip():
                    add(body, "p", text)
        if len(body):
            yield Box(number, body)


def _get_text(paragraph: Element) -> str:
    pieces: list[str] = []
    _collect(paragraph, pieces)
    return "".join(pieces)


def _collect(element: Element, pieces: list[str]) -> None:
    pieces.append(element.text or "")
    for child in element:
        if child.tag == f"{TEXT}s":
            pieces.append(" " * read_number(child.get(f"{TEXT}c"), 1, _MAX_BLANKS))
        elif child.tag == f"{TEXT}line-break":
            pieces.append("\n")
        elif child.tag == f"{TEXT}tab":
            pieces.append(" ")
        elif child.tag in (f"{TEXT}span", f"{TEXT}a"):
            _collect(child, pieces)
        elif child.tag.startswith(TEXT) and child.tag != f"{TEXT}ruby-text":
            pieces.append(child.text or "")  # a field, with the text that it showed
        pieces.append(child.tail or "")
