"""The number of a collection by which answers and embeddings are remembered: raised by whatever may change what a search finds."""

from __future__ import annotations

from django.db.models import F
from django.utils import timezone

from collections_app.limits.quotas import make_counts
from collections_app.models import Collection


def bump_index_version(collection: Collection, *, documents: int = 0, size_bytes: int = 0) -> None:
    """What was remembered of this collection's answers is no longer true. So many documents came in, with files of so many bytes;
    fewer than none where they left."""
    counts = make_counts(documents, size_bytes)
    Collection.objects.filter(pk=collection.pk).update(
        index_version=F("index_version") + 1, updated=timezone.now(), **counts
    )
