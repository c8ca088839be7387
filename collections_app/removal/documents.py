"""Removes documents that somebody selected: a few at once, many in the background. They can be restored for some days.

If a task is lost, its documents are still there and can be selected again.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from collections_app.exceptions import UpstreamUnavailable
from collections_app.indexing import fulltext
from collections_app.ingest import remove_all
from collections_app.models import Collection, Document, Upload
from collections_app.task_queue import make_task

TASK = "collections_app.tasks.remove_documents"
MEND = "choose the documents again"

# Few enough not to keep anybody waiting: 500 documents with nine sections each took 0.7 s.
AT_ONCE = 100
# A worker that dies loses at most this many.
IN_A_TASK = 5_000


def remove_chosen(documents: QuerySet[Document]) -> bool:
    """True if they are removed; false if the queue will do it. Raises UpstreamUnavailable if the queue does not accept the task."""
    rows = list(documents.order_by("collection_id", "path").values_list("collection_id", "pk"))
    by_collection = [(key, [pk for _, pk in some]) for key, some in groupby(rows, key=lambda row: row[0])]
    is_now = len(rows) <= AT_ONCE
    for collection_id, ids in by_collection:
        if is_now:
            remove(collection_id, ids)
        else:
            enqueue(collection_id, ids)
    return is_now


def enqueue(collection_id: int, ids: Sequence[int]) -> None:
    """Enqueues at once, not when a transaction ends: nobody makes such a task again, so the caller must learn if it was not accepted."""
    for start in range(0, len(ids), IN_A_TASK):
        some = ids[start : start + IN_A_TASK]
        if not make_task(TASK, collection_id, some, group="remove", mend=MEND, collection=collection_id):
            raise UpstreamUnavailable(
                "The queue cannot be reached, so documents are left that you chose. Remove them in a while."
            )


def remove_many(collection_id: int, ids: Sequence[int]) -> int:
    """What a task does. Returns how many of them still existed."""
    count = remove(collection_id, ids)
    if collection := Collection.objects.filter(pk=collection_id).first():
        fulltext.settle_index(collection, count)
    return count


def remove(collection_id: int, ids: Sequence[int]) -> int:
    """Returns how many of them still existed; the others are skipped."""
    collection = Collection.objects.filter(pk=collection_id).first()
    if collection is None:
        return 0
    documents = Document.objects.in_collections([collection]).filter(pk__in=ids)
    forget_uploads(collection, documents)
    return remove_all(collection, documents)


def forget_uploads(collection: Collection, documents: QuerySet[Document]) -> None:
    """Deletes the uploads of these documents first, or the next reading of uploads would bring the documents back. Archives stay. Waits for
    a job that is writing one of them; what a job has read but not yet written is then not written (ingest/uploads.py).
    """
    uploaded = documents.filter(source=OuterRef("source"), path=OuterRef("path"))
    uploads = Upload.objects.in_collections([collection]).filter(Exists(uploaded))
    with transaction.atomic():
        ids = list(uploads.order_by("path").select_for_update().values_list("pk", flat=True))
        Upload.objects.filter(pk__in=ids).delete()
