"""Element and attribute names of Excel's XML, and how to read its values."""

from __future__ import annotations

import re

from collections_app.parsing.office.package import Application
from collections_app.parsing.office.spreadsheets.sheets import MAX_COLUMNS

SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing}"

EXCEL = Application(
    "Excel",
    "Excel workbook",
    "open it in Excel and save it again",
    "xl/workbook.xml",
    main_tag=f"{SHEET}workbook",
)

MAX_ROWS = 1_048_576

Range = tuple[int, int, int, int]
"""The first row, the first column, the last row and the last column: rows from 1, columns from 0."""

_REFERENCE = re.compile(r"\$?([A-Za-z]{1,3})\$?([0-9]{1,7})")


def read_reference(reference: str) -> tuple[int, int] | None:
    """The row, from 1, and the column, from 0, of a reference such as `B7`; None if no sheet has such a cell."""
    match = _REFERENCE.fullmatch(reference)
    if match is None:
        return None
    column = 0
    for letter in match[1].upper():
        column = column * 26 + ord(letter) - ord("A") + 1
    row = int(match[2])
    return (row, column - 1) if 0 < row <= MAX_ROWS and column <= MAX_COLUMNS else None


def read_range(reference: str) -> Range | None:
    """The range of `B7:C9`, or of a single cell."""
    first, _, last = reference.partition(":")
    start, end = read_reference(first), read_reference(last or first)
    return None if start is None or end is None else (*start, *end)
