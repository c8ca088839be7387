"""A collection that is being deleted takes nothing in any more. Every way in asks here, in the transaction in which it writes.

What says so is the unfinished request for its deletion, or for its tenant's: one that broke off closes nothing any longer.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db import connection
from django.db.models import Exists, Q

from collections_app.exceptions import CollectionClosed
from collections_app.models import Collection, DataRequest
from collections_app.postgres.advisory_locks import SHARE_UNTIL_END, TAKE_UNTIL_END

# Advisory locks of this class are held until a transaction ends; the second number is the collection's.
LOCK = 0x646F636C


def check_is_open(tenant_id: int, collection_id: int) -> None:
    """Whoever is to delete the collection waits until the transaction ends. Raises CollectionClosed where somebody deletes it already."""
    with connection.cursor() as cursor:
        cursor.execute(SHARE_UNTIL_END, [LOCK, collection_id])
    # In a statement after the lock: it sees the request of whoever had it.
    requests = DataRequest.objects.filter(tenant=tenant_id, state__in=DataRequest.UNFINISHED)
    deletions = requests.filter(Q(collection=collection_id) | Q(kind=DataRequest.Kind.DELETE_TENANT))
    if not Collection.objects.filter(~Exists(deletions), pk=collection_id).exists():
        raise CollectionClosed("This collection is being deleted and takes nothing in any more. Choose another one.")


def wait_for_fillers(collection_ids: Iterable[int]) -> None:
    """Until the transaction ends nobody fills these collections; what others have begun to put in is there."""
    with connection.cursor() as cursor:
        for collection_id in sorted(collection_ids):
            cursor.execute(TAKE_UNTIL_END, [LOCK, collection_id])
