"""get_doc_page: a whole document, piece by piece where it is large, or named sections of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any, ClassVar

from pydantic import Field

from collections_app.activity.usage import count_read
from collections_app.documents import (
    Fragment,
    Span,
    find_fragment,
    find_sections,
    get_document,
    iter_page,
    read_steadily,
)
from collections_app.documents.near import PARAGRAPH_CHARACTERS, find_nearby
from collections_app.exceptions import InvalidParameter
from collections_app.models import Document
from collections_app.parsing.tokens import estimate_tokens
from mcp_app.jsonrpc import dump_json
from mcp_app.registry import Call, Tool, ToolParams
from mcp_app.rendering import (
    COUNTS_TOKENS,
    NAME_TOKENS,
    READ_TOKENS,
    TextAnswer,
    drop_fields,
    estimate_json_tokens,
    format_call,
    name_path,
    name_section,
    shorten_name,
)
from mcp_app.tools import read_sections
from mcp_app.tools.fragments import describe_missing, make_missing_data
from mcp_app.tools.parameters import (
    COLLECTION_ALIASES,
    PATH_ALIASES,
    CollectionName,
    Cursor,
    OrAbsent,
    Path,
    Reach,
    TokenBudget,
    get_reach,
)
from mcp_app.tools.places import FARTHEST, NOTHING_READ, Piece, Place, make_place_cursor, read_place, take_page

# Fields that a small budget has no room for, the first of these first.
DISPENSABLE = ("missing_words", "close_sections", "description", "source_url", "indexed", "title")
MAX_MISSING = 20
# What part of a budget may say where a page begins.
HEADING_SHARE = 20


class GetDocPageParams(ToolParams):
    aliases: ClassVar = {
        **PATH_ALIASES,
        **COLLECTION_ALIASES,
        **dict.fromkeys(("section", "section_id", "section_ids", "ids"), "sections"),
    }

    path: Path
    collection: CollectionName = None
    sections: Annotated[list[str], Field(max_length=100, description="Section ids; default: whole page")] = []  # noqa: RUF012
    near: Annotated[str | None, Field(max_length=1000, description="Begin at these words"), OrAbsent] = None
    max_tokens: TokenBudget = None
    cursor: Cursor = None


@dataclass(frozen=True, slots=True)
class Page:
    """A piece of a document, from `start` on; `cursor` leads to the next, None at the end.

    `fragment`: what its address names, where that is not the page's beginning. `near`: the words that it is to begin with, and `section_id`
    where they are, empty where they are nowhere; `missing` are those that are nowhere. `asked_tokens` is the budget that the caller gave.
    """

    document: Document
    start: Place
    asked_tokens: int | None
    reach: Reach
    fragment: Fragment | None = None
    near: str = ""
    section_id: str = ""
    missing: Sequence[str] = ()
    piece: Piece = NOTHING_READ
    cursor: str | None = None

    @property
    def max_tokens(self) -> int:
        return self.asked_tokens or READ_TOKENS

    def call_again(self, cursor: str | None = None) -> str:
        path = self.reach.locate(self.document, self.max_tokens)
        return format_call("get_doc_page", path=path, max_tokens=self.asked_tokens, cursor=cursor)


def run(call: Call, params: GetDocPageParams) -> TextAnswer:
    reach = get_reach(call, params.collection)
    if params.sections and params.cursor:
        raise InvalidParameter(
            "Give sections or a cursor, not both: the cursor goes on with what its answer was about, without sections."
        )
    if params.near and params.cursor:
        raise InvalidParameter("Give near or a cursor, not both: the cursor goes on where its answer ended.")

    def read() -> TextAnswer:
        document = get_document(reach.chosen, params.path, visible=reach.visible)
        if params.sections and not params.near:
            return read_sections.read_named(call, document, params.sections, params.max_tokens, reach)
        page = read_page(call, params, open_page(call, params, document, reach))
        count_read(document, call.principal)
        return TextAnswer(partial(render, page), partial(make_data, page))

    return read_steadily(read, reach.chosen)


def open_page(call: Call, params: GetDocPageParams, document: Document, reach: Reach) -> Page:
    """With nothing read yet. Raises InvalidParameter for a cursor that is not good here."""
    page = Page(document, Place(), params.max_tokens, reach)
    if params.cursor:
        return replace(page, start=read_place(call, document, params.cursor, page.call_again()))
    if params.near:
        return begin_near(page, params.near, params.sections)
    fragment = find_fragment(document, params.path)
    if fragment is None or fragment.section is None:
        return replace(page, fragment=fragment)
    position = fragment.section.position
    return replace(page, start=Place(position), fragment=fragment) if position else page


def begin_near(page: Page, words: str, section_ids: Sequence[str]) -> Page:
    """At the paragraph with most of the words, of these sections if any are named. Raises SectionNotFound."""
    sections = find_sections(page.document, section_ids) if section_ids else []
    spans = [Span(section.position, section.end_position) for section in sections]
    first = spans[0].position if spans else 0
    most_before = min(PARAGRAPH_CHARACTERS, page.max_tokens)  # a quarter of the answer
    nearby = find_nearby(iter_page(page.document, first, spans), words, page.document.collection.language, most_before)
    if nearby is None:
        return replace(page, start=Place(first, 0, spans), near=words)
    place = Place(nearby.section.position, nearby.offset, spans)
    return replace(page, start=place, near=words, section_id=nearby.section.section_id, missing=nearby.missing)


def read_page(call: Call, params: GetDocPageParams, page: Page) -> Page:
    """The piece from its start on, as long as the answer has room for it in the form that was asked for."""
    document, start = page.document, page.start
    is_json = params.format == "json"
    empty = replace(page, cursor=make_place_cursor(call, document, replace(FARTHEST, spans=start.spans)))
    others = estimate_tokens(dump_json(make_data(empty)) if is_json else render(empty))
    cost = estimate_json_tokens if is_json else estimate_tokens
    left = page.max_tokens - others - COUNTS_TOKENS
    sections = iter_page(document, start.position, start.spans)
    piece = take_page(sections, start, left, cost, is_markdown=not is_json)
    cursor = make_place_cursor(call, document, piece.following) if piece.following else None
    return replace(page, piece=piece, cursor=cursor)


def render(page: Page) -> str:
    text = page.piece.as_markdown()
    ending = "" if text else "[this page is empty]"
    if page.cursor:
        what = "what was asked for goes on" if page.start.spans else "the page goes on"
        ending = f"[{what}; next: {page.call_again(page.cursor)}]"
    header = read_sections.render_header(page.document, page.reach, page.max_tokens)
    return "\n\n".join(part for part in (header, render_fragment(page), render_near(page), text, ending) if part)


def render_near(page: Page) -> str:
    """In which section it begins, and which of the words are nowhere."""
    if not page.near:
        return ""
    words = dump_json(shorten_name(page.near, page.max_tokens // HEADING_SHARE))
    if not page.section_id:
        return f"[none of the words {words} stands here: from the beginning]"
    where = f"in section_id: {name_section(page.section_id, page.max_tokens)}"
    if not page.missing:
        return f"[from where {words} stands on, {where}]"
    missing = shorten_name(", ".join(page.missing), page.max_tokens // HEADING_SHARE)
    return f"[from where most of {words} stands on, {where}; not here: {missing}]"


def render_fragment(page: Page) -> str:
    """Where the page begins in the middle, or why it does not although it was asked to."""
    most = page.max_tokens // HEADING_SHARE
    if page.fragment is None:
        return ""
    if page.fragment.section:
        heading = dump_json(shorten_name(page.fragment.section.heading, min(NAME_TOKENS, most)))
        return f"[from {heading} on; the whole page: {page.call_again()}]"
    return describe_missing(page.fragment, page.max_tokens, page.reach.locate(page.document, page.max_tokens))


def make_data(page: Page) -> dict[str, Any]:
    document = page.document
    data: dict[str, Any] = {
        "title": shorten_name(document.title),
        "description": shorten_name(document.description),
        "collection": page.reach.name(document.collection),
        "path": name_path(document.path, document.pk, page.max_tokens),
        "source_url": document.source_url,
        "indexed": document.indexed.isoformat() if document.indexed else None,
    }
    if page.fragment and page.fragment.section:
        data["from_section"] = name_section(page.fragment.section.section_id, page.max_tokens)
    elif page.near:
        data["from_section"] = name_section(page.section_id, page.max_tokens) if page.section_id else None
        if page.missing:
            data["missing_words"] = [shorten_name(word) for word in page.missing[:MAX_MISSING]]
    elif page.fragment:
        data |= make_missing_data(page.fragment, page.max_tokens)
    return drop_fields(data, DISPENSABLE, page.max_tokens // 2) | {
        "content": page.piece.text,
        "tokens": estimate_tokens(page.piece.text),
        "next_cursor": page.cursor,
    }


GET_DOC_PAGE = Tool(
    name="get_doc_page",
    title="Get a page",
    description="Read a whole document by path, id or source URL, in pieces where it is long. Costs more than read_sections.",
    params=GetDocPageParams,
    run=run,
)
