"""Rebuilds the index of a collection from its stored sections, while it is searched and written.

Owns the order (documents by path, a batch in one transaction) and where a run that broke off goes on. Reads no source:
what a section says stays as it is, only how it is found is made anew.
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

# Session-level advisory locks of this class are held by runs; the second number is the collection's.
LOCK = 0x646F6372
BATCH_DOCUMENTS = 256
BATCH_BYTES = 4 * 1024 * 1024


class AlreadyRebuilding(InvalidParameter):
    def __init__(self, collection: Collection) -> None:
        super().__init__(f"Collection {collection.slug} is being reindexed already. Wait until that has ended.")


def get_indexed_documents(collection: Collection) -> QuerySet[Document]:
    """The documents that the index has, in the order in which writers lock them."""
    return Document.objects.in_collections([collection]).readable().order_by("path")


def find_of_earlier_releases() -> QuerySet[Any]:
    """The collections that have vectors which an earlier release made, of any tenant, each with how many: `earlier` of `vectors`."""
    counted = TermStatistic.objects.filter(tenant=OuterRef("tenant"), collection=OuterRef("pk"))
    collections = Collection.objects.select_related("tenant").annotate(
        vectors=Subquery(counted.filter(term="").values("sections")),
        earlier=F("vectors") - Coalesce(Subquery(counted.filter(term=fulltext.VERSION_TERM).values("sections")), 0),
    )
    return collections.filter(earlier__gt=0).order_by("tenant__slug", "slug")


def rebuild_vectors(collection: Collection, *, restart: bool = False) -> Generator[int, None, None]:
    """Make the search vectors anew, statistics with them; yields the documents done so far, those of a run that broke off included.

    A reader finds each document by its old vectors or by its new ones. With `restart` an earlier run is forgotten. Raises
    AlreadyRebuilding when another process is at it.
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
    """The documents behind the run's position, which may have been set back since; None where there are no more, and the run is over."""
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
    """The first of these documents (id → path), in their order: at most BATCH_DOCUMENTS, fewer where they are large."""
    chosen: dict[int, str] = {}
    size_bytes = 0
    for pk, path, size in following.values_list("pk", "path", "size_bytes")[:BATCH_DOCUMENTS]:
        chosen[pk] = path
        size_bytes += size
        if size_bytes >= BATCH_BYTES:
            break
    return chosen


def rebuild(collection: Collection, batch: Mapping[int, str]) -> int:
    """A batch of documents; how many they are. One that left since it was chosen is passed over."""
    locked = get_indexed_documents(collection).filter(pk__in=list(batch)).select_for_update(no_key=True)
    documents = list(locked.only(*fulltext.INDEXED_FIELDS))
    fulltext.index_stored(collection, documents)
    return len(documents)
