"""Search by meaning: finds the sections whose embeddings are nearest to the question's. fusion.py combines it with keyword search.

Only embeddings of one model are compared, and only in collections that it has embedded completely at some time.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, NamedTuple

from collections_app.clients.embeddings import Embedder, get_embedder
from collections_app.clients.embeddings.interface import scale_to_unit
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
from collections_app.search.ranking.matching import IN_INDEX, IN_ROWS, make_phrases, make_requirements
from collections_app.search.ranking.scoring import RankedSection
from collections_app.search.terms.asked_words import find_phrase_terms
from collections_app.search.terms.named_products import find_named
from collections_app.search.terms.product_names import leave_out_product
from collections_app.search.terms.statistics import ScopedTerms
from collections_app.search.time_limit import open_cursor

# How long a question waits for an embedder that is not in this process.
QUESTION_SECONDS = 3.0
MAX_EF_SEARCH = 1_000
# hnsw.ef_search is this many times the number of vectors that are wanted (docs/benchmarks-history.md).
LISTED = 2
# The weight of the question without the product's name, beside the whole question, in the vector that is searched.
BESIDE_NAMES = 0.4
NOTHING_EMBEDDED = "Nothing here has embeddings of this server's model yet."

# How many more of the nearest are asked whether they may be found than that takes, as it is an estimate; but no more than these. And of
# how few of the wanted ones it was too high.
MORE = 1.5
MOST_ASKED = 2_000
FEW = 0.1
# So many that may be found are compared at most, of each language its share: whichever the table has first.
MOST_COMPARED = 5_000

# The distance as the indexes have it, and in a form that no index serves, so that each vector is compared.
INDEXED, COMPARED = "{} <#> %s::vector", "(vector <#> %s::vector) + 0"
SELECT = "SELECT section_id, document_id, collection_id, {} AS distance FROM collections_app_sectionembedding"
# The sections that meet the narrowing, the phrases and the exclusions, whatever they mean.
MEETING = """SELECT section_id, document_id FROM collections_app_searchedvector,
    (SELECT document_ids{phrases} FROM (SELECT %s::regconfig AS language, %s::bigint[] AS document_ids) AS asked OFFSET 0) AS scope
    WHERE {conditions}"""
# A long section has several rows in the index.
JOINED = """JOIN (SELECT DISTINCT document_id, section_id FROM ({} LIMIT {:d}) AS found) AS meeting USING (document_id, section_id)"""
AMONG = "document_id = ANY(%s::bigint[]) AND section_id = ANY(%s::bigint[])"
# Embeddings are to be looked up one by one: because of the limit in the join, the planner would rather read all of them.
LOOKED_UP = {"enable_hashjoin": "off", "enable_mergejoin": "off"}

OF_MODEL = f"""
{FIND_EMBEDDED}
WHERE model.name = %s AND embedded.tenant_id = ANY(%s::bigint[]) AND embedded.collection_id = ANY(%s::bigint[])
"""


class Near(NamedTuple):
    """A section near the question. `distance`: the negative cosine."""

    section_id: int
    document_id: int
    collection_id: int
    distance: float


@dataclass(frozen=True, slots=True)
class Meaning:
    """A question's embedding, written for pgvector, and the collections whose vectors may be compared with it.

    `knows_words`, `unrelated`: see Embedder.knows_words() and measure_unrelated(). `tenant_ids`: written as an array. `shared`: tenants
    with an index over all their collections → how many vectors it has.
    """

    vector: str
    tenant_ids: str
    collections: Sequence[Embedded]
    shared: Mapping[int, int]
    knows_words: bool
    unrelated: float

    def list_in(self, scoped: ScopedTerms) -> list[Embedded]:
        own = set(scoped.scope.collection_ids)
        return [each for each in self.collections if each.collection_id in own]


def get_meaning(text: str, collections: Sequence[Collection]) -> Meaning | None:
    """Embed a question; None if no embeddings can be compared with it.

    Raises NoEmbedder if no embedder is set up, and UpstreamUnavailable if it does not work at the moment.
    """
    embedder = get_embedder()
    tenants, ids = {c.tenant_id for c in collections}, write_array(c.pk for c in collections)
    with open_cursor() as cursor:
        cursor.execute(OF_MODEL, [embedder.name, write_array(tenants), ids])
        embedded = [Embedded(*row) for row in cursor.fetchall()]
    if not embedded:
        return None
    vector = embed_question(embedder, text, find_named(collections, text).names)
    if len(vector) != embedded[0].dimension:
        raise UpstreamUnavailable("The embedder gives vectors of another length than those that are stored.")
    shared = find_shared(tenants, embedded[0].model_id) if count_compared(embedded) > MAX_COMPARED else {}
    unrelated = embedder.measure_unrelated(seconds=QUESTION_SECONDS)
    return Meaning(str(vector), write_array(tenants), embedded, shared, embedder.knows_words(text), unrelated)


def embed_question(embedder: Embedder, text: str, names: Set[str]) -> list[float]:
    """The question's vector, of unit length. If it has one of these products' names, the other words count extra."""
    texts = dict.fromkeys(each[: embedder.max_characters] for each in (text, leave_out_product(text, names)))
    vectors = embedder.embed_questions(list(texts), seconds=QUESTION_SECONDS)
    (mean,) = scale_to_unit((1 - BESIDE_NAMES) * vectors[:1] + BESIDE_NAMES * vectors[-1:])
    embedded: list[float] = mean.tolist()
    return embedded


def explain_no_meaning() -> str:
    """Why get_meaning() returned None."""
    return NOTHING_EMBEDDED if has_pgvector() else NO_PGVECTOR


def rank_by_meaning(meaning: Meaning, scopes: Sequence[ScopedTerms], query: Query, limit: int) -> list[RankedSection]:
    """The nearest sections that may be found, about `limit`, in no order; scores are cosines."""
    found = find_near(meaning, scopes, query, limit)
    return [RankedSection(0, each.section_id, each.document_id, -each.distance) for each in found]


def find_near(meaning: Meaning, scopes: Sequence[ScopedTerms], query: Query, limit: int) -> list[Near]:
    """The nearest sections that may be found, in no order.

    If conditions exclude little, the nearest of all sections are filtered by them; else all sections that meet them are compared.
    """
    if not (query.phrases or query.excluded or any(each.scope.narrowing for each in scopes)):
        return find_nearest(meaning, scopes, limit)
    left = [max(estimate_left(scoped, query), 1.0) for scoped in scopes]
    wanted = MORE * limit * sum(scoped.sections for scoped in scopes) / sum(left)
    if wanted < sum(left):
        asked = min(round(wanted), MOST_ASKED)
        near = find_nearest(meaning, scopes, asked)
        found = [each for scoped in scopes for each in keep_meeting(near, scoped, query)]
        if len(near) < asked or len(found) >= FEW * limit:
            return found
    shares = [max(math.ceil(MOST_COMPARED * own / sum(left)), limit) for own in left]
    return [
        each
        for scoped, share in zip(scopes, shares, strict=True)
        for each in compare_meeting(meaning, scoped, query, limit, share)
    ]


def estimate_left(scoped: ScopedTerms, query: Query) -> float:
    """How many sections may be found: at most what the narrowing leaves, and as many as have the rarest word of the phrases.

    Exclusions are ignored, as they leave most sections.
    """
    inside = [term.sections for term in find_phrase_terms(query.phrases, scoped.terms)]
    by_narrowing = scoped.sections * scoped.passing if scoped.scope.narrowing else scoped.sections
    return min([*inside, by_narrowing])


def find_nearest(meaning: Meaning, scopes: Sequence[ScopedTerms], limit: int) -> list[Near]:
    """The nearest of all sections, nearest first.

    If a tenant's index gives too few, it led to other collections than those searched; then these are searched by themselves.
    """
    asked = [each for scoped in scopes for each in meaning.list_in(scoped)]
    found: list[Near] = []
    apart: list[Embedded] = []
    # Beyond its own list an index goes on until enough of the collections asked for are found (pgvector's manual, "Iterative Index Scans").
    tuning = {"hnsw.ef_search": str(min(LISTED * limit, MAX_EF_SEARCH)), "hnsw.iterative_scan": "relaxed_order"}
    with open_cursor(**(tuning if meaning.shared or any(each.is_indexed for each in asked) else {})) as cursor:

        def read(statement: str) -> list[Near]:
            cursor.execute(f"{statement} ORDER BY distance LIMIT {limit:d}", [meaning.vector, meaning.tenant_ids])
            return [Near(*row) for row in cursor.fetchall()]

        for tenant_id in dict.fromkeys(each.tenant_id for each in asked):
            own = [each for each in asked if each.tenant_id == tenant_id]
            is_shared = is_shared_cheaper(own, meaning.shared.get(tenant_id), limit)
            near = read(f"{make_statement(own, INDEXED)} AND tenant_id = {tenant_id:d}") if is_shared else []
            if is_shared and len(near) >= min(limit, sum(each.vectors for each in own)):
                found += near
            else:
                apart += own
        for statement in make_statements(apart):
            found += read(statement)
    return sorted(found, key=lambda each: each.distance)[:limit]


def is_shared_cheaper(own: Sequence[Embedded], total: int | None, limit: int) -> bool:
    """Whether searching a tenant's index of `total` vectors (None if it has none) costs less than searching its collections separately."""
    return total is not None and count_visited(limit, own, total) < count_compared(own)


