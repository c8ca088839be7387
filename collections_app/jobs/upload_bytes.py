"""Stores and loads the bytes of uploads: in their rows, or in the object store that UPLOAD_STORE names.

An object's key is the SHA-256 of its bytes, below its tenant. The object is written before the row that refers to it is committed, and a
sweep deletes it after the last such row is gone. Between writing and commit no object of the tenant is deleted, so no row ever lacks its
bytes.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.db import connection
from django.utils import timezone

from collections_app.clients.object_store import Store, StoreUnavailable, open_store
from collections_app.exceptions import FetchError, UploadRemoved
from collections_app.models import Source, Upload
from collections_app.postgres.advisory_locks import SHARE_UNTIL_END, holding_lock

FOLDER = "uploads"
# Matches keys from make_key() and drafts of them; other objects in the store do not belong to this server and are never deleted.
OWN_KEY = re.compile(rf"{FOLDER}/\d{{1,18}}/[^/]+")
# Unclaimed objects stay this long, for writers that do not take the lock, such as an earlier release: much longer than a transaction.
KEPT_UNCLAIMED = timedelta(days=1)
# Writers share this lock from storing a tenant's bytes until their row is committed; the sweep holds it exclusively while it deletes.
STORE_LOCK = 0x646F6375


def make_key(tenant_id: int, content_hash: str) -> str:
    return f"{FOLDER}/{tenant_id}/{content_hash}"


def hold_off_sweep(source: Source) -> None:
    """Keep the sweep from deleting objects of the source's tenant until the transaction ends."""
    if settings.DOCSMCP.upload_store:
        with connection.cursor() as cursor:
            cursor.execute(SHARE_UNTIL_END, [STORE_LOCK, source.tenant_id])


def put_into_store(rows: Iterable[Upload]) -> None:
    """Move the bytes of these rows into the store, if there is one. The rows must be written in a transaction that holds off the sweep.

    Raises StoreUnavailable.
    """
    if not settings.DOCSMCP.upload_store:
        return
    store = open_store(settings.DOCSMCP.upload_store)
    for row in rows:
        if row.content is not None:
            store.put(make_key(row.tenant_id, row.content_hash), bytes(row.content))
            row.content = None


def load_content(source: Source, pk: int) -> bytes | None:
    """The bytes of an upload; None if they have to be fetched from its URL.

    Raises FetchError, and UploadRemoved if the upload was removed since uploads were listed.
    """
    row = source.uploads.filter(pk=pk).values_list("content", "content_hash").first()
    if row is None:
        raise UploadRemoved
    content, content_hash = row
    if content is not None:
        return bytes(content)
    return read_from_store(source.tenant_id, content_hash) if content_hash else None


def read_from_store(tenant_id: int, content_hash: str) -> bytes:
    url = settings.DOCSMCP.upload_store
    if not url:
        raise FetchError("Its bytes are in an object store that UPLOAD_STORE does not name any more.")
    try:
        return open_store(url).get(make_key(tenant_id, content_hash))
    except StoreUnavailable as error:
        raise FetchError(f"{error.message} Then retry the job.") from None


def sweep_store() -> int:
    """Delete objects that no row refers to and that are at least KEPT_UNCLAIMED old; returns how many there were.

    Objects of a tenant with an upload in progress stay for the next sweep.
    """
    if not settings.DOCSMCP.upload_store:
        return 0
    store = open_store(settings.DOCSMCP.upload_store)
    return sum(
        delete_unclaimed(store, tenant_id, hashes)
        for batch in store.iter_batches(f"{FOLDER}/")
        for tenant_id, hashes in list_old(batch).items()
    )


def list_old(objects: Sequence[tuple[str, datetime]]) -> dict[int, list[str]]:
    """Tenant id → the hashes of its objects that are old enough to be deleted."""
    by_tenant: defaultdict[int, list[str]] = defaultdict(list)
    for key, written in objects:
        if written < timezone.now() - KEPT_UNCLAIMED and OWN_KEY.fullmatch(key):
            _, tenant, content_hash = key.split("/")
            by_tenant[int(tenant)].append(content_hash)
    return by_tenant


def delete_unclaimed(store: Store, tenant_id: int, hashes: Sequence[str]) -> int:
    """Delete those of these objects that no row refers to; returns how many there were.

    The lock is taken only if there is something to delete, which is rare.
    """
    if not find_unclaimed(tenant_id, hashes):
        return 0
    with holding_lock(STORE_LOCK, tenant_id) as is_held:
        unclaimed = find_unclaimed(tenant_id, hashes) if is_held else []
        if unclaimed:
            store.delete([make_key(tenant_id, content_hash) for content_hash in unclaimed])
    return len(unclaimed)


def find_unclaimed(tenant_id: int, hashes: Sequence[str]) -> list[str]:
    rows = Upload.objects.filter(tenant=tenant_id, content_hash__in=hashes)
    claimed = set(rows.values_list("content_hash", flat=True))
    return [content_hash for content_hash in hashes if content_hash not in claimed]
