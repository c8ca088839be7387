"""Keyword search on plain PostgreSQL: candidates from the index, their counts by ts_rank_cd, their score by ranking.py.

For a query of one lexeme, ts_rank_cd is the sum of the weights of its occurrences. With weights that are far enough apart, one
call tells how often the lexeme stands in the title, in the headings and in the text: COUNTED holds the three as digits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from collections_app.analysis import make_query_text
from collections_app.code_blocks import make_code_term
from collections_app.prepared_cursor import write_array
from collections_app.search.candidates import iter_candidate_queries
from collections_app.search.filters import make_where
from collections_app.search.query import Query
from collections_app.search.ranking import PROXIMITY, Matches, RankedSection, rank_matches, sort_ranked
from collections_app.search.scope import Scope
from collections_app.search.synonyms import quote
from collections_app.search.terms import Corpus, ScopedTerms, Term
from collections_app.search.time_limit import open_cursor

if TYPE_CHECKING:
    from collections_app.search.ranking import Floats, Integers

Ranking = tuple[Matches, list[RankedSection]]

# PostgreSQL keeps at most 255 positions of a lexeme: 9 bits for each of text and headings, and what is left of a float's 24 for titles.
DIGIT_BITS = 9
DIGIT = (1 << DIGIT_BITS) - 1
COUNTED = f"{{{2.0 ** (-2 * DIGIT_BITS)}, 0, {2.0**-DIGIT_BITS}, 1}}"
# Most terms are not in most candidates, which @@ tells five times as fast.
COUNT = f"CASE WHEN vector @@ %s::tsquery THEN ts_rank_cd('{COUNTED}', vector, %s::tsquery) ELSE 0 END"
# Fewer ranked sections than this are hardly an answer.
ENOUGH = 10
MAX_TERMS = 24
# Where more sections than this match, those count that have one of the rarest terms in a heading: the first of so many rows, a bound for
# words that are everywhere.
MANY = 1_000
MAX_ROWS = 10_000
RAREST = 2
# So many of the best are looked at for words that stand together.
NEIGHBOURLY = 100


def rank_sections(scopes: Sequence[ScopedTerms], query: Query, corpus: Corpus, limit: int) -> list[RankedSection]:
    """The best sections of all scopes, best first, at most `limit`."""
    rankings = rank_scopes(scopes, query, corpus, max(limit, NEIGHBOURLY))
    ranked = sort_ranked(section for _, of_scope in rankings for section in of_scope)
    return prefer_neighbours(ranked, find_all_neighbours(scopes))[:limit]


def rank_scopes(scopes: Sequence[ScopedTerms], query: Query, corpus: Corpus, limit: int) -> list[Ranking]:
    """For each scope its candidates and their best sections, at most `limit`, before neighbours are looked at.

    Where the rare terms' sections are not ENOUGH in all (a filter, an exclusion, words that never meet), those of commoner ones are ranked
    too.
    """
    deeper = [iter_rankings(scoped, query, corpus, limit) for scoped in scopes]
    rankings: list[Ranking] = [(Matches.make([]), [])] * len(scopes)
    while any(found := [next(each, None) for each in deeper]):
        rankings = [new or old for new, old in zip(found, rankings, strict=True)]
        if sum(len(ranked) for _, ranked in rankings) >= ENOUGH:
            break
    return rankings


def iter_rankings(scoped: ScopedTerms, query: Query, corpus: Corpus, limit: int) -> Iterator[Ranking]:
    """Each of more candidates than the one before."""
    if known := get_known(scoped):
        for candidates in iter_candidate_queries(known, query, scoped.sections, scoped.share):
            matches = choose_matches(scoped.scope, query, known, candidates)
            yield matches, rank_matches(matches, known, corpus, limit)


def get_known(scoped: ScopedTerms) -> list[Term]:
    """The terms that rank: those that occur, the rarest of very many."""
    return [term for term in scoped.terms if term.sections][:MAX_TERMS]


# Where MANY rows match, those are scored that have a rare term in a heading, unless these are hardly an answer.
CHOOSE = """
WITH matching AS MATERIALIZED (
    SELECT id, section_id, document_id, words, page_words, vector FROM collections_app_searchedvector WHERE {where} LIMIT {most}
), choice AS MATERIALIZED (
    SELECT count(*) > {many} AND count(*) FILTER (WHERE vector @@ %s::tsquery) >= {enough} AS narrows FROM matching
)
SELECT id, section_id, document_id, words, page_words, {counts} FROM matching, choice WHERE NOT narrows OR vector @@ %s::tsquery
LIMIT (SELECT CASE WHEN narrows THEN {most} ELSE {many} + 1 END FROM choice)
"""


def choose_matches(scope: Scope, query: Query, terms: Sequence[Term], candidates: str) -> Matches:
    """Of the index rows that match the tsquery `candidates` and what the question requires those that are scored."""
    where, values = make_conditions(scope, query, candidates)
    counts = ", ".join(make_count(len(term.tsqueries)) for term in terms)
    headed = " | ".join(term.tsquery_in_headings for term in terms[:RAREST])
    counted = [tsquery for term in terms for tsquery in term.tsqueries for _ in range(2)]
    with open_cursor() as cursor:
        cursor.execute(
            CHOOSE.format(where=where, counts=counts, most=MAX_ROWS, many=MANY, enough=ENOUGH),
            [*values, headed, *counted, headed],
        )
        return read_matches(cursor.fetchall(), len(terms))


def make_count(alternatives: int) -> str:
    return COUNT if alternatives == 1 else f"greatest({', '.join([COUNT] * alternatives)})"


def read_matches(rows: Sequence[tuple[float, ...]], terms: int) -> Matches:
    """Rows of the five numbers of a Match and a rank for each term."""
    import numpy as np

    table = np.array(rows, dtype=np.float64).reshape(len(rows), 5 + terms)
    return Matches(table[:, :5].astype(np.int64), read_counts(table[:, 5:]))


def read_counts(ranks: Floats) -> Integers:
    """For each rank by COUNTED the occurrences in title, headings and text."""
    import numpy as np

    # A float that came as decimal text is near a whole number only.
    digits = np.rint(ranks * (1 << 2 * DIGIT_BITS)).astype(np.int64)
    return np.stack([digits >> 2 * DIGIT_BITS, digits >> DIGIT_BITS & DIGIT, digits & DIGIT], axis=-1)


def prefer_neighbours(ranked: Sequence[RankedSection], neighbours: Sequence[tuple[str, float]]) -> list[RankedSection]:
    """Ranked anew, the best ones' scores raised for each two neighbours of the question that they have side by side."""
    best, others = ranked[:NEIGHBOURLY], ranked[NEIGHBOURLY:]
    if not neighbours or not best:
        return list(ranked)
    bonus = " + ".join("CASE WHEN vector @@ %s::tsquery THEN %s::float8 ELSE 0 END" for _ in neighbours)
    values = [value for neighbour in neighbours for value in neighbour]
    with open_cursor() as cursor:
        cursor.execute(
            f"SELECT id, ({bonus})::float8 FROM collections_app_searchedvector WHERE id = ANY(%s::bigint[])",  # noqa: S608
            [*values, write_array(section.vector_id for section in best)],
        )
        bonuses = dict(cursor.fetchall())
    raised = (
        section.rescored(section.score + more) if (more := bonuses.get(section.vector_id)) else section
        for section in best
    )
    return [*sort_ranked(raised), *others]


