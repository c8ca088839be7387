"""Small PowerPoint presentations for tests, written by hand (ECMA-376): slides of shapes, a layout with bullets, notes, properties."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from html import escape

_NAMES = (
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:a14="http://schemas.microsoft.com/office/drawing/2010/main" '
    'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" '
    'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" '
    'xmlns:p14="http://schemas.microsoft.com/office/powerpoint/2010/main"'
)
_RELATIONSHIPS = "http://schemas.openxmlformats.org/package/2006/relationships"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
WIDTH, HEIGHT = 9_144_000, 6_858_000

MASTER = """
<p:cSld><p:spTree><p:sp><p:nvSpPr><p:cNvPr id="1" name="m"/><p:nvPr><p:ph type="body"/></p:nvPr></p:nvSpPr>
<p:txBody><a:p><a:r><a:t>Click to edit the master</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld>
<p:txStyles><p:titleStyle><a:lvl1pPr><a:buNone/></a:lvl1pPr></p:titleStyle>
<p:bodyStyle><a:lvl1pPr><a:buChar char="•"/></a:lvl1pPr><a:lvl2pPr><a:buChar char="–"/></a:lvl2pPr></p:bodyStyle></p:txStyles>
"""
LAYOUT = """
<p:cSld><p:spTree><p:sp><p:nvSpPr><p:cNvPr id="1" name="l"/><p:nvPr><p:ph type="subTitle" idx="9"/></p:nvPr></p:nvSpPr>
<p:txBody><a:lstStyle><a:lvl1pPr><a:buNone/></a:lvl1pPr></a:lstStyle></p:txBody></p:sp></p:spTree></p:cSld>
"""


def write_run(text: str, properties: str = "") -> str:
    """`properties` is the whole element, such as `<a:rPr b="1"/>`."""
    return f"<a:r>{properties}<a:t>{escape(text)}</a:t></a:r>"


def write_paragraph(text: str, level: int = 0, properties: str = "", run: str = "") -> str:
    return f'<a:p><a:pPr lvl="{level}">{properties}</a:pPr>{write_run(text, run)}</a:p>'


def write_shape(*paragraphs: str, place: str = "", properties: str = "", frame: str = "") -> str:
    """`place` has attributes of a placeholder, `properties` those of the shape, `frame` stands where its size does."""
    placeholder = f"<p:ph {place}/>" if place else ""
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="2" name="s" {properties}/><p:cNvSpPr/><p:nvPr>{placeholder}</p:nvPr></p:nvSpPr>'
        f"<p:spPr>{frame}</p:spPr><p:txBody><a:bodyPr/>{''.join(paragraphs)}</p:txBody></p:sp>"
    )


def write_title(text: str, kind: str = "title") -> str:
    return write_shape(write_paragraph(text), place=f'type="{kind}"')


def write_body(*paragraphs: str) -> str:
    return write_shape(*paragraphs, place='idx="1"')


def write_graphic(content: str) -> str:
    return (
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="3" name="g"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr>'
        f"<a:graphic><a:graphicData>{content}</a:graphicData></a:graphic></p:graphicFrame>"
    )


def write_table(*rows: Sequence[str]) -> str:
    written = ""
    for row in rows:
        cells = "".join(f"<a:tc><a:txBody>{write_paragraph(text)}</a:txBody></a:tc>" for text in row)
        written += f"<a:tr>{cells}</a:tr>"
    return write_graphic(f"<a:tbl>{written}</a:tbl>")


def write_part(tag: str, content: str, attributes: str = "") -> str:
    return f"<{tag} {_NAMES} {attributes}>{content}</{tag}>"


def write_slide(*shapes: str, attributes: str = "") -> str:
    return write_part("p:sld", f"<p:cSld><p:spTree>{''.join(shapes)}</p:spTree></p:cSld>", attributes)


def write_notes(*shapes: str) -> str:
    return write_part("p:notes", f"<p:cSld><p:spTree>{''.join(shapes)}</p:spTree></p:cSld>")


def write_relations(**relations: tuple[str, str]) -> str:
    """From kinds and targets by id; an address is external."""
    written = (
        f'<Relationship Id="{identifier}" Type="{_OFFICE}/{kind}" Target="{target}"'
        f' TargetMode="{"External" if "://" in target else "Internal"}"/>'
        for identifier, (kind, target) in relations.items()
    )
    return f'<Relationships xmlns="{_RELATIONSHIPS}">{"".join(written)}</Relationships>'


def make_pptx(
    *slides: str,
    notes: Mapping[int, str] | None = None,
    relations: Mapping[str, tuple[str, str]] | None = None,
    sections: Mapping[str, Sequence[int]] | None = None,
    core: str = "",
    parts: Mapping[str, str | bytes] | None = None,
) -> bytes:
    """Slides count from 1. `relations` are those of every slide, `sections` has the numbers of slides by section name.

    `core` has elements of the properties; `parts` are added to the usual ones, or replace them.
    """
    numbers = range(1, len(slides) + 1)
    listed = "".join(f'<p:sldId id="{255 + number}" r:id="s{number}"/>' for number in numbers)
    sorted_into = ""
    for name, members in (sections or {}).items():
        slide_ids = "".join(f'<p14:sldId id="{255 + number}"/>' for number in members)
        sorted_into += f'<p14:section name="{escape(name)}"><p14:sldIdLst>{slide_ids}</p14:sldIdLst></p14:section>'
    files: dict[str, str | bytes] = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
        "ppt/presentation.xml": write_part(
            "p:presentation",
            f'<p:sldIdLst>{listed}</p:sldIdLst><p:sldSz cx="{WIDTH}" cy="{HEIGHT}"/>'
            f"<p:extLst><p:ext><p14:sectionLst>{sorted_into}</p14:sectionLst></p:ext></p:extLst>",
        ),
        "ppt/_rels/presentation.xml.rels": write_relations(
            **{f"s{number}": ("slide", f"slides/slide{number}.xml") for number in numbers}
        ),
        "ppt/slideMasters/slideMaster1.xml": write_part("p:sldMaster", MASTER),
        "ppt/slideLayouts/slideLayout1.xml": write_part("p:sldLayout", LAYOUT),
        "ppt/slideLayouts/_rels/slideLayout1.xml.rels": write_relations(
            r1=("slideMaster", "../slideMasters/slideMaster1.xml")
        ),
        "docProps/core.xml": (
            '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties"'
            f' xmlns:dc="http://purl.org/dc/elements/1.1/">{core}</cp:coreProperties>'
        ),
    }
    for number, slide in enumerate(slides, 1):
        own = {"layout": ("slideLayout", "../slideLayouts/slideLayout1.xml"), **(relations or {})}
        if notes and number in notes:
            own["notes"] = ("notesSlide", f"../notesSlides/notesSlide{number}.xml")
            files[f"ppt/notesSlides/notesSlide{number}.xml"] = notes[number]
        files[f"ppt/slides/slide{number}.xml"] = slide
        files[f"ppt/slides/_rels/slide{number}.xml.rels"] = write_relations(**own)
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in {**files, **(parts or {})}.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return content.getvalue()
