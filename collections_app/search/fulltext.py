"""Keyword ranking on plain PostgreSQL: candidates from the rarest terms, scored by rarity-weighted ts_rank.

The score of a section is the sum over the question's terms of

    idf(t) · (ts_rank(W, vector, t) + PAGE_SHARE · the best ts_rank(W, ·, t) among the page's candidates)

with idf(t) = ln(1 + (N − df + ½) / (df + ½)) (Robertson and Spärck Jones; df counted in section vectors over the searched
collections). ts_rank of a single term saturates with its occurrences by itself (weight · Σ 1/i² / 1.645), as BM25's does.
Ranking every match is what costs, so only sections with a rare term are looked at; the commoner terms then score them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection

from collections_app.analysis import is_single_character, make_query_text
from collections_app.search.query import Query

# ts_rank's {D, C, B, A}: body, (unused), headings, title and path.
WEIGHTS = "{0.42,0.0,0.65,1.0}"
PAGE_SHARE = 0.7
# Expected candidates: more change nothing in quality and everything in time.
CANDIDATES = 200
# Even the rarest term is common: pairs of the rarest are the candidates.
COMMON = 5 * CANDIDATES
MAX_TERMS = 24


@dataclass(frozen=True, slots=True)
class Term:
    """A lexeme of the question. `sections` is in how many vectors it occurs."""

    lexeme: str
    sections: int
    idf: float

    @property
    def tsquery(self) -> str:
        quoted = "'" + self.lexeme.replace("\\", "\\\\").replace("'", "''") + "'"
        return f"{quoted}:*" if is_single_character(self.lexeme) else quoted


@dataclass(frozen=True, slots=True)
class RankedSection:
    section_id: int
    document_id: int
    score: float


TERMS = """
WITH asked AS (SELECT DISTINCT lexeme FROM unnest(to_tsvector(%(language)s::regconfig, %(text)s)) UNION ALL SELECT '')
SELECT asked.lexeme, coalesce(sum(known.sections), 0)::int
FROM asked LEFT JOIN collections_app_termstatistic AS known
  ON known.term = asked.lexeme AND known.tenant_id = ANY(%(tenants)s) AND known.collection_id = ANY(%(collections)s)
GROUP BY asked.lexeme
"""


@dataclass(frozen=True, slots=True)
class Scope:
    """Where to look: collections of one language, and within them one category when it is not None."""

    language: str
    tenant_ids: Sequence[int]
    collection_ids: Sequence[int]
    category: str | None = None


def get_terms(scope: Scope, text: str) -> list[Term]:
    """The question's terms, rarest first, unknown ones (0 sections) too; stop words are none."""
    with connection.cursor() as cursor:
        cursor.execute(
            TERMS,
            {
                "language": scope.language,
                "text": make_query_text(text),
                "tenants": list(scope.tenant_ids),
                "collections": list(scope.collection_ids),
            },
        )
        counts: dict[str, int] = dict(cursor.fetchall())
    total = counts.pop("")
    terms = [Term(lexeme, df, compute_idf(total, df)) for lexeme, df in counts.items()]
    return sorted(terms, key=lambda term: (term.sections, term.lexeme))


def compute_idf(total: int, sections: int) -> float:
    return math.log(1 + (max(total - sections, 0) + 0.5) / (sections + 0.5))


def make_candidate_query(terms: Sequence[Term]) -> str:
    """A tsquery for the sections worth scoring. `terms` are known ones, rarest first."""
    chosen: list[Term] = []
    expected = 0
    for term in terms:
        if chosen and expected + term.sections > CANDIDATES:
            break
        chosen.append(term)
        expected += term.sections
    if len(terms) > 1 and expected > COMMON:
        return " | ".join(iter_pairs(terms[:4]))
    rest = terms[len(chosen) :]
    parts = [term.tsquery for term in chosen]
    if len(rest) > 1:
        parts += iter_pairs(rest[:2])
    return " | ".join(parts)


def iter_pairs(terms: Sequence[Term]) -> Iterable[str]:
    for i, first in enumerate(terms):
        for second in terms[i + 1 :]:
            yield f"({first.tsquery} & {second.tsquery})"


def rank_sections(scope: Scope, query: Query, terms: Sequence[Term], limit: int) -> list[RankedSection]:
    """The best sections, best first, at most `limit`. `terms` as get_terms gives them."""
    known = [term for term in terms if term.sections or is_single_character(term.lexeme)][:MAX_TERMS]
    if not known:
        return []
    ranks = ", ".join(f"ts_rank('{WEIGHTS}', vector, %s::tsquery) AS r{i}" for i in range(len(known)))
    score = " + ".join(f"%s * (r{i} + {PAGE_SHARE} * max(r{i}) OVER page)" for i in range(len(known)))
    conditions = ["collection_id = ANY(%s)", "tenant_id = ANY(%s)"]
    values: list[Any] = [*(term.tsquery for term in known), list(scope.collection_ids), list(scope.tenant_ids)]
    if not query.phrases:  # phrases are required: they are the candidates then
        conditions.append("vector @@ %s::tsquery")
        values.append(make_candidate_query(known))
    for phrase in query.phrases:
        conditions.append("vector @@ phraseto_tsquery(%s::regconfig, %s)")
        values += [scope.language, make_query_text(phrase, with_parts=False)]
    for word in query.excluded:
        conditions.append("NOT vector @@ phraseto_tsquery(%s::regconfig, %s)")
        values += [scope.language, make_query_text(word, with_parts=False)]
    if scope.category is not None:
        conditions.append(
            "document_id IN (SELECT id FROM collections_app_document WHERE collection_id = ANY(%s) AND category = %s)"
        )
        values += [list(scope.collection_ids), scope.category]
    sql = f"""
        SELECT section_id, document_id, max(score) AS best FROM (
            SELECT section_id, document_id, {score} AS score FROM (
                SELECT section_id, document_id, {ranks} FROM collections_app_sectionvector WHERE {" AND ".join(conditions)}
            ) AS candidate WINDOW page AS (PARTITION BY document_id)
        ) AS scored GROUP BY section_id, document_id ORDER BY best DESC, section_id LIMIT %s
    """  # noqa: S608  (only column aliases and constants of this module are put in)
    with connection.cursor() as cursor:
        cursor.execute(sql, [*(term.idf for term in known), *values, limit])
        return [RankedSection(*row) for row in cursor.fetchall()]
