"""Search by meaning: the sections whose embeddings are nearest to the question's. How that is joined with words is fusion.py's.

What is compared is of one model, and only in collections that it has embedded as a whole once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from collections_app.clients.embeddings import get_embedder
from collections_app.exceptions import UpstreamUnavailable
from collections_app.models import Collection
from collections_app.postgres.pgvector import NO_PGVECTOR, has_pgvector, index_expression
from collections_app.postgres.prepared_cursor import write_array
from collections_app.search.phrases import may_be_stopped
from collections_app.search.query import Query
from collections_app.search.ranking.matching import IN_INDEX, make_phrases, make_requirements
from collections_app.search.ranking.scoring import RankedSection
from collections_app.search.terms.statistics import ScopedTerms
from collections_app.search.time_limit import open_cursor

# How long a question waits for an embedder that is not in this process.
QUESTION_SECONDS = 3.0
MAX_EF_SEARCH = 1_000
NOTHING_EMBEDDED = "Nothing here has embeddings of this server's model yet."

SELECT = "SELECT section_id, document_id, {distance} AS distance FROM collections_app_sectionembedding WHERE tenant_id = ANY(%s::bigint[])"

IN_SECTIONS = """SELECT section_id FROM collections_app_searchedvector,
    (SELECT document_ids{phrases} FROM (SELECT %s::regconfig AS language, %s::bigint[] AS document_ids) AS asked OFFSET 0) AS scope"""

FIND_MODEL = """
SELECT model.id, model.dimension, array_agg(embedded.collection_id),
       coalesce(array_agg(embedded.collection_id) FILTER (WHERE embedded.is_indexed), '{}')
FROM collections_app_embeddingmodel AS model
JOIN collections_app_embeddedcollection AS embedded ON embedded.model_id = model.id
WHERE model.name = %s AND embedded.tenant_id = ANY(%s::bigint[]) AND embedded.collection_id = ANY(%s::bigint[])
GROUP BY model.id
"""


@dataclass(frozen=True, slots=True)
class Meaning:
    """A question's embedding as pgvector reads it, and whose vectors may be compared with it. `knows_words`: Embedder.knows_words();
    `tenant_ids` as an array."""

    vector: str
    tenant_ids: str
    model_id: int
    dimension: int
    collection_ids: frozenset[int]
    indexed_ids: frozenset[int]
    knows_words: bool


def get_meaning(text: str, collections: Sequence[Collection]) -> Meaning | None:
    """Embeds a question; None where nothing is embedded that it could be compared with. Raises NoEmbedder when this is not set up here,
    and UpstreamUnavailable when it does not work just now."""
    embedder = get_embedder()
    with open_cursor() as cursor:
        tenants, ids = write_array({c.tenant_id for c in collections}), write_array(c.pk for c in collections)
        cursor.execute(FIND_MODEL, [embedder.name, tenants, ids])
        found = cursor.fetchone()
    if found is None:
        return None
    model_id, dimension, collection_ids, indexed_ids = found
    (vector,) = embedder.embed([text[: embedder.max_characters]], seconds=QUESTION_SECONDS).tolist()
    if len(vector) != dimension:
        raise UpstreamUnavailable("The embedder gives vectors of another length than those that are stored.")
    sets = frozenset(collection_ids), frozenset(indexed_ids)
    return Meaning(str(vector), tenants, model_id, dimension, *sets, embedder.knows_words(text))


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
    meaning: Meaning, collection_ids: Iterable[int], limit: int, condition: str = "", values: Sequence[Any] = ()
) -> list[RankedSection]:
    """Of the sections that meet the condition."""
    known = meaning.collection_ids.intersection(collection_ids)
    indexed = known & meaning.indexed_ids
    rows: list[tuple[int, int, float]] = []
    # Beyond its own list an index goes on until enough of the collections asked for are found (pgvector's manual, "Iterative Index Scans").
    tuning = {"hnsw.ef_search": str(min(limit, MAX_EF_SEARCH)), "hnsw.iterative_scan": "relaxed_order"}
    with open_cursor(**(tuning if indexed else {})) as cursor:
        for statement in make_statements(meaning, sorted(known - indexed), sorted(indexed)):
            nearest = f"{statement}{condition} ORDER BY distance LIMIT {limit:d}"
            cursor.execute(nearest, [meaning.vector, meaning.tenant_ids, *values])
            rows += cursor.fetchall()
    return [RankedSection(0, section, document, -distance) for section, document, distance in rows]


def make_statements(meaning: Meaning, unindexed: Sequence[int], indexed: Sequence[int]) -> Iterator[str]:
    """One for each collection with an index of its own; one for all others, which looks at each of their vectors."""
    for collection_id in indexed:
        distance = f"{index_expression(meaning.dimension)} <#> %s::vector"
        yield f"{SELECT.format(distance=distance)} AND collection_id = {collection_id:d} AND model_id = {meaning.model_id:d}"
    if unindexed:
        ids = ", ".join(map(str, unindexed))
        distance = "(vector <#> %s::vector) + 0"
        yield f"{SELECT.format(distance=distance)} AND collection_id IN ({ids}) AND model_id = {meaning.model_id:d}"


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
