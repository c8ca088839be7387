"""Which of many lexemes the searched sections have: for lexemes that are derived from a question's words and mostly occur nowhere."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from collections_app.postgres.prepared_cursor import PLANNED_ONCE, write_text_array
from collections_app.search.scope import SCOPES, Scope, write_scopes
from collections_app.search.time_limit import open_cursor

Known = Mapping[str, tuple[int, int]]
"""Lexeme → in how many sections and pages of a scope it is; those that are in none are left out."""

# The collections are not a condition for the index, which before PostgreSQL 17 would look for each lexeme in each collection.
COUNT = f"""
WITH found AS MATERIALIZED (
    SELECT collection_id, term, sections, documents FROM collections_app_termstatistic
    WHERE tenant_id = ANY(%(tenants)s::bigint[]) AND sections > 0 AND term = ANY(%(lexemes)s::text[])
)
SELECT number, term, sum(sections)::bigint, sum(documents)::bigint
FROM (SELECT number, unnest(collections) AS collection_id FROM {SCOPES}) AS place JOIN found USING (collection_id)
GROUP BY number, term
"""  # noqa: S608


def count_lexemes(scopes: Sequence[Scope], lexemes: Collection[str]) -> Sequence[Known]:
    """The counts in each scope, in the order of `scopes`; without lexemes the database is not asked."""
    known: list[dict[str, tuple[int, int]]] = [{} for _ in scopes]
    if not lexemes:
        return known
    with open_cursor(**PLANNED_ONCE) as cursor:
        cursor.execute(COUNT, {**write_scopes(scopes), "lexemes": write_text_array(lexemes)})
        for number, lexeme, sections, pages in cursor.fetchall():
            known[number - 1][lexeme] = sections, pages
    return known
