"""A worksheet → a Sheet, without hidden rows, columns and cells (ECMA-376 part 1, section 18.3.1)."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from xml.etree.ElementTree import Element

from lxml import etree

from collections_app.parsing.office.names import RELATION, is_on
from collections_app.parsing.office.numbers import read_number
from collections_app.parsing.office.package import Package, Part
from collections_app.parsing.office.pptx.levels import NO_LEVELS
from collections_app.parsing.office.pptx.names import iter_chosen
from collections_app.parsing.office.pptx.text import TextWriter
from collections_app.parsing.office.spreadsheets.sheets import MAX_COLUMNS, Box, Cell, Sheet
from collections_app.parsing.office.spreadsheets.visible_rows import VisibleRows, list_texts
from collections_app.parsing.office.spreadsheets.xlsx.cells import CellReader
from collections_app.parsing.office.spreadsheets.xlsx.names import (
    DRAWING,
    MAX_ROWS,
    SHEET,
    Range,
    read_range,
    read_reference,
)

_MAX_COLOURED = 200  # ranges, all of which are checked for each cell
_MAX_MERGED = 20_000
_MAX_COVERED = 500  # columns that a merged cell covers
_LEAST_SIZE = 0.5  # points of a row's height, characters of a column's width
_PLACED = frozenset({f"{DRAWING}twoCellAnchor", f"{DRAWING}oneCellAnchor", f"{DRAWING}absoluteAnchor"})


@dataclass(frozen=True, slots=True)
class _Places:
    """What a sheet says about its cells in other places than the cells themselves, by row and column.

    `merged` has how many rows and columns a merged cell covers, by its first cell; `covered` has for each column, in order, the ranges of
    rows in merged cells. `headers` are the first rows of tables and filtered ranges; `coloured` are the ranges that tables and conditional
    formats may colour.
    """

    links: Mapping[tuple[int, int], str]
    merged: Mapping[tuple[int, int], tuple[int, int]]
    covered: Mapping[int, Sequence[tuple[int, int]]]
    hidden_columns: frozenset[int]
    headers: Sequence[Range]
    coloured: Sequence[Range]

    def is_covered(self, row: int, column: int) -> bool:
        ranges = self.covered.get(column, ())
        place = bisect_right(ranges, (row, MAX_ROWS)) - 1
        return place >= 0 and row <= ranges[place][1] and (row, column) not in self.merged

    def is_in_hidden_columns(self, column: int, columns: int) -> bool:
        """Whether all columns that the cell covers are hidden."""
        return column in self.hidden_columns and all(
            each in self.hidden_columns for each in range(column, min(column + columns, MAX_COLUMNS))
        )


class SheetReader:
    """Reads the sheets of one workbook. `hidden` has the texts that nobody sees; `left_out` counts the hidden sheets, rows and cells."""

    def __init__(self, package: Package, cells: CellReader) -> None:
        self._package = package
        self._cells = cells
        self.hidden: list[str] = []
        self.left_out = Counter[str]()

    def read(self, name: str, part: Part) -> Sheet:
        rows = self._read_rows(part)
        self.hidden += rows.hidden
        self.left_out["row"] += rows.hidden_count
        return Sheet(name, rows.finish(), self._read_boxes(part))

    def hide(self, part: Part) -> None:
        """Reads a hidden sheet: all its texts are hidden."""
        rows = self._read_rows(part)
        self.hidden += rows.hidden + list_texts(rows.finish())
        self.left_out["sheet"] += 1

    def _read_rows(self, part: Part) -> VisibleRows:
        places = self._read_places(part)
        rows = VisibleRows()
        number = 0
        for element in part.element.iterfind(f"{SHEET}sheetData/{SHEET}row"):
            number = read_number(element.get("r"), number + 1)
            cells = self._read_cells(element, number, places)
            rows.add(number, cells, is_hidden=is_on(element.get("hidden")) or _is_nothing(element.get("ht")))
        return rows

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
            if (
                places.is_in_hidden_columns(column, columns)
                or places.is_covered(number, column)
                or (is_hidden and not _is_within(number, column, places.coloured))
            ):
                self.hidden.append(cell.text)
                self.left_out["cell"] += 1
            elif column < MAX_COLUMNS:
                cells[column] = replace(cell, is_bold=cell.is_bold or _is_within(number, column, places.headers))
        return dict(sorted(cells.items()))

    def _read_places(self, part: Part) -> _Places:
        sheet = part.element
        merged = list(islice(_iter_merged(sheet), _MAX_MERGED))
        tables = list(self._iter_tables(part))
        filters = [read_range(each.get("ref", "")) for each in sheet.iterfind(f"{SHEET}autoFilter")]
        rules = (
            reference
            for rule in sheet.iterfind(f"{SHEET}conditionalFormatting")
            for reference in rule.get("sqref", "").split()
        )
        headers = [place for place, has_header in tables if has_header] + [each for each in filters if each]
        coloured = chain((place for place, _ in tables), filter(None, map(read_range, rules)))
        return _Places(
            links=dict(_iter_links(part)),
            merged={(top, left): (bottom - top + 1, right - left + 1) for top, left, bottom, right in merged},
            covered=_list_covered(merged),
            hidden_columns=_read_hidden_columns(sheet),
            headers=[(top, left, top, right) for top, left, _, right in headers[:_MAX_COLOURED]],
            coloured=list(islice(coloured, _MAX_COLOURED)),
        )

    def _iter_tables(self, part: Part) -> Iterator[tuple[Range, bool]]:
        """The range of each table, and whether its first row is a header."""
        for listed in part.element.iterfind(f"{SHEET}tableParts/{SHEET}tablePart"):
            table = self._package.find_related(part, listed.get(f"{RELATION}id"))
            place = None if table is None else read_range(table.element.get("ref", ""))
            if table is not None and place is not None:
                yield place, table.element.get("headerRowCount", "1") != "0"

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
    """Links that lead out of the workbook, by the row and column of their first cell."""
    for link in part.element.iterfind(f"{SHEET}hyperlinks/{SHEET}hyperlink"):
        address, place = part.find_address(link.get(f"{RELATION}id")), read_range(link.get("ref", ""))
        if address and place:
            location = link.get("location", "")
            yield place[:2], f"{address}#{location}" if location and "#" not in address else address


def _iter_merged(sheet: Element) -> Iterator[Range]:
    for each in sheet.iterfind(f"{SHEET}mergeCells/{SHEET}mergeCell"):
        place = read_range(each.get("ref", ""))
        if place is not None and place[2] >= place[0] and place[3] >= place[1]:
            yield place


def _list_covered(merged: Iterable[Range]) -> Mapping[int, Sequence[tuple[int, int]]]:
    covered: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for top, left, bottom, right in merged:
        for column in range(left, min(right, left + _MAX_COVERED) + 1):
            covered[column].append((top, bottom))
    return {column: sorted(ranges) for column, ranges in covered.items()}


def _is_within(row: int, column: int, places: Iterable[Range]) -> bool:
    return any(top <= row <= bottom and left <= column <= right for top, left, bottom, right in places)


def _is_nothing(size: str | None) -> bool:
    """Whether a height or width is so small that nothing can be seen."""
    try:
        return size is not None and float(size) < _LEAST_SIZE
    except ValueError:
        return False


def _read_hidden_columns(sheet: Element) -> frozenset[int]:
    hidden: set[int] = set()
    for columns in sheet.iterfind(f"{SHEET}cols/{SHEET}col"):
        if len(hidden) == MAX_COLUMNS:
            break
        if is_on(columns.get("hidden")) or _is_nothing(columns.get("width")):
            last = read_number(columns.get("max"), 0, MAX_COLUMNS)
            hidden.update(range(read_number(columns.get("min"), 1) - 1, last))
    return frozenset(hidden)
