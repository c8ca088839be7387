"""Search by meaning: the sections whose embeddings are nearest to the question's. How that is joined with words is fusion.py's.

What is compared is of one model, and only in collections that it has embedded as a whole once.
"""

from __future__ import annotations

from collections.abc import Collection as Container
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from collections_app.clients.embeddings import get_embedder
from collections_app.exceptions import UpstreamUnavailable
from collections_app.models import Collection
from collections_app.postgres.pgvector import NO_PGVECTOR, has_pgvector
from collections_app.postgres.prepared_cursor import write_array
from collections_app.postgres.vector_indexes import (
    FIND_EMBEDDED,
    MAX_COMPARED,
    Embedded,
    count_compared,
    count_visited,
    find_shared,
    index_expression,
)
from collections_app.search.phrases import may_be_stopped
from collections_app.search.query import Query
from collections_app.search.ranking.matching import IN_INDEX, make_phrases, make_requirements
from collections_app.search.ranking.scoring import RankedSection
from collections_app.search.terms.statistics import ScopedTerms
from collections_app.search.time_limit import open_cursor

# How long a question waits for an embedder that is not in this process.
QUESTION_SECONDS = 3.0
MAX_EF_SEARCH = 1_000
# So many vectors for each that is wanted are kept in view on the way through an index (docs/benchmarks.md).
LISTED = 2
NOTHING_EMBEDDED = "Nothing here has embeddings of this server's model yet."

SELECT = "SELECT section_id, document_id, {distance} AS distance FROM collections_app_sectionembedding WHERE tenant_id = ANY(%s::bigint[])"

# As the indexes have it; and as none has it.
INDEXED, COMPARED = "{} <#> %s::vector", "(vector <#> %s::vector) + 0"

IN_SECTIONS = """SELECT section_id FROM collections_app_searchedvector,
    (SELECT document_ids{phrases} FROM (SELECT %s::regconfig AS language, %s::bigint[] AS document_ids) AS asked OFFSET 0) AS scope"""

OF_MODEL = f"""
{FIND_EMBEDDED}
WHERE model.name = %s AND embedded.tenant_id = ANY(%s::bigint[]) AND embedded.collection_id = ANY(%s::bigint[])
"""


@dataclass(frozen=True, slots=True)
class Meaning:
    """A question's embedding as pgvector reads it, and whose vectors may be compared with it. `knows_words`: Embedder.knows_words();
    `tenant_ids` as an array; `shared`: tenants with an index of their own, and how many vectors it has."""

    vector: str
    tenant_ids: str
    collections: Sequence[Embedded]
    shared: Mapping[int, int]
    knows_words: bool


def get_meaning(text: str, collections: Sequence[Collection]) -> Meaning | None:
    """Embeds a question; None where nothing is embedded that it could be compared with. Raises NoEmbedder when this is not set up here,
    and UpstreamUnavailable when it does not work just now."""
    embedder = get_embedder()
    tenants, ids = {c.tenant_id for c in collections}, write_array(c.pk for c in collections)
    with open_cursor() as cursor:
        cursor.execute(OF_MODEL, [embedder.name, write_array(tenants), ids])
        embedded = [Embedded(*row) for row in cursor.fetchall()]
    if not embedded:
        return None
    (vector,) = embedder.embed([text[: embedder.max_characters]], seconds=QUESTION_SECONDS).tolist()
    if len(vector) != embedded[0].dimension:
        raise UpstreamUnavailable("The embedder gives vectors of another length than those that are stored.")
    shared = find_shared(tenants, embedded[0].model_id) if count_compared(embedded) > MAX_COMPARED else {}
    return Meaning(str(vector), write_array(tenants), embedded, shared, embedder.knows_words(text))


def explain_no_meaning() -> str:
    """Why get_meaning() gave none."""
    return NOTHING_EMBEDDED if has_pgvector() else NO_PGVECTOR


def rank_by_meaning(
    meaning: Meaning, scopes: Sequence[ScopedTerms], query: Query, limit: int
) -> Iterator[RankedSection]:
    """The nearest sections, at most `limit` of each index and of what is asked at once, in no order; scores are cosines."""
    if not (query.phrases or query.excluded or any(each.scope.narrowing for each in scopes)):
        collection_ids = {pk for each in scopes for pk in each.scope.collection_ids}
        yield from rank_nearest(meaning, collection_ids, limit)
        return
    for scoped in scopes:
        condition, values = make_section_condition(scoped, query)
        yield from rank_nearest(meaning, scoped.scope.collection_ids, limit, condition, values)


def rank_nearest(
    meaning: Meaning, collection_ids: Container[int], limit: int, condition: str = "", values: Sequence[Any] = ()
) -> list[RankedSection]:
    """Of the sections that meet the condition."""
    asked = [each for each in meaning.collections if each.collection_id in collection_ids]
    statements = list(make_statements(meaning.shared, asked, limit))
    rows: list[tuple[int, int, float]] = []
    # Beyond its own list an index goes on until enough of the collections asked for are found (pgvector's manual, "Iterative Index Scans").
    tuning = {"hnsw.ef_search": str(min(LISTED * limit, MAX_EF_SEARCH)), "hnsw.iterative_scan": "relaxed_order"}
    with open_cursor(**tuning) as cursor:
        for statement in statements:
            nearest = f"{statement}{condition} ORDER BY distance LIMIT {limit:d}"
            cursor.execute(nearest, [meaning.vector, meaning.tenant_ids, *values])
            rows += cursor.fetchall()
    return [RankedSection(0, section, document, -distance) for section, document, distance in rows]


def make_statements(shared: Mapping[int, int], asked: Sequence[Embedded], limit: int) -> Iterator[str]:
    """One for each tenant with an index, where that costs less than its collections by themselves; else one for each collection that has
    one, and one for all others, of which each vector is compared."""
    apart: list[Embedded] = []
    for tenant_id in dict.fromkeys(each.tenant_id for each in asked):
        own = [each for each in asked if each.tenant_id == tenant_id]
        if tenant_id in shared and count_visited(limit, own, shared[tenant_id]) < count_compared(own):
            yield f"{make_statement(own, INDEXED)} AND tenant_id = {tenant_id:d}"
        else:
            apart += own
    yield from (make_statement([each], INDEXED) for each in apart if each.is_indexed)
    if unindexed := [each for each in apart if not each.is_indexed]:
        yield make_statement(unindexed, COMPARED)


def make_statement(collections: Sequence[Embedded], distance: str) -> str:
    model_id, dimension, ids = collections[0].model_id, collections[0].dimension, [c.collection_id for c in collections]
    selected = SELECT.format(distance=distance.format(index_expression(dimension)))
    return f"{selected} AND model_id = {model_id:d} AND collection_id IN ({', '.join(map(str, ids))})"


def make_section_condition(scoped: ScopedTerms, query: Query) -> tuple[str, list[Any]]:
    """What is required of sections whatever they mean: phrases, exclusions, filters."""
    scope = scoped.scope
    stopped = [phrase for phrase in query.phrases if may_be_stopped(phrase, scoped.stop_words)]
    requirements, values = make_requirements([scope], query, stopped)
    conditions = " AND ".join([IN_INDEX.format("%s"), *requirements])
    phrases, of_phrases = make_phrases(query)
    return f" AND section_id IN ({IN_SECTIONS.format(phrases=phrases)} WHERE {conditions})", [
        *of_phrases,
        scope.language,
        write_array(scope.document_ids),
        write_array(scope.collection_ids),
        *values,
    ]