def make_statements(apart: Sequence[Embedded]) -> Iterator[str]:
    """One statement for each collection with an index of its own, and one for all others, which compares each vector."""
    yield from (make_statement([each], INDEXED) for each in apart if each.is_indexed)
    if unindexed := [each for each in apart if not each.is_indexed]:
        yield make_statement(unindexed, COMPARED)


def make_statement(collections: Sequence[Embedded], distance: str) -> str:
    as_indexed = distance.format(index_expression(collections[0].dimension))
    return f"{SELECT.format(as_indexed)} WHERE {of_collections(collections)}"


def of_collections(collections: Sequence[Embedded]) -> str:
    ids = ", ".join(str(each.collection_id) for each in collections)
    return f"tenant_id = ANY(%s::bigint[]) AND model_id = {collections[0].model_id:d} AND collection_id IN ({ids})"


def keep_meeting(near: Sequence[Near], scoped: ScopedTerms, query: Query) -> list[Near]:
    """Those of the nearest sections that are in the scope and meet the query's conditions."""
    scope = scoped.scope
    own = [each for each in near if each.collection_id in scope.collection_ids]
    if scope.narrowing.documents is not None:
        known = set(scope.document_ids)
        own = [each for each in own if each.document_id in known]
    if not own:
        return []
    documents = {each.document_id for each in own}
    among = [write_array(documents), write_array(each.section_id for each in own)]
    statement, values = make_meeting(scoped, query, f"{AMONG} AND {IN_ROWS}", documents, among)
    with open_cursor() as cursor:
        cursor.execute(statement, values)
        meeting = {section for section, _ in cursor.fetchall()}
    return [each for each in own if each.section_id in meeting]


