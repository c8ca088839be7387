"""Reads an Office file's metadata from `docProps/core.xml` (ECMA-376 part 2, section 11), and judges none of it."""

from __future__ import annotations

from dataclasses import dataclass
from xml.etree.ElementTree import Element

_DUBLIN_CORE = "{http://purl.org/dc/elements/1.1/}"
_CORE = "{http://schemas.openxmlformats.org/package/2006/metadata/core-properties}"


@dataclass(frozen=True, slots=True)
class Properties:
    """Values that the file does not give are empty."""

    title: str = ""
    description: str = ""
    keywords: tuple[str, ...] = ()
    language: str = ""


def read_properties(core: Element | None) -> Properties:
    if core is None:
        return Properties()
    texts = {child.tag: " ".join((child.text or "").split()) for child in core}
    keywords = texts.get(f"{_CORE}keywords", "").replace(";", ",").split(",")
    return Properties(
        title=texts.get(f"{_DUBLIN_CORE}title", ""),
        description=texts.get(f"{_DUBLIN_CORE}description", ""),
        keywords=tuple(dict.fromkeys(filter(None, map(str.strip, keywords)))),
        language=texts.get(f"{_DUBLIN_CORE}language", ""),
    )
