"""Consistent reading of one version of a document, which may be replaced as a whole at any time.

Whoever reads it with several queries gets data from one version only, or DocumentReplaced.
"""

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
    """Call `read` and return its result; start over if a document is replaced meanwhile. With `collections`, it may read from a replica.

    `read` must look up the document itself, and write nothing. Raises DocumentReplaced if the last attempt fails too.
    """
    for _ in range(READ_ATTEMPTS - 1):
        try:
            return read_from_replica(collections, read) if collections else read()
        except DocumentReplaced:
            continue
    return read()


def sections_of(document: Document) -> QuerySet[Section]:
    """The sections of exactly this version of the document, in order; none once it was replaced."""
    return Section.objects.filter(
        tenant=document.tenant_id, document=document, document__indexed=document.indexed
    ).order_by("position")


def check_version(document: Document) -> None:
    """Raises DocumentReplaced unless this version of the document is still the current one."""
    if not Document.objects.filter(pk=document.pk, indexed=document.indexed).exists():
        raise DocumentReplaced(document)
