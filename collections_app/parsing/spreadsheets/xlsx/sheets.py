"""A worksheet → a Sheet, without the rows, columns and cells that nobody sees (ECMA-376 part 1, section 18.3.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from xml.etree.ElementTree import Element

from lxml import etree

from collections_app.parsing.office.names import RELATION
from collections_app.parsing.office.numbers import read_number
from collections_app.parsing.office.package import Package, Part
from collections_app.parsing.pptx.levels import NO_LEVELS
from collections_app.parsing.pptx.names import iter_chosen
from collections_app.parsing.pptx.text import TextWriter
from collections_app.parsing.spreadsheets.merged_cells import spread_down
from collections_app.parsing.spreadsheets.sheets import MAX_COLUMNS, Box, Cell, Row, Sheet
from collections_app.parsing.spreadsheets.xlsx.cells import CellReader
from collections_app.parsing.spreadsheets.xlsx.names import (
    DRAWING,
    SHEET,
    Range,
    is_on,
    read_range,
    read_reference,
)

_MAX_COLOURED = 200  # ranges, each of which is looked at for what would be hidden
_PLACED = frozenset({f"{DRAWING}twoCellAnchor", f"{DRAWING}oneCellAnchor", f"{DRAWING}absoluteAnchor"})


@dataclass(frozen=True, slots=True)
class _Places:
    """What a sheet says of cells apart from them, by row and column. `coloured` is where tables and rules give cells other colours."""

    links: Mapping[tuple[int, int], str]
    merged: Mapping[tuple[int, int], tuple[int, int]]  # the rows and columns that a cell covers
    hidden_columns: frozenset[int]
    coloured: Sequence[Range]

    def is_coloured(self, row: int, column: int) -> bool:
        return any(top <= row <= bottom and left <= column <= right for top, left, bottom, right in self.coloured)


class SheetReader:
    """Of one workbook. `hidden` are the texts that nobody sees, `left_out` counts sheets, rows and cells of such."""

    def __init__(self, package: Package, cells: CellReader) -> None:
        self._package = package
        self._cells = cells
        self.hidden: list[str] = []
        self.left_out = Counter[str]()

    def read(self, name: str, part: Part) -> Sheet:
        places = self._read_places(part)
        rows = [row for row in self._iter_rows(part.element, places) if row.cells]
        return Sheet(name, spread_down(rows), self._read_boxes(part))

    def hide(self, part: Part) -> None:
        """A sheet that people have to ask for."""
        rows = list(self._iter_rows(part.element, self._read_places(part)))
        self._tell_hidden(cell.text for row in rows for cell in row.cells.values())
        self.left_out["sheet"] += 1

    def _iter_rows(self, sheet: Element, places: _Places) -> Iterator[Row]:
        number = 0
        for element in sheet.iterfind(f"{SHEET}sheetData/{SHEET}row"):
            number = read_number(element.get("r"), number + 1)
            cells = self._read_cells(element, number, places)
            if is_on(element.get("hidden")) or element.get("ht") == "0":
                self._tell_hidden(cell.text for cell in cells.values())
                self.left_out["row"] += bool(cells)
            else:
                yield Row(number, cells)

    def _read_cells(self, row: Element, number: int, places: _Places) -> dict[int, Cell]:
        cells: dict[int, Cell] = {}
        column = -1
        for element in row.iterfind(f"{SHEET}c"):
            place = read_reference(element.get("r", ""))
            column = column + 1 if place is None else place[1]
            rows, columns = places.merged.get((number, column), (1, 1))
            address = places.links.get((number, column), "")
            cell, is_hidden = self._cells.read(element, address=address, columns=columns, rows=rows)
            if not cell.text:
                continue
            if column in places.hidden_columns or (is_hidden and not places.is_coloured(number, column)):
                self._tell_hidden([cell.text])
                self.left_out["cell"] += 1
            elif column < MAX_COLUMNS:
                cells[column] = cell
        return dict(sorted(cells.items()))

    def _tell_hidden(self, texts: Iterable[str]) -> None:
        self.hidden.extend(texts)

    def _read_places(self, part: Part) -> _Places:
        sheet = part.element
        return _Places(
            links=dict(_iter_links(part)),
            merged=_read_merged(sheet),
            hidden_columns=_read_hidden_columns(sheet),
            coloured=list(islice(self._iter_coloured(part), _MAX_COLOURED)),
        )

    def _iter_coloured(self, part: Part) -> Iterator[Range]:
        references = [
            reference
            for rule in part.element.iterfind(f"{SHEET}conditionalFormatting")
            for reference in rule.get("sqref", "").split()
        ]
        for listed in part.element.iterfind(f"{SHEET}tableParts/{SHEET}tablePart"):
            table = self._package.find_related(part, listed.get(f"{RELATION}id"))
            references += [] if table is None else [table.element.get("ref", "")]
        yield from filter(None, map(read_range, references))

    def _read_boxes(self, part: Part) -> Sequence[Box]:
        drawing = self._package.find_by_kind(part, "drawing")
        if drawing is None:
            return ()
        boxes: list[Box] = []
        for anchor in filter(lambda each: each.tag in _PLACED, iter_chosen(drawing.element)):
            body = etree.Element("body")
            writer = TextWriter(body, drawing)
            for shape in anchor.iter(f"{DRAWING}sp"):
                properties, text = shape.find(f"{DRAWING}nvSpPr/{DRAWING}cNvPr"), shape.find(f"{DRAWING}txBody")
                if text is not None and not (properties is not None and is_on(properties.get("hidden"))):
                    writer.write(text, NO_LEVELS)
            if len(body):
                boxes.append(Box(read_number(anchor.findtext(f"{DRAWING}from/{DRAWING}row"), 0) + 1, body))
        return sorted(boxes, key=lambda box: box.row)


def _iter_links(part: Part) -> Iterator[tuple[tuple[int, int], str]]:
    """Those that lead out of the workbook."""
    for link in part.element.iterfind(f"{SHEET}hyperlinks/{SHEET}hyperlink"):
        address, place = part.find_address(link.get(f"{RELATION}id")), read_range(link.get("ref", ""))
        if address and place:
            location = link.get("location", "")
            yield place[:2], f"{address}#{location}" if location and "#" not in address else address


def _read_merged(sheet: Element) -> dict[tuple[int, int], tuple[int, int]]:
    ranges = (read_range(each.get("ref", "")) for each in sheet.iterfind(f"{SHEET}mergeCells/{SHEET}mergeCell"))
    return {
        (top, left): (bottom - top + 1, right - left + 1)
        for top, left, bottom, right in filter(None, ranges)
        if bottom >= top and right >= left
    }


def _read_hidden_columns(sheet: Element) -> frozenset[int]:
    hidden: set[int] = set()
    for columns in sheet.iterfind(f"{SHEET}cols/{SHEET}col"):
        if len(hidden) == MAX_COLUMNS:
            break
        if is_on(columns.get("hidden")) or columns.get("width") == "0":
            last = read_number(columns.get("max"), 0, MAX_COLUMNS)
            hidden.update(range(read_number(columns.get("min"), 1) - 1, last))
    return frozenset(hidden)
