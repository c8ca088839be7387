"""Synonyms as the index sees them: for a word of the question, the tsqueries that count as that word."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise

from collections_app.search.scope import Scope
from collections_app.search.terms.term import Alternative
from collections_app.search.time_limit import open_cursor
from collections_app.text.analysis import make_phrase_text

# `number` tells the expansions apart; `terms` are the lexemes of the question's words.
LOOK_UP = """
SELECT number, tsvector_to_array(to_tsvector(%(language)s::regconfig, term)), lexeme, positions[1], found.*
FROM unnest(%(terms)s::text[], %(synonyms)s::text[]) WITH ORDINALITY AS asked (term, synonym, number),
    unnest(to_tsvector(%(language)s::regconfig, synonym)),
    LATERAL (
        SELECT coalesce(sum(sections), 0)::bigint, coalesce(sum(documents), 0)::bigint FROM collections_app_termstatistic
        WHERE tenant_id = ANY(%(tenants)s::bigint[]) AND collection_id = ANY(%(collections)s::bigint[]) AND term = lexeme
    ) AS found
ORDER BY number, positions[1]
"""


def find_alternatives(scope: Scope) -> dict[str, list[Alternative]]:
    """Lexeme of the question → its synonyms. The synonym of a term of several words counts as each of them."""
    if not scope.expansions:
        return {}
    with open_cursor() as cursor:
        cursor.execute(
            LOOK_UP,
            {
                "language": scope.language,
                "terms": [make_phrase_text(each.term) for each in scope.expansions],
                "synonyms": [make_phrase_text(each.synonym) for each in scope.expansions],
                **scope.places,
            },
        )
        rows = cursor.fetchall()
    numbered: dict[int, list[tuple[list[str], str, int, int, int]]] = defaultdict(list)
    for number, *row in rows:
        numbered[number].append((row[0], row[1], row[2], row[3], row[4]))
    alternatives: dict[str, list[Alternative]] = defaultdict(list)
    for words in numbered.values():
        terms, lexemes, positions, sections, pages = zip(*words, strict=True)
        distances = tuple(later - earlier for earlier, later in pairwise(positions))
        for term in terms[0]:
            alternatives[term].append(Alternative(lexemes, distances, min(sections), min(pages)))
    return alternatives
