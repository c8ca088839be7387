"""Where the bytes of uploads are: in their rows, or in the object store that UPLOAD_STORE names.

An object's key is the SHA-256 of its bytes, below its tenant. It is written before the row that stands for it is committed, and deleted by
a sweep after the last such row is gone. Nothing of a tenant is deleted between the two, so no row ever lacks its bytes.
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
# What make_key() gives, and drafts of it; what lies elsewhere is not the server's to delete.
OWN_KEY = re.compile(rf"{FOLDER}/\d{{1,18}}/[^/]+")
# Of a writer that does not share the lock, as one of an earlier release: as long as its transaction may last, and much longer.
KEPT_UNCLAIMED = timedelta(days=1)
# Shared by who puts a tenant's bytes there until their row is committed; of the sweep alone while it deletes.
STORE_LOCK = 0x646F6375


def make_key(tenant_id: int, content_hash: str) -> str:
    return f"{FOLDER}/{tenant_id}/{content_hash}"


def hold_off_sweep(source: Source) -> None:
    """Until the transaction ends, the sweep deletes nothing of the source's tenant."""
    if settings.DOCSMCP.upload_store:
        with connection.cursor() as cursor:
            cursor.execute(SHARE_UNTIL_END, [STORE_LOCK, source.tenant_id])


def put_into_store(rows: Iterable[Upload]) -> None:
    """Take the bytes out of these rows, which a transaction that holds off the sweep writes next, where there is a store for them. Raises
    StoreUnavailable."""
    if not settings.DOCSMCP.upload_store:
        return
    store = open_store(settings.DOCSMCP.upload_store)
    for row in rows:
        if row.content is not None:
            store.put(make_key(row.tenant_id, row.content_hash), bytes(row.content))
            row.content = None


def load_content(source: Source, pk: int) -> bytes | None:
    """None for what is to be fetched from its URL. Raises FetchError, and UploadRemoved for what was there when uploads were listed."""
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
    """Delete the objects that no row has needed for a day; how many there were. Those of a tenant that uploads just now stay for the
    next sweep."""
    if not settings.DOCSMCP.upload_store:
        return 0
    store = open_store(settings.DOCSMCP.upload_store)
    return sum(
        delete_unclaimed(store, tenant_id, hashes)
        for batch in store.iter_batches(f"{FOLDER}/")
        for tenant_id, hashes in list_old(batch).items()
    )


def list_old(objects: Sequence[tuple[str, datetime]]) -> dict[int, list[str]]:
    """By their tenants, the hashes of those that are old enough to be deleted."""
    by_tenant: defaultdict[int, list[str]] = defaultdict(list)
    for key, written in objects:
        if written < timezone.now() - KEPT_UNCLAIMED and OWN_KEY.fullmatch(key):
            _, tenant, content_hash = key.split("/")
            by_tenant[int(tenant)].append(content_hash)
    return by_tenant


def delete_unclaimed(store: Store, tenant_id: int, hashes: Sequence[str]) -> int:
    """How many there were. The lock is for the moment of the deletion only, which most batches have none of."""
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
