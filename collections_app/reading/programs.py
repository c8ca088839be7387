"""A collection's documents for programs without MCP: llms.txt, llms-full.txt, a document's Markdown, the sitemap. https://llmstxt.org

Long lists are streamed, and limited: the end says what is left out, with the address of the rest. A long text counts as
several requests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import accumulate, chain

from django.conf import settings
from django.db.models import QuerySet
from django.db.models.functions import Length
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.urls import reverse
from django.utils.html import escape

from collections_app.activity.usage import count_read
from collections_app.catalog.visible import count_documents
from collections_app.limits.requests import count_request
from collections_app.models import Collection, Document
from collections_app.reading.access import (
    ReadingRequest,
    for_visitors,
    get_collection_or_404,
    get_readable_collections,
)
from collections_app.reading.addresses import get_url_of, quote_markdown, quote_page
from collections_app.reading.conditional import answer_conditionally
from collections_app.reading.navigation import Leaf, get_documents, get_documents_by_category
from collections_app.reading.read_only import read_only
from collections_app.text.shortening import shorten

TEXT = "text/plain; charset=utf-8"
MARKDOWN = "text/markdown; charset=utf-8"
LISTED_DOCUMENTS = 10_000
FULL_CHARACTERS = 10_000_000
# The most that a sitemap may have: https://www.sitemaps.org/protocol.html
SITEMAP_ADDRESSES = 50_000
DESCRIPTION_CHARACTERS = 300
UNINDEXED = ("/admin/", "/api/", "/mcp", "/oauth/", "/docs/*/-/")
ROWS_AT_A_TIME = 500
CONTENTS_AT_A_TIME = 20
# How much is kept in memory at once, unless a single document is longer.
CONTENTS_CHARACTERS = 1_000_000
# Each so many characters of a text for programs, after the first, count as another request.
COUNTED_CHARACTERS = 1_000_000


def answer_markdown(request: ReadingRequest, collection: Collection, document: Document) -> HttpResponseBase:
    """The document's normalised Markdown, as agents read it."""

    def make() -> HttpResponseBase:
        content = Document.objects.filter(pk=document.pk).values_list("content", flat=True).first()
        page = request.build_absolute_uri(get_url_of(collection) + quote_page(document.path))
        count_read(document, request.principal)
        return HttpResponse(content or "", content_type=MARKDOWN, headers={"Link": f'<{page}>; rel="canonical"'})

    return answer_conditionally(request, collection, document, MARKDOWN, make)


@for_visitors
def show_llms_txt(request: ReadingRequest, tenant: str, collection: str) -> HttpResponseBase:
    return answer_list(request, tenant, collection, "llms.txt", iter_llms_txt)


@for_visitors
def show_llms_full(request: ReadingRequest, tenant: str, collection: str) -> HttpResponseBase:
    return answer_list(request, tenant, collection, "llms-full.txt", iter_llms_full)


def answer_list(
    request: ReadingRequest,
    tenant: str,
    collection: str,
    name: str,
    iter_text: Callable[[ReadingRequest, Collection, int], Iterator[str]],
) -> HttpResponseBase:
    """Streams the list of this name; `iter_text` takes the number of the first document."""
    found = get_collection_or_404(request.principal, tenant, collection)
    start = read_start(request)

    def make() -> HttpResponseBase:
        return StreamingHttpResponse(iter_text(request, found, start), content_type=TEXT)

    kind = name if settings.DOCSMCP.mcp_enabled else f"{name} without MCP"
    return answer_conditionally(request, found, None, kind, make)


def iter_llms_txt(request: ReadingRequest, collection: Collection, start: int) -> Iterator[str]:
    base = request.build_absolute_uri(get_url_of(collection))
    yield from iter_introduction(request, collection)
    rows = get_documents_by_category(collection).values_list(*Leaf._fields)[start : start + LISTED_DOCUMENTS + 1]
    category = None
    for count, row in enumerate(rows.iterator(ROWS_AT_A_TIME)):
        document = Leaf(*row)
        if count == LISTED_DOCUMENTS:
            yield f"\n## Optional\n\n- [More documents]({base}llms.txt?start={start + LISTED_DOCUMENTS}): this list goes on there\n"
            return
        if document.category.lower() != category:
            category = document.category.lower()
            yield f"\n## {shorten(document.category, DESCRIPTION_CHARACTERS) or 'Pages'}\n\n"
        yield format_link(document, base)


def iter_introduction(request: ReadingRequest, collection: Collection) -> Iterator[str]:
    yield f"# {shorten(collection.name, DESCRIPTION_CHARACTERS)}\n"
    if collection.description:
        yield f"\n> {' '.join(collection.description.split())}\n"
    if collection.version:
        yield f"\nVersion {collection.version}.\n"
    if not settings.DOCSMCP.mcp_enabled:
        return
    endpoint = reverse("mcp_collection", args=[collection.tenant.slug, collection.slug])
    yield f"\nAgents can search these documents over the Model Context Protocol at {request.build_absolute_uri(endpoint)}\n"


