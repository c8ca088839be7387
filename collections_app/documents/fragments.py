"""The section that the address of a page names behind its `#`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from collections_app.documents.lookup import is_name_of, iter_without_fragments
from collections_app.documents.sections import find_sections
from collections_app.documents.versions import sections_of
from collections_app.exceptions import InvalidSectionId, SectionNotFound
from collections_app.models import Document, Section

# The beginning of any page (HTML, "The indicated part of the document").
TOP = "top"


@dataclass(frozen=True, slots=True)
class Fragment:
    """`section` comes without its text; it is None where the document has no such section: `close` are then ids that may be meant."""

    name: str
    section: Section | None
    close: Sequence[str] = ()


def find_fragment(document: Document, path: str) -> Fragment | None:
    """What is named behind the name of this document in what it was asked for by; None where nothing is, or the page's beginning.

    Raises DocumentReplaced.
    """
    asked = path.strip()
    name = next((each for each in iter_without_fragments(asked) if is_name_of(document, each)), None)
    behind = asked.partition("#")[2] if name is None else asked[len(name) + 1 :]
    fragment = unquote(behind).replace("\0", "").strip()
    return look_up_fragment(document, fragment) if fragment else None


def look_up_fragment(document: Document, name: str) -> Fragment | None:
    if anchored := sections_of(document).filter(anchor=name).defer("content").first():
        return Fragment(name, anchored)
    try:
        return Fragment(name, find_sections(document, [name])[0])
    except InvalidSectionId:
        return Fragment(name, None)
    except SectionNotFound as missing:
        return None if name.lower() == TOP else Fragment(name, None, missing.details["suggestions"])
