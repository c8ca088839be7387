"""Computes and stores the embeddings of sections, a batch of documents at a time, while the collection is read and written.

Vectors are computed outside of any transaction and after the documents were written, so a section may lack one for a while; until then it
is found by its words only. Vectors are deleted with their section (ingest/sections.py). Using them is up to the read side.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import structlog
from django.db import connection, transaction
from django.db.models import Exists, OuterRef, QuerySet

from collections_app.clients.embeddings import Embedder, EmbeddingFailed, NoEmbedder, get_embedder
from collections_app.exceptions import UpstreamUnavailable
from collections_app.indexing.embedding_rows import COLUMNS, Owner, pack_rows
from collections_app.indexing.fulltext import MANY_DOCUMENTS
from collections_app.indexing.index_version import bump_index_version
from collections_app.indexing.reindexing import choose_batch, get_indexed_documents
from collections_app.models import (
    Collection,
    Document,
    EmbeddedCollection,
    EmbeddingModel,
    IngestJob,
    Section,
    SectionEmbedding,
    SectionVector,
)
from collections_app.postgres.advisory_locks import holding_lock
from collections_app.postgres.pgvector import NO_PGVECTOR, ensure_pgvector
from collections_app.postgres.vector_indexes import ensure_indexes

if TYPE_CHECKING:
    from collections_app.clients.embeddings.interface import Vectors

logger = structlog.get_logger(__name__)

# The class of the session-level advisory locks for embedding (the second number is the collection's) and for making indexes (INDEXES).
LOCK = 0x646F6365
INDEXES = 0
REQUEST_SECONDS = 60.0
TEXTS_AT_ONCE = 1_024

READ_SECTIONS = """
SELECT section.id, document.id, concat_ws(' ', title, array_to_string(heading_path, ' '), left(section.content, %s))
FROM collections_app_section AS section JOIN collections_app_document AS document ON document.id = section.document_id
WHERE section.tenant_id = %s AND document.id = ANY(%s)
"""
ANALYZE = "ANALYZE collections_app_sectionembedding (tenant_id, collection_id, document_id, section_id, model_id)"
COPY = f"COPY collections_app_sectionembedding ({', '.join(COLUMNS)}) FROM STDIN BINARY"


class EmbeddedText(NamedTuple):
    section_id: int
    document_id: int
    text: str


def embed_new(collection: Collection, check: Callable[[], None] = lambda: None) -> None:
    """Embed what has no embedding, as far as possible now; embed_waiting() does the rest.

    `check` is called between batches, and may raise to break off.
    """
    try:
        for _ in embed_collection(collection, check=check):
            pass
    except NoEmbedder as error:
        logger.info("not_embedded", collection=collection.pk, reason=error.message)
    except UpstreamUnavailable as error:
        logger.warning("not_embedded", collection=collection.pk, reason=error.message)


def embed_waiting() -> int:
    """Embed what is new in collections without a running job; returns how many collections there were."""
    try:
        waiting = get_waiting()
    except NoEmbedder:
        return 0
    if not ensure_pgvector():
        return 0
    is_written = IngestJob.objects.filter(collection=OuterRef("pk"), state=IngestJob.State.RUNNING)
    collections = list(waiting.exclude(Exists(is_written)))
    for collection in collections:
        embed_new(collection)
    index_embedded()
    return len(collections)


def get_waiting() -> QuerySet[Collection]:
    """The collections that may lack embeddings by the current model. Raises NoEmbedder."""
    is_embedded = EmbeddedCollection.objects.filter(
        collection=OuterRef("pk"), model__name=get_embedder().name, index_version=OuterRef("index_version")
    )
    return Collection.objects.filter(index_version__gt=0).exclude(Exists(is_embedded))


def index_embedded() -> None:
    """Make and drop indexes over embeddings as needed. Making one takes minutes, so jobs do not do it.

    Only one process does it at a time: dropping an index waits for whoever is making it, and that one waits for all transactions.
    """
    with holding_lock(LOCK, INDEXES) as is_held:
        if is_held:
            ensure_indexes()


def embed_collection(
    collection: Collection, *, anew: bool = False, check: Callable[[], None] = lambda: None
) -> Generator[int, None, None]:
    """Embed the sections without an embedding by the current model, or all of them `anew`; yields the documents done so far.

    Raises NoEmbedder, EmbeddingFailed and what else the embedder raises. If another process is embedding the collection, nothing is done.
    """
    embedder = get_embedder()
    if not ensure_pgvector():
        raise NoEmbedder(NO_PGVECTOR)
    with holding_lock(LOCK, collection.pk) as is_held:
        if not is_held:
            return
        version = Collection.objects.values_list("index_version", flat=True).get(pk=collection.pk)
        done, position = 0, ""
        while batch := choose_batch(get_lacking(collection, embedder, anew=anew).filter(path__gt=position)):
            embed_batch(collection, embedder, list(batch), check)
            *_, position = batch.values()
            done += len(batch)
            yield done
        if done >= MANY_DOCUMENTS:
            analyze()
        if model := EmbeddingModel.objects.filter(name=embedder.name).first():
            finish(collection, model, version, is_changed=done > 0)


def get_lacking(collection: Collection, embedder: Embedder, *, anew: bool) -> QuerySet[Document]:
    """The documents to embed, in order. Documents that are not in the index are left out, since they must not be found."""
    is_indexed = Exists(SectionVector.objects.filter(tenant=collection.tenant_id, document=OuterRef("pk")))
    documents = get_indexed_documents(collection).filter(is_indexed)
    if anew:
        return documents
    return documents.exclude(
        Exists(SectionEmbedding.objects.filter(document=OuterRef("pk"), model__name=embedder.name))
    )


def embed_batch(
    collection: Collection, embedder: Embedder, document_ids: Sequence[int], check: Callable[[], None]
) -> None:
    import numpy as np  # with the embedder, which has it loaded

    texts = read_texts(collection, document_ids, embedder.max_characters)
    parts: list[Vectors] = []
    for start in range(0, len(texts), TEXTS_AT_ONCE):
        check()
        some = [each.text for each in texts[start : start + TEXTS_AT_ONCE]]
        parts.append(embedder.embed_sections(some, seconds=REQUEST_SECONDS))
    if parts:
        vectors = np.concatenate(parts)
        store(collection, ensure_model(embedder, vectors.shape[1]), document_ids, texts, vectors)


def read_texts(collection: Collection, document_ids: Sequence[int], max_characters: int) -> list[EmbeddedText]:
    """The text to embed for each section: its page's title, its heading path and its beginning."""
    with connection.cursor() as cursor:
        cursor.execute(READ_SECTIONS, [max_characters, collection.tenant_id, list(document_ids)])
        return [EmbeddedText(row[0], row[1], row[2][:max_characters]) for row in cursor.fetchall()]


