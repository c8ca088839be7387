"""One version of a document, which is replaced as a whole at any moment: who reads it in several queries reads one of them, or is told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from django.db.models import QuerySet

from collections_app.exceptions import InternalError
from collections_app.models import Collection, Document, Section
from collections_app.postgres.replicas import read_from_replica

READ_ATTEMPTS = 3

T = TypeVar("T")


class DocumentReplaced(InternalError):
    """The document was replaced or removed since it was looked up: look it up again."""

    retryable = True

    def __init__(self, document: Document) -> None:
        super().__init__(f"{document.path} is being replaced by a newer version. Read it again.", retry_after=1)


def read_steadily(read: Callable[[], T], collections: Sequence[Collection] = ()) -> T:
    """What `read` gives, which is begun anew when a document is replaced while it is read; by a replica, where these collections are given.

    It looks up the document itself, and writes nothing. Raises DocumentReplaced when that never stops.
    """
    for _ in range(READ_ATTEMPTS - 1):
        try:
            return read_from_replica(collections, read) if collections else read()
        except DocumentReplaced:
            continue
    return read()


def sections_of(document: Document) -> QuerySet[Section]:
    """The sections of this very version of the document, in order: none, once it was replaced."""
    return Section.objects.filter(
        tenant=document.tenant_id, document=document, document__indexed=document.indexed
    ).order_by("position")


def check_version(document: Document) -> None:
    """Raises DocumentReplaced unless it is still the one that there is."""
    if not Document.objects.filter(pk=document.pk, indexed=document.indexed).exists():
        raise DocumentReplaced(document)
