"""list_collections: what there is to read, and on request what the caller has, asked and may."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Any, ClassVar, Literal

from django.conf import settings
from django.db.models import Count
from pydantic import Field

from collections_app.catalog import get_visible_collections
from collections_app.history import get_recent_searches
from collections_app.models import ApiKey, Collection, Document
from collections_app.principal import Principal
from mcp_app.cursors import make_cursor, read_cursor
from mcp_app.registry import Call, Tool, ToolParams
from mcp_app.rendering import (
    READ_TOKENS,
    TextAnswer,
    dump_json,
    format_call,
    format_date,
    join_facts,
    shorten,
    take_within,
)

MAX_DESCRIPTION_CHARACTERS = 500


class ListCollectionsParams(ToolParams):
    aliases: ClassVar = {"max_results": "limit", "page_size": "limit"}

    limit: Annotated[int, Field(ge=1, le=100)] = 20
    cursor: Annotated[str | None, Field(max_length=4000, description="From the answer before")] = None
    include: Annotated[
        list[Literal["context", "history", "limits"]], Field(max_length=3, description="More about this key")
    ] = []  # noqa: RUF012  (pydantic copies defaults)


@dataclass(frozen=True, slots=True)
class Overview:
    collections: Sequence[Collection]
    documents: dict[int, int]
    total: int
    next_cursor: str | None
    extras: dict[str, Any] = field(default_factory=dict)


def run(call: Call, params: ListCollectionsParams) -> TextAnswer:
    visible = get_visible_collections(call.principal, call.narrowed_to)
    start = int(read_cursor("collections", call.principal, params.cursor)[0]) if params.cursor else 0
    page = [c for c in sorted(visible, key=lambda c: c.pk) if c.pk > start][: params.limit + 1]
    more = len(page) > params.limit
    page = page[: params.limit]
    cursor = make_cursor("collections", call.principal, [page[-1].pk]) if more else None
    overview = Overview(
        page, count_documents(page), len(visible), cursor, make_extras(call.principal, visible, params.include)
    )
    return TextAnswer(partial(render, overview), partial(make_data, overview))


def make_cursor_at(call: Call, offset: int) -> str | None:
    """The cursor of a list that goes on after `offset` collections (1 or more); None for an empty list."""
    ids = sorted(collection.pk for collection in get_visible_collections(call.principal, call.narrowed_to))
    return make_cursor("collections", call.principal, [ids[:offset][-1]]) if ids else None


def count_documents(collections: Sequence[Collection]) -> dict[int, int]:
    counted = Document.objects.filter(
        tenant_id__in={c.tenant_id for c in collections}, collection__in=[c.pk for c in collections], status="success"
    )
    return dict(counted.order_by().values_list("collection_id").annotate(Count("pk")))


def make_extras(principal: Principal, visible: Sequence[Collection], include: Sequence[str]) -> dict[str, Any]:
    makers: dict[str, Callable[[], Any]] = {
        "context": lambda: make_context(principal, visible),
        "history": lambda: make_history(principal),
        "limits": lambda: make_limits(principal),
    }
    return {name: makers[name]() for name in dict.fromkeys(include)}


def make_context(principal: Principal, visible: Sequence[Collection]) -> dict[str, Any]:
    counts = (
        Document.objects.filter(collection__in=[c.pk for c in visible])
        .order_by()
        .values_list("status")
        .annotate(Count("pk"))
    )
    updated = max((c.updated for c in visible), default=None)
    return {
        "tenants": sorted({c.tenant.slug for c in visible}),
        "scopes": sorted(principal.scopes),
        "collections": [c.slug for c in visible],
        "documents": dict(counts),
        "updated": updated.isoformat() if updated else None,
    }


def make_history(principal: Principal) -> list[dict[str, Any]]:
    return [
        {"query": event.query, "hits": event.hits, "at": event.created.isoformat(timespec="seconds")}
        for event in get_recent_searches(principal)
    ]


def make_limits(principal: Principal) -> dict[str, Any]:
    own = (
        ApiKey.objects.filter(pk=principal.api_key_id).values_list("rate_limit", flat=True).first()
        if principal.api_key_id
        else None
    )
    return {
        "requests": own or settings.DOCSMCP.mcp_rate_limit_requests,
        "window_seconds": settings.DOCSMCP.mcp_rate_limit_window,
    }


def render(overview: Overview) -> str:
    if not overview.collections:
        lines = ["There is no collection that this caller may read yet."]
    else:
        blocks = [render_collection(collection, overview) for collection in overview.collections]
        lines = [f"{len(blocks)} of {overview.total} collections", "", *take_within(blocks, str, READ_TOKENS)]
    if overview.next_cursor:
        lines += ["", f"Next page: {format_call('list_collections', cursor=overview.next_cursor)}"]
    for name, value in overview.extras.items():
        lines += ["", f"{name}: {dump_json(value)}"]
    return "\n".join(lines)


def render_collection(collection: Collection, overview: Overview) -> str:
    facts = [
        f"**{collection.slug}**",
        collection.name if collection.name != collection.slug else "",
        collection.version,
        f"{overview.documents.get(collection.pk, 0)} documents",
        f"updated {format_date(collection.updated)}",
    ]
    description = f"\n  {shorten(collection.description, MAX_DESCRIPTION_CHARACTERS)}" if collection.description else ""
    return f"- {join_facts(facts)}{description}"


def make_data(overview: Overview) -> dict[str, Any]:
    collections = [
        {
            "slug": c.slug,
            "tenant": c.tenant.slug,
            "name": c.name,
            "description": shorten(c.description, MAX_DESCRIPTION_CHARACTERS),
            "version": c.version,
            "documents": overview.documents.get(c.pk, 0),
            "updated": c.updated.isoformat(),
        }
        for c in overview.collections
    ]
    return {"collections": collections, "total": overview.total, "next_cursor": overview.next_cursor, **overview.extras}


LIST_COLLECTIONS = Tool(
    name="list_collections",
    title="List collections",
    description="List the collections that can be searched and read, with what each is about.",
    params=ListCollectionsParams,
    run=run,
)
