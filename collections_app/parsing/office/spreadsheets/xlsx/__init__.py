"""Excel workbooks (ECMA-376 part 1, SpreadsheetML), including those with macros; none is run.

    sheets.py            a worksheet → a Sheet, without what is hidden
    cells.py             a cell's value → a Cell
    formats.py           what a cell's format says: how numbers are shown, what is bold, what is hidden
    number_formats.py    a number → its text; uses format_sections.py, shown_numbers.py and shown_dates.py

The parts are read directly: the available libraries either read only values, without formats, links and what is hidden, or take about fifty
times as much memory as the file.
"""

from __future__ import annotations

from collections_app.parsing.documents import NormalisedText, RawDocument
from collections_app.parsing.office.names import RELATION, is_on
from collections_app.parsing.office.package import CORE, Package, Part
from collections_app.parsing.office.properties import read_properties
from collections_app.parsing.office.spreadsheets.sheets import Sheet, Workbook
from collections_app.parsing.office.spreadsheets.to_markdown import write_workbook
from collections_app.parsing.office.spreadsheets.xlsx.cells import CellReader, read_shared_texts
from collections_app.parsing.office.spreadsheets.xlsx.formats import read_formats
from collections_app.parsing.office.spreadsheets.xlsx.names import EXCEL, SHEET
from collections_app.parsing.office.spreadsheets.xlsx.sheets import SheetReader

__all__ = ["parse_xlsx"]


def parse_xlsx(raw: RawDocument) -> NormalisedText:
    """A section for each sheet, and within it for each title and for each part of a long table.

    Raises ParseError for a file that is encrypted, broken, not a workbook, or larger than the limits.
    """
    return write_workbook(_read_workbook(Package(raw.content, EXCEL)), "xlsx")


def _read_workbook(package: Package) -> Workbook:
    main = package.get_main()
    styles, texts, core = (
        package.find_by_kind(main, "styles"),
        package.find_by_kind(main, "sharedStrings"),
        package.find_part(CORE),
    )
    properties = main.element.find(f"{SHEET}workbookPr")
    cells = CellReader(
        read_shared_texts(texts.element if texts else None),
        read_formats(styles.element if styles else None),
        is_1904=properties is not None and is_on(properties.get("date1904")),
    )
    reader = SheetReader(package, cells)
    return Workbook(
        sheets=_read_sheets(package, main, reader),
        properties=read_properties(core.element if core else None),
        hidden=reader.hidden,
        left_out=reader.left_out,
        without_value=cells.without_value,
    )


def _read_sheets(package: Package, main: Part, reader: SheetReader) -> list[Sheet]:
    sheets: list[Sheet] = []
    seen: set[str] = set()
    for listed in main.element.iterfind(f"{SHEET}sheets/{SHEET}sheet"):
        part = package.find_related(main, listed.get(f"{RELATION}id"))
        if part is None or part.name in seen or part.element.tag != f"{SHEET}worksheet":
            continue  # a chart sheet shows only what other sheets hold
        seen.add(part.name)
        name = " ".join(listed.get("name", "").split())
        if listed.get("state", "visible") == "visible":
            sheets.append(reader.read(name, part))
        else:
            reader.hide(part)
    return sheets
