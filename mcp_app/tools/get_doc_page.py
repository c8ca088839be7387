"""get_doc_page: a whole document, piece by piece where it is large, or named sections of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, ClassVar

from pydantic import Field

from collections_app.documents import SectionText, get_document, get_sections, iter_page
from collections_app.models import Document
from collections_app.parsing.tokens import estimate_tokens
from mcp_app.cursors import make_cursor, read_cursor
from mcp_app.registry import Call, Tool, ToolParams
from mcp_app.rendering import READ_TOKENS, RESERVE_TOKENS, TextAnswer, cut_text, format_call, format_date, join_facts
from mcp_app.tools import read_sections
from mcp_app.tools.parameters import (
    COLLECTION_ALIASES,
    PATH_ALIASES,
    CollectionName,
    Path,
    Reach,
    TokenBudget,
    get_reach,
)


class GetDocPageParams(ToolParams):
    aliases: ClassVar = {**PATH_ALIASES, **COLLECTION_ALIASES, "section_ids": "sections", "section": "sections"}

    path: Path
    collection: CollectionName = None
    sections: Annotated[list[str], Field(max_length=100, description="Section ids; default: the whole page")] = []  # noqa: RUF012
    max_tokens: TokenBudget = None
    cursor: Annotated[str | None, Field(max_length=4000, description="From the answer before")] = None


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a document reading goes on: a section's position, and how many of its characters were read already."""

    position: int = 0
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Page:
    """A piece of a document; `following` is where the next begins, None at the end."""

    document: Document
    text: str
    following: Place | None
    cursor: str | None
    reach: Reach


def run(call: Call, params: GetDocPageParams) -> TextAnswer:
    reach = get_reach(call, params.collection)
    document = get_document(reach.chosen, params.path)
    max_tokens = params.max_tokens or READ_TOKENS
    if params.sections:
        return read_sections.answer(document, get_sections(document, params.sections), max_tokens, reach)
    kind = f"page.{document.pk}.{document.content_hash[:16]}"
    start = Place(*read_cursor(kind, call.principal, params.cursor)) if params.cursor else Place()
    text, following = take_page(iter_page(document, start.position), start, max_tokens - RESERVE_TOKENS)
    cursor = make_cursor(kind, call.principal, [following.position, following.offset]) if following else None
    page = Page(document, text, following, cursor, reach)
    return TextAnswer(partial(render, page), partial(make_data, page))


def take_page(sections: Iterable[SectionText], start: Place, max_tokens: int) -> tuple[str, Place | None]:
    """Whole sections from `start` on as long as they fit; one that is too long by itself is cut after a paragraph."""
    taken: list[str] = []
    left = max_tokens
    for section in sections:
        offset = start.offset if section.position == start.position else 0
        text = section.text[offset:]
        cost = estimate_tokens(text)
        if cost <= left:
            taken.append(text)
            left -= cost
        elif taken:
            return "".join(taken), Place(section.position, offset)
        else:
            piece = cut_text(text, max(left, 50))
            return piece, Place(section.position, offset + len(piece))
    return "".join(taken), None


def render(page: Page) -> str:
    document = page.document
    facts = [
        page.reach.name(document.collection),
        document.path,
        document.source_url,
        f"indexed {format_date(document.indexed)}",
    ]
    parts = [f"{document.title} · {join_facts(facts)}", page.text.strip() or "[this page is empty]"]
    if page.cursor:
        parts.append(f"[the page goes on; next: {format_call('get_doc_page', path=document.path, cursor=page.cursor)}]")
    return "\n\n".join(parts)


def make_data(page: Page) -> dict[str, Any]:
    document = page.document
    return {
        "title": document.title,
        "description": document.description,
        "collection": page.reach.name(document.collection),
        "path": document.path,
        "source_url": document.source_url,
        "indexed": document.indexed.isoformat() if document.indexed else None,
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
