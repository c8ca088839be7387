"""Which collections there are for a principal, and which of them a caller means."""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz import process

from collections_app.exceptions import CollectionNotFound, InvalidParameter
from collections_app.models import Collection
from collections_app.principal import Principal


def get_visible_collections(principal: Principal, only: tuple[str, str] | None = None) -> list[Collection]:
    """All that the principal may read, by tenant and slug; `only` (tenant slug, collection slug) narrows to one, which must be visible."""
    visible = Collection.objects.visible_to(principal).select_related("tenant").order_by("tenant__slug", "slug")
    if only is None:
        return list(visible)
    collections = list(visible.filter(tenant__slug__iexact=only[0], slug__iexact=only[1]))
    if not collections:
        raise CollectionNotFound(f"There is no collection {only[0]}/{only[1]} here.")
    return collections


def choose_collections(visible: Sequence[Collection], name: str | None) -> list[Collection]:
    """The collections that `name` means (a slug or `tenant/slug`, in any case), or all visible ones without a name.

    Raises CollectionNotFound with the names there are, closest first, and InvalidParameter when a bare slug is several tenants'.
    """
    if name is None:
        return list(visible)
    wanted = name.strip().lower()
    matching = [c for c in visible if wanted in (c.slug.lower(), f"{c.tenant.slug}/{c.slug}".lower())]
    if not matching:
        raise CollectionNotFound(*explain_missing(visible, name))
    if len(matching) > 1:
        full = [f"{c.tenant.slug}/{c.slug}" for c in matching]
        raise InvalidParameter(
            f"Several collections are named {name!r}: say which one: {', '.join(full)}.", collections=full
        )
    return matching


def explain_missing(visible: Sequence[Collection], name: str) -> tuple[str]:
    if not visible:
        return (f"There is no collection {name!r}: this key may read no collection yet.",)
    slugs = [c.slug for c in visible]
    close = [match for match, *_ in process.extract(name.lower(), slugs, limit=3, score_cutoff=60)]
    hint = f"Did you mean {' or '.join(close)}? " if close else ""
    listed = ", ".join(slugs[:20]) + (", …" if len(slugs) > 20 else "")
    return (f"There is no collection {name!r}. {hint}There are: {listed}. list_collections describes them.",)
