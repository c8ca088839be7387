"""list_collections: what there is to read, and on request the caller's context, history and limits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from collections_app.access.principal import Principal, Scope
from collections_app.activity.history import get_recent_searches
from collections_app.catalog.names import ASK_FOR_KEY, NOTHING_VISIBLE, name_collections
from collections_app.catalog.visible import count_documents, count_not_served, get_visible_collections
from collections_app.documents.start_pages import find_out_about
from collections_app.limits.quotas import get_storage
from collections_app.limits.requests import describe_limits
from collections_app.limits.spending import get_spending
from collections_app.models import Collection, Document, Upload
from mcp_app.entries import Call, Tool, ToolParams
from mcp_app.protocol.cursors import make_cursor, read_cursor
from mcp_app.protocol.jsonrpc import dump_json
from mcp_app.rendering import (
    READ_TOKENS,
    TextAnswer,
    count_of,
    describe_list_end,
    fit_count,
    format_call,
    format_date,
    join_facts,
    shorten_name,
)
from mcp_app.tools.list_doc_pages import count_by_status
from mcp_app.tools.parameters import LIMIT_ALIASES, Cursor, PageLimit

DESCRIPTION_TOKENS = 125
# Length of the stand-in for a description that nobody wrote: about 150 characters.
ABOUT_TOKENS = 38
MAX_CONTEXT_NAMES = 100
PAGE_COLLECTIONS = 20
# Not mentioned: agents expect English, and "simple" is no language.
UNTOLD_LANGUAGES = ("english", "simple")


class ListCollectionsParams(ToolParams):
    aliases: ClassVar = LIMIT_ALIASES

    limit: PageLimit = PAGE_COLLECTIONS
    cursor: Cursor = None
    include: Annotated[
        list[Literal["context", "history", "limits"]], Field(max_length=3, description="Facts about this key")
    ] = []  # noqa: RUF012  (pydantic copies defaults)


@dataclass(frozen=True, slots=True)
class Overview:
    """`about`: stand-ins for missing descriptions. `not_served`: how many documents cannot be read, by collection and status; only for
    callers that may send them again."""

    collections: Sequence[Collection]
    names: Sequence[str]
    documents: dict[int, int]
    about: dict[int, str]
    not_served: dict[int, dict[str, int]]
    total: int
    more: bool
    limit: int
    principal: Principal
    extras: dict[str, Any] = field(default_factory=dict)


def run(call: Call, params: ListCollectionsParams) -> TextAnswer:
    visible = get_visible_collections(call.principal, call.narrowed_to)
    start = int(read_cursor("collections", call.principal, params.cursor)[0]) if params.cursor else 0
    page = [c for c in sorted(visible, key=lambda c: c.pk) if c.pk > start][: params.limit + 1]
    more = len(page) > params.limit
    page = page[: params.limit]
    extras = make_extras(call.principal, visible, params.include)
    names = name_collections(page, visible)
    not_served = count_not_served(page) if call.principal.may(Scope.WRITE) else {}
    overview = Overview(
        page,
        names,
        count_documents(page),
        find_out_about(page),
        not_served,
        len(visible),
        more,
        params.limit,
        call.principal,
        extras,
    )
    return TextAnswer(partial(render, overview), partial(make_data, overview))


def make_next_cursor(overview: Overview, shown: int) -> str | None:
    if shown == len(overview.collections) and not overview.more:
        return None
    return make_cursor("collections", overview.principal, [overview.collections[shown - 1].pk])


def make_cursor_at(call: Call, offset: int) -> str | None:
    """The cursor of a list that continues after `offset` collections (1 or more); None for an empty list."""
    ids = sorted(collection.pk for collection in get_visible_collections(call.principal, call.narrowed_to))
    return make_cursor("collections", call.principal, [ids[:offset][-1]]) if ids else None


def make_extras(principal: Principal, visible: Sequence[Collection], include: Sequence[str]) -> dict[str, Any]:
    makers: dict[str, Callable[[], Any]] = {
        "context": lambda: make_context(principal, visible),
        "history": lambda: make_history(principal),
        "limits": lambda: describe_limits(principal) | make_spending(principal, visible) | make_storage(principal),
    }
    return {name: makers[name]() for name in dict.fromkeys(include)}


def make_spending(principal: Principal, visible: Sequence[Collection]) -> dict[str, Any]:
    """What this month's answers have cost the tenant, for callers with the scope to ask."""
    if not visible or not principal.may(Scope.ASK):
        return {}
    return {"answers": get_spending(visible[0].tenant).describe()}


