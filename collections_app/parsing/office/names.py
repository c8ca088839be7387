"""XML names shared by Word, PowerPoint and Excel, and those of ISO's strict variant (ISO 29500), which are mapped to them."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
COMPATIBILITY = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"

_ON = frozenset({"1", "true", "on"})
_STRICT_START = "{http://purl.oclc.org/ooxml/"
_STRICT = re.compile(r"\{http://purl\.oclc\.org/ooxml/(\w+)/(\w+)\}")


def is_on(value: str | None) -> bool:
    """Whether an attribute in PowerPoint or Excel is on; it may be absent."""
    return value is not None and value.strip().lower() in _ON


def name_as_usual(part: Element) -> None:
    """Rename elements and attributes of the strict variant to the names that Office usually writes."""
    if not part.tag.startswith(_STRICT_START):
        return
    for element in part.iter():
        if element.tag.startswith(_STRICT_START):
            element.tag = _name_as_usual(element.tag)
        for name in [name for name in element.keys() if name.startswith(_STRICT_START)]:  # noqa: SIM118 it is no dict
            element.set(_name_as_usual(name), element.attrib.pop(name))


def _name_as_usual(name: str) -> str:
    return _STRICT.sub(r"{http://schemas.openxmlformats.org/\1/2006/\2}", name)
