"""Small workbooks for tests, written by hand (ECMA-376 part 1, SpreadsheetML)."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from itertools import count
from types import MappingProxyType
from xml.sax.saxutils import escape

from tests.collections_app.parsing.office.pptx_files import write_relations

_NAMES = (
    'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    ' xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
    ' xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"'
    ' xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
)
BOLD, DATE, PERCENT, WHITE, WHITE_ON_BLUE, HIDING = range(1, 7)
"""Formats of cells, in the order of `STYLES`; 0 is the plain one."""

STYLES = f"""<styleSheet {_NAMES}>
<numFmts><numFmt numFmtId="164" formatCode=";;;"/></numFmts>
<fonts><font/><font><b/></font><font><color rgb="FFFFFFFF"/></font></fonts>
<fills><fill><patternFill patternType="none"/></fill>
<fill><patternFill patternType="solid"><fgColor rgb="FF0000FF"/></patternFill></fill></fills>
<cellXfs><xf numFmtId="0"/><xf numFmtId="0" fontId="1" fillId="0"/><xf numFmtId="14"/><xf numFmtId="10"/>
<xf numFmtId="0" fontId="2" fillId="0"/><xf numFmtId="0" fontId="2" fillId="1"/><xf numFmtId="164"/></cellXfs>
</styleSheet>"""

Value = str | int | float | None


def write_row(number: int, *values: Value, style: int = 0, attributes: str = "") -> str:
    """The cells from A on: texts, numbers, None for no cell."""
    cells = (
        write_cell(f"{name_column(n)}{number}", value, style) for n, value in enumerate(values) if value is not None
    )
    return f'<row r="{number}" {attributes}>{"".join(cells)}</row>'


def write_cell(reference: str, value: Value, style: int = 0) -> str:
    if isinstance(value, str):
        return f'<c r="{reference}" s="{style}" t="inlineStr"><is><t>{escape(value)}</t></is></c>'
    return f'<c r="{reference}" s="{style}"><v>{value}</v></c>'


def write_rows(*rows: Sequence[Value]) -> str:
    """Rows from the first on, which is bold; an empty sequence is a blank row."""
    return "".join(write_row(n, *row, style=BOLD if n == 1 else 0) for n, row in enumerate(rows, 1) if row)


def write_sheet(rows: str, *, before: str = "", behind: str = "") -> str:
    return f"<worksheet {_NAMES}>{before}<sheetData>{rows}</sheetData>{behind}</worksheet>"


def write_drawing(*texts: str, row: int = 0) -> str:
    """A text box for each text; `row` counts from 0."""
    boxes = "".join(
        f"<xdr:twoCellAnchor><xdr:from><xdr:col>0</xdr:col><xdr:row>{row}</xdr:row></xdr:from><xdr:sp><xdr:txBody><a:p><a:r><a:t>{text}"
        "</a:t></a:r></a:p></xdr:txBody></xdr:sp></xdr:twoCellAnchor>"
        for text in texts
    )
    return f"<xdr:wsDr {_NAMES}>{boxes}</xdr:wsDr>"


def make_xlsx(
    sheets: Mapping[str, str],
    *,
    states: Mapping[str, str] | None = None,
    shared: str = "",
    properties: str = "",
    parts: Mapping[str, str] | None = None,
) -> bytes:
    """`sheets` are parts by sheet name, `states` are those of hidden sheets, `shared` has the `<si>` elements of shared texts. `parts` are
    added to the usual ones, or replace them.
    """
    files = make_xlsx_files(sheets, states=states or {}, shared=shared, properties=properties, parts=parts or {})
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data)
    return content.getvalue()


def make_xlsx_files(
    sheets: Mapping[str, str],
    *,
    parts: Mapping[str, str | bytes],
    states: Mapping[str, str] = MappingProxyType({}),
    shared: str = "",
    properties: str = "",
) -> dict[str, str | bytes]:
    """The files that make_xlsx() packs, by path."""
    numbers = dict(zip(sheets, count(1), strict=False))
    listed = "".join(
        f'<sheet name="{escape(name)}" sheetId="{n}" r:id="s{n}" state="{states.get(name, "visible")}"/>'
        for name, n in numbers.items()
    )
    relations = {f"s{n}": ("worksheet", f"worksheets/sheet{n}.xml") for n in numbers.values()}
    return {
        "_rels/.rels": write_relations(w=("officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": f"<workbook {_NAMES}>{properties}<sheets>{listed}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": write_relations(
            **relations, styles=("styles", "styles.xml"), texts=("sharedStrings", "sharedStrings.xml")
        ),
        "xl/styles.xml": STYLES,
        "xl/sharedStrings.xml": f"<sst {_NAMES}>{shared}</sst>",
        **{f"xl/worksheets/sheet{numbers[name]}.xml": sheet for name, sheet in sheets.items()},
        **parts,
    }


def name_column(number: int) -> str:
    """`A` for 0."""
    name = ""
    number += 1
    while number:
        number, letter = divmod(number - 1, 26)
        name = chr(ord("A") + letter) + name
    return name