def make_storage(principal: Principal) -> dict[str, Any]:
    """How much of its storage the tenant has used, for callers with the scope to write."""
    if principal.tenant_id is None or not principal.may(Scope.WRITE):
        return {}
    storage = get_storage(principal.tenant_id)
    return {"storage": storage.describe()} if storage.is_limited else {}


def make_context(principal: Principal, visible: Sequence[Collection]) -> dict[str, Any]:
    updated = max((c.updated for c in visible), default=None)
    return {
        "tenants": sorted({c.tenant.slug for c in visible})[:MAX_CONTEXT_NAMES],
        "scopes": sorted(principal.scopes),
        "collections": name_collections(visible[:MAX_CONTEXT_NAMES], visible),
        "collection_count": len(visible),
        "documents": count_statuses(principal, visible),
        "updated": updated.isoformat() if updated else None,
    }


def count_statuses(principal: Principal, visible: Sequence[Collection]) -> dict[str, int]:
    """How many documents have each status; for callers that may upload, including uploads that are still to be read."""
    counts = count_by_status(Document.objects.in_collections(visible))
    unread = Upload.objects.in_collections(visible).count_unread() if principal.may(Scope.WRITE) else {}
    return counts | {status: count for status, count in unread.items() if count}


def make_history(principal: Principal) -> list[dict[str, Any]]:
    return [
        {"query": shorten_name(event.query), "hits": event.hits, "at": event.created.isoformat(timespec="seconds")}
        for event in get_recent_searches(principal)
    ]


def render(overview: Overview) -> str:
    named = zip(overview.collections, overview.names, strict=True)
    blocks = [render_collection(collection, name, overview) for collection, name in named]
    extras = [f"{name}: {dump_json(value)}" for name, value in overview.extras.items()]

    def build(shown: int) -> str:
        lines = [f"{shown} of {count_of(overview.total, 'collection')}", "", *blocks[:shown]]
        if cursor := make_next_cursor(overview, shown):
            limit = None if overview.limit == PAGE_COLLECTIONS else overview.limit
            lines += ["", f"Next page: {format_call('list_collections', limit=limit, cursor=cursor)}"]
        return "\n\n".join(["\n".join(lines), *extras])

    if not blocks:
        return "\n\n".join([render_nothing(overview), *extras])
    return build(fit_count(len(blocks), build, READ_TOKENS))


def render_nothing(overview: Overview) -> str:
    if not overview.total:
        return f"{NOTHING_VISIBLE} {ASK_FOR_KEY}"
    return describe_list_end(overview.total, "collection")


def render_collection(collection: Collection, name: str, overview: Overview) -> str:
    facts = [
        f"**{name}**",
        shorten_name(collection.name) if collection.name != collection.slug else "",
        f"version {shorten_name(collection.version)}" if collection.version else "",
        f"of library {shorten_name(collection.library)}" if collection.library else "",
        count_of(overview.documents.get(collection.pk, 0), "document")
        + "".join(f", {count} {status}" for status, count in overview.not_served.get(collection.pk, {}).items()),
        f"in {collection.language.capitalize()}" if collection.language not in UNTOLD_LANGUAGES else "",
        f"updated {format_date(collection.updated)}",
    ]
    description = shorten_name(collection.description, DESCRIPTION_TOKENS)
    told = description or shorten_name(overview.about.get(collection.pk, ""), ABOUT_TOKENS)
    return f"- {join_facts(facts)}" + (f"\n  {told}" if told else "")


def make_data(overview: Overview) -> dict[str, Any]:
    entries = [make_collection_data(collection, overview) for collection in overview.collections]

    def build(shown: int) -> dict[str, Any]:
        cursor = make_next_cursor(overview, shown) if entries else None
        return {"collections": entries[:shown], "total": overview.total, "next_cursor": cursor, **overview.extras}

    return build(fit_count(len(entries), lambda shown: dump_json(build(shown)), READ_TOKENS))


def make_collection_data(collection: Collection, overview: Overview) -> dict[str, Any]:
    return {
        "slug": collection.slug,
        "tenant": collection.tenant.slug,
        "name": shorten_name(collection.name),
        "description": shorten_name(collection.description, DESCRIPTION_TOKENS),
        **({"about": shorten_name(about, ABOUT_TOKENS)} if (about := overview.about.get(collection.pk)) else {}),
        "library": collection.library,
        "version": collection.version,
        "language": collection.language,
        "documents": overview.documents.get(collection.pk, 0),
        **({"not_served": counts} if (counts := overview.not_served.get(collection.pk)) else {}),
        "updated": collection.updated.isoformat(),
    }


LIST_COLLECTIONS = Tool(
    name="list_collections",
    title="List collections",
    description="List the collections you can search and read, with what each is about.",
    params=ListCollectionsParams,
    run=run,
)
