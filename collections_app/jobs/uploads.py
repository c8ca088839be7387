"""Accepts uploaded files: stores them together with the job that is to read them, before the caller is told that they were accepted."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, BinaryIO

import psycopg
from django.db import connection, transaction
from django.utils import timezone

from collections_app.exceptions import InvalidParameter
from collections_app.jobs.source_rows import ensure_upload_source
from collections_app.jobs.starting import queue_job
from collections_app.jobs.upload_bytes import hold_off_sweep, put_into_store
from collections_app.models import Collection, IngestJob, Source, Upload
from collections_app.sources.paths import check_path

WRITTEN_FIELDS = ["url", "media_type", "metadata", "content", "content_hash", "size_bytes", "created"]


SET_CONTENT = "UPDATE collections_app_upload SET content = %b WHERE id = %s"
# How much is held in memory at once, unless a single file is larger.
MAX_BATCH_BYTES = 8 * 1024**2
# From this size on, content is sent to PostgreSQL in binary form: in the text of a statement it would take several times its size.
LARGE_BYTES = 1024**2


@dataclass(frozen=True, slots=True)
class NewUpload:
    """A file or an archive to store as `path`; without `content`, it is fetched from `url`. An open file is read when its turn comes.

    `metadata` (JSON values: title, description, keywords, category, anything else) overrides what the document itself says. `size_bytes`:
    the size of the content, if known.
    """

    path: str
    content: bytes | BinaryIO | None
    url: str = ""
    media_type: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    size_bytes: int = 0


@transaction.atomic
def accept_uploads(collection: Collection, files: Sequence[NewUpload], *, requested_by: str = "") -> IngestJob:
    """Store these files and queue the job that reads them, within the caller's transaction.

    A file replaces an earlier upload of the same path. Raises InvalidParameter for an unusable path or if there are no files,
    CollectionClosed and StoreUnavailable.
    """
    if not files:
        raise InvalidParameter("Nothing was uploaded. Give at least one file.")
    source = ensure_upload_source(collection)
    hold_off_sweep(source)
    by_path = {check_path(file.path): file for file in files}
    for rows in iter_batches(make_row(source, path, by_path[path]) for path in sorted(by_path)):
        keep(rows)
    return queue_job(source, prune=False, only=by_path.keys(), requested_by=requested_by)


def make_row(source: Source, path: str, file: NewUpload) -> Upload:
    if file.content is None and not file.url:
        raise InvalidParameter(f"“{file.path}” has neither content nor a URL. Give one of them.")
    content = file.content if file.content is None or isinstance(file.content, bytes) else file.content.read()
    return Upload(
        tenant_id=source.tenant_id,
        collection_id=source.collection_id,
        source=source,
        path=path,
        url=file.url,
        media_type=file.media_type[:200],
        metadata=dict(file.metadata),
        content=content,
        content_hash=hashlib.sha256(content).hexdigest() if content is not None else "",
        size_bytes=len(content) if content is not None else 0,
        created=timezone.now(),
    )


def iter_batches(rows: Iterable[Upload]) -> Iterator[list[Upload]]:
    batch: list[Upload] = []
    size_bytes = 0
    for row in rows:
        batch.append(row)
        size_bytes += row.size_bytes
        if size_bytes > MAX_BATCH_BYTES:
            yield batch
            batch, size_bytes = [], 0
    if batch:
        yield batch


def keep(rows: Sequence[Upload]) -> None:
    put_into_store(rows)
    large = {row.path: row.content for row in rows if row.content is not None and row.size_bytes > LARGE_BYTES}
    for row in rows:
        row.content = None if row.path in large else row.content
    kept = Upload.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["tenant", "source", "path"], update_fields=WRITTEN_FIELDS
    )
    # Django's own cursors write parameters into the statement's text.
    with psycopg.Cursor(connection.connection) as cursor:
        for row in kept:
            if row.path in large:
                cursor.execute(SET_CONTENT, [large.pop(row.path), row.pk])
