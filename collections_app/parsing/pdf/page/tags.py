"""What the tags of a PDF say its text is (ISO 32000-1, sections 14.7 and 14.8): headings, item markers, table cells.

Word, PowerPoint, LibreOffice, InDesign and browsers tag what they export. Callers hold PDFium's lock.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pypdfium2.raw as pdfium

from collections_app.parsing.pdf.pages import Cell, Mark

_MAX_ELEMENTS = 50_000  # of a page
_MAX_SPAN = 50  # of a cell, in rows or columns
_MAX_TYPE_BYTES = 64
_HEADING = re.compile(r"H([1-6])$")
_BLOCKS = frozenset(("P", "LI", "TD", "TH", "Caption", "Note"))
_ROW_GROUPS = frozenset(("THead", "TBody", "TFoot"))
_CELLS = frozenset(("TD", "TH"))

_Element = Any
"""A handle of PDFium's, valid as long as its tree is open."""


def read_marks(page: Any) -> Mapping[int, Mark]:
    """The marks of the page's content, by the numbers of its marked content."""
    tree = pdfium.FPDF_StructTree_GetForPage(page.raw)
    if not tree:
        return {}
    try:
        return dict(_iter_content(tree))
    finally:
        pdfium.FPDF_StructTree_Close(tree)


def _iter_content(tree: Any) -> Iterator[tuple[int, Mark]]:
    """The content of elements. Without recursion, since elements may be nested to any depth."""
    count = min(pdfium.FPDF_StructTree_CountChildren(tree), _MAX_ELEMENTS)
    found = (pdfium.FPDF_StructTree_GetChildAtIndex(tree, index) for index in reversed(range(count)))
    open_elements = [(element, Mark()) for element in found if element]
    seen = 0
    while open_elements and seen < _MAX_ELEMENTS:
        element, around = open_elements.pop()
        seen += 1
        kind = _read_type(element)
        mark = _find_mark(kind, around, seen)
        children: list[tuple[_Element, Mark]] = []
        for index, child in _iter_children(element):
            if child:
                children.append((child, mark))
            elif (number := pdfium.FPDF_StructElement_GetChildMarkedContentID(element, index)) >= 0:
                yield number, mark
        if kind == "Table" and mark.cell is None:
            children = [(cell, replace(mark, cell=place)) for cell, place in _iter_cells(element, seen)] or children
        open_elements += reversed(children)


def _find_mark(kind: str, around: Mark, number: int) -> Mark:
    """The mark of an element's own content, by the elements around it."""
    heading = _HEADING.match(kind)
    if heading and around.cell is None:
        return replace(around, block=number, heading=int(heading[1]))
    if heading or kind in _BLOCKS:
        return replace(around, block=number)
    return replace(around, is_label=True) if kind == "Lbl" else around


def _iter_children(element: _Element) -> Iterator[tuple[int, _Element]]:
    """All children with their indexes; a null handle for those that are on other pages, or are no elements."""
    for index in range(min(pdfium.FPDF_StructElement_CountChildren(element), _MAX_ELEMENTS)):
        yield index, pdfium.FPDF_StructElement_GetChildAtIndex(element, index)


def _iter_cells(table: _Element, number: int) -> list[tuple[_Element, Cell]]:
    """The cells with their places; none if there is only one row or column, which lays out a page."""
    cells: list[tuple[_Element, Cell]] = []
    from_above: dict[int, int] = {}  # column → how many more rows a merged cell covers there
    row_count = 0
    for row, element in _iter_rows(table):
        row_count += 1
        column = 0
        if not element:
            continue
        below: dict[int, int] = {}
        for _, cell in _iter_children(element):
            while column in from_above:
                _keep(below, column, from_above.pop(column) - 1)
                column += 1
            if not cell or _read_type(cell) not in _CELLS:
                continue
            cells.append((cell, Cell(number, row, column)))
            rows = _read_span(cell, b"RowSpan")
            for _ in range(_read_span(cell, b"ColSpan")):
                _keep(below, column, rows - 1)
                column += 1
        for above, rows in from_above.items():
            _keep(below, above, rows - 1)
        from_above = below
    is_grid = row_count > 1 and any(cell.column > 0 for _, cell in cells)
    return cells if is_grid else []


def _keep(below: dict[int, int], column: int, rows: int) -> None:
    if rows > 0:
        below[column] = rows


def _iter_rows(table: _Element) -> Iterator[tuple[tuple[int, int], _Element]]:
    """The rows, with null handles for those on other pages: the position of a row in its table is its number on all pages."""
    for index, child in _iter_children(table):
        kind = _read_type(child) if child else ""
        if kind in _ROW_GROUPS:
            for position, row in _iter_children(child):
                yield (index, position), row
        elif kind in ("TR", ""):
            yield (index, 0), child


def _read_span(cell: _Element, name: bytes) -> int:
    span = ctypes.c_float(1)
    for index in range(max(0, pdfium.FPDF_StructElement_GetAttributeCount(cell))):
        attribute = pdfium.FPDF_StructElement_GetAttributeAtIndex(cell, index)
        value = pdfium.FPDF_StructElement_Attr_GetValue(attribute, name) if attribute else None
        if value:
            pdfium.FPDF_StructElement_Attr_GetNumberValue(value, span)
    return int(max(1, min(span.value, _MAX_SPAN)))


def _read_type(element: _Element) -> str:
    buffer = ctypes.create_string_buffer(_MAX_TYPE_BYTES)
    written = pdfium.FPDF_StructElement_GetType(element, buffer, _MAX_TYPE_BYTES)
    return buffer.raw[: max(0, written - 2)].decode("utf-16-le", "replace") if written <= _MAX_TYPE_BYTES else ""