def compare_meeting(meaning: Meaning, scoped: ScopedTerms, query: Query, limit: int, most: int) -> list[Near]:
    """The nearest of the scope's sections that meet the query's conditions; only the first `most` of these are compared."""
    collections = meaning.list_in(scoped)
    if not collections:
        return []
    places = IN_ROWS if scoped.is_wide else IN_INDEX
    meeting, values = make_meeting(scoped, query, places, scoped.scope.document_ids)
    joined = f"{SELECT.format(COMPARED)} {JOINED.format(meeting, most)}"
    statement = f"{joined} WHERE {of_collections(collections)} ORDER BY distance LIMIT {limit:d}"
    with open_cursor(**LOOKED_UP) as cursor:
        cursor.execute(statement, [meaning.vector, *values, meaning.tenant_ids])
        return [Near(*row) for row in cursor.fetchall()]


def make_meeting(
    scoped: ScopedTerms, query: Query, places: str, documents: Iterable[int], among: Sequence[Any] = ()
) -> tuple[str, list[Any]]:
    """The statement for sections that meet the query's conditions in `places` (SQL), and its values.

    `documents`: the ids of the documents that count, if the narrowing has looked them up.
    """
    scope = scoped.scope
    stopped = [phrase for phrase in query.phrases if may_be_stopped(phrase, scoped.stop_words)]
    requirements, values = make_requirements([scope], query, stopped)
    phrases, of_phrases = make_phrases(query)
    statement = MEETING.format(phrases=phrases, conditions=" AND ".join([places.format("%s"), *requirements]))
    of_scope = [scope.language, write_array(documents)]
    return statement, [*of_phrases, *of_scope, *among, write_array(scope.collection_ids), *values]
