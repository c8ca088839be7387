"""Where in a document reading goes on: the cursors of get_doc_page, which other answers hand out too."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from collections_app.documents import SectionText
from collections_app.models import Document
from collections_app.parsing.tokens import estimate_tokens
from mcp_app.cursors import make_cursor, read_cursor
from mcp_app.registry import Call
from mcp_app.rendering import Cost, cut_text, fits


@dataclass(frozen=True, slots=True)
class Place:
    """A section's position, and how many characters from its beginning on were read already, of its subsections too."""

    position: int = 0
    offset: int = 0


# The longest that there can be, to know how much room the answer's other words need.
FARTHEST = Place(10_000_000, 10_000_000)


def make_place_cursor(call: Call, document: Document, place: Place) -> str:
    """Good for this caller, as long as the document stays as it is."""
    return make_cursor(make_kind(document), call.principal, [place.position, place.offset])


def read_place(call: Call, document: Document, cursor: str | None) -> Place:
    """The document's beginning without a cursor. Raises InvalidParameter for one that is not of this document and caller."""
    return Place(*read_cursor(make_kind(document), call.principal, cursor)) if cursor else Place()


def make_kind(document: Document) -> str:
    return f"page.{document.pk}.{document.content_hash[:16]}"


def take_page(
    sections: Iterable[SectionText], start: Place, max_tokens: int, cost: Cost = estimate_tokens
) -> tuple[str, Place | None]:
    """Whole sections from `start` on as long as they fit; one that is too long by itself is cut after a paragraph."""
    taken: list[str] = []
    left, read = max_tokens, start.offset
    for section in sections:
        offset = min(read, len(section.text))
        read -= offset
        text = section.text[offset:]
        piece = text
        if not fits(text, left, cost):
            if taken:
                return "".join(taken), Place(section.position, offset)
            piece = cut_text(text, left, cost)
        if len(piece) < len(text):
            return piece, Place(section.position, offset + len(piece))
        taken.append(piece)
        left -= cost(piece)
    return "".join(taken), None
