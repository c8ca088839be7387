"""Keyword search on plain PostgreSQL: candidates from the index, their counts by ts_rank_cd, their score by ranking.py.

For a query of one lexeme, ts_rank_cd is the sum of the weights of its occurrences. With weights that are far enough apart, one
call tells how often the lexeme stands in the title, in the headings and in the text: COUNTED holds the three as digits.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from operator import itemgetter
from typing import Any

from django.db import connection

from collections_app.analysis import make_query_text
from collections_app.code_blocks import make_code_term
from collections_app.search.candidates import iter_candidate_queries
from collections_app.search.filters import make_where
from collections_app.search.query import Query
from collections_app.search.ranking import PROXIMITY, Match, RankedSection, rank_matches, sort_ranked
from collections_app.search.scope import Scope
from collections_app.search.synonyms import quote
from collections_app.search.terms import Corpus, ScopedTerms, Term

# PostgreSQL keeps at most 255 positions of a lexeme: 9 bits for each of text and headings, and what is left of a float's 24 for titles.
DIGIT_BITS = 9
DIGIT = (1 << DIGIT_BITS) - 1
COUNTED = f"{{{2.0 ** (-2 * DIGIT_BITS)}, 0, {2.0**-DIGIT_BITS}, 1}}"
COUNT = f"ts_rank_cd('{COUNTED}', vector, %s::tsquery)"
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


def rank_sections(scoped: ScopedTerms, query: Query, corpus: Corpus, limit: int) -> list[RankedSection]:
    """The best sections of a scope, best first, at most `limit`.

    Where the rare terms' sections are not ENOUGH (a filter, an exclusion, words that never meet), those of commoner ones are ranked too.
    """
    known = [term for term in scoped.terms if term.sections][:MAX_TERMS]
    ranked: list[RankedSection] = []
    for candidates in iter_candidate_queries(known, query, scoped.sections) if known else ():
        ranked = rank_matches(choose_matches(scoped.scope, query, known, candidates), known, corpus)
        if len(ranked) >= ENOUGH:
            break
    return prefer_neighbours(ranked, known)[:limit]


def choose_matches(scope: Scope, query: Query, terms: Sequence[Term], candidates: str) -> list[Match]:
    matches = get_matches(scope, query, terms, candidates, MANY + 1)
    if len(matches) <= MANY:
        return matches
    headed = " | ".join(term.tsquery_in_headings for term in terms[:RAREST])
    narrowed = get_matches(scope, query, terms, candidates, MAX_ROWS, headed)
    return narrowed if len(narrowed) >= ENOUGH else matches


def get_matches(
    scope: Scope, query: Query, terms: Sequence[Term], candidates: str, limit: int, headed: str = ""
) -> list[Match]:
    """The first `limit` index rows that match the tsquery `candidates` and what the question requires; of them those that match
    the tsquery `headed`, where there is one."""
    where, values = make_conditions(scope, query, candidates)
    counts = ", ".join(f"greatest({', '.join([COUNT] * len(term.tsqueries))})" for term in terms)
    narrowing = "WHERE vector @@ %s::tsquery" if headed else ""
    sql = f"""
        SELECT id, section_id, document_id, words, page_words, {counts} FROM (
            SELECT id, section_id, document_id, words, page_words, vector
            FROM collections_app_sectionvector WHERE {where} LIMIT {limit}
        ) AS matching {narrowing}
    """  # noqa: S608  (only constants of this module are put in)
    values = [*(tsquery for term in terms for tsquery in term.tsqueries), *values, *([headed] if headed else [])]
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return [Match(row[0], row[1], row[2], row[3], row[4], [*map(read_count, row[5:])]) for row in cursor.fetchall()]


def read_count(value: float) -> tuple[int, int, int]:
    """Occurrences in title, headings and text."""
    if not value:
        return 0, 0, 0
    digits = round(value * (1 << 2 * DIGIT_BITS))  # a float that came as decimal text is near a whole number only
    return digits >> 2 * DIGIT_BITS, digits >> DIGIT_BITS & DIGIT, digits & DIGIT


def prefer_neighbours(ranked: Sequence[RankedSection], terms: Sequence[Term]) -> list[RankedSection]:
    """Ranked anew, the best ones' scores raised for each two neighbours of the question that they have side by side."""
    neighbours = find_neighbours(terms)
    best, others = ranked[:NEIGHBOURLY], list(ranked[NEIGHBOURLY:])
    if not neighbours or not best:
        return list(ranked)
    bonus = " + ".join("CASE WHEN vector @@ %s::tsquery THEN %s ELSE 0 END" for _ in neighbours)
    values = [value for neighbour in neighbours for value in neighbour]
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT id, ({bonus})::float8 FROM collections_app_sectionvector WHERE id = ANY(%s)",  # noqa: S608
            [*values, [section.vector_id for section in best]],
        )
        bonuses = dict(cursor.fetchall())
    raised = [
        RankedSection(s.vector_id, s.section_id, s.document_id, s.score + bonuses.get(s.vector_id, 0.0)) for s in best
    ]
    return sort_ranked(raised) + others


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
    conditions = ["collection_id = ANY(%s)", "tenant_id = ANY(%s)"]
    values: list[Any] = [list(scope.collection_ids), list(scope.tenant_ids)]
    if scope.narrowing.code:
        conditions.append("vector @@ %s::tsquery")
        values.append(quote(make_code_term(scope.narrowing.code)))
    for words, condition in ((query.phrases, PHRASE), (query.excluded, f"NOT {PHRASE}")):
        for phrase in words:
            conditions.append(condition)
            values += [scope.language, make_query_text(phrase, with_parts=False)]
    if scope.narrowing.conditions:
        documents, of_documents = make_where(scope.narrowing.conditions)
        conditions.append(f"{IN_COLLECTIONS} AND {documents})")
        values += [list(scope.tenant_ids), list(scope.collection_ids), *of_documents]
    return " AND ".join(conditions), values


IN_COLLECTIONS = (
    "document_id IN (SELECT id FROM collections_app_document WHERE tenant_id = ANY(%s) AND collection_id = ANY(%s)"
)
PHRASE = "vector @@ phraseto_tsquery(%s::regconfig, %s)"
