"""list_doc_pages: lists documents in the order of their paths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import PurePosixPath
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

from django.db.models import Count, F, Func, Q, QuerySet, TextField, Value
from pydantic import AfterValidator, Field

from collections_app.access.principal import Scope
from collections_app.catalog.names import ASK_FOR_KEY, NOTHING_VISIBLE
from collections_app.exceptions import InvalidParameter
from collections_app.models import Document, Upload
from collections_app.models.jobs import UNREAD
from collections_app.naming.paths import SUGGESTIONS, choose_close, compose, name_by_id
from mcp_app.entries import VALUE, Call, Tool, ToolParams
from mcp_app.protocol.cursors import make_cursor, read_cursor
from mcp_app.protocol.jsonrpc import dump_json
from mcp_app.rendering import (
    NAME_TOKENS,
    READ_TOKENS,
    TextAnswer,
    count_of,
    describe_list_end,
    fit_count,
    format_call,
    format_size,
    join_facts,
    shorten_name,
)
from mcp_app.tools.parameters import (
    COLLECTION_ALIASES,
    FOLDER_NAMES,
    LIMIT_ALIASES,
    QUERY_NAMES,
    Category,
    CollectionName,
    Cursor,
    OrAbsent,
    PageLimit,
    Reach,
    get_reach,
)

Status = Literal["success", "pending", "processing", "failed", "quarantined", "all"]
MAX_KEYWORDS = 50
KEYWORDS_TOKENS = 100
MAX_CATEGORIES = 30
PAGE_DOCUMENTS = 50
# Folders with names similar to a missing one are looked for among this many paths at most.
MAX_COMPARED_PATHS = 10_000
# The folders of a path that is nested deeper are not compared: each of them is one more path.
MAX_FOLDERS = 20


def name_folder(folder: str | None) -> str:
    """The folder without a leading `./` and slashes around it; empty for all folders."""
    return compose(folder or "").strip().removeprefix("./").strip("/").replace("\0", "")


class ListDocPagesParams(ToolParams):
    aliases: ClassVar = {
        **COLLECTION_ALIASES,
        **dict.fromkeys(FOLDER_NAMES, "folder"),
        **LIMIT_ALIASES,
    }
    instead: ClassVar = {
        "version": "collection may name the one of that version; list_collections gives them",
        **dict.fromkeys(("query", *QUERY_NAMES), f"to find by words: search_docs(query={VALUE})"),
    }

    collection: CollectionName = None
    folder: Annotated[
        str | None, Field(max_length=2000, description="Folder path"), OrAbsent, AfterValidator(name_folder)
    ] = None
    category: Category = None
    status: Annotated[Status, Field(description="All but success need write scope")] = "success"
    limit: PageLimit = PAGE_DOCUMENTS
    cursor: Cursor = None


class Choice(NamedTuple):
    """Which documents a list has. `status` may be "all"; `folder` is as name_folder() returns it."""

    reach: Reach
    status: str
    category: str | None
    folder: str | None

    @property
    def kind(self) -> str:
        """Identifies the list that a cursor belongs to: the collections (all visible ones, or those chosen) and the filters."""
        chosen, visible = self.reach.chosen, self.reach.visible
        named = sorted(c.pk for c in chosen) if len(chosen) < len(visible) else "all"
        return (
            f"pages.{named}.{self.status}.{dump_json([self.category and self.category.casefold(), self.folder or ''])}"
        )

    def select(self) -> QuerySet[Document] | QuerySet[Upload]:
        """The documents or uploads, unordered. Documents that are still to be read are uploads, and have no category."""
        within = Q(path__startswith=f"{self.folder}/") if self.folder else Q()
        if self.status in UNREAD:
            uploads = Upload.objects.in_collections(self.reach.chosen).with_status(self.status).filter(within)
            return uploads if self.category is None else uploads.none()
        documents = self.select_stored().filter(within)
        return documents if self.category is None else documents.filter(category__iexact=self.category)

    def select_stored(self) -> QuerySet[Document]:
        """The stored documents with this status, in any folder and of any category."""
        documents = Document.objects.in_collections(self.reach.chosen)
        return documents if self.status == "all" else documents.filter(status=self.status)


@dataclass(frozen=True, slots=True)
class Listing:
    """`counts`: how many documents have each status. `unread`: how many uploads of which no document is stored yet have each status. Both
    are filled only when documents of all statuses are listed.
    """

    documents: Sequence[Document]
    total: int
    more: bool
    call: Call
    params: ListDocPagesParams
    choice: Choice
    counts: Mapping[str, int] = field(default_factory=dict)
    unread: Mapping[str, int] = field(default_factory=dict)

    @property
    def reach(self) -> Reach:
        return self.choice.reach


def run(call: Call, params: ListDocPagesParams) -> TextAnswer:
    if params.status != "success" and not call.principal.may(Scope.WRITE):
        raise InvalidParameter(
            "status must be 'success' for this key: it reads indexed documents only.", allowed=["success"]
        )
    reach = get_reach(call, params.collection)
    choice = Choice(reach, params.status, params.category, params.folder)
    documents = choice.select()
    counts = count_by_status(documents) if params.status == "all" else {}
    total = sum(counts.values()) if params.status == "all" else documents.count()
    if params.cursor:
        collection_id, path = read_cursor(choice.kind, call.principal, params.cursor)
        documents = documents.filter(Q(collection__gt=collection_id) | Q(collection=collection_id, path__gt=path))
    rows = documents.order_by("collection_id", "path").select_related("collection__tenant").defer("content", "metadata")
    found = [row.make_unread(params.status) if isinstance(row, Upload) else row for row in rows[: params.limit + 1]]
    unread = count_unread(reach) if params.status == "all" else {}
    listing = Listing(found[: params.limit], total, len(found) > params.limit, call, params, choice, counts, unread)
    return TextAnswer(partial(render, listing), partial(make_data, listing))


def count_by_status(documents: QuerySet[Any]) -> dict[str, int]:
    """How many documents have each status, those that can be read first."""
    counts = dict(documents.order_by().values_list("status").annotate(Count("pk")))
    return {status: counts[status] for status in Document.Status.values if status in counts}


def count_unread(reach: Reach) -> dict[str, int]:
    return Upload.objects.in_collections(reach.chosen).count_unread()


def make_cursor_at(call: Call, choice: Choice, offset: int) -> str | None:
    """The cursor of a list that continues after `offset` documents (1 or more); None for an empty list."""
    positions = choice.select().order_by("collection_id", "path").values_list("collection_id", "path")
    last = positions[offset - 1 : offset].first() or positions.last()
    return make_cursor(choice.kind, call.principal, list(last)) if last else None


def render(listing: Listing) -> str:
    if not listing.documents:
        return render_nothing(listing)
    lines = [render_document(document, listing) for document in listing.documents]

    def build(shown: int) -> str:
        text = [
            f"{shown} of {count_of(listing.total, 'document')}{render_counts(listing)}",
            *render_unread(listing),
            "",
            *lines[:shown],
        ]
        if cursor := make_next_cursor(listing, shown):
            text += ["", f"Next page: {format_next_call(listing.params, cursor)}"]
        return "\n".join(text)

    return build(fit_count(len(lines), build, READ_TOKENS))


def render_counts(listing: Listing) -> str:
    """`: 6 indexed, 2 failed`; empty if all can be read."""
    if set(listing.counts) <= {Document.Status.SUCCESS}:
        return ""
    words = {Document.Status.SUCCESS.value: "indexed"}
    return f": {', '.join(f'{count} {words.get(status, status)}' for status, count in listing.counts.items())}"


def render_unread(listing: Listing) -> list[str]:
    lines = []
    for status, count in listing.unread.items():
        call = format_call("list_doc_pages", collection=listing.params.collection, status=status)
        lines += [f"Not among them: {count} that {'is' if count == 1 else 'are'} {status}: {call}"] if count else []
    return lines


def format_next_call(params: ListDocPagesParams, cursor: str) -> str:
    status = None if params.status == "success" else params.status
    limit = None if params.limit == PAGE_DOCUMENTS else params.limit
    filters = {
        "collection": params.collection,
        "folder": params.folder or None,
        "category": params.category,
        "status": status,
        "limit": limit,
    }
    return format_call("list_doc_pages", **filters, cursor=cursor)


def render_nothing(listing: Listing) -> str:
    params = listing.params
    if listing.total:
        return describe_list_end(listing.total, "document")
    if not listing.reach.visible:
        return f"{NOTHING_VISIBLE} {ASK_FOR_KEY}"
    if has_folders(listing):
        folder, folders = shorten_name(params.folder or ""), ", ".join(list_folders(listing)) or "none"
        close = list_close_folders(listing)
        meant = f" Did you mean {' or '.join(close)}?" if close else ""
        return f"No document is in the folder {folder!r}.{meant} Folders: {folders}."
    with_status = "" if params.status in ("success", "all") else f" with status {params.status}"
    if has_categories(listing):
        category, categories = params.category or "", ", ".join(list_categories(listing)) or "none"
        return f"No document{with_status} has the category {shorten_name(category)!r}. Categories: {categories}."
    nothing = f"There is no document{with_status} here." if with_status else "No documents here yet."
    return "\n".join([nothing, *render_unread(listing)])


def has_folders(listing: Listing) -> bool:
    """Whether nothing was found because of the folder, so that another one may be suggested."""
    params = listing.params
    return bool(not listing.total and params.folder and params.category is None and params.status not in UNREAD)


def list_folders(listing: Listing) -> list[str]:
    """The first top-level folders of documents with this status, and how many documents each has."""
    outermost = Func(F("path"), Value("/"), Value(1), function="split_part", output_field=TextField())
    documents = listing.choice.select_stored().filter(path__contains="/")
    rows = documents.annotate(folder=outermost).values_list("folder").annotate(Count("pk")).order_by("folder")
    return [f"{shorten_name(folder)} ({count})" for folder, count in rows[:MAX_CATEGORIES]]


def list_close_folders(listing: Listing) -> list[str]:
    """Folders at any depth that end like the one asked for; if there are none, those with a similar name."""
    wanted = (listing.params.folder or "").lower()
    documents = listing.choice.select_stored().filter(path__contains="/").order_by("path")
    paths = documents.values_list("path", flat=True)[:MAX_COMPARED_PATHS]
    parents = (PurePosixPath(path).parents for path in paths if path.count("/") <= MAX_FOLDERS)
    folders = list(dict.fromkeys(str(folder) for each in parents for folder in list(each)[:-1]))
    alike = [folder for folder in folders if folder.lower() == wanted or folder.lower().endswith(f"/{wanted}")]
    return [shorten_name(folder) for folder in (alike or choose_close(wanted, folders))[:SUGGESTIONS]]


def has_categories(listing: Listing) -> bool:
    """Whether nothing was found because of the category, so that another one may be suggested."""
    return not listing.total and listing.params.category is not None and listing.params.status not in UNREAD


def list_categories(listing: Listing) -> list[str]:
    """The categories that most documents with this status have, by name."""
    documents = listing.choice.select_stored().exclude(category="")
    names = documents.order_by().values_list("category", flat=True).annotate(count=Count("pk"))
    return [shorten_name(name) for name in sorted(names.order_by("-count", "category")[:MAX_CATEGORIES])]


def render_document(document: Document, listing: Listing) -> str:
    path = " ".join(document.path.split())
    keywords = shorten_name(", ".join(document.keywords))
    facts = [
        f"{listing.reach.name(document.collection)}:{path}" if len(listing.reach.chosen) > 1 else path,
        name_by_id(document.pk) if document.pk and path != document.path else "",
        shorten_name(document.title),
        shorten_name(document.description),
        f"keywords: {keywords}" if keywords else "",
        tell_size(document) or "",
        shorten_name(document.category),
        f"{document.status} {describe_error(document)}".rstrip() if document.status != "success" else "",
    ]
    return f"- {join_facts(facts)}"


def tell_size(document: Document) -> str | None:
    return None if document.known_size_bytes is None else format_size(document.known_size_bytes)


def describe_error(document: Document) -> str:
    """Why the document cannot be read: what went wrong, or what was found in it."""
    found = ", ".join(sorted({finding["kind"] for finding in document.findings}))
    error = f"{document.error_code} {document.error_message}".strip()
    return shorten_name(error or (found if document.status == Document.Status.QUARANTINED else ""), 2 * NAME_TOKENS)


def make_next_cursor(listing: Listing, shown: int) -> str | None:
    if shown == len(listing.documents) and not listing.more:
        return None
    last = listing.documents[shown - 1]
    return make_cursor(listing.choice.kind, listing.call.principal, [last.collection_id, last.path])


def make_data(listing: Listing) -> dict[str, Any]:
    entries = [make_document_data(document, listing) for document in listing.documents]
    others: dict[str, Any] = {"by_status": dict(listing.counts)} if listing.counts else {}
    others |= {"unread": dict(listing.unread)} if listing.unread else {}
    if has_categories(listing):
        others["categories"] = list_categories(listing)
    if has_folders(listing):
        others |= {"folders": list_folders(listing), "close_folders": list_close_folders(listing)}

    def build(shown: int) -> dict[str, Any]:
        cursor = make_next_cursor(listing, shown) if entries else None
        return {"documents": entries[:shown], "total": listing.total, "next_cursor": cursor, **others}

    return build(fit_count(len(entries), lambda shown: dump_json(build(shown)), READ_TOKENS))


def make_document_data(document: Document, listing: Listing) -> dict[str, Any]:
    data: dict[str, Any] = {
        "collection": listing.reach.name(document.collection),
        "path": document.path,
        "title": shorten_name(document.title),
        "description": shorten_name(document.description),
        "keywords": take_keywords(document.keywords),
        "size": tell_size(document),
        "category": shorten_name(document.category),
    }
    if listing.call.principal.may(Scope.WRITE):
        data["status"] = document.status
        data["error"] = describe_error(document)
    return data


def take_keywords(keywords: Sequence[str]) -> list[str]:
    """The first keywords; each of them, and all together, cost at most their tokens."""
    short = [shorten_name(word) for word in keywords[:MAX_KEYWORDS]]
    return short[: fit_count(len(short), lambda count: dump_json(short[:count]), KEYWORDS_TOKENS)]


LIST_DOC_PAGES = Tool(
    name="list_doc_pages",
    title="List pages",
    description="List documents by path, with title, description, size, category. To find a passage, use search_docs.",
    params=ListDocPagesParams,
    run=run,
)
