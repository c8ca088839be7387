"""Takes out documents that somebody chose: a few at once, many in the background. They can be brought back for some days.

A task that is lost removes nothing more: what it had is still there, to be chosen again.
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

# For as many, somebody who waits hardly does; 500 with nine sections each took 0.7 s.
AT_ONCE = 100
# A worker that dies loses no more than this.
IN_A_TASK = 5_000


def remove_chosen(documents: QuerySet[Document]) -> bool:
    """Whether they are gone; false when they are on their way. Raises UpstreamUnavailable when the queue does not take them."""
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
    """At once, and not when a transaction ends: nobody makes such a task again, so who removes must hear that it was not taken."""
    for start in range(0, len(ids), IN_A_TASK):
        some = ids[start : start + IN_A_TASK]
        if not make_task(TASK, collection_id, some, group="remove", mend=MEND, collection=collection_id):
            raise UpstreamUnavailable(
                "The queue cannot be reached, so documents are left that you chose. Remove them in a while."
            )


def remove_many(collection_id: int, ids: Sequence[int]) -> int:
    """What a task does: how many of them were still there."""
    count = remove(collection_id, ids)
    if collection := Collection.objects.filter(pk=collection_id).first():
        fulltext.settle_index(collection, count)
    return count


def remove(collection_id: int, ids: Sequence[int]) -> int:
    """How many of them were still there: what is gone already is passed over."""
    collection = Collection.objects.filter(pk=collection_id).first()
    if collection is None:
        return 0
    documents = Document.objects.in_collections([collection]).filter(pk__in=ids)
    forget_uploads(collection, documents)
    return remove_all(collection, documents)


def forget_uploads(collection: Collection, documents: QuerySet[Document]) -> None:
    """What was uploaded as one of these documents goes first: the next look at the uploads would bring it back. Archives stay. A job that
    writes one of them now is waited for, and what was read and not yet written is not written any more (ingest/uploads.py).
    """
    uploaded = documents.filter(source=OuterRef("source"), path=OuterRef("path"))
    uploads = Upload.objects.in_collections([collection]).filter(Exists(uploaded))
    with transaction.atomic():
        ids = list(uploads.order_by("path").select_for_update().values_list("pk", flat=True))
        Upload.objects.filter(pk__in=ids).delete()
