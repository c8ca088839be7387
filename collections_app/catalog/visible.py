"""The collections that a principal may read, and how many documents they have."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from django.db.models import Count

from collections_app.access.principal import Principal
from collections_app.exceptions import CollectionNotFound
from collections_app.models import Collection, Document
from collections_app.models.prepared import Given, PreparedQuery

PRINCIPAL_IDS = ("api_key_id", "tenant_id", "user_id")


def get_visible_collections(principal: Principal, only: tuple[str, str] | None = None) -> list[Collection]:
    """All collections that the principal may read, ordered by tenant and slug; `only` (tenant slug, collection slug) selects one.

    Raises CollectionNotFound if that one may not be read.
    """
    query = prepare_visible(make_pattern(principal), only is not None)
    ids = {name: getattr(principal, name) for name in PRINCIPAL_IDS}
    names = {"tenant": only[0], "collection": only[1]} if only else {}
    known = principal.known
    # For a known caller, it was checked when the request came in that what it remembers is still valid.
    found = known.take_collections(only) if known else None
    if found is None:
        found = query.read({**ids, **names})
        if known:
            known.remember(found, only)
    if only and not found.rows:
        raise CollectionNotFound(f"There is no collection {only[0]}/{only[1]} here.")
    # Ordered here and not by the database, so that one statement serves all callers.
    return sorted(query.make_rows(found.rows), key=lambda collection: (collection.tenant.slug, collection.slug))


def make_pattern(principal: Principal) -> tuple[bool, ...]:
    """What decides which rule of visibility applies to the principal: which ids it has, and its rights."""
    return (
        *(getattr(principal, name) is not None for name in PRINCIPAL_IDS),
        principal.all_collections,
        principal.is_superuser,
    )


@cache
def prepare_visible(pattern: tuple[bool, ...], is_narrowed: bool) -> PreparedQuery[Collection]:
    """The prepared query of `visible_to` for principals with this pattern."""
    *has_ids, all_collections, is_superuser = pattern
    ids: dict[str, Any] = {name: Given(name) for name, has in zip(PRINCIPAL_IDS, has_ids, strict=True) if has}
    anyone = Principal(all_collections=all_collections, is_superuser=is_superuser, **ids)
    visible = Collection.objects.visible_to(anyone)
    if is_narrowed:
        visible = visible.filter(tenant__slug__iexact=Given("tenant"), slug__iexact=Given("collection"))
    return PreparedQuery(visible, "tenant")


def count_documents(collections: Sequence[Collection]) -> dict[int, int]:
    """Collection id → how many documents can be read there."""
    chosen = Collection.objects.filter(pk__in=[collection.pk for collection in collections])
    return dict(chosen.with_documents_count().order_by().values_list("pk", "documents_count"))


def count_not_served(collections: Sequence[Collection]) -> dict[int, dict[str, int]]:
    """Collection id → how many of its documents are failed or quarantined, which count_documents() leaves out."""
    kept = Document.objects.in_collections(collections).not_served().order_by()
    counts: dict[int, dict[str, int]] = {}
    for collection_id, status, count in (
        kept.values_list("collection", "status").annotate(Count("pk")).order_by("status")
    ):
        counts.setdefault(collection_id, {})[status] = count
    return counts
