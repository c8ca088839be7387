"""The sections into which the author grouped the slides ([MS-PPTX] 2.2.4.3): the name of each, by the ids of its slides."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

from collections_app.parsing.office.pptx.names import POWERPOINT_2010

_UNNAMED = re.compile(r"(?:default|untitled) section|", re.IGNORECASE)


def read_sections(presentation: Element) -> dict[str, str]:
    """Slide id → the name of its section, without names that PowerPoint gave."""
    names = {}
    for section in presentation.iter(f"{POWERPOINT_2010}section"):
        name = " ".join(section.get("name", "").split())
        if not _UNNAMED.fullmatch(name):
            names.update({each.get("id", ""): name for each in section.iter(f"{POWERPOINT_2010}sldId")})
    return names
