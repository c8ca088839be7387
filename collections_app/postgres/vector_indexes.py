"""The HNSW indexes over embeddings, and what a search by them costs. A collection with many vectors has its own index, so that searching
it does not visit vectors of others; a tenant whose collections have many vectors together has one too.

If there are few vectors, each is compared, without an index.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import structlog
from django.db import OperationalError, connection

from collections_app.exceptions import get_first_line
from collections_app.models import EmbeddedCollection

logger = structlog.get_logger(__name__)

# pgvector cannot index longer vectors.
MAX_DIMENSION = 2000
# If a collection has fewer vectors, each is compared, in 5 ms at most.
MANY_VECTORS = 10_000
# The most that a search may cost without an index of the tenant's, counted in compared vectors.
MAX_COMPARED = 30_000
# The cost of a search in an index, and of each vector that it visits.
OPENED = 2_000
VISITED = 10

INSUFFICIENT_RESOURCES = "53"  # an error class of PostgreSQL
PREFIX = "section_embedding_hnsw"
SHARED = f"{PREFIX}_of_tenant"

FIND_EMBEDDED = """
SELECT embedded.tenant_id, model.id, model.dimension, embedded.collection_id, coalesce(statistic.sections, 0), embedded.is_indexed
FROM collections_app_embeddedcollection AS embedded JOIN collections_app_embeddingmodel AS model ON model.id = embedded.model_id
LEFT JOIN collections_app_termstatistic AS statistic
    ON statistic.tenant_id = embedded.tenant_id AND statistic.collection_id = embedded.collection_id AND statistic.term = ''
"""
FIND_SHARED = """
SELECT tenant_id, reltuples::bigint
FROM unnest(%s::bigint[]) AS asked (tenant_id) JOIN pg_class ON pg_class.oid = to_regclass(%s || tenant_id || %s)
JOIN pg_index ON indexrelid = pg_class.oid WHERE indisvalid
"""


class Embedded(NamedTuple):
    """A collection that is embedded by a model. `vectors` is approximate: the number of sections."""

    tenant_id: int
    model_id: int
    dimension: int
    collection_id: int
    vectors: int
    is_indexed: bool


def count_compared(collections: Iterable[Embedded]) -> int:
    """The cost of searching each collection by itself, in compared vectors."""
    return sum(OPENED if each.is_indexed else each.vectors for each in collections)


def count_visited(limit: int, asked: Iterable[Embedded], total: int) -> float:
    """The cost, in compared vectors, of finding `limit` vectors of these collections in an index of `total` vectors of all."""
    return OPENED + VISITED * limit * total / max(sum(each.vectors for each in asked), 1)


def index_expression(dimension: int) -> str:
    """The indexed SQL expression. It names the dimension, since vectors of other models may have another."""
    return f"(vector::vector({dimension:d}))"


def ensure_indexes() -> None:
    """Makes the indexes that are wanted, and drops those of collections, tenants and models that are gone."""
    embedded = [each for each in read_embedded() if each.dimension <= MAX_DIMENSION]
    drop_unused(embedded)
    for each in list_costly(list(map(ensure_own_index, embedded)), MAX_COMPARED):
        if not find_shared([each.tenant_id], each.model_id):
            make_index(name_shared_index(each), each, f"tenant_id = {each.tenant_id:d}")


def ensure_own_index(of: Embedded) -> Embedded:
    """Makes the collection's index if it has many vectors; returns the collection as it is afterwards."""
    if of.is_indexed or of.vectors < MANY_VECTORS:
        return of
    make_index(name_index(of), of, f"collection_id = {of.collection_id:d}")
    EmbeddedCollection.objects.filter(collection=of.collection_id, model=of.model_id).update(is_indexed=True)
    return of._replace(is_indexed=True)


def read_embedded() -> list[Embedded]:
    with connection.cursor() as cursor:
        cursor.execute(FIND_EMBEDDED)
        return [Embedded(*row) for row in cursor.fetchall()]


def list_costly(embedded: Iterable[Embedded], cost: int) -> Iterator[Embedded]:
    """One collection for each tenant and model whose collections, searched one by one, would cost more than `cost`."""
    by_tenant: defaultdict[tuple[int, int], list[Embedded]] = defaultdict(list)
    for each in embedded:
        by_tenant[each.tenant_id, each.model_id].append(each)
    return (collections[0] for collections in by_tenant.values() if count_compared(collections) > cost)


def find_shared(tenant_ids: Iterable[int], model_id: int) -> dict[int, int]:
    """The tenants that have an index of their own over the model's vectors, and PostgreSQL's estimate of how many vectors are in it."""
    with connection.cursor() as cursor:
        cursor.execute(FIND_SHARED, [list(tenant_ids), f"{SHARED}_", f"_{model_id:d}"])
        return dict(cursor.fetchall())


def make_index(name: str, of: Embedded, condition: str) -> None:
    """Makes the index while the table is read and written; without parallel workers if shared memory is short, as in a container."""
    statement = (
        f"CREATE INDEX CONCURRENTLY {name} ON collections_app_sectionembedding "
        f"USING hnsw ({index_expression(of.dimension)} vector_ip_ops) WHERE {condition} AND model_id = {of.model_id:d}"
    )
    with connection.cursor() as cursor:
        cursor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")  # left over from an interrupted attempt
        try:
            cursor.execute(statement)
        except OperationalError as error:
            if not is_out_of_resources(error):
                raise
            logger.info("vector_index_without_workers", reason=get_first_line(error))
            cursor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
            cursor.execute("SET max_parallel_maintenance_workers = 0")
            try:
                cursor.execute(statement)
            finally:
                cursor.execute("RESET max_parallel_maintenance_workers")


def is_out_of_resources(error: OperationalError) -> bool:
    return str(getattr(error.__cause__, "sqlstate", "")).startswith(INSUFFICIENT_RESOURCES)


def drop_unused(embedded: Iterable[Embedded]) -> None:
    used = {name_index(each) for each in embedded if each.is_indexed}
    used |= {name_shared_index(each) for each in list_costly(embedded, MAX_COMPARED // 2)}
    with connection.cursor() as cursor:
        cursor.execute("SELECT relname FROM pg_class WHERE relkind = 'i' AND relname LIKE %s", [f"{PREFIX}%"])
        for (name,) in cursor.fetchall():
            if name not in used:
                cursor.execute(f'DROP INDEX CONCURRENTLY IF EXISTS "{name}"')


def name_index(of: Embedded) -> str:
    return f"{PREFIX}_{of.collection_id:d}_{of.model_id:d}"


def name_shared_index(of: Embedded) -> str:
    return f"{SHARED}_{of.tenant_id:d}_{of.model_id:d}"
