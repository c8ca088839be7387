"""Where in a document reading goes on: the cursors of get_doc_page, which other answers hand out too, and those of table_of_contents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import NamedTuple

from collections_app.documents import SectionText, Span
from collections_app.exceptions import InvalidParameter
from collections_app.models import Document
from collections_app.text.tokens import estimate_tokens
from mcp_app.entries import Call
from mcp_app.pieces import cut_markdown, find_seam
from mcp_app.protocol.cursors import make_cursor, read_cursor
from mcp_app.rendering import Cost, cut_text, fits, is_heading_only

VERSION_CHARACTERS = 12


@dataclass(frozen=True, slots=True)
class Place:
    """A section's position, and how many characters from its beginning on were read already, of its subsections too.

    `spans`: the sections that are read from there on, where that is not the whole page. `code`: the language whose code alone is read.
    """

    position: int = 0
    offset: int = 0
    spans: Sequence[Span] = ()
    code: str = ""


# The longest that there can be, to know how much room the answer's other words need.
FARTHEST = Place(10_000_000, 10_000_000)


@dataclass(frozen=True, slots=True)
class Piece:
    """`text` as it stands in the document, and what makes Markdown of it by itself; `following`: where it goes on, None at the end."""

    text: str
    following: Place | None
    opening: str = ""
    closing: str = ""

    def as_markdown(self) -> str:
        text = self.text.rstrip() if self.opening else self.text.strip("\n").rstrip()
        return f"{self.opening}{text}{self.closing}"


NOTHING_READ = Piece("", None)


def make_place_cursor(call: Call, document: Document, place: Place) -> str:
    """Good for this caller, as long as the document stays as it is."""
    unread = [span for span in place.spans if span.end_position > place.position]
    return make_document_cursor(name_kind(place.code), call, document, [place.position, place.offset, *chain(*unread)])


def read_place(call: Call, document: Document, cursor: str | None, again: str, code: str = "") -> Place:
    """The document's beginning without a cursor. Raises as read_document_cursor does."""
    if not cursor:
        return Place(code=code)
    position, offset, *ends = read_document_cursor(name_kind(code), call, document, cursor, again)
    return Place(position, offset, [Span(*ends[n : n + 2]) for n in range(0, len(ends), 2)], code)


def name_kind(code: str) -> str:
    """Of cursors of pages: an offset among the code of one language is another without that."""
    return f"page-{code}" if code else "page"


def make_document_cursor(kind: str, call: Call, document: Document, numbers: Sequence[int]) -> str:
    return make_cursor(f"{kind}.{document.pk}", call.principal, [name_version(document), *numbers])


def read_document_cursor(kind: str, call: Call, document: Document, cursor: str, again: str) -> list[int]:
    """The numbers in it. Raises InvalidParameter for a cursor that is not of this document and caller, or of another version of it.

    `again`: the call that begins anew.
    """
    version, *numbers = read_cursor(f"{kind}.{document.pk}", call.principal, cursor)
    if version != name_version(document):
        raise InvalidParameter(
            f"{document.path} has changed since this cursor was made, and what stands where in it. Begin again: {again}"
        )
    return numbers


def name_version(document: Document) -> str:
    return document.content_hash[:VERSION_CHARACTERS]


def join_spans(sections: Iterable[SectionText]) -> list[Span]:
    """Where these sections are, in order; those that follow each other as one."""
    spans: list[Span] = []
    for section in sections:
        start = spans.pop().position if spans and spans[-1].end_position == section.position else section.position
        spans.append(Span(start, section.end_position))
    return spans


def take_page(
    sections: Iterable[SectionText],
    start: Place,
    max_tokens: int,
    cost: Cost = estimate_tokens,
    *,
    is_markdown: bool = True,
) -> Piece:
    """Whole sections from `start` on as long as they fit; one that is too long by itself is cut after a paragraph.

    `is_markdown`: where that cuts through code or a table, each piece is to be Markdown by itself.
    """
    taken: list[Rest] = []
    opening = ""
    left = max_tokens
    for rest in iter_rests(sections, start.offset):
        if rest.before and is_markdown:
            opening = find_seam(rest.before, rest.text, max_tokens).opening
            left -= cost(opening)
        if fits(rest.text, left, cost):
            taken.append(rest)
            left -= cost(rest.text)
            continue
        if whole := drop_lone_headings(taken):
            unread = [*taken, rest][len(whole)]
            following = replace(start, position=unread.position, offset=len(unread.before))
            return Piece(join(whole), following, opening)
        if is_markdown:
            cut, closing = cut_markdown(rest.text, left, cost, rest.before)
        else:
            cut, closing = cut_text(rest.text, left, cost), ""
        following = replace(start, position=rest.position, offset=len(rest.before) + len(cut))
        return Piece(join(taken) + cut, following, opening, closing)
    return Piece(join(taken), None, opening)


class Rest(NamedTuple):
    """What of a section's own text is still to be read, and what was read."""

    position: int
    before: str
    text: str


def iter_rests(sections: Iterable[SectionText], read: int) -> Iterator[Rest]:
    for section in sections:
        if not read or read < len(section.text):
            yield Rest(section.position, section.text[:read], section.text[read:])
        read = max(read - len(section.text), 0)


def drop_lone_headings(taken: Sequence[Rest]) -> Sequence[Rest]:
    """Without the headings at their end that have nothing below them: that is still to come."""
    count = len(taken)
    while count and is_heading_only(taken[count - 1].text):
        count -= 1
    return taken[:count]


def join(taken: Iterable[Rest]) -> str:
    return "".join(rest.text for rest in taken)
