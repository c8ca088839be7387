"""Removes what wraps the text within a paragraph: alternatives, drawings, fields, direction marks. Only the text is kept.

mammoth skips some of these together with their contents, and of two alternatives it takes the one meant for older programs.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from collections_app.parsing.office.docx.fields import drop_contents_fields
from collections_app.parsing.office.docx.names import WORD, find_value, get_text
from collections_app.parsing.office.names import COMPATIBILITY

_ALTERNATIVES = f"{COMPATIBILITY}AlternateContent"
_CONTROL = f"{WORD}sdt"
_TEXT_BOX = f"{WORD}txbxContent"
_DRAWINGS = frozenset({f"{WORD}drawing", f"{WORD}pict", f"{WORD}object"})
_UNWRAPPED = frozenset({f"{WORD}fldSimple", f"{WORD}bdo", f"{WORD}dir", f"{WORD}ruby", f"{WORD}rubyBase"})
_UNSEEN = (
    "bookmarkStart", "bookmarkEnd", "proofErr", "lastRenderedPageBreak",
    "rFonts", "sz", "szCs", "lang", "color", "noProof", "bCs", "iCs", "kern", "spacing",
)  # fmt: skip
# The reading of a ruby text, and elements without meaning that cost mammoth time.
_DROPPED = frozenset({f"{WORD}rt", *(f"{WORD}{name}" for name in _UNSEEN)})
_SAME = {f"{WORD}cr": f"{WORD}br", f"{WORD}ptab": f"{WORD}tab"}
_CHANGED = frozenset({_ALTERNATIVES, _CONTROL, *_DRAWINGS, *_UNWRAPPED, *_DROPPED, *_SAME})

_CONTENTS_GALLERY = "Table of Contents"
_MAX_TITLE_CHARACTERS = 100


def unwrap_text(part: Element) -> None:
    """Unwrap from the inside out, so that everything moves up one level at a time."""
    drop_contents_fields(part)
    for parent in reversed(list(part.iter())):
        if any(child.tag in _CHANGED for child in parent):
            parent[:] = list(_iter_unwrapped(parent))


def _iter_unwrapped(parent: Element) -> Iterator[Element]:
    for child in parent:
        if child.tag == _ALTERNATIVES:
            yield from _choose(child)
        elif child.tag in _UNWRAPPED:
            yield from child
        elif child.tag in _DRAWINGS:
            yield from _iter_text_boxes(child)
        elif child.tag in _SAME:
            yield Element(_SAME[child.tag])
        elif child.tag not in _DROPPED and not _is_contents(child):
            yield child


def _choose(alternatives: Element) -> Element:
    """The alternative that Word shows, the first with text. Older programs show the last one."""
    return next(filter(get_text, alternatives), Element(alternatives.tag))


def _iter_text_boxes(drawing: Element) -> Iterator[Element]:
    """The text boxes of a drawing, which mammoth puts after the paragraph; none if they have no text."""
    if not get_text(drawing):
        return
    picture = Element(f"{WORD}pict")
    open_elements = [drawing]
    while open_elements:
        element = open_elements.pop()
        if element.tag == _TEXT_BOX:
            picture.append(element)
        else:
            open_elements += reversed(element)
    yield picture


def _is_contents(element: Element) -> bool:
    """Whether it is a table of contents of which only the heading is left."""
    gallery = find_value(element, "sdtPr/docPartObj/docPartGallery") if element.tag == _CONTROL else None
    return gallery == _CONTENTS_GALLERY and len(get_text(element)) <= _MAX_TITLE_CHARACTERS