def find_all_neighbours(scopes: Sequence[ScopedTerms]) -> list[tuple[str, float]]:
    """Those of every scope, as often as the one has them that has them most often: languages share many words."""
    neighbours: Counter[tuple[str, float]] = Counter()
    for scoped in scopes:
        neighbours |= Counter(find_neighbours(get_known(scoped)))
    return list(neighbours.elements())


def find_neighbours(terms: Sequence[Term]) -> list[tuple[str, float]]:
    """Two words of the question with at most one between them: the tsquery that has them so, and what it is worth."""
    words = sorted(((p, term) for term in terms for p in term.positions), key=itemgetter(0))
    return [
        (f"({a.tsquery} <-> {b.tsquery}) | ({a.tsquery} <2> {b.tsquery})", PROXIMITY * min(a.idf, b.idf))
        for (start, a), (end, b) in pairwise(words)
        if end - start <= 2 and a is not b
    ]


def make_conditions(scope: Scope, query: Query, candidates: str) -> tuple[str, list[Any]]:
    """The WHERE clause over section vectors, and its values."""
    requirements, values = make_requirements(scope, query)
    return f"vector @@ %s::tsquery AND {requirements}", [candidates, *values]


def make_requirements(scope: Scope, query: Query) -> tuple[str, list[Any]]:
    """What is required of section vectors whatever ranks them, and its values."""
    conditions = [IN_INDEX, "tenant_id = ANY(%s::bigint[])"]
    values: list[Any] = [write_array(scope.collection_ids), write_array(scope.tenant_ids)]
    if scope.narrowing.code:
        conditions.append("vector @@ %s::tsquery")
        values.append(quote(make_code_term(scope.narrowing.code)))
    for words, condition in ((query.phrases, PHRASE), (query.excluded, f"NOT {PHRASE}")):
        for phrase in words:
            conditions.append(condition)
            values += [scope.language, make_query_text(phrase, with_parts=False)]
    if (documents_by_collection := scope.narrowing.documents) is not None:
        conditions.append("document_id = ANY(%s::bigint[])")
        values.append(
            write_array(pk for collection in scope.collection_ids for pk in documents_by_collection.get(collection, ()))
        )
    elif scope.narrowing.conditions:
        documents, of_documents = make_where(scope.narrowing.conditions)
        conditions.append(f"{IN_COLLECTIONS} AND {documents})")
        values += [write_array(scope.tenant_ids), write_array(scope.collection_ids), *of_documents]
    return " AND ".join(conditions), values


# As the index over the vectors has it, so that rows of other collections are passed over within the index.
IN_INDEX = "ARRAY[collection_id] && %s::bigint[]"
IN_COLLECTIONS = "document_id IN (SELECT id FROM collections_app_document WHERE tenant_id = ANY(%s::bigint[]) AND collection_id = ANY(%s::bigint[])"
PHRASE = "vector @@ phraseto_tsquery(%s::regconfig, %s)"
