"""The pages: the collections, the contents of one, a document, a search. They translate, call, and translate back."""

from __future__ import annotations

from functools import partial
from http import HTTPStatus
from time import perf_counter
from typing import Any

from django.conf import settings
from django.http import Http404, HttpResponseBase
from django.shortcuts import redirect, render

from collections_app.activity.history import record_search
from collections_app.activity.usage import count_read
from collections_app.cached_search import SearchRequest, search_cached
from collections_app.catalog.visible import count_documents
from collections_app.documents import find_moved, find_sections, read_steadily
from collections_app.exceptions import DocsError, InternalError, TransientError
from collections_app.models import Collection, Document
from collections_app.reading.access import (
    ReadingRequest,
    for_visitors,
    get_collection_or_404,
    get_document_or_404,
    get_readable_collections,
    render_error,
)
from collections_app.reading.addresses import (
    get_url_of,
    list_markdown_paths,
    list_page_paths,
    quote_fragment,
    quote_markdown,
    quote_page,
)
from collections_app.reading.conditional import answer_conditionally
from collections_app.reading.found import make_results
from collections_app.reading.navigation import get_contents, get_neighbours
from collections_app.reading.pages import Page, find_page_number, get_page
from collections_app.reading.programs import answer_markdown
from collections_app.search import Mode, SearchOptions, SearchResults

HTML, MARKDOWN = "text/html", "text/markdown"
RESULTS = 20
RESULTS_WHILE_TYPING = 8
SNIPPET_CHARACTERS = 240


@for_visitors
def show_collections(request: ReadingRequest) -> HttpResponseBase:
    collections = list(get_readable_collections(request.principal))
    counts = count_documents(collections)
    listed = [(collection, get_url_of(collection), counts.get(collection.pk, 0)) for collection in collections]
    response = render(request, "reading/collections.html", make_context(request, collections=listed))
    response["Cache-Control"] = "private, no-cache"
    return response


@for_visitors
def show_contents(request: ReadingRequest, tenant: str, collection: str) -> HttpResponseBase:
    found = get_collection_or_404(request.principal, tenant, collection)

    def make() -> HttpResponseBase:
        contents = get_contents(found, read_number(request))
        if contents is None:
            raise Http404
        return render(request, "reading/contents.html", make_context(request, found, contents=contents))

    return answer_conditionally(request, found, None, HTML, make)


@for_visitors
def show_document(request: ReadingRequest, tenant: str, collection: str, path: str) -> HttpResponseBase:
    """The page, or its Markdown for clients that ask for it. A path that a page had before it was moved leads to that page."""
    found = get_collection_or_404(request.principal, tenant, collection)
    is_markdown = path.endswith(".md")
    try:
        document = get_document_or_404(found, *(list_markdown_paths if is_markdown else list_page_paths)(path))
    except Http404:
        moved = find_moved(found, path.removesuffix(".md"))
        if not moved:
            raise
        return redirect(f"{get_url_of(found)}{(quote_markdown if is_markdown else quote_page)(moved.path)}")
    if is_markdown:
        return answer_markdown(request, found, document)
    if request.get_preferred_type([HTML, MARKDOWN]) == MARKDOWN:
        return answer_markdown(request, found, document)
    if "at" in request.GET:
        return lead_to_section(request, document)
    return answer_conditionally(request, found, document, HTML, lambda: render_document(request, found, document))


def get_page_anew(
    collection: Collection, known: list[Document], path: str, number: int
) -> tuple[Document, Page | None]:
    """`known` contains the document at first; it is looked up again if it was replaced. Raises DocumentReplaced."""
    document = known.pop() if known else get_document_or_404(collection, path)
    document.collection = collection
    return document, get_page(collection, document, number)


def lead_to_section(request: ReadingRequest, document: Document) -> HttpResponseBase:
    """Redirects to the page of a long document that has the section named by `at` (any of its names); to the first page if there is no such
    section, or the document is replaced meanwhile."""
    try:
        [section] = find_sections(document, [request.GET["at"].replace("\0", "")])
        number = find_page_number(document, section.position)
    except DocsError:
        return redirect(request.path)
    query = f"?page={number}" if number > 1 else ""
    return redirect(f"{request.path}{query}#{quote_fragment(section.section_id)}")


def render_document(request: ReadingRequest, collection: Collection, document: Document) -> HttpResponseBase:
    number = read_number(request)
    read = partial(get_page_anew, collection, [document], document.path, number)
    try:
        document, page = read_steadily(read)
    except InternalError as error:
        return render_error(request, HTTPStatus.SERVICE_UNAVAILABLE, error.message, {"Retry-After": "1"})
    if page is None:
        raise Http404
    context = make_context(
        request,
        collection,
        document=document,
        page=page,
        neighbours=get_neighbours(document),
        page_address=quote_page(document.path),
        markdown_address=quote_markdown(document.path),
        source_is_web=document.source_url.startswith(("http://", "https://")),
    )
    count_read(document, request.principal)
    return render(request, "reading/document.html", context)


@for_visitors
def show_search(request: ReadingRequest, tenant: str, collection: str) -> HttpResponseBase:
    """A page; with `part=results` only the list, for scripts while somebody types. That has status 200 even for a mistake."""
    found = get_collection_or_404(request.principal, tenant, collection)
    is_typing = request.GET.get("part") == "results"
    query = request.GET.get("q", "").strip()
    context = make_context(request, found, query=query)
    status = HTTPStatus.OK
    try:
        context |= describe_results(request, found, query, is_typing) if query else {}
    except DocsError as error:
        context["mistake"] = error.message
        status = HTTPStatus.SERVICE_UNAVAILABLE if isinstance(error, TransientError) else HTTPStatus.BAD_REQUEST
    if is_typing:
        response = render(request, "reading/results.html", context)
    else:
        response = render(request, "reading/search.html", context, status=status)
    response["Cache-Control"] = "private, no-cache"
    response["X-Robots-Tag"] = "noindex"
    return response


def describe_results(request: ReadingRequest, collection: Collection, query: str, is_typing: bool) -> dict[str, Any]:
    results = search(request, collection, query, is_typing)
    return {"results": results, "found": make_results(results, get_url_of(collection))}


def search(request: ReadingRequest, collection: Collection, query: str, is_typing: bool) -> SearchResults:
    """While somebody types, only by words, and without recording the search: half a word is no question."""
    began = perf_counter()
    options = SearchOptions(
        limit=RESULTS_WHILE_TYPING if is_typing else RESULTS,
        snippet_length=SNIPPET_CHARACTERS,
        mode=Mode.KEYWORD if is_typing else Mode(settings.DOCSMCP.mcp_default_mode),
    )
    results = search_cached(SearchRequest(query, [collection], [collection], request.principal, "page", options))
    if not is_typing:
        record_search(request.principal, [collection], results, (perf_counter() - began) * 1000)
    return results


def make_context(request: ReadingRequest, collection: Collection | None = None, **more: Any) -> dict[str, Any]:
    """Variables that every page needs."""
    name = request.principal.label if request.principal.user_id is not None else ""
    context = {"visitor": name, "collection": collection, **more}
    return context | ({"collection_url": get_url_of(collection)} if collection else {})


def read_number(request: ReadingRequest) -> int:
    """Raises Http404 if it is no number."""
    given = request.GET.get("page", "1")
    if not (given.isascii() and given.isdecimal() and len(given) <= 6):
        raise Http404
    return int(given)
