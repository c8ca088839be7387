"""Which parts belong to which (ECMA-376 part 2, section 9): a part names others by ids that its own relations explain."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from xml.etree.ElementTree import Element

_RELATION = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"


@dataclass(frozen=True, slots=True)
class Relation:
    """`kind` is the last word of its type; `target` a part's name, or an address if it is external."""

    kind: str
    target: str
    is_external: bool


@dataclass(frozen=True, slots=True)
class Part:
    name: str
    element: Element
    relations: Mapping[str, Relation]

    def find_address(self, identifier: str | None) -> str:
        """Where a link leads out of the presentation; empty for one to another slide, or none."""
        relation = self.relations.get(identifier or "")
        return relation.target if relation and relation.is_external else ""


class Package:
    """The parts by name, and those that belong to others. One that the file does not hold is None."""

    def __init__(self, parts: Mapping[str, Element]) -> None:
        self._elements = parts
        self._parts: dict[str, Part] = {}

    def find_part(self, name: str) -> Part | None:
        if name not in self._parts and name in self._elements:
            self._parts[name] = Part(name, self._elements[name], self._read_relations(name))
        return self._parts.get(name)

    def find_related(self, part: Part, identifier: str | None) -> Part | None:
        relation = part.relations.get(identifier or "")
        return None if relation is None or relation.is_external else self.find_part(relation.target)

    def find_by_kind(self, part: Part, kind: str) -> Part | None:
        """The first that belongs to a part as its layout, its master or its notes."""
        found = (self.find_part(each.target) for each in part.relations.values() if each.kind == kind)
        return next(filter(None, found), None)

    def _read_relations(self, name: str) -> dict[str, Relation]:
        folder, _, file = name.rpartition("/")
        root = self._elements.get(f"{folder}/_rels/{file}.rels")
        return {} if root is None else dict(_iter_relations(root, folder))


def _iter_relations(root: Element, folder: str) -> Iterator[tuple[str, Relation]]:
    for each in root.iter(_RELATION):
        target, is_external = each.get("Target", ""), each.get("TargetMode") == "External"
        if not is_external:
            target = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
        yield each.get("Id", ""), Relation(each.get("Type", "").rpartition("/")[2], target, is_external)
