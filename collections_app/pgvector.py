"""What docsmcp wants of pgvector: whether it is there, and an index where a model's vectors are many.

Without it nothing semantic is searched or computed; everything else works.
"""

from __future__ import annotations

import structlog
from django.db import DatabaseError, connection, transaction

from collections_app.models import EmbeddingModel, SectionEmbedding

logger = structlog.get_logger(__name__)

# pgvector indexes no longer ones.
MAX_DIMENSION = 2000
# From so many vectors on, looking at each takes longer than a search should.
MANY_VECTORS = 50_000
NO_PGVECTOR = "the database has no pgvector"


def has_pgvector() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_extension WHERE extname = 'vector'")
        return cursor.fetchone() is not None


def ensure_pgvector() -> bool:
    """Whether it is there, now that it was made where it can be."""
    if has_pgvector():
        return True
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'")
        if cursor.fetchone() is None:
            return False
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("CREATE EXTENSION IF NOT EXISTS vector")
    except DatabaseError as error:
        logger.warning("pgvector_not_created", reason=str(error).partition("\n")[0])
        return False
    return True


def cast_vector(dimension: int) -> str:
    """The indexed expression, in SQL."""
    return f"(vector::vector({dimension}))"


def name_index(model: EmbeddingModel) -> str:
    return f"section_embedding_hnsw_{model.pk}"


def has_index(model: EmbeddingModel) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(%s)", [name_index(model)]
        )
        row = cursor.fetchone()
    return bool(row and row[0])


def ensure_index(model: EmbeddingModel) -> bool:
    """Make the index of a model that has many vectors, while they are read and written; whether one was made."""
    if has_index(model) or SectionEmbedding.objects.filter(model=model).count() < MANY_VECTORS:
        return False
    name = name_index(model)
    with connection.cursor() as cursor:
        cursor.execute(f"DROP INDEX IF EXISTS {name}")  # one whose making broke off
        cursor.execute(
            f"CREATE INDEX CONCURRENTLY {name} ON collections_app_sectionembedding "
            f"USING hnsw ({cast_vector(model.dimension)} vector_ip_ops) WHERE model_id = {model.pk}"
        )
    return True
