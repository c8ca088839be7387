"""Forms of a question's English words that have other lexemes (text/words/forms.py): `overwrite` counts as `overwritten`."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence

from collections_app.search.scope import SCOPES, Scope
from collections_app.search.terms.term import Alternative
from collections_app.text.words.forms import list_forms, map_forms
from collections_app.text.words.pairs import LANGUAGE

# Limited because each form is counted in every candidate.
MOST_WORDS = 8

# The end of terms.COUNT: for each scope and each of its collections, the lexemes of forms, each written after the question's lexeme and a
# blank, which no lexeme has. The collections are not a condition for the index, as most forms occur nowhere (see compounds.JOINED).
FORMED = f"""
UNION ALL SELECT -number, own.lexeme || ' ' || term, NULL, sections::bigint, documents::bigint, 0
FROM {SCOPES},
    LATERAL (
        SELECT asked.lexeme, array_agg(form)
        FROM unnest(%(formed)s::text[], %(forms)s::text[]) AS given (word, forms),
            unnest(to_tsvector(language, word)) AS asked, unnest(tsvector_to_array(to_tsvector(language, given.forms))) AS form
        WHERE form <> asked.lexeme GROUP BY asked.lexeme
    ) AS own (lexeme, forms),
    LATERAL (
        SELECT term, sections, documents FROM collections_app_termstatistic
        WHERE tenant_id = ANY(%(tenants)s::bigint[]) AND (collection_id = ANY(collections)) IS TRUE
            AND sections > 0 AND term = ANY(own.forms) OFFSET 0
    ) AS found
WHERE language = 'english'::regconfig
"""  # noqa: S608


def list_formed(words: Sequence[str], scopes: Sequence[Scope]) -> dict[str, str]:
    """Word of the question → its other forms, separated by blanks; empty if no scope is English. At most MOST_WORDS words.

    Words that are listed with their forms come before those whose spelling suggests other forms.
    """
    if all(scope.language != LANGUAGE for scope in scopes):
        return {}
    formed = [(word, " ".join(forms)) for word in words if (forms := list_forms(word))]
    return dict(sorted(formed, key=lambda each: each[0] not in map_forms())[:MOST_WORDS])


def is_formed(found: str) -> bool:
    return " " in found


def find_formed(lexemes: Collection[str], counted: Sequence[tuple[str, int, int]]) -> dict[str, list[Alternative]]:
    """Lexeme of the question → the forms that count as it. `counted`: what FORMED found, with its sections and pages."""
    sections: Counter[tuple[str, str]] = Counter()
    pages: Counter[tuple[str, str]] = Counter()
    for found, own_sections, own_pages in counted:
        lexeme, _, form = found.partition(" ")
        if lexeme in lexemes and form not in lexemes:
            sections[lexeme, form] += own_sections
            pages[lexeme, form] += own_pages
    forms: defaultdict[str, list[Alternative]] = defaultdict(list)
    for lexeme, form in sorted(sections):
        forms[lexeme].append(Alternative((form,), (), sections[lexeme, form], pages[lexeme, form]))
    return forms
