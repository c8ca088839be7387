"""Where the bytes of uploads are: in their rows, or in the object store that UPLOAD_STORE names.

An object's key is the SHA-256 of its bytes, below its tenant. It is written before the row that stands for it is committed, and deleted by
a sweep after the last such row is gone, so no row ever lacks its bytes.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone

from collections_app.clients.object_store import StoreUnavailable, open_store
from collections_app.exceptions import FetchError, UploadRemoved
from collections_app.models import Source, Upload

FOLDER = "uploads"
# What make_key() gives, and drafts of it; what lies elsewhere is not the server's to delete.
OWN_KEY = re.compile(rf"{FOLDER}/\d{{1,18}}/[^/]+")
# As long as a transaction that writes a row may last, and much longer.
KEPT_UNCLAIMED = timedelta(days=1)


def make_key(tenant_id: int, content_hash: str) -> str:
    return f"{FOLDER}/{tenant_id}/{content_hash}"


def put_into_store(rows: Iterable[Upload]) -> None:
    """Take the bytes out of these rows, which are not written yet, where there is a store for them. Raises StoreUnavailable."""
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
    """Delete the objects that no row has needed for a day; how many there were."""
    if not settings.DOCSMCP.upload_store:
        return 0
    store = open_store(settings.DOCSMCP.upload_store)
    count = 0
    for batch in store.iter_batches(f"{FOLDER}/"):
        if unclaimed := find_unclaimed(batch):
            store.delete(unclaimed)
            count += len(unclaimed)
    return count


def find_unclaimed(objects: Sequence[tuple[str, datetime]]) -> list[str]:
    old = [key for key, written in objects if written < timezone.now() - KEPT_UNCLAIMED and OWN_KEY.fullmatch(key)]
    by_tenant: defaultdict[int, list[str]] = defaultdict(list)
    for key in old:
        _, tenant, content_hash = key.split("/")
        by_tenant[int(tenant)].append(content_hash)
    claimed = {
        make_key(tenant, content_hash)
        for tenant, hashes in by_tenant.items()
        for content_hash in Upload.objects.filter(tenant=tenant, content_hash__in=hashes).values_list(
            "content_hash", flat=True
        )
    }
    return [key for key in old if key not in claimed]
