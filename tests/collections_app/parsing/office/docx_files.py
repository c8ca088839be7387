"""Small Word documents for tests, written by hand (ECMA-376): paragraphs with styles, tables, properties."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from html import escape

_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_RELATIONSHIPS = "http://schemas.openxmlformats.org/package/2006/relationships"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_STYLES = {"Title": "Title", "Heading1": "heading 1", "Heading2": "heading 2", "Code": "Source Code", "Toc1": "toc 1"}


def write_paragraph(text: str, style: str = "", run: str = "") -> str:
    """`style` is one of the ids above, `run` has properties of the run, such as `<w:b/>`."""
    properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f'<w:p>{properties}<w:r><w:rPr>{run}</w:rPr><w:t xml:space="preserve">{escape(text)}</w:t></w:r></w:p>'


def write_table(*rows: tuple[str, ...]) -> str:
    cells = ("".join(f"<w:tc>{write_paragraph(text)}</w:tc>" for text in row) for row in rows)
    return f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in cells)}</w:tbl>"


def make_docx(body: str, *, core: str = "", styles: str = "", parts: Mapping[str, bytes] | None = None) -> bytes:
    """`core` has elements of the document's properties, `styles` are added to the usual ones.

    `parts` are added to the usual ones, or replace them.
    """
    usual = "".join(
        f'<w:style w:type="paragraph" w:styleId="{identifier}"><w:name w:val="{name}"/></w:style>'
        for identifier, name in _STYLES.items()
    )
    files: dict[str, str | bytes] = {
        "[Content_Types].xml": (
            '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
            '<Default Extension="xml" ContentType="application/xml"/></Types>'
        ),
        "_rels/.rels": _write_relationship("officeDocument", "word/document.xml"),
        "word/_rels/document.xml.rels": _write_relationship("styles", "styles.xml"),
        "word/document.xml": f'<w:document xmlns:w="{_WORD}"><w:body>{body}</w:body></w:document>',
        "word/styles.xml": f'<w:styles xmlns:w="{_WORD}">{usual}{styles}</w:styles>',
        "docProps/core.xml": (
            '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties"'
            f' xmlns:dc="http://purl.org/dc/elements/1.1/">{core}</cp:coreProperties>'
        ),
        **(parts or {}),
    }
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return content.getvalue()


def _write_relationship(kind: str, target: str) -> str:
    relationship = f'<Relationship Id="r1" Type="{_OFFICE}/{kind}" Target="{target}"/>'
    return f'<Relationships xmlns="{_RELATIONSHIPS}">{relationship}</Relationships>'
