"""Rebuilds the index of a collection from its stored sections, while it is searched and written.

It goes through documents by path, one batch per transaction, and remembers where a run that broke off has to go on. It reads no source: the
text of sections stays as it is, only their index rows are made anew.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any

from django.db import transaction
from django.db.models import F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from collections_app.exceptions import InvalidParameter
from collections_app.indexing import fulltext
from collections_app.indexing.index_version import bump_index_version
from collections_app.models import Collection, Document, Reindexing, TermStatistic
from collections_app.postgres.advisory_locks import holding_lock

# The class of the session-level advisory locks that runs hold; the second number is the collection's.
LOCK = 0x646F6372
BATCH_DOCUMENTS = 256
BATCH_BYTES = 4 * 1024 * 1024


class AlreadyRebuilding(InvalidParameter):
    def __init__(self, collection: Collection) -> None:
        super().__init__(f"Collection {collection.slug} is being reindexed already. Wait until that has ended.")


def get_indexed_documents(collection: Collection) -> QuerySet[Document]:
    """The collection's documents that belong in the index, in the order in which writers lock them (by path)."""
    return Document.objects.in_collections([collection]).readable().order_by("path")


def find_of_earlier_releases() -> QuerySet[Any]:
    """The collections, of any tenant, with vectors made by an earlier release; annotated with `earlier` (how many) and `vectors` (of
    all)."""
    counted = TermStatistic.objects.filter(tenant=OuterRef("tenant"), collection=OuterRef("pk"))
    collections = Collection.objects.select_related("tenant").annotate(
        vectors=Subquery(counted.filter(term="").values("sections")),
        earlier=F("vectors") - Coalesce(Subquery(counted.filter(term=fulltext.VERSION_TERM).values("sections")), 0),
    )
    return collections.filter(earlier__gt=0).order_by("tenant__slug", "slug")


def rebuild_vectors(collection: Collection, *, restart: bool = False) -> Generator[int, None, None]:
    """Rebuild search vectors and statistics; yields the number of documents done so far, including those of a run that broke off.

    At any time a document is found either by its old vectors or by its new ones. With `restart`, an earlier run is forgotten. Raises
    AlreadyRebuilding if another process is rebuilding the collection.
    """
    with holding_lock(LOCK, collection.pk) as is_held:
        if not is_held:
            raise AlreadyRebuilding(collection)
        if restart:
            Reindexing.objects.filter(collection=collection).delete()
        Reindexing.objects.get_or_create(collection=collection, defaults={"tenant_id": collection.tenant_id})
        done = 0
        while run := rebuild_batch(collection):
            done = run.done
            yield done
        bump_index_version(collection)
        fulltext.settle_index(collection, done)


@transaction.atomic
def rebuild_batch(collection: Collection) -> Reindexing | None:
    """Reindex the next documents after the run's position (which may have been set back); None if there are none left and the run is
    over."""
    run = Reindexing.objects.select_for_update(of=("self",)).get(pk=collection.pk)
    batch = choose_batch(get_indexed_documents(collection).filter(path__gt=run.position))
    if not batch:
        run.delete()
        return None
    documents = rebuild(collection, batch)
    *_, run.position = batch.values()
    run.done += documents
    run.save(update_fields=["position", "done"])
    return run


def choose_batch(following: QuerySet[Document]) -> dict[int, str]:
    """The first of these documents (id → path), in their order: at most BATCH_DOCUMENTS, fewer if they are large (BATCH_BYTES)."""
    chosen: dict[int, str] = {}
    size_bytes = 0
    for pk, path, size in following.values_list("pk", "path", "size_bytes")[:BATCH_DOCUMENTS]:
        chosen[pk] = path
        size_bytes += size
        if size_bytes >= BATCH_BYTES:
            break
    return chosen


def rebuild(collection: Collection, batch: Mapping[int, str]) -> int:
    """Reindex a batch of documents; returns how many there were. Documents removed since they were chosen are skipped."""
    locked = get_indexed_documents(collection).filter(pk__in=list(batch)).select_for_update(no_key=True)
    documents = list(locked.only(*fulltext.INDEXED_FIELDS))
    fulltext.index_stored(collection, documents)
    return len(documents)
