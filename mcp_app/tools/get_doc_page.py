"""get_doc_page: a whole document, piece by piece where it is large, or named sections of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any, ClassVar

from pydantic import Field

from collections_app.activity.usage import count_read
from collections_app.documents import find_fragment, get_document, get_sections, iter_page, read_steadily
from collections_app.models import Document, Section
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
from mcp_app.tools.parameters import (
    COLLECTION_ALIASES,
    PATH_ALIASES,
    CollectionName,
    Cursor,
    Path,
    Reach,
    TokenBudget,
    get_reach,
)
from mcp_app.tools.places import FARTHEST, Place, make_place_cursor, read_place, take_page

# Fields that a small budget has no room for, the first of these first.
DISPENSABLE = ("description", "source_url", "indexed", "title")
# What part of a budget may say where a page begins.
HEADING_SHARE = 20


class GetDocPageParams(ToolParams):
    aliases: ClassVar = {**PATH_ALIASES, **COLLECTION_ALIASES, "section_ids": "sections", "section": "sections"}

    path: Path
    collection: CollectionName = None
    sections: Annotated[list[str], Field(max_length=100, description="Section ids; default: whole page")] = []  # noqa: RUF012
    max_tokens: TokenBudget = None
    cursor: Cursor = None


@dataclass(frozen=True, slots=True)
class Page:
    """A piece of a document; `cursor` leads to the next, None at the end. `first`: where it begins in the middle, as was asked for."""

    document: Document
    text: str
    cursor: str | None
    max_tokens: int
    reach: Reach
    first: Section | None = None


def run(call: Call, params: GetDocPageParams) -> TextAnswer:
    reach = get_reach(call, params.collection)

    def read() -> TextAnswer:
        document = get_document(reach.chosen, params.path)
        max_tokens = params.max_tokens or READ_TOKENS
        if params.sections:
            sections = get_sections(document, params.sections)
            count_read(document, call.principal)
            return read_sections.answer(call, document, sections, max_tokens, reach)
        first = None if params.cursor else find_fragment(document, params.path)
        if first and first.position == 0:
            first = None
        page = read_page(call, params, Page(document, "", None, max_tokens, reach, first))
        count_read(document, call.principal)
        return TextAnswer(partial(render, page), partial(make_data, page))

    return read_steadily(read, reach.chosen)


def read_page(call: Call, params: GetDocPageParams, page: Page) -> Page:
    """The piece that the cursor asks for, as long as the answer has room for it in the form that was asked for."""
    document = page.document
    is_json = params.format == "json"
    empty = replace(page, cursor=make_place_cursor(call, document, FARTHEST))
    others = estimate_tokens(dump_json(make_data(empty)) if is_json else render(empty))
    start = Place(page.first.position) if page.first else read_place(call, document, params.cursor)
    cost = estimate_json_tokens if is_json else estimate_tokens
    left = page.max_tokens - others - COUNTS_TOKENS
    text, following = take_page(iter_page(document, start.position), start, left, cost)
    return replace(page, text=text, cursor=make_place_cursor(call, document, following) if following else None)


def render(page: Page) -> str:
    text = page.text.strip()
    ending = "" if text else "[this page is empty]"
    path = page.reach.locate(page.document, page.max_tokens)
    if page.cursor:
        ending = f"[the page goes on; next: {format_call('get_doc_page', path=path, cursor=page.cursor)}]"
    header = read_sections.render_header(page.document, page.reach, page.max_tokens)
    before = ""
    if page.first:
        heading = dump_json(shorten_name(page.first.heading, min(NAME_TOKENS, page.max_tokens // HEADING_SHARE)))
        before = f"[from {heading} on; the whole page: {format_call('get_doc_page', path=path)}]"
    return "\n\n".join(part for part in (header, before, text, ending) if part)


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
    if page.first:
        data["from_section"] = name_section(page.first.section_id, page.max_tokens)
    return drop_fields(data, DISPENSABLE, page.max_tokens // 2) | {
        "content": page.text,
        "tokens": estimate_tokens(page.text),
        "next_cursor": page.cursor,
    }


GET_DOC_PAGE = Tool(
    name="get_doc_page",
    title="Get a page",
    description="Read a whole document by path, id or source URL, in pieces where it is long. Costs more than read_sections.",
    params=GetDocPageParams,
    run=run,
)
