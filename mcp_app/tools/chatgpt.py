"""search and fetch as ChatGPT's connectors and deep research want them: one argument, and JSON in one text block.

https://platform.openai.com/docs/mcp
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Annotated, Any
from urllib.parse import quote

from pydantic import Field

from collections_app.activity.usage import count_read
from collections_app.documents import get_document, iter_page, read_steadily
from collections_app.text.tokens import estimate_tokens
from mcp_app.arguments import coerce_arguments
from mcp_app.entries import Call, Tool, ToolParams
from mcp_app.protocol.answers import Content, make_text
from mcp_app.protocol.jsonrpc import dump_json
from mcp_app.rendering import READ_TOKENS, estimate_json_tokens, format_call, iter_titles, name_path, shorten_name
from mcp_app.tools import search_docs
from mcp_app.tools.opening import tell_description
from mcp_app.tools.parameters import Asked, Reach, get_reach
from mcp_app.tools.places import FARTHEST, NOTHING_READ, Piece, make_place_cursor, read_place, take_page

# Separates a page's id from the cursor of a piece of it.
PIECE = "#next="


class SearchParams(ToolParams):
    query: Asked


class FetchParams(ToolParams):
    id: Annotated[str, Field(min_length=1, max_length=2000)]


def make_schema(name: str, description: str) -> dict[str, Any]:
    properties = {name: {"type": "string", "minLength": 1, "description": description}}
    return {"type": "object", "properties": properties, "required": [name], "additionalProperties": False}


def run_search(call: Call, arguments: Mapping[str, Any]) -> Content:
    params = coerce_arguments(SEARCH, arguments)
    assert isinstance(params, SearchParams)
    found = search_docs.run(call, search_docs.SearchParams(query=params.query, format="json")).as_json()
    by_page: dict[str, dict[str, str]] = {}
    for hit in found["results"]:
        page_id = f"{hit['collection']}:{hit['path']}"
        title = " › ".join(iter_titles(hit["title"], hit["heading_path"]))
        by_page.setdefault(
            page_id, {"id": page_id, "title": title, "url": make_url(hit["source_url"], hit["collection"], hit["path"])}
        )
    return Content([make_text(dump_json({"results": list(by_page.values())}))])


def run_fetch(call: Call, arguments: Mapping[str, Any]) -> Content:
    params = coerce_arguments(FETCH, arguments)
    assert isinstance(params, FetchParams)
    reach = get_reach(call, None)
    return read_steadily(partial(read_page, call, reach, params.id), reach.chosen)


def read_page(call: Call, reach: Reach, asked: str) -> Content:
    """Raises DocumentReplaced, DocumentNotFound with the closest paths, and InvalidParameter for a piece of an older version."""
    name, _, cursor = asked.rpartition(PIECE) if PIECE in asked else (asked, "", "")
    document = get_document(reach.chosen, name)
    collection = reach.name(document.collection)
    path = name_path(document.path, document.pk, READ_TOKENS)
    page_id = f"{collection}:{path}"
    start = read_place(call, document, cursor, format_call("fetch", id=page_id))
    count_read(document, call.principal)

    def build(piece: Piece) -> str:
        """The answer with this piece of the page."""
        text, next_id = f"{piece.opening}{piece.text}{piece.closing}", None
        if piece.following:
            next_id = f"{page_id}{PIECE}{make_place_cursor(call, document, piece.following)}"
            text = f"{text}\n\n[the page goes on; next: {format_call('fetch', id=next_id)}]"
        page = {
            "id": page_id,
            "title": shorten_name(document.title),
            "text": text,
            "url": make_url(document.source_url, collection, path),
            "metadata": {"collection": collection, "path": path, "complete": "false" if cursor or next_id else "true"}
            | ({"description": told} if not cursor and (told := tell_description(document, text, READ_TOKENS)) else {})
            | ({"next_id": next_id} if next_id else {}),
        }
        return dump_json(page)

    others = estimate_tokens(build(replace(NOTHING_READ, following=FARTHEST)))
    sections = iter_page(document, start.position)
    return Content([make_text(build(take_page(sections, start, READ_TOKENS - others, estimate_json_tokens)))])


def make_url(source_url: str, collection: str, path: str) -> str:
    """The address that a citation shows: where the page came from, else the URI of its resource."""
    return source_url or f"docs://{collection}/{quote(path)}"


SEARCH = Tool(
    name="search",
    title="Search the documentation",
    description="Find pages of the documentation by words or a question. Returns ids to fetch.",
    params=SearchParams,
    run=run_search,
    schema=make_schema("query", "Words or a question"),
    is_guide=True,
)
FETCH = Tool(
    name="fetch",
    title="Fetch a page",
    description="Read a page of the documentation by an id from search.",
    params=FetchParams,
    run=run_fetch,
    schema=make_schema("id", "From search"),
)
