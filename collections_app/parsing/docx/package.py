"""A Word file → the parts of it that hold text, under the names that Word gives them. It refuses what is no Word document.

A file's relationships (ECMA-376 part 2, Open Packaging Conventions) say which part is which: Word Online calls the document
`word/document2.xml`. Names are compared without regard to case, and some programs write them with backslashes. Documents of the strict
kind (ISO 29500) have other namespaces; they get those of all others.
"""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterator, Mapping
from xml.etree.ElementTree import Element

from defusedxml.ElementTree import fromstring

from collections_app.parsing.docx.names import RELATIONSHIP, WORD
from collections_app.parsing.office.package import Application, check_size, open_package

DOCUMENT = "word/document.xml"
STYLES = "word/styles.xml"
NUMBERING = "word/numbering.xml"
CORE = "docProps/core.xml"

_USUAL_NAMES = {
    "styles": STYLES,
    "numbering": NUMBERING,
    "footnotes": "word/footnotes.xml",
    "endnotes": "word/endnotes.xml",
}
_APPLICATION = Application("Word", "Word document", ".docx", DOCUMENT)
refuse = _APPLICATION.refuse
_RELATIONSHIPS = "{http://schemas.openxmlformats.org/package/2006/relationships}"

_STRICT_MARK = b"http://purl.oclc.org/ooxml/"
_STRICT_NAMESPACES = {
    b"http://purl.oclc.org/ooxml/wordprocessingml/main": b"http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    b"http://purl.oclc.org/ooxml/officeDocument/math": b"http://schemas.openxmlformats.org/officeDocument/2006/math",
    b"http://purl.oclc.org/ooxml/officeDocument/relationships": (
        b"http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    ),
}

Entries = Mapping[str, zipfile.ZipInfo]
"""By name in lower case, with slashes."""


def read_parts(content: bytes) -> dict[str, Element]:
    """The document, its styles, numbering, notes and properties, and the relationships of those with text.

    What else a file holds is not unpacked. Raises ParseError.
    """
    with open_package(content, _APPLICATION) as archive:
        return _Package(archive).read()


class _Package:
    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._entries = _name_entries(archive.infolist())
        self._relationships: dict[str, Element] = {}
        self._unpacked_bytes = 0

    def read(self) -> dict[str, Element]:
        document = self._find_target("", "officeDocument", DOCUMENT)
        if document not in self._entries:
            refuse("it is a zip file, but no Word document")
        parts = dict(self._read_with_links(document, DOCUMENT))
        for kind, usual_name in _USUAL_NAMES.items():
            name = self._find_target(document, kind, usual_name)
            if name in self._entries:
                parts |= self._read_with_links(name, usual_name)
        if CORE.lower() in self._entries:
            parts[CORE] = self._read(CORE.lower())
        return parts

    def _read_with_links(self, name: str, usual_name: str) -> Iterator[tuple[str, Element]]:
        """A part, and where its links lead."""
        yield usual_name, self._read(name)
        relationships = _get_relationships_name(name)
        if relationships in self._entries:
            yield _get_relationships_name(usual_name), _keep_links(self._read_once(relationships))

    def _find_target(self, source: str, kind: str, usual_name: str) -> str:
        """The part to which another one, or the whole file, has a relationship of a kind."""
        relationships = _get_relationships_name(source)
        if relationships in self._entries:
            for each in self._read_once(relationships).iter(f"{_RELATIONSHIPS}Relationship"):
                name = posixpath.join("/", posixpath.dirname(source), each.get("Target", "").replace("\\", "/"))
                name = posixpath.normpath(name).lstrip("/").lower()
                if each.get("Type", "").endswith(f"/{kind}") and name in self._entries:
                    return name
        return usual_name

    def _read_once(self, name: str) -> Element:
        if name not in self._relationships:
            self._relationships[name] = self._read(name)
        return self._relationships[name]

    def _read(self, name: str) -> Element:
        entry = self._entries[name]
        self._unpacked_bytes += entry.file_size
        check_size(self._unpacked_bytes, _APPLICATION)
        content = self._archive.read(entry)
        if _STRICT_MARK in content:
            for strict, usual in _STRICT_NAMESPACES.items():
                content = content.replace(strict, usual)
        part: Element = fromstring(content, forbid_dtd=True)
        return part


def _name_entries(entries: list[zipfile.ZipInfo]) -> Entries:
    return {entry.filename.replace("\\", "/").lstrip("/").lower(): entry for entry in entries}


def _get_relationships_name(name: str) -> str:
    folder, base = posixpath.split(name)
    return posixpath.join(folder, "_rels", f"{base}.rels")


def _keep_links(relationships: Element) -> Element:
    """Of the relationships those that links have; the other parts have their usual names."""
    kept = Element(relationships.tag)
    for each in relationships:
        if each.get("Type", "").endswith("/hyperlink") and each.get("Id") and each.get("Target") is not None:
            kept.append(each)
    return kept


def drop_dead_links(parts: Mapping[str, Element]) -> None:
    """Take away what refers to a relationship that is not there: the text of such a link stays."""
    for name, part in parts.items():
        relationships = parts.get(_get_relationships_name(name))
        known = set() if relationships is None else {each.get("Id") for each in relationships}
        for link in part.iter(f"{WORD}hyperlink"):
            if link.get(f"{RELATIONSHIP}id") not in known:
                link.attrib.pop(f"{RELATIONSHIP}id", None)
