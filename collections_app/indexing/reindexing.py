"""Rebuilds the index of a collection from its stored sections, while it is searched and written.

Owns the order (documents by path, a batch in one transaction) and where a run that broke off goes on. Reads no source:
what a section says stays as it is, only how it is found is made anew.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping

from django.db import transaction
from django.db.models import QuerySet

from collections_app.exceptions import InvalidParameter
from collections_app.indexing import fulltext
from collections_app.ingest import bump_index_version
from collections_app.models import Collection, Document, Reindexing
from collections_app.postgres.advisory_locks import holding_lock

# Session-level advisory locks of this class are held by runs; the second number is the collection's.
LOCK = 0x646F6372
BATCH_DOCUMENTS = 256
BATCH_BYTES = 4 * 1024 * 1024


def get_indexed_documents(collection: Collection) -> QuerySet[Document]:
    """The documents that the index has, in the order in which writers lock them."""
    return Document.objects.in_collections([collection]).readable().order_by("path")


def rebuild_vectors(collection: Collection, *, restart: bool = False) -> Generator[int, None, None]:
    """Make the search vectors anew, statistics with them; yields the documents done so far, those of a run that broke off included.

    A reader finds each document by its old vectors or by its new ones. With `restart` an earlier run is forgotten. Raises
    InvalidParameter when another process is at it.
    """
    with holding_lock(LOCK, collection.pk) as is_held:
        if not is_held:
            raise InvalidParameter(
                f"Collection {collection.slug} is being reindexed already. Wait until that has ended."
            )
        run = begin(collection, restart=restart)
        while batch := choose_batch(get_indexed_documents(collection).filter(path__gt=run.position)):
            rebuild(collection, batch, run)
            yield run.done
        run.delete()
        bump_index_version(collection)
        fulltext.settle_index(collection, run.done)


def begin(collection: Collection, *, restart: bool) -> Reindexing:
    if restart:
        Reindexing.objects.filter(collection=collection).delete()
    return Reindexing.objects.get_or_create(collection=collection, defaults={"tenant_id": collection.tenant_id})[0]


def choose_batch(following: QuerySet[Document]) -> dict[int, str]:
    """The first of these documents (id → path), in their order: at most BATCH_DOCUMENTS, fewer where they are large."""
    chosen: dict[int, str] = {}
    size_bytes = 0
    for pk, path, size in following.values_list("pk", "path", "size_bytes")[:BATCH_DOCUMENTS]:
        chosen[pk] = path
        size_bytes += size
        if size_bytes >= BATCH_BYTES:
            break
    return chosen


@transaction.atomic
def rebuild(collection: Collection, batch: Mapping[int, str], run: Reindexing) -> None:
    """A batch of documents, and the position behind it. One that left since it was chosen is passed over."""
    locked = get_indexed_documents(collection).filter(pk__in=list(batch)).select_for_update(no_key=True)
    documents = list(locked.only(*fulltext.INDEXED_FIELDS))
    fulltext.index_stored(collection, documents)
    *_, run.position = batch.values()
    run.done += len(documents)
    run.save(update_fields=["position", "done"])
