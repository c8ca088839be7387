"""Small OpenDocument texts and spreadsheets for tests, written by hand (OpenDocument 1.3)."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

MIME_TYPE = "application/vnd.oasis.opendocument.text"
SPREADSHEET_MIME_TYPE = "application/vnd.oasis.opendocument.spreadsheet"
_NAMES = " ".join(
    [
        *(
            f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
            for prefix, name in {
                **{name: name for name in ("office", "text", "style", "table", "meta", "manifest")},
                "draw": "drawing",
                "fo": "xsl-fo-compatible",
                "svg": "svg-compatible",
            }.items()
        ),
        'xmlns:xlink="http://www.w3.org/1999/xlink"',
        'xmlns:dc="http://purl.org/dc/elements/1.1/"',
    ]
)
_STYLES = "".join(
    f'<style:style style:family="{family}" style:name="{name}" style:parent-style-name="{parent}">{properties}</style:style>'
    for family, name, parent, properties in (
        ("paragraph", "P1", "Text_20_body", '<style:text-properties fo:font-weight="bold"/>'),
        ("paragraph", "P2", "Preformatted_20_Text", ""),
        ("paragraph", "P3", "Quotations", ""),
        ("paragraph", "P4", "Text_20_body", '<style:text-properties text:display="none"/>'),
        ("paragraph", "P5", "Text_20_body", '<style:text-properties style:font-name="Fixed"/>'),
        ("text", "T1", "", '<style:text-properties fo:font-weight="bold" fo:font-style="italic"/>'),
        ("text", "T2", "Source_20_Text", ""),
        ("text", "T3", "", '<style:text-properties text:display="none"/>'),
        ("text", "T4", "", '<style:text-properties style:text-line-through-style="solid"/>'),
    )
)
_FONTS = (
    '<office:font-face-decls><style:font-face style:name="Fixed" style:font-pitch="fixed"/></office:font-face-decls>'
)

_CELL_STYLES = """
<style:style style:family="table-cell" style:name="A"><style:text-properties fo:font-weight="bold"/></style:style>
<style:style style:family="table-cell" style:name="B" style:parent-style-name="A"/>
<style:style style:family="table-cell" style:name="W"><style:text-properties fo:color="#ffffff"/></style:style>
<style:style style:family="table" style:name="H"><style:table-properties table:display="false"/></style:style>"""


def write_part(kind: str, inside: str) -> str:
    """Writes a part of the file: `content`, `styles` or `meta`."""
    return f"<office:document-{kind} {_NAMES}>{inside}</office:document-{kind}>"


def write_content(body: str, *, styles: str = "") -> str:
    own = f"{_FONTS}<office:automatic-styles>{_STYLES}{styles}</office:automatic-styles>"
    return write_part("content", f"{own}<office:body><office:text>{body}</office:text></office:body>")


def make_odt(
    body: str, *, styles: str = "", common: str = "", meta: str = "", parts: Mapping[str, str] | None = None
) -> bytes:
    """`styles` are added to the usual ones, `common` are those of the whole document, `meta` are its properties. `parts` are added to the
    usual ones, or replace them.
    """
    files = {
        "mimetype": MIME_TYPE,
        "content.xml": write_content(body, styles=styles),
        "styles.xml": write_part("styles", f"<office:styles>{common}</office:styles>"),
        "meta.xml": write_part("meta", f"<office:meta>{meta}</office:meta>"),
        **(parts or {}),
    }
    return _pack(files)


def make_ods(tables: str, *, parts: Mapping[str, str] | None = None) -> bytes:
    """Cells may have the styles A and B (bold) and W (white), sheets H (hidden)."""
    styles = f"<office:automatic-styles>{_CELL_STYLES}</office:automatic-styles>"
    body = f"<office:body><office:spreadsheet>{tables}</office:spreadsheet></office:body>"
    return _pack(
        {"mimetype": SPREADSHEET_MIME_TYPE, "content.xml": write_part("content", styles + body), **(parts or {})}
    )


def _pack(files: Mapping[str, str]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data)
    return content.getvalue()
