"""The parts of an Office file, and how they relate (ECMA-376 part 2, Open Packaging Conventions). Independent of the document format.

A part refers to others by ids that its relationships resolve: Word Online calls the document `word/document2.xml`. Some programs write
names with backslashes, or in a different case.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from xml.etree.ElementTree import Element
from xml.etree.ElementTree import ParseError as XmlError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from collections_app.parsing.office.archive import Archive, Kind, fold_path
from collections_app.parsing.office.names import name_as_usual

CORE = "docProps/core.xml"

_MAX_DEPTH = 500
_RELATIONSHIP = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"


@dataclass(frozen=True, slots=True)
class Application(Kind):
    """A program, with the root element and the part of each of its kinds of files."""

    main_part: str
    main_tag: str


@dataclass(frozen=True, slots=True)
class Relationship:
    """`kind` is the last word of its type, `target` is as written, `part` is the name of the target part; None for an address."""

    kind: str
    target: str
    part: str | None


@dataclass(frozen=True, slots=True)
class Part:
    """A part; `relationships` are by id."""

    name: str
    element: Element
    relationships: Mapping[str, Relationship]

    def find_address(self, identifier: str | None) -> str:
        """The address of a link that leads out of the document; empty for other links."""
        relationship = self.relationships.get(identifier or "")
        return relationship.target if relationship and relationship.part is None else ""


class Package:
    """The parts by name, each read when it is first needed. A missing part is None."""

    def __init__(self, content: bytes, application: Application) -> None:
        """All methods raise ParseError for what is encrypted, broken or beyond a limit."""
        self._application = application
        self._archive = Archive(content, application)
        self._parts: dict[str, Part] = {}
        self._by_kind: dict[tuple[str, str], Part | None] = {}

    def get_main(self) -> Part:
        """The main part. Refuses a file without one, or one of another program."""
        found = self._find_first(self._read_relationships(""), "officeDocument")
        main = found or self.find_part(self._application.main_part)
        if main is None or main.element.tag != self._application.main_tag:
            self._application.refuse(f"it is a zip file, but no {self._application.document}")
        return main

    def find_part(self, name: str) -> Part | None:
        name = fold_path(name)
        if name not in self._parts:
            element = self._find_element(name)
            if element is None:
                return None
            self._parts[name] = Part(name, element, self._read_relationships(name))
        return self._parts[name]

    def find_related(self, part: Part, identifier: str | None) -> Part | None:
        relationship = part.relationships.get(identifier or "")
        return None if relationship is None or relationship.part is None else self.find_part(relationship.part)

    def find_by_kind(self, part: Part, kind: str) -> Part | None:
        """The first part that belongs to `part` as its styles, its layout or its notes."""
        key = part.name, kind
        if key not in self._by_kind:
            self._by_kind[key] = self._find_first(part.relationships, kind)
        return self._by_kind[key]

    def _find_first(self, relationships: Mapping[str, Relationship], kind: str) -> Part | None:
        names = (each.part for each in relationships.values() if each.kind == kind and each.part is not None)
        return next(filter(None, map(self.find_part, names)), None)

    def _read_relationships(self, name: str) -> dict[str, Relationship]:
        root = self._find_element(get_relationships_name(name))
        return {} if root is None else dict(_iter_relationships(root, posixpath.dirname(name)))

    def _find_element(self, name: str) -> Element | None:
        content = self._archive.find(name)
        if content is None:
            return None
        element = read_xml(content, self._application)
        name_as_usual(element)
        return element


def read_xml(content: bytes, kind: Kind) -> Element:
    """The XML of a part. Raises ParseError if it is damaged, declares entities or is nested too deeply."""
    try:
        element: Element = fromstring(content, forbid_dtd=True)
    except DefusedXmlException:
        kind.refuse(f"it declares entities, which {kind.program} never does")
    except (XmlError, LookupError, ValueError):
        kind.refuse(f"the file is damaged; {kind.remedy}")
    if _nests_too_deep(element):
        kind.refuse("its tables, groups, text boxes or formulas nest too deep")
    return element


def get_relationships_name(name: str) -> str:
    """The name of the part with the relationships of this one; the empty name stands for the whole file."""
    folder, base = posixpath.split(name)
    return posixpath.join(folder, "_rels", f"{base}.rels")


def _iter_relationships(root: Element, folder: str) -> Iterator[tuple[str, Relationship]]:
    for number, each in enumerate(root.iter(_RELATIONSHIP)):
        target, is_external = each.get("Target", ""), each.get("TargetMode") == "External"
        part = None if is_external else posixpath.normpath(posixpath.join("/", folder, target.replace("\\", "/")))
        yield each.get("Id", f"/{number}"), Relationship(each.get("Type", "").rpartition("/")[2], target, part)


def _nests_too_deep(part: Element) -> bool:
    """Whether the XML is nested so deeply that code taking a step per level around an element would take quadratic time."""
    level: list[Element] = [part]
    for _ in range(_MAX_DEPTH):
        level = [child for element in level for child in element]
    return bool(level)