def format_link(document: Leaf, base: str) -> str:
    title = shorten(document.title, DESCRIPTION_CHARACTERS).replace("[", "(").replace("]", ")") or document.path
    description = shorten(document.description, DESCRIPTION_CHARACTERS)
    return f"- [{title}]({base}{quote_markdown(document.path)}){f': {description}' if description else ''}\n"


def iter_llms_full(request: ReadingRequest, collection: Collection, start: int) -> Iterator[str]:
    base = request.build_absolute_uri(get_url_of(collection))
    yield from iter_introduction(request, collection)
    characters = 0
    for count, (path, title, content) in enumerate(iter_contents(get_documents(collection), start)):
        if characters and characters + len(content) > FULL_CHARACTERS:
            yield f"\n\n---\n\nThis file is cut here. It goes on at {base}llms-full.txt?start={start + count}\n"
            return
        for _ in range((characters + len(content)) // COUNTED_CHARACTERS - characters // COUNTED_CHARACTERS):
            count_request(request.principal)
        characters += len(content)
        heading = "" if content.lstrip().startswith("# ") else f"# {shorten(title, DESCRIPTION_CHARACTERS)}\n\n"
        yield f"\n\n---\n\nSource: {base}{quote_page(path)}\n\n{heading}{content.strip()}\n"


def iter_contents(documents: QuerySet[Document], start: int) -> Iterator[tuple[str, str, str]]:
    """Path, title and content, by path, from the document at `start`. That order is an index's, so each batch continues after the last."""
    following = documents[start : start + CONTENTS_AT_A_TIME]
    while lengths := list(following.values_list("path", Length("content"))):
        totals = accumulate(length for _, length in lengths)
        paths = [path for (path, _), total in zip(lengths, totals, strict=True) if total <= CONTENTS_CHARACTERS]
        paths = paths or [lengths[0][0]]
        yield from documents.filter(path__in=paths).values_list("path", "title", "content")
        following = documents.filter(path__gt=paths[-1])[:CONTENTS_AT_A_TIME]


@for_visitors
def show_sitemap(request: ReadingRequest, tenant: str, collection: str) -> HttpResponseBase:
    """For public collections only, whoever asks."""
    found = get_collection_or_404(request.principal, tenant, collection)
    if not found.is_public:
        raise Http404
    start = read_start(request)

    def make() -> HttpResponseBase:
        return StreamingHttpResponse(iter_sitemap(request, found, start), content_type="application/xml")

    return answer_conditionally(request, found, None, "sitemap", make)


def iter_sitemap(request: ReadingRequest, collection: Collection, start: int) -> Iterator[str]:
    base = request.build_absolute_uri(get_url_of(collection))
    rows = get_documents(collection).values_list("path", "indexed")
    documents = rows[start : start + SITEMAP_ADDRESSES].iterator(ROWS_AT_A_TIME)
    entries = (
        f"<url><loc>{escape(base + quote_page(path))}</loc><lastmod>{indexed:%Y-%m-%d}</lastmod></url>\n"
        for path, indexed in documents
        if indexed
    )
    head = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    yield from chain([head], entries, ["</urlset>\n"])


@for_visitors
def show_sitemap_index(request: ReadingRequest) -> HttpResponseBase:
    """The sitemaps of public collections: https://www.sitemaps.org/protocol.html#index"""
    collections = get_readable_collections(request.principal).filter(is_public=True)
    counts = count_documents(list(collections))
    addresses = [
        f"{request.build_absolute_uri(get_url_of(collection))}sitemap.xml{f'?start={start}' if start else ''}"
        for collection in collections
        for start in range(0, counts.get(collection.pk, 0), SITEMAP_ADDRESSES)
    ]
    entries = "".join(f"<sitemap><loc>{escape(address)}</loc></sitemap>\n" for address in addresses)
    head = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    )
    return HttpResponse(f"{head}{entries}</sitemapindex>\n", content_type="application/xml")


@read_only
def show_robots(request: HttpRequest) -> HttpResponse:
    """Public pages may be indexed, unless everybody needs a key. https://www.rfc-editor.org/rfc/rfc9309"""
    if settings.DOCSMCP.mcp_auth_required:
        lines = ["User-agent: *", "Disallow: /"]
    else:
        lines = ["User-agent: *", *(f"Disallow: {path}" for path in UNINDEXED)]
        lines += ["", f"Sitemap: {request.build_absolute_uri('/sitemap.xml')}"]
    return HttpResponse("\n".join([*lines, ""]), content_type=TEXT)


def read_start(request: ReadingRequest) -> int:
    """How many documents are left out at the beginning. Raises Http404 if it is no number."""
    given = request.GET.get("start", "0")
    if not (given.isascii() and given.isdecimal() and len(given) <= 9):
        raise Http404
    return int(given)
