"""Element and attribute names of PowerPoint's XML, and how to read its values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from collections_app.parsing.office.names import COMPATIBILITY

PRESENTATION = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
DIAGRAM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
DRAWING_2010 = "{http://schemas.microsoft.com/office/drawing/2010/main}"
POWERPOINT_2010 = "{http://schemas.microsoft.com/office/powerpoint/2010/main}"

_NUMBER = re.compile(r"[+-]?\d{1,12}")


def read_number(value: str | None, otherwise: int) -> int:
    return int(value) if value is not None and _NUMBER.fullmatch(value) else otherwise


def iter_chosen(parent: Element) -> Iterator[Element]:
    """The children of an element. Of alternatives for old and new programs (ECMA-376 part 3), the one for new programs."""
    waiting = list(reversed(parent))
    while waiting:
        element = waiting.pop()
        if element.tag == f"{COMPATIBILITY}AlternateContent":
            waiting += reversed(next(iter(element), ()))
        else:
            yield element
