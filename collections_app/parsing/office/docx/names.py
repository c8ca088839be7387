"""Element and attribute names of Word's XML, and how to read its values."""

from __future__ import annotations

from xml.etree.ElementTree import Element

WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"

_OFF = frozenset({"0", "false", "off", "none"})


def find_value(element: Element, path: str) -> str | None:
    """The `w:val` of the element at a path such as `pPr/pStyle`; None if there is none."""
    found = element.find("/".join(f"{WORD}{name}" for name in path.split("/")))
    return None if found is None else found.get(f"{WORD}val", "")


def get_text(element: Element) -> str:
    return "".join(text.text or "" for text in element.iter(f"{WORD}t"))


def is_on(value: str) -> bool:
    """Whether a property that is present with this value is on."""
    return value not in _OFF
