"""Keeps new documents out of a collection that is being deleted. Every way in asks here, in the transaction in which it writes.

A collection is closed by an unfinished request for its deletion, or its tenant's; a request that has failed no longer closes it.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db import connection
from django.db.models import Exists, Q

from collections_app.exceptions import CollectionClosed
from collections_app.models import Collection, DataRequest
from collections_app.postgres.advisory_locks import SHARE_UNTIL_END, TAKE_UNTIL_END

# Advisory locks of this class are held until a transaction ends; the second number is the collection's id.
LOCK = 0x646F636C


def check_is_open(tenant_id: int, collection_id: int) -> None:
    """Whoever wants to delete the collection waits until this transaction ends. Raises CollectionClosed if it is being deleted already."""
    with connection.cursor() as cursor:
        cursor.execute(SHARE_UNTIL_END, [LOCK, collection_id])
    # A statement after the lock, so that it sees the request of whoever held it.
    requests = DataRequest.objects.filter(tenant=tenant_id, state__in=DataRequest.UNFINISHED)
    deletions = requests.filter(Q(collection=collection_id) | Q(kind=DataRequest.Kind.DELETE_TENANT))
    if not Collection.objects.filter(~Exists(deletions), pk=collection_id).exists():
        raise CollectionClosed("This collection is being deleted and takes nothing in any more. Choose another one.")


def wait_for_fillers(collection_ids: Iterable[int]) -> None:
    """Until the transaction ends nobody adds to these collections; what others had begun to add is committed."""
    with connection.cursor() as cursor:
        for collection_id in sorted(collection_ids):
            cursor.execute(TAKE_UNTIL_END, [LOCK, collection_id])
