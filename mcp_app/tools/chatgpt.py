"""search and fetch as ChatGPT's connectors and deep research want them: one argument, and JSON in one text block.

https://platform.openai.com/docs/mcp
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any
from urllib.parse import quote

from pydantic import Field

from collections_app.access.principal import Principal
from collections_app.activity.usage import count_read
from collections_app.documents import get_document, iter_page, read_steadily
from mcp_app.answers import Content, make_text
from mcp_app.arguments import coerce_arguments
from mcp_app.jsonrpc import dump_json
from mcp_app.registry import Call, Tool, ToolParams
from mcp_app.rendering import MAX_TOKENS, cut_text, iter_titles
from mcp_app.tools import search_docs
from mcp_app.tools.parameters import Reach, get_reach


class SearchParams(ToolParams):
    query: Annotated[str, Field(min_length=1, max_length=1000)]


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
    return read_steadily(partial(read_page, reach, params.id, call.principal), reach.chosen)


def read_page(reach: Reach, page_id: str, reader: Principal) -> Content:
    """Raises DocumentReplaced, and DocumentNotFound with the closest paths."""
    document = get_document(reach.chosen, page_id)
    name = reach.name(document.collection)
    whole = "".join(section.text for section in iter_page(document))
    count_read(document, reader)
    text = cut_text(whole, MAX_TOKENS)
    page = {
        "id": f"{name}:{document.path}",
        "title": document.title,
        "text": text,
        "url": make_url(document.source_url, name, document.path),
        "metadata": {"collection": name, "path": document.path, "complete": "true" if text == whole else "false"},
    }
    return Content([make_text(dump_json(page))])


def make_url(source_url: str, collection: str, path: str) -> str:
    """What a citation points at: where the page came from, else the URI of its resource."""
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
