"""Data tables whose author marked no header row: the first row is used. A table of a single cell, which is a box, gets no header."""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement

from collections_app.parsing.office.docx.names import WORD, get_text

_MAX_CELL_CHARACTERS = 1000  # a table with a longer cell lays out a page


def mark_headers(part: Element) -> None:
    for table in part.iter(f"{WORD}tbl"):
        rows = table.findall(f"{WORD}tr")
        if [len(row.findall(f"{WORD}tc")) for row in rows] == [1]:
            _unmark(rows[0])
        elif len(rows) > 1 and not _holds_table(table) and not _is_marked(rows) and _holds_data(rows):
            properties = rows[0].find(f"{WORD}trPr")
            SubElement(SubElement(rows[0], f"{WORD}trPr") if properties is None else properties, f"{WORD}tblHeader")


def _unmark(row: Element) -> None:
    for properties in row.findall(f"{WORD}trPr"):
        for header in properties.findall(f"{WORD}tblHeader"):
            properties.remove(header)


def _holds_table(table: Element) -> bool:
    tables = table.iter(f"{WORD}tbl")
    return next(tables) is table and next(tables, None) is not None


def _is_marked(rows: list[Element]) -> bool:
    return any(row.find(f"{WORD}trPr/{WORD}tblHeader") is not None for row in rows)


def _holds_data(rows: list[Element]) -> bool:
    cells = [row.findall(f"{WORD}tc") for row in rows]
    has_header = len(cells[0]) > 1 and any(map(get_text, cells[0]))
    return has_header and all(len(get_text(cell)) <= _MAX_CELL_CHARACTERS for row in cells for cell in row)
