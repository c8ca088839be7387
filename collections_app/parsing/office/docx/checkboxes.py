"""Writes form checkboxes as the characters that Word shows: ☐ and ☒. mammoth would turn them into form controls, which add no text."""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree.ElementTree import Element

from collections_app.parsing.office.docx.names import WORD, find_value, is_on

_WORD_2010 = "{http://schemas.microsoft.com/office/word/2010/wordml}"
_EMPTY, _CHECKED = "☐", "☒"


def write_checkboxes(parts: Mapping[str, Element]) -> None:
    """Write all checkboxes of the parts as characters."""
    for part in parts.values():
        for properties in part.iter(f"{WORD}sdtPr"):
            for checkbox in properties.findall(f"{_WORD_2010}checkbox"):
                properties.remove(checkbox)  # the content of the control is the character already
        for run in part.iter(f"{WORD}r"):
            _write_old(run)


def _write_old(run: Element) -> None:
    """Write a checkbox of a form made before Word 2007."""
    checkbox = run.find(f"{WORD}fldChar/{WORD}ffData/{WORD}checkBox")
    if checkbox is not None:
        value = find_value(checkbox, "checked")
        text = Element(f"{WORD}t")
        text.text = _CHECKED if is_on((find_value(checkbox, "default") or "0") if value is None else value) else _EMPTY
        run.insert(0, text)
