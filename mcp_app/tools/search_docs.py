"""search_docs: ranks sections for a question."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from time import perf_counter
from typing import Annotated, Any, ClassVar, Literal

from django.conf import settings
from pydantic import Field

from collections_app.activity.history import record_search
from collections_app.cached_search import SearchRequest, search_and_render, search_cached
from collections_app.documents import find_page
from collections_app.exceptions import DocsError, InvalidParameter
from collections_app.search import Mode, SearchOptions, SearchResults
from mcp_app.entries import VALUE, Call, Tool, ToolParams
from mcp_app.rendering import SEARCH_TOKENS, TextAnswer
from mcp_app.tools.parameters import (
    COLLECTION_ALIASES,
    FOLDER_NAMES,
    LIMIT_ALIASES,
    QUERY_NAMES,
    Asked,
    Category,
    CollectionName,
    OrAbsent,
    Reach,
    TokenBudget,
    Version,
    get_search_reach,
)
from mcp_app.tools.search_answers import SNIPPET_SHARE, make_data, render

MAX_HITS = 50
_ADDRESS = re.compile(r"<?(?P<address>https?://[^\s#<>]+(?P<fragment>#[^\s<>]*)?)>?", re.IGNORECASE)


class SearchParams(ToolParams):
    aliases: ClassVar = {
        **dict.fromkeys(QUERY_NAMES, "query"),
        **LIMIT_ALIASES,
        "filter": "filters",
        "language": "code",
        **COLLECTION_ALIASES,
    }
    # A model that saw too little asks for the next page. There is none: one answer has all results, and more of them rarely help.
    instead: ClassVar = {
        **dict.fromkeys(
            ("page", "offset", "cursor"), f"a search has one page: raise limit, up to {MAX_HITS}, or ask more precisely"
        ),
        **dict.fromkeys(
            (*FOLDER_NAMES, "folder", "file", "filename"),
            f'filters={{"path": {{"$contains": {VALUE}}}}} searches there',
        ),
    }

    query: Annotated[Asked, Field(description='Plain words; "exact phrase" requires, -word excludes')]
    collection: CollectionName = None
    limit: Annotated[int | None, Field(ge=1, json_schema_extra={"maximum": MAX_HITS})] = None
    mode: Annotated[
        Literal["keyword", "semantic", "hybrid"] | None,
        Field(description="How to rank"),
    ] = None
    category: Category = None
    filters: Annotated[
        dict[str, Any] | None,
        Field(
            description='{"path|category|format|keywords|metadata key": {"$eq|$ne|$in|$nin|$gt|$gte|$lt|$lte|$contains": x}}'
        ),
    ] = None
    code: Annotated[
        str | None, Field(max_length=50, description="Only with code in this language: python"), OrAbsent
    ] = None
    version: Version = None
    max_tokens: TokenBudget = None


def run(call: Call, params: SearchParams, offset: int | None = None) -> TextAnswer:
    """With `offset`, a page of everything that can be found. All pages are cut from the same hits: a deeper search might have others."""
    reach = get_search_reach(call, params.collection, params.version)
    max_tokens = params.max_tokens or SEARCH_TOKENS
    began = perf_counter()
    options = make_options(params, max_tokens)
    shown = slice(offset, None if offset is None else offset + options.limit)
    page_path = find_addressed(reach, params.query, max_tokens)
    request = SearchRequest(
        params.query,
        reach.chosen,
        reach.visible,
        call.principal,
        name_form(params, reach, max_tokens, shown, page_path),
        options if offset is None else replace(options, limit=MAX_HITS),
    )

    def make_page(found: SearchResults) -> SearchResults:
        page = replace(found, hits=found.hits[shown]).add_notice(reach.make_notice(params.query, found))
        if page_path:  # whose address it is matters then, not its words
            page = replace(page, words=()).add_notice(f"That is the address of {page_path}.")
        return page.add_notice(describe_capped(params.limit))

    def render_page(found: SearchResults) -> str:
        return render(make_page(found), reach, max_tokens, params.code, page_path)

    if params.format == "markdown":
        found, text = search_and_render(request, render_page)
    else:
        found, text = search_cached(request), ""
    page = make_page(found)
    record_search(call.principal, reach.chosen, page, (perf_counter() - began) * 1000)
    if found.hits and not page.hits:
        raise InvalidParameter(f"There are {len(found.hits)} results, and offset {offset} leaves none of them.")
    return TextAnswer(lambda: text, partial(make_data, page, reach, max_tokens))


def find_addressed(reach: Reach, query: str, max_tokens: int) -> str:
    """The path, with its fragment, of the page that a question means which is nothing but an address, as people paste it from a site; empty
    for any other question, and for an address of no page."""
    found = _ADDRESS.fullmatch(query.strip())
    if found is None:
        return ""
    try:
        document = find_page(reach.chosen, found["address"], reach.visible)
    except DocsError:
        return ""
    return f"{reach.locate(document, max_tokens)}{found['fragment'] or ''}" if document else ""


def name_form(params: SearchParams, reach: Reach, max_tokens: int, shown: slice, page_path: str) -> str:
    """Names everything that the answer's text depends on besides the results and the collections; the answer is remembered under it. Where
    an address leads may change without the collection."""
    passed_over = f"-{reach.passed_over.pk}" if reach.passed_over else ""
    page = "" if shown.start is None else f"-{shown.start}-{shown.stop}"
    capped = f"-of-{params.limit}" if describe_capped(params.limit) else ""
    version = "-versioned" if reach.has_version else ""
    address = f"-{blake2b(page_path.encode(), digest_size=8).hexdigest()}" if page_path else ""
    return f"{params.format}-{max_tokens}{page}{passed_over}{capped}{version}{address}"


def describe_capped(limit: int | None) -> str:
    """The sentence for a limit above MAX_HITS, which then applies: whoever asks for all is better served than refused."""
    return f"limit is {MAX_HITS} at most." if limit and limit > MAX_HITS else ""


def make_options(params: SearchParams, max_tokens: int) -> SearchOptions:
    config = settings.DOCSMCP
    return SearchOptions(
        limit=min(params.limit or config.mcp_max_search_results, MAX_HITS),
        snippet_length=min(config.mcp_snippet_length, max_tokens // SNIPPET_SHARE),
        mode=Mode(params.mode or config.mcp_default_mode),
        category=params.category,
        filters=params.filters,
        code=params.code,
    )


SEARCH_DOCS = Tool(
    name="search_docs",
    title="Search the documentation",
    description=(
        "Find sections by words, identifiers or a question. Returns ranked sections with a snippet each: "
        "read the best with read_sections."
    ),
    params=SearchParams,
    run=run,
    is_guide=True,
    unless_narrowed="Searches all collections unless one is named.",
)
