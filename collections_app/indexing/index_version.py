"""A collection's index_version, which cached answers and embeddings refer to. Whatever may change what a search finds increases it."""

from __future__ import annotations

from django.db.models import F
from django.utils import timezone

from collections_app.limits.quotas import make_counts
from collections_app.models import Collection


def bump_index_version(collection: Collection, *, documents: int = 0, size_bytes: int = 0) -> None:
    """Invalidate the collection's cached answers, and add to its counts of documents and of their bytes (negative for removals)."""
    counts = make_counts(documents, size_bytes)
    Collection.objects.filter(pk=collection.pk).update(
        index_version=F("index_version") + 1, updated=timezone.now(), **counts
    )
