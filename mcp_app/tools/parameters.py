"""What several tools' parameters have in common: their types, their aliases, and what `collection` means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from collections_app.catalog import choose_collections, get_visible_collections
from collections_app.models import Collection
from mcp_app.registry import Call
from mcp_app.rendering import MAX_TOKENS

CollectionName = Annotated[str | None, Field(max_length=200, description="Collection slug; default: all")]
Path = Annotated[str, Field(min_length=1, max_length=2000, description="Document path, as search_docs gives it")]
TokenBudget = Annotated[int | None, Field(ge=100, le=MAX_TOKENS, description="Most tokens to return")]

PATH_ALIASES = {
    "filename": "path",
    "file": "path",
    "document_id": "path",
    "doc_id": "path",
    "id": "path",
    "url": "path",
    "file_path": "path",
}
COLLECTION_ALIASES = {"library": "collection", "collection_name": "collection", "libraryName": "collection"}


@dataclass(frozen=True, slots=True)
class Reach:
    """`chosen`: the collections that a call is about; `visible`: all that its caller may read."""

    chosen: Sequence[Collection]
    visible: Sequence[Collection]

    def name(self, collection: Collection) -> str:
        """Its slug where that is enough, else `tenant/slug`."""
        alike = sum(other.slug == collection.slug for other in self.visible)
        return collection.slug if alike <= 1 else f"{collection.tenant.slug}/{collection.slug}"


def get_reach(call: Call, collection: str | None) -> Reach:
    """Raises CollectionNotFound when there is no such collection for this caller."""
    visible = get_visible_collections(call.principal, call.narrowed_to)
    return Reach(choose_collections(visible, collection), visible)
