"""What docsmcp wants of pgvector: whether it is there, vectors of its type, and an index where a model's vectors are many.

Without it nothing semantic is computed or searched; everything else works.
"""

from __future__ import annotations

import structlog
from django.db import DatabaseError, connection, transaction

from collections_app.exceptions import get_first_line
from collections_app.models import EmbeddedCollection, SectionEmbedding

logger = structlog.get_logger(__name__)

# The first whose index goes on until enough rows of the collections asked for are found.
OLDEST_VERSION = (0, 8)
# pgvector indexes no longer ones.
MAX_DIMENSION = 2000
# Of fewer vectors of a collection each is looked at, in 5 ms at most.
MANY_VECTORS = 10_000
INDEX_PREFIX = "section_embedding_hnsw"
NO_PGVECTOR = "The database has no pgvector 0.8 or later."

# The table is the same without pgvector, and empty: its column becomes one of pgvector's as soon as that is there.
HAS_VECTORS = """
SELECT format_type(atttypid, NULL) = 'vector' FROM pg_attribute
WHERE attrelid = 'collections_app_sectionembedding'::regclass AND attname = 'vector'
"""
AVAILABLE_VERSION = """
SELECT string_to_array(coalesce(installed_version, default_version), '.')::int[] FROM pg_available_extensions WHERE name = 'vector'
"""


def has_pgvector() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(HAS_VECTORS)
        return bool(cursor.fetchone()[0])


def ensure_pgvector() -> bool:
    """Whether it is there, now that it was made where it can be."""
    if has_pgvector():
        return True
    with connection.cursor() as cursor:
        cursor.execute(AVAILABLE_VERSION)
        row = cursor.fetchone()
    if row is None or tuple(row[0]) < OLDEST_VERSION:
        return False
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("CREATE EXTENSION IF NOT EXISTS vector")
            cursor.execute("ALTER TABLE collections_app_sectionembedding ALTER COLUMN vector TYPE vector")
    except DatabaseError as error:
        logger.warning("pgvector_not_created", reason=get_first_line(error))
        return False
    return True


def index_expression(dimension: int) -> str:
    """In SQL. Vectors of other models may have another length."""
    return f"(vector::vector({dimension:d}))"


def ensure_index(embedded: EmbeddedCollection) -> None:
    """Make the index of a collection that has many vectors, while they are read and written.

    One of its own, so that no search has to pass over the vectors of others, and a new collection is written without any.
    """
    model, vectors = (
        embedded.model,
        SectionEmbedding.objects.filter(collection=embedded.collection_id, model=embedded.model_id),
    )
    if embedded.is_indexed or model.dimension > MAX_DIMENSION or vectors.count() < MANY_VECTORS:
        return
    name = name_index(embedded.collection_id, model.pk)
    with connection.cursor() as cursor:
        cursor.execute(f"DROP INDEX IF EXISTS {name}")  # one whose making broke off
        cursor.execute(
            f"CREATE INDEX CONCURRENTLY {name} ON collections_app_sectionembedding "
            f"USING hnsw ({index_expression(model.dimension)} vector_ip_ops) "
            f"WHERE collection_id = {embedded.collection_id:d} AND model_id = {model.pk:d}"
        )
    EmbeddedCollection.objects.filter(pk=embedded.pk).update(is_indexed=True)


def drop_unused_indexes() -> None:
    """Those of collections, and of models, that are gone."""
    used = {
        name_index(*ids)
        for ids in EmbeddedCollection.objects.filter(is_indexed=True).values_list("collection_id", "model_id")
    }
    with connection.cursor() as cursor:
        cursor.execute("SELECT relname FROM pg_class WHERE relkind = 'i' AND relname LIKE %s", [f"{INDEX_PREFIX}%"])
        for (name,) in cursor.fetchall():
            if name not in used:
                cursor.execute(f'DROP INDEX IF EXISTS "{name}"')


def name_index(collection_id: int, model_id: int) -> str:
    return f"{INDEX_PREFIX}_{collection_id:d}_{model_id:d}"
