"""Uploaded files on their way in: kept with the job that is to read them, before anybody is told that they were accepted."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.utils import timezone

from collections_app.exceptions import InvalidParameter
from collections_app.jobs.source_rows import ensure_upload_source
from collections_app.jobs.starting import start_job
from collections_app.models import Collection, IngestJob, Source, Upload
from collections_app.sources.paths import check_path

WRITTEN_FIELDS = ["url", "media_type", "metadata", "content", "content_hash", "size_bytes", "created"]


@dataclass(frozen=True, slots=True)
class NewUpload:
    """A file or an archive to be taken in as `path`; without `content`, what `url` gives.

    `metadata` (JSON values) counts before the document's own word: title, description, keywords, category, anything else.
    """

    path: str
    content: bytes | None
    url: str = ""
    media_type: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)


@transaction.atomic
def accept_uploads(collection: Collection, files: Sequence[NewUpload], *, requested_by: str = "") -> IngestJob:
    """Keep these files and queue the job that reads them; both are there once the transaction is committed.

    A file takes the place of one that was uploaded under the same path before. Raises InvalidParameter for a path that no
    document may have, and for no files at all.
    """
    if not files:
        raise InvalidParameter("Nothing was uploaded. Give at least one file.")
    source = ensure_upload_source(collection)
    rows = {row.path: row for row in (make_row(source, file) for file in files)}
    Upload.objects.bulk_create(
        [rows[path] for path in sorted(rows)],
        update_conflicts=True,
        unique_fields=["tenant", "source", "path"],
        update_fields=WRITTEN_FIELDS,
    )
    return start_job(source, prune=False, only=rows.keys(), requested_by=requested_by)


def make_row(source: Source, file: NewUpload) -> Upload:
    if file.content is None and not file.url:
        raise InvalidParameter(f"“{file.path}” has neither content nor a URL. Give one of them.")
    content = file.content
    return Upload(
        tenant_id=source.tenant_id,
        collection_id=source.collection_id,
        source=source,
        path=check_path(file.path),
        url=file.url,
        media_type=file.media_type[:200],
        metadata=dict(file.metadata),
        content=content,
        content_hash=hashlib.sha256(content).hexdigest() if content is not None else "",
        size_bytes=len(content) if content is not None else 0,
        created=timezone.now(),
    )
