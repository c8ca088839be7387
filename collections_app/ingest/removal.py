"""Removes documents, and restores them within the retention time, unchanged and with their sections and index."""

from __future__ import annotations

from collections.abc import Collection as Some
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import connection, models, transaction
from django.db.models import QuerySet
from django.utils import timezone

from collections_app.indexing import fulltext
from collections_app.indexing.index_version import bump_index_version
from collections_app.ingest.database_errors import in_transaction
from collections_app.ingest.sections import delete_sections, write_stored
from collections_app.models import Collection, Document, RemovedDocument
from collections_app.parsing.documents import ParsedDocument, ParsedSection
from collections_app.removal.closing import check_is_open

REMOVED_AT_ONCE = 500
RESTORED_AT_ONCE = 100
# The fields that have the same name in a section's row and in a ParsedSection.
SAME_FIELDS = (
    "position", "end_position", "section_id", "heading", "level", "start_line", "end_line", "character_count", "token_count",
    "page_number", "anchor",
)  # fmt: skip

KEEP = """
INSERT INTO collections_app_removeddocument (tenant_id, collection_id, source_id, path, document, sections, removed)
SELECT tenant_id, collection_id, source_id, path, to_jsonb(document),
       (SELECT coalesce(jsonb_agg(to_jsonb(section) ORDER BY position), '[]')
        FROM collections_app_section AS section
        WHERE section.tenant_id = document.tenant_id AND section.document_id = document.id),
       %(now)s
FROM collections_app_document AS document
WHERE tenant_id = %(tenant)s AND id = ANY(%(documents)s)
"""


@transaction.atomic
def remove_documents(collection: Collection, document_ids: Sequence[int]) -> None:
    """Remove documents with their sections, index and statistics. They are locked in the same order as by other writers (by path)."""
    chosen = Document.objects.filter(tenant=collection.tenant_id, pk__in=document_ids)
    rows = chosen.order_by("path").select_for_update().values_list("pk", "size_bytes")
    sizes = dict(rows)
    document_ids = list(sizes)
    with connection.cursor() as cursor:
        cursor.execute(KEEP, {"tenant": collection.tenant_id, "documents": document_ids, "now": timezone.now()})
    fulltext.remove_from_index(collection, document_ids)
    delete_sections(collection, document_ids)
    Document.objects.filter(tenant=collection.tenant_id, pk__in=document_ids).delete()
    bump_index_version(collection, documents=-len(sizes), size_bytes=-sum(sizes.values()))


def remove_all(collection: Collection, documents: QuerySet[Document]) -> int:
    """Remove all these documents of the collection, REMOVED_AT_ONCE per transaction; returns how many there were."""
    count, ids = 0, documents.order_by("path").values_list("pk", flat=True)
    while some := list(ids[:REMOVED_AT_ONCE]):
        remove_documents(collection, some)
        count += len(some)
    return count


def restore_removed(collection: Collection, paths: Some[str] | None = None, *, since: datetime | None = None) -> int:
    """Restore removed documents; returns how many. `paths`: only these; `since`: only those removed since then, else all that are kept.

    For each path, the last version is restored, under a new document id; a path that has a document again is left alone. Restored documents
    belong to no source, so that none removes them, until a source has them again. Raises QuotaExceeded and CollectionClosed.
    """
    kept = RemovedDocument.objects.in_collections([collection])
    if paths is not None:
        kept = kept.filter(path__in=paths)
    if since is not None:
        kept = kept.filter(removed__gte=since)
    ids = list(kept.order_by("path", "-removed", "-pk").distinct("path").values_list("pk", flat=True))
    return sum(
        in_transaction(partial(restore_batch, collection, ids[start : start + RESTORED_AT_ONCE]))
        for start in range(0, len(ids), RESTORED_AT_ONCE)
    )


def restore_batch(collection: Collection, ids: Sequence[int]) -> int:
    """Restore a batch, in the caller's transaction, which is repeated if another writer adds a document at one of the paths."""
    check_is_open(collection.tenant_id, collection.pk)
    kept = list(RemovedDocument.objects.filter(pk__in=ids).order_by("path").select_for_update())
    there = Document.objects.in_collections([collection]).filter(path__in=[removed.path for removed in kept])
    taken = set(there.values_list("path", flat=True))
    restored = sorted((each for each in kept if each.path not in taken), key=lambda each: each.path)
    if restored:
        write_stored(collection, [(make_document(removed), make_parsed(removed)) for removed in restored])
        RemovedDocument.objects.filter(pk__in=[removed.pk for removed in restored]).delete()
        bump_index_version(collection)
    return len(restored)


def make_document(removed: RemovedDocument) -> Document:
    """The document from its stored row. Columns that were added since get their defaults."""
    fields = [
        field
        for field in Document._meta.concrete_fields
        if field.attname not in ("id", "source_id") and field.column in removed.document
    ]
    return Document(**{field.attname: read_value(field, removed.document[field.column]) for field in fields})


def read_value(field: Any, value: Any) -> Any:
    return value if isinstance(field, models.JSONField | ArrayField) else field.to_python(value)


def make_parsed(removed: RemovedDocument) -> ParsedDocument:
    row = removed.document
    sections = tuple(
        ParsedSection(
            text=section["content"],
            heading_path=tuple(section["heading_path"]),
            **{name: section[name] for name in SAME_FIELDS if name in section},
        )
        for section in removed.sections
    )
    return ParsedDocument(
        title=row["title"],
        format=row["format"],
        content=row["content"],
        sections=sections,
        description=row.get("description", ""),
        keywords=tuple(row.get("keywords", ())),
    )


def forget_removed() -> int:
    """Delete removed documents past their retention; returns how many there were."""
    oldest = timezone.now() - timedelta(days=settings.DOCSMCP.removed_retention_days)
    count, _ = RemovedDocument.objects.filter(removed__lt=oldest).delete()
    return count
