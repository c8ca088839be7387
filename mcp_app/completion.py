"""Completes half-typed names of collections that the caller may see, and paths of readable documents in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db.models import Case, Q, When

from collections_app.catalog.names import choose_several, name_collections
from collections_app.catalog.visible import get_visible_collections
from collections_app.exceptions import DocsError
from collections_app.models import Document
from mcp_app.entries import Call

# One more than a client is told, so that it learns that there are more.
MAX_VALUES = 101
MAX_TYPED_CHARACTERS = 1_000


def complete_collection(call: Call, value: str, others: Mapping[str, str]) -> list[str]:
    """Names of collections: those that begin with the text, then those that contain it."""
    visible = get_visible_collections(call.principal, call.narrowed_to)
    typed = value.casefold()
    matching = [name for name in name_collections(visible, visible) if typed in name.casefold()]
    return sorted(matching, key=lambda name: (not name.casefold().startswith(typed), name))


def complete_path(call: Call, value: str, others: Mapping[str, str]) -> Sequence[str]:
    """Paths that begin with the text, then those with a folder or file name that does; in one collection if `others` names it."""
    collection = others.get("collection", "")
    if max(len(value), len(collection)) > MAX_TYPED_CHARACTERS:
        return []
    visible = get_visible_collections(call.principal, call.narrowed_to)
    try:
        chosen = choose_several(visible, collection or None)
    except DocsError:
        return []
    documents = Document.objects.in_collections(chosen).readable()
    begins = Q(path__istartswith=value)
    matching = documents.filter(begins | Q(path__icontains=f"/{value}")).order_by(
        Case(When(begins, then=0), default=1), "path"
    )
    return list(matching.values_list("path", flat=True).distinct()[:MAX_VALUES])
