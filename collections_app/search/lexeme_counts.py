"""Which of many lexemes the searched sections have: for what is made of a question's words, and mostly occurs nowhere."""

from __future__ import annotations

from collections.abc import Iterable

from collections_app.postgres.prepared_cursor import PLANNED_ONCE, write_text_array
from collections_app.search.scope import Scope
from collections_app.search.time_limit import open_cursor

# The collections are no condition of the index, which before PostgreSQL 17 would look for each lexeme in each of them.
COUNT = """
SELECT term, sum(sections)::bigint, sum(documents)::bigint FROM collections_app_termstatistic
WHERE tenant_id = ANY(%(tenants)s::bigint[]) AND (collection_id = ANY(%(collections)s::bigint[])) IS TRUE
    AND sections > 0 AND term = ANY(%(lexemes)s::text[])
GROUP BY term
"""


def count_lexemes(scope: Scope, lexemes: Iterable[str]) -> dict[str, tuple[int, int]]:
    """In how many sections and pages of the scope each is that occurs there."""
    with open_cursor(**PLANNED_ONCE) as cursor:
        cursor.execute(
            COUNT,
            {
                **scope.places,
                "lexemes": write_text_array(lexemes),
            },
        )
        return {lexeme: (sections, pages) for lexeme, sections, pages in cursor.fetchall()}
