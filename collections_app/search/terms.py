"""The terms of a question, and how rare each is. Read from the statistics that ingest keeps; nothing is counted here."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import connection

from collections_app.analysis import is_single_character, make_query_text

# A single unspaced character stands for every pair that begins with it, which is costly: only where nothing else is asked for.
MAX_PREFIXES = 2


@dataclass(frozen=True, slots=True)
class Scope:
    """Where to look: collections of one language, and within them one category when it is not None."""

    language: str
    tenant_ids: tuple[int, ...]
    collection_ids: tuple[int, ...]
    category: str | None = None


@dataclass(frozen=True, slots=True)
class Term:
    """A lexeme of the question. `sections`: in how many vectors of its scope it occurs; `idf`: how rare it is in all that is searched."""

    lexeme: str
    sections: int
    idf: float
    is_prefix: bool = False

    @property
    def tsquery(self) -> str:
        quoted = "'" + self.lexeme.replace("\\", "\\\\").replace("'", "''") + "'"
        return f"{quoted}:*" if self.is_prefix else quoted


# One look into the index a term: as a join, the planner would read the whole collection's terms while it knows no better.
COUNT = """
SELECT lexeme, (
    SELECT coalesce(sum(sections), 0)::int FROM collections_app_termstatistic
    WHERE tenant_id = ANY(%(tenants)s) AND collection_id = ANY(%(collections)s) AND term = lexeme
)
FROM (SELECT DISTINCT lexeme FROM unnest(to_tsvector(%(language)s::regconfig, %(text)s)) UNION ALL SELECT '') AS asked
"""

COUNT_PREFIX = """
SELECT coalesce(sum(sections), 0)::int FROM collections_app_termstatistic
WHERE tenant_id = ANY(%(tenants)s) AND collection_id = ANY(%(collections)s) AND term LIKE %(text)s || '%%'
"""


def get_terms(scopes: Sequence[Scope], text: str) -> list[tuple[Scope, list[Term]]]:
    """The question's terms in each scope, rarest first, those that occur nowhere (0 sections) too; stop words are none."""
    counted = [(scope, count_terms(scope, text)) for scope in scopes]
    total = sum(counts.pop("") for _, counts in counted)
    everywhere: Counter[str] = Counter()
    for _, counts in counted:
        everywhere.update(counts)
    return [(scope, make_terms(scope, counts, everywhere, total)) for scope, counts in counted]


def count_terms(scope: Scope, text: str) -> dict[str, int]:
    """Lexeme → sections; the empty one counts them all."""
    with connection.cursor() as cursor:
        cursor.execute(COUNT, make_values(scope, make_query_text(text)))
        return dict(cursor.fetchall())


def make_terms(scope: Scope, counts: Mapping[str, int], everywhere: Mapping[str, int], total: int) -> list[Term]:
    terms = [Term(lexeme, count, compute_idf(total, everywhere[lexeme])) for lexeme, count in counts.items()]
    if not any(term.sections and not is_single_character(term.lexeme) for term in terms):
        singles = [term.lexeme for term in terms if is_single_character(term.lexeme)][:MAX_PREFIXES]
        terms = [term for term in terms if term.lexeme not in singles]
        terms += [make_prefix(scope, lexeme, total) for lexeme in singles]
    return sorted(terms, key=lambda term: (term.sections, term.lexeme))


def make_prefix(scope: Scope, lexeme: str, total: int) -> Term:
    with connection.cursor() as cursor:
        cursor.execute(COUNT_PREFIX, make_values(scope, lexeme))
        sections = min(int(cursor.fetchone()[0]), total)
    return Term(lexeme, sections, compute_idf(total, sections), is_prefix=True)


def make_values(scope: Scope, text: str) -> dict[str, str | list[int]]:
    return {
        "language": scope.language,
        "tenants": list(scope.tenant_ids),
        "collections": list(scope.collection_ids),
        "text": text,
    }


def compute_idf(total: int, sections: int) -> float:
    """Robertson and Spärck Jones' weight, kept positive by the 1 (as in Lucene's BM25)."""
    return math.log(1 + (max(total - sections, 0) + 0.5) / (sections + 0.5))
