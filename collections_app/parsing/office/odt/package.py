"""The parts of an OpenDocument file: its content, styles, metadata and formulas."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from collections_app.exceptions import ParseError
from collections_app.parsing.office.archive import Archive, Kind
from collections_app.parsing.office.odt.names import DUBLIN_CORE, META, OFFICE
from collections_app.parsing.office.package import read_xml
from collections_app.parsing.office.properties import Properties

ODT = Kind("OpenDocument", "OpenDocument text", "open it in LibreOffice and save it again")
ODS = Kind("OpenDocument", "OpenDocument spreadsheet", "open it in LibreOffice and save it again")


@dataclass(frozen=True, slots=True)
class Package:
    """`content` and `styles` are the root elements of these parts, `body` is the one with the text. `objects` are those already read."""

    content: Element
    body: Element
    styles: Element | None
    properties: Properties
    kind: Kind
    archive: Archive
    objects: dict[str, Element | None] = field(default_factory=dict)

    def find_formula(self, address: str) -> Element | None:
        """The root element of an object that the text refers to, even if it is a drawing or a chart."""
        path = posixpath.normpath(posixpath.join(address, "content.xml"))
        if path not in self.objects:
            self.objects[path] = None if path.startswith("..") else _find_xml(self.archive, self.kind, path)
        return self.objects[path]


def read_package(content: bytes, kind: Kind, body_name: str) -> Package:
    """`body_name` is the name of the element with the content: `text`, `spreadsheet`.

    Raises ParseError for a file that is encrypted, broken, of another kind, or larger than the limits.
    """
    archive = Archive(content, kind)
    if b"encryption-data" in (archive.find("META-INF/manifest.xml") or b""):
        kind.refuse("it is encrypted; give a copy without a password")
    written = archive.find("content.xml")
    root = None if written is None else read_xml(written, kind)
    body = None if root is None else root.find(f"{OFFICE}body/{OFFICE}{body_name}")
    if root is None or body is None:
        kind.refuse(f"it is a zip file, but no {kind.document}")
    styles = archive.find("styles.xml")
    return Package(
        content=root,
        body=body,
        styles=None if styles is None else read_xml(styles, kind),
        properties=_read_properties(_find_xml(archive, kind, "meta.xml")),
        kind=kind,
        archive=archive,
    )


def _find_xml(archive: Archive, kind: Kind, path: str) -> Element | None:
    """The root element of a part; None also if it is damaged or too large: the text does without it."""
    try:
        content = archive.find(path)
        return None if content is None else read_xml(content, kind)
    except ParseError:
        return None


def _read_properties(root: Element | None) -> Properties:
    meta = None if root is None else root.find(f"{OFFICE}meta")
    if meta is None:
        return Properties()
    texts = {child.tag: " ".join((child.text or "").split()) for child in meta}
    keywords = (" ".join((each.text or "").split()) for each in meta.iter(f"{META}keyword"))
    return Properties(
        title=texts.get(f"{DUBLIN_CORE}title", ""),
        description=texts.get(f"{DUBLIN_CORE}description", ""),
        keywords=tuple(dict.fromkeys(filter(None, keywords))),
        language=texts.get(f"{DUBLIN_CORE}language", ""),
    )
