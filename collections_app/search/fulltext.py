"""Keyword ranking on plain PostgreSQL: candidates from the rarest terms, scored by rarity-weighted ts_rank.

The score of a section is the sum over the question's terms of

    idf(t) · (ts_rank(W, vector, t) + PAGE_SHARE · the best ts_rank(W, ·, t) among the page's candidates)

with idf(t) = ln(1 + (N − df + ½) / (df + ½)), df counted in section vectors over all that is searched. ts_rank of a single term saturates
with its occurrences by itself (weight · Σ 1/i² / 1.645), as BM25's does. Ranking every match is what costs, so only sections with a
rare term are looked at first; the commoner terms then score them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection

from collections_app.analysis import make_query_text
from collections_app.search.query import Query
from collections_app.search.terms import Scope, Term

# ts_rank's {D, C, B, A}: body, (unused), headings, title and path.
WEIGHTS = "{0.42,0.0,0.65,1.0}"
PAGE_SHARE = 0.7
# Expected candidates: more cost time and rank no better. The second is for questions that the first leaves with hardly an answer.
CANDIDATES = (200, 2_000)
# Even the rarest term is so much more common: pairs of the rarest are the candidates.
COMMON = 5
# Fewer ranked sections than this are hardly an answer.
ENOUGH = 10
MAX_TERMS = 24
# However many sections match, no more are scored: a bound for words that are everywhere.
MAX_SCORED = 10_000


@dataclass(frozen=True, slots=True)
class RankedSection:
    section_id: int
    document_id: int
    score: float


def rank_sections(scope: Scope, query: Query, terms: Sequence[Term], limit: int) -> list[RankedSection]:
    """The best sections, best first, at most `limit`. `terms` as get_terms gives them.

    Where the rare terms' sections are not ENOUGH (a filter, an exclusion, words that never meet), those of commoner ones are ranked too.
    """
    known = [term for term in terms if term.sections][:MAX_TERMS]
    ranked: list[RankedSection] = []
    for candidates in iter_candidate_queries(known, query) if known else ():
        ranked = rank_candidates(scope, query, known, candidates, limit)
        if len(ranked) >= ENOUGH:
            break
    return ranked


def iter_candidate_queries(terms: Sequence[Term], query: Query) -> Iterator[str]:
    """tsqueries for the sections worth scoring, each for more of them than the one before. `terms` are known ones, rarest first."""
    every = " | ".join(term.tsquery for term in terms)
    if not query.phrases:  # required phrases are rare enough by themselves
        narrower = dict.fromkeys(make_candidate_query(terms, wanted) for wanted in CANDIDATES)
        yield from (candidates for candidates in narrower if candidates != every)
    yield every


def make_candidate_query(terms: Sequence[Term], wanted: int) -> str:
    """The sections that have one of the rarest terms, as many terms as give the wanted number, or two of the next."""
    chosen: list[Term] = []
    expected = 0
    for term in terms:
        if chosen and expected + term.sections > wanted:
            break
        chosen.append(term)
        expected += term.sections
    if len(terms) > 1 and expected > COMMON * wanted:
        return " | ".join(iter_pairs(terms[:4]))
    rest = terms[len(chosen) :]
    parts = [term.tsquery for term in chosen]
    if len(rest) > 1:
        parts += iter_pairs(rest[:2])
    return " | ".join(parts)


def iter_pairs(terms: Sequence[Term]) -> Iterator[str]:
    for i, first in enumerate(terms):
        for second in terms[i + 1 :]:
            yield f"({first.tsquery} & {second.tsquery})"


def rank_candidates(
    scope: Scope, query: Query, terms: Sequence[Term], candidates: str, limit: int
) -> list[RankedSection]:
    """The sections that match the tsquery `candidates` and what the question requires, scored by all its terms."""
    where, values = make_conditions(scope, query, candidates)
    ranks = ", ".join(f"ts_rank('{WEIGHTS}', vector, %s::tsquery) AS r{i}" for i in range(len(terms)))
    score = " + ".join(f"%s * (r{i} + {PAGE_SHARE} * max(r{i}) OVER page)" for i in range(len(terms)))
    sql = f"""
        SELECT section_id, document_id, max(score) AS best FROM (
            SELECT section_id, document_id, {score} AS score FROM (
                SELECT section_id, document_id, {ranks} FROM (
                    SELECT section_id, document_id, vector FROM collections_app_sectionvector WHERE {where} LIMIT {MAX_SCORED}
                ) AS matching
            ) AS candidate WINDOW page AS (PARTITION BY document_id)
        ) AS scored GROUP BY section_id, document_id ORDER BY best DESC, section_id LIMIT %s
    """  # noqa: S608  (only column aliases and constants of this module are put in)
    with connection.cursor() as cursor:
        cursor.execute(sql, [*(term.idf for term in terms), *(term.tsquery for term in terms), *values, limit])
        return [RankedSection(*row) for row in cursor.fetchall()]


def make_conditions(scope: Scope, query: Query, candidates: str) -> tuple[str, list[Any]]:
    """The WHERE clause over section vectors, and its values."""
    conditions = ["collection_id = ANY(%s)", "tenant_id = ANY(%s)", "vector @@ %s::tsquery"]
    values: list[Any] = [list(scope.collection_ids), list(scope.tenant_ids), candidates]
    for words, condition in ((query.phrases, PHRASE), (query.excluded, f"NOT {PHRASE}")):
        for phrase in words:
            conditions.append(condition)
            values += [scope.language, make_query_text(phrase, with_parts=False)]
    if scope.category is not None:
        conditions.append(IN_CATEGORY)
        values += [list(scope.collection_ids), scope.category]
    return " AND ".join(conditions), values


PHRASE = "vector @@ phraseto_tsquery(%s::regconfig, %s)"
IN_CATEGORY = "document_id IN (SELECT id FROM collections_app_document WHERE collection_id = ANY(%s) AND lower(category) = lower(%s))"
