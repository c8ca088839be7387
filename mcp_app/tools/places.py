"""Where in a document to read on: the cursors of get_doc_page, which other answers give out too, and those of table_of_contents."""

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
from mcp_app.pieces import cut_markdown, cut_text, find_seam, is_heading_only
from mcp_app.protocol.cursors import make_cursor, read_cursor
from mcp_app.rendering import Cost, fits

VERSION_CHARACTERS = 12


@dataclass(frozen=True, slots=True)
class Place:
    """A section's position, and how many characters after its beginning have been read, subsections included.

    `spans`: the sections to read from there on, unless it is the whole page. `code`: the one language in which code is read.
    """

    position: int = 0
    offset: int = 0
    spans: Sequence[Span] = ()
    code: str = ""


# The farthest place there can be, to find out how much room the rest of an answer needs.
FARTHEST = Place(10_000_000, 10_000_000)


@dataclass(frozen=True, slots=True)
class Piece:
    """`text` is as it stands in the document; `opening` and `closing` make it valid Markdown. `following`: where to read on, or None."""

    text: str
    following: Place | None
    opening: str = ""
    closing: str = ""

    def as_markdown(self) -> str:
        text = self.text.rstrip() if self.opening else self.text.strip("\n").rstrip()
        return f"{self.opening}{text}{self.closing}"


NOTHING_READ = Piece("", None)


def make_place_cursor(call: Call, document: Document, place: Place) -> str:
    """The cursor is valid for this caller, as long as the document does not change."""
    unread = [span for span in place.spans if span.end_position > place.position]
    return make_document_cursor(name_kind(place.code), call, document, [place.position, place.offset, *chain(*unread)])


def read_place(call: Call, document: Document, cursor: str | None, again: str, code: str = "") -> Place:
    """The place in a cursor; without one, the document's beginning. Raises as read_document_cursor does."""
    if not cursor:
        return Place(code=code)
    position, offset, *ends = read_document_cursor(name_kind(code), call, document, cursor, again)
    return Place(position, offset, [Span(*ends[n : n + 2]) for n in range(0, len(ends), 2)], code)


def name_kind(code: str) -> str:
    """The kind of cursor for pages. It includes `code`, because an offset in the code of one language is another offset without it."""
    return f"page-{code}" if code else "page"


def make_document_cursor(kind: str, call: Call, document: Document, numbers: Sequence[int]) -> str:
    return make_cursor(f"{kind}.{document.pk}", call.principal, [name_version(document), *numbers])


def read_document_cursor(kind: str, call: Call, document: Document, cursor: str, again: str) -> list[int]:
    """The numbers in a cursor. Raises InvalidParameter if it belongs to another document or caller, or to another version of the document.

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
    """The spans of these sections, in order; adjacent sections become one span."""
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
    """Whole sections from `start` on as long as they fit. A section that no piece would hold is cut after a paragraph if it is the first,
    or if those before it fill less than half of the piece.

    `is_markdown`: if a cut goes through code or a table, each piece is made valid Markdown by itself.
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
        is_cut_anyway = left > max_tokens / 2 and not fits(rest.text, max_tokens, cost)
        if not is_cut_anyway and (whole := drop_lone_headings(taken)):
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
    """The part of a section's own text that is still to be read, and the part before it."""

    position: int
    before: str
    text: str


def iter_rests(sections: Iterable[SectionText], read: int) -> Iterator[Rest]:
    for section in sections:
        if not read or read < len(section.text):
            yield Rest(section.position, section.text[:read], section.text[read:])
        read = max(read - len(section.text), 0)


def drop_lone_headings(taken: Sequence[Rest]) -> Sequence[Rest]:
    """`taken` without the headings at its end that have no text below them yet; that text is in the next piece."""
    count = len(taken)
    while count and is_heading_only(taken[count - 1].text):
        count -= 1
    return taken[:count]


def join(taken: Iterable[Rest]) -> str:
    return "".join(rest.text for rest in taken)