def ensure_model(embedder: Embedder, dimension: int) -> EmbeddingModel:
    """The row of the embedder's model. Raises EmbeddingFailed if its stored vectors have another length."""
    model, _ = EmbeddingModel.objects.get_or_create(name=embedder.name, defaults={"dimension": dimension})
    if model.dimension != dimension:
        raise EmbeddingFailed(
            f"The embedder gives vectors of {dimension} numbers; those that are stored have {model.dimension}. Name its model otherwise."
        )
    return model


@transaction.atomic
def store(
    collection: Collection,
    model: EmbeddingModel,
    document_ids: Sequence[int],
    texts: Sequence[EmbeddedText],
    vectors: Vectors,
) -> None:
    """Replace the documents' vectors of this model; vectors of sections that no longer exist are skipped."""
    locked = get_indexed_documents(collection).filter(pk__in=document_ids).select_for_update(no_key=True)
    documents = list(locked.values_list("pk", flat=True))
    there = set(
        Section.objects.filter(tenant=collection.tenant_id, document__in=documents).values_list("pk", flat=True)
    )
    earlier = SectionEmbedding.objects.filter(document_id__in=documents, model=model)
    earlier._raw_delete(earlier.db)
    kept = [number for number, each in enumerate(texts) if each.section_id in there]
    owners = [
        Owner(collection.tenant_id, collection.pk, texts[number].document_id, texts[number].section_id, model.pk)
        for number in kept
    ]
    with connection.cursor() as cursor, connection.wrap_database_errors, cursor.copy(COPY) as copy:
        copy.write(pack_rows(owners, vectors[kept]))


def analyze() -> None:
    """Update the planner's statistics, except those of the vectors themselves, which it has no use for."""
    with connection.cursor() as cursor:
        cursor.execute(ANALYZE)


@transaction.atomic
def finish(collection: Collection, model: EmbeddingModel, version: int, *, is_changed: bool) -> None:
    """Note that the collection is embedded as of `version`. If there are new embeddings, cached answers become invalid."""
    if is_changed:
        bump_index_version(collection)
        now = Collection.objects.values_list("index_version", flat=True).get(pk=collection.pk)
        version = now if now == version + 1 else version
    EmbeddedCollection.objects.update_or_create(
        tenant_id=collection.tenant_id, collection=collection, model=model, defaults={"index_version": version}
    )


def forget_other_models(collection: Collection) -> None:
    """Delete the collection's vectors of models other than the current one, and models without any collection."""
    name = get_embedder().name
    for rows in (SectionEmbedding.objects, EmbeddedCollection.objects):
        others = rows.filter(collection=collection).exclude(model__name=name)
        others.delete()
    is_used = EmbeddedCollection.objects.filter(model=OuterRef("pk"))
    EmbeddingModel.objects.exclude(name=name).exclude(Exists(is_used)).delete()
