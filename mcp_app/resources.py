"""The product's resources: the caller's context and search history, each visible collection's pages, and each page's Markdown.

A collection's URI is `docs://SLUG`, or `docs://TENANT/SLUG` where several tenants have the slug or another resource has taken it;
the longer form always works. What a caller may not read looks like what does not exist.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from urllib.parse import quote

from collections_app.activity.usage import count_read
from collections_app.catalog.names import name_collections
from collections_app.catalog.visible import get_visible_collections
from collections_app.documents import find_documents, iter_page, read_steadily
from collections_app.models import Collection, Document
from collections_app.text.shortening import shorten
from collections_app.text.tokens import estimate_tokens
from mcp_app.completion import complete_collection, complete_path
from mcp_app.entries import Call, Resource, ResourceTemplate
from mcp_app.protocol.jsonrpc import dump_json
from mcp_app.rendering import READ_TOKENS, format_call, join_facts, name_path, take_within
from mcp_app.tools.list_collections import make_context, make_history
from mcp_app.tools.places import Piece, Place, make_place_cursor, take_page

SCHEME = "docs://"
CONTEXT_URI = f"{SCHEME}context"
HISTORY_URI = f"{SCHEME}search-history"
PAGE_TEMPLATE = f"{SCHEME}{{collection}}/{{+path}}"
TAKEN_SLUGS = {"context", "search-history"}

MAX_LISTED_PAGES = 1_000
# Room for the words that say how to read on where a page was cut.
ENDING_TOKENS = 500
MAX_DESCRIPTION_CHARACTERS = 200


def make_collection_uris(collections: Sequence[Collection], among: Sequence[Collection]) -> list[str]:
    names = name_collections(collections, among)
    return [
        SCHEME + (f"{collection.tenant.slug}/{name}" if name in TAKEN_SLUGS else name)
        for collection, name in zip(collections, names, strict=True)
    ]


def make_page_uri(collection_uri: str, path: str) -> str:
    return f"{collection_uri}/{quote(path)}"


def iter_collections(call: Call) -> Iterator[Resource]:
    """One resource for each visible collection, by tenant and slug."""
    visible = get_visible_collections(call.principal, call.narrowed_to)
    for collection, uri in zip(visible, make_collection_uris(visible, visible), strict=True):
        yield Resource(
            uri=uri,
            name=uri.removeprefix(SCHEME),
            title=join_facts([collection.name, collection.version]),
            description=shorten(collection.description, MAX_DESCRIPTION_CHARACTERS) or "The pages of this collection",
            read=partial(read_listing, collection=collection, uri=uri),
        )


def read_context(call: Call) -> str:
    return dump_json(make_context(call.principal, get_visible_collections(call.principal, call.narrowed_to)))


def read_history(call: Call) -> str:
    return dump_json(make_history(call.principal))


def read_page(call: Call, values: Mapping[str, str]) -> str | None:
    """A page's Markdown, or the listing of a collection named by `TENANT/SLUG`; None if there is neither."""
    visible = get_visible_collections(call.principal, call.narrowed_to)
    for collection, path in iter_meanings(visible, values["collection"], values["path"]):
        if not path:
            [uri] = make_collection_uris([collection], visible)
            return read_listing(call, collection, uri)
        if (text := read_steadily(partial(read_text, call, collection, path), [collection])) is not None:
            return text
    return None


def read_text(call: Call, collection: Collection, path: str) -> str | None:
    """As much of the page as get_doc_page gives by default, and how to read on. Raises DocumentReplaced."""
    found = find_documents([collection], path)
    if not found:
        return None
    document = found[0]
    piece = take_page(iter_page(document), Place(), READ_TOKENS - ENDING_TOKENS)
    count_read(document, call.principal)
    return piece.text + piece.closing + render_ending(call, document, piece)


def render_ending(call: Call, document: Document, piece: Piece) -> str:
    """Says which tool gives the rest: the protocol cannot read resources in parts."""
    if piece.following is None:
        return ""
    path = name_path(document.path, document.pk, READ_TOKENS)
    collection = f"{document.collection.tenant.slug}/{document.collection.slug}"
    cursor = make_place_cursor(call, document, piece.following)
    rest = format_call("get_doc_page", path=path, collection=collection, cursor=cursor)
    return f"\n\n[the page was cut here, after {estimate_tokens(piece.text):,} tokens; it goes on with {rest}]\n"


def iter_meanings(visible: Sequence[Collection], first: str, rest: str) -> Iterator[tuple[Collection, str]]:
    """The collections and paths that `first/rest` can mean: slug and path, or tenant, slug and path; slugs in any case."""
    tenant, _, slug = first.partition("/")
    if slug:
        yield from ((c, rest) for c in visible if is_called(c, slug, tenant))
        return
    by_slug = [c for c in visible if c.slug == first] or [c for c in visible if is_called(c, first)]
    if len(by_slug) == 1:
        yield by_slug[0], rest
    slug, _, path = rest.partition("/")
    yield from ((c, path) for c in visible if is_called(c, slug, first))


def is_called(collection: Collection, slug: str, tenant: str = "") -> bool:
    same_tenant = not tenant or collection.tenant.slug.lower() == tenant.lower()
    return same_tenant and collection.slug.lower() == slug.lower()


def read_listing(call: Call, collection: Collection, uri: str) -> str:
    documents = Document.objects.in_collections([collection]).readable()
    rows = list(documents.order_by("path").only("path", "title", "description")[: MAX_LISTED_PAGES + 1])
    lines = [render_entry(row, uri) for row in rows[:MAX_LISTED_PAGES]]
    shown = take_within(lines, READ_TOKENS) if lines else ["There are no pages yet."]
    parts = [f"# {join_facts([collection.name, collection.version])}", collection.description.strip(), "\n".join(shown)]
    if len(shown) < len(rows):
        slug = f"{collection.tenant.slug}/{collection.slug}"
        parts.append(f"There are more: {format_call('list_doc_pages', collection=slug)}")
    return "\n\n".join(part for part in parts if part) + "\n"


def render_entry(document: Document, collection_uri: str) -> str:
    description = shorten(document.description, MAX_DESCRIPTION_CHARACTERS)
    title = shorten(document.title, MAX_DESCRIPTION_CHARACTERS).replace("[", "\\[").replace("]", "\\]")
    return f"- [{title}]({make_page_uri(collection_uri, document.path)}){f': {description}' if description else ''}"


RESOURCES = (
    Resource(
        uri=CONTEXT_URI,
        name="context",
        title="What this key can read",
        description="Tenant, collections, number of documents by status, last update",
        mime_type="application/json",
        read=read_context,
    ),
    Resource(
        uri=HISTORY_URI,
        name="search-history",
        title="Last searches",
        description="The last 10 searches of this key",
        mime_type="application/json",
        read=read_history,
    ),
    iter_collections,
)
TEMPLATES = (
    ResourceTemplate(
        uri_template=PAGE_TEMPLATE,
        name="page",
        title="A page",
        description="The Markdown of a page, by its collection and path",
        read=read_page,
        completers={"collection": complete_collection, "path": complete_path},
    ),
)
