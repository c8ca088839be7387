"""How much a tenant may store: how many documents, and how many bytes of the files that they were read from.

Each collection keeps both counts, changed in the transactions that write and remove its documents, so that no documents need to be read
to know them. Concurrent writers see what was committed before their batch, so together they may exceed a limit by a batch each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Count, F, Sum
from django.db.models.functions import Coalesce

from collections_app.exceptions import InvalidParameter, QuotaExceeded
from collections_app.models import Collection, Document, Tenant

NEARLY_FULL_PERCENT = 90
MAX_DOCUMENTS = 1_000_000_000
MAX_BYTES = 2**50

# Needed for each batch of documents. In SQL, since Django would take longer to write it than PostgreSQL to answer.
STORED = """
SELECT tenant.slug, tenant.max_documents, tenant.max_bytes, coalesce(sum(own.stored_documents), 0), coalesce(sum(own.stored_bytes), 0)
FROM collections_app_tenant AS tenant LEFT JOIN collections_app_collection AS own ON own.tenant_id = tenant.id
"""

_MEND = "Remove documents, or ask the operator of this server to raise the limit."


@dataclass(frozen=True, slots=True)
class Storage:
    """What a tenant has stored, and the most that it may; 0 for any number."""

    documents: int
    size_bytes: int
    max_documents: int
    max_bytes: int

    @property
    def is_limited(self) -> bool:
        return bool(self.max_documents or self.max_bytes)

    @property
    def percent(self) -> int:
        """How much of a limit is used, in percent: the larger of both, at most 100; 0 if there is no limit."""
        return max(
            compute_percent(self.documents, self.max_documents), compute_percent(self.size_bytes, self.max_bytes)
        )

    @property
    def is_nearly_full(self) -> bool:
        return self.percent >= NEARLY_FULL_PERCENT

    def describe(self) -> dict[str, Any]:
        """For programs; a limit that does not exist is null."""
        return {
            "documents": self.documents,
            "max_documents": self.max_documents or None,
            "bytes": self.size_bytes,
            "max_bytes": self.max_bytes or None,
        }


NOTHING = Storage(0, 0, 0, 0)


class Room:
    """What may still be stored while documents are written: `documents` and `size_bytes` count what was taken in through it."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage
        self.documents = 0
        self.size_bytes = 0

    def take(self, size_bytes: int, old_bytes: int | None = None) -> None:
        """Takes in a document of so many bytes; it replaces one of `old_bytes` unless that is None.

        Raises QuotaExceeded if the document adds to what is stored and exceeds a limit.
        """
        more_documents, more_bytes = int(old_bytes is None), size_bytes - (old_bytes or 0)
        self.check_documents(more_documents)
        self.check_bytes(size_bytes, more_bytes)
        self.documents += more_documents
        self.size_bytes += more_bytes

    def check_documents(self, more: int) -> None:
        used, most = self.storage.documents + self.documents, self.storage.max_documents
        if most and more > 0 and used + more > most:
            raise QuotaExceeded(
                f"The tenant has {used:,} documents and may have {most:,}. {_MEND}",
                stored_documents=used,
                max_documents=most,
            )

    def check_bytes(self, size_bytes: int, more: int) -> None:
        used, most = self.storage.size_bytes + self.size_bytes, self.storage.max_bytes
        if most and more > 0 and used + more > most:
            raise QuotaExceeded(
                f"It has {size_bytes:,} bytes, and the tenant's documents have {used:,} of the {most:,} that they may have. {_MEND}",
                size_bytes=size_bytes,
                stored_bytes=used,
                max_bytes=most,
            )


def count_stored(collection: Collection, room: Room) -> None:
    """Adds what was taken in to the collection's counts, for cases in which nothing else of the collection changes."""
    if counts := make_counts(room.documents, room.size_bytes):
        Collection.objects.filter(pk=collection.pk).update(**counts)


def make_counts(documents: int, size_bytes: int) -> dict[str, Any]:
    """The changes to a collection's counts."""
    if not (documents or size_bytes):
        return {}
    return {"stored_documents": F("stored_documents") + documents, "stored_bytes": F("stored_bytes") + size_bytes}


def get_storage(tenant_id: int) -> Storage:
    """Raises Tenant.DoesNotExist."""
    with connection.cursor() as cursor:
        cursor.execute(STORED + "WHERE tenant.id = %s GROUP BY tenant.id", [tenant_id])
        row = cursor.fetchone()
    if row is None:
        raise Tenant.DoesNotExist
    return make_storage(*row[1:])


def list_nearly_full() -> list[tuple[str, Storage]]:
    """The slug of each tenant that has used 90 % of a limit or more, the fullest first."""
    with connection.cursor() as cursor:
        cursor.execute(STORED + "GROUP BY tenant.id")
        found = [(row[0], make_storage(*row[1:])) for row in cursor.fetchall()]
    return sorted((each for each in found if each[1].is_nearly_full), key=lambda each: (-each[1].percent, each[0]))


def make_storage(max_documents: int | None, max_bytes: int | None, documents: int, size_bytes: int) -> Storage:
    """From the columns of STORED after the slug."""
    config = settings.DOCSMCP
    return Storage(
        max(0, int(documents)),
        max(0, int(size_bytes)),
        config.max_tenant_documents if max_documents is None else max_documents,
        config.max_tenant_bytes if max_bytes is None else max_bytes,
    )


def compute_percent(used: int, most: int) -> int:
    return min(100, 100 * used // most) if most else 0


def change_limits(tenant: Tenant, limits: dict[str, int | None]) -> None:
    """Sets `max_documents` and `max_bytes` of the tenant: 0 for any number, None for the setting's. Raises InvalidParameter."""
    for name, most in (("max_documents", MAX_DOCUMENTS), ("max_bytes", MAX_BYTES)):
        value = limits.get(name)
        if value is not None and not 0 <= value <= most:
            raise InvalidParameter(f"{name} is a whole number from 0 (any number) to {most:,}.")
    for name, value in limits.items():
        setattr(tenant, name, value)
    tenant.save(update_fields=list(limits))


def recount_all() -> int:
    """Counts the documents of every collection; returns how many counts were wrong, and are now corrected."""
    return sum(recount(collection) for collection in Collection.objects.iterator())


def recount(collection: Collection) -> bool:
    """Whether the collection's counts were wrong. Documents may be written meanwhile; writers wait only if a count has to be corrected."""
    if count_documents(collection) == (collection.stored_documents, collection.stored_bytes):
        return False
    with transaction.atomic():
        rows = Collection.objects.filter(pk=collection.pk)
        kept = rows.select_for_update(no_key=True).values_list("stored_documents", "stored_bytes").first()
        # A statement after the lock sees what others committed before they released it.
        counted = count_documents(collection)
        if kept is None or kept == counted:
            return False
        rows.update(stored_documents=counted[0], stored_bytes=counted[1])
    return True


def count_documents(collection: Collection) -> tuple[int, int]:
    """How many documents there are, and the bytes of their files."""
    counted = Document.objects.in_collections([collection]).aggregate(
        documents=Count("pk"), size_bytes=Coalesce(Sum("size_bytes"), 0)
    )
    return int(counted["documents"]), int(counted["size_bytes"])
