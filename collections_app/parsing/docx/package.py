"""A Word file → the parts of it that hold text, under the names that Word gives them. It refuses what is no Word document.

A file's relationships (ECMA-376 part 2, Open Packaging Conventions) say which part is which: Word Online calls the document
`word/document2.xml`. Names are compared without regard to case, and some programs write them with backslashes. Documents of the strict
kind (ISO 29500) have other namespaces; they get those of all others.
"""

from __future__ import annotations

import io
import posixpath
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from typing import NoReturn
from xml.etree.ElementTree import Element
from xml.etree.ElementTree import ParseError as XmlError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from collections_app.exceptions import ParseError
from collections_app.parsing.docx.names import RELATIONSHIP, WORD

MAX_PARTS = 5_000
MAX_XML_BYTES = 20 * 1024 * 1024
"""Unpacked, of all parts that hold text; mammoth takes some 40 times as much memory, and up to two seconds for each MiB."""

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
_OLE_MAGIC = b"\xd0\xcf\x11\xe0"  # Office keeps encrypted documents, and those from before 2007, in OLE files
_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_ENCRYPTED = 0x1  # general purpose bit 0 of a zip entry (APPNOTE 4.4.4)
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
    if content.startswith(_OLE_MAGIC):
        refuse("it is encrypted, or in the format of Word before 2007; save it as .docx without a password")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return _Package(archive).read()
    except DefusedXmlException:
        refuse("it declares entities, which Word never does")
    except (zipfile.BadZipFile, zlib.error, XmlError, EOFError, LookupError, NotImplementedError, OSError, ValueError):
        refuse("the file is damaged; open it in Word and save it again")


def refuse(reason: str) -> NoReturn:
    raise ParseError(f"The Word document cannot be read: {reason}.")


class _Package:
    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._entries = _check_entries(archive.infolist())
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
        if self._unpacked_bytes > MAX_XML_BYTES:
            refuse(f"its text is larger than {MAX_XML_BYTES // 1024**2} MiB unpacked; split it into several documents")
        content = self._archive.read(entry)
        if _STRICT_MARK in content:
            for strict, usual in _STRICT_NAMESPACES.items():
                content = content.replace(strict, usual)
        part: Element = fromstring(content, forbid_dtd=True)
        return part


def _check_entries(entries: list[zipfile.ZipInfo]) -> Entries:
    """The entries by name. Their sizes are true: of what is deflated, zipfile unpacks no more than an entry's directory says."""
    if len(entries) > MAX_PARTS:
        refuse(f"it has more than {MAX_PARTS:,} parts")
    if any(entry.flag_bits & _ENCRYPTED for entry in entries):
        refuse("it is encrypted; save it without a password")
    if any(entry.compress_type not in _METHODS for entry in entries):
        refuse("it is packed in a way that Word does not use; open it in Word and save it again")
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
