"""Refuses uploads that were removed meanwhile: removing a document removes its upload first, and a running job must not bring it back."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import connection

from collections_app.exceptions import UploadRemoved
from collections_app.ingest.items import Item
from collections_app.models import Source
from collections_app.sources.uploads import FROM_ARCHIVE

# Only deleting such a row has to wait for this lock.
KEEP_UPLOADS = """
SELECT path FROM collections_app_upload WHERE tenant_id = %s AND source_id = %s AND path = ANY(%s) ORDER BY path FOR KEY SHARE
"""


def refuse_removed(source: Source | None, items: Iterable[Item]) -> None:
    """Refuse the items whose uploads were removed, and lock the other uploads until the transaction ends."""
    if source is None or not source.is_upload:
        return
    uploads = {item.path: str(item.fetch_state.get(FROM_ARCHIVE, item.path)) for item in items}
    with connection.cursor() as cursor:
        cursor.execute(KEEP_UPLOADS, [source.tenant_id, source.pk, sorted(set(uploads.values()))])
        there = {path for (path,) in cursor.fetchall()}
    for item in items:
        if uploads[item.path] not in there:
            item.refuse(UploadRemoved())
