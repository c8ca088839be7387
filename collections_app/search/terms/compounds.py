"""Compound words in a question, for languages that write several words as one (text/words/compounds.py).

`Verbindung zur Datenbank` also finds `Datenbankverbindung`, and `Datenbankverbindung` finds the two words if no section has the compound.
For English these are pairs that are written both ways (text/words/pairs.py): `timed out` finds `timeout`, and `healthcheck` finds
`health check` if no section has the single word. There is no dictionary: all are looked up among the words of the searched sections.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import chain, islice, product

from collections_app.postgres.prepared_cursor import write_text_array
from collections_app.search.scope import SCOPES, Scope
from collections_app.search.terms.lexeme_counts import Known
from collections_app.search.terms.term import Alternative
from collections_app.search.time_limit import open_cursor
from collections_app.text.words.compounds import LINKS, is_joined, list_parts, may_be_compound, split_compound
from collections_app.text.words.pairs import LANGUAGE as ENGLISH
from collections_app.text.words.pairs import find_pair, iter_halves

# Lexeme → its parts, and part → in how many sections and pages it occurs.
Split = tuple[dict[str, tuple[str, ...]], dict[str, tuple[int, int]]]

# At most this many of a question's words are split, and at most this many compounds of its words count (the commonest).
MAX_SPLIT = 3
MAX_JOINED = 8
# In a longer question most words are not what it is about, and each compound is counted in every candidate.
MOST_WORDS = 12
# Whether two words are side by side is only looked up if the rarer one is in at most this many sections, as all that have both are read.
MOST_CHECKED = 2_000

# The end of terms.COUNT: for each scope and each of its collections, the compounds of two words that are near each other in the question.
# The compound's last part comes first, with at most two words between (`Modus für die Wartung`), or follows directly (`Wartung Modus`).
# - Most compounds that are looked up occur nowhere. So the collections are not a condition for the index, which before PostgreSQL 17 would
#   look for each compound in each collection.
# - The compounds are computed first (OFFSET 0): under row-level security a condition with a computation cannot use an index, and would be
#   computed anew for each row. What is found is also read first, scope by scope: otherwise the planner, while it lacks statistics, would
#   read all terms of a tenant and try the scopes on each.
JOINED = f"""
UNION ALL SELECT -number, term, NULL, sections::bigint, documents::bigint, 0
FROM {SCOPES},
    LATERAL (
        SELECT ARRAY(
            WITH asked AS MATERIALIZED (
                SELECT lexeme, positions[1] AS place FROM unnest(to_tsvector(language, %(text)s)) WHERE length(lexeme) > 2
            )
            SELECT start.lexeme || link || ending.lexeme
            FROM asked AS start, asked AS ending, unnest(links) AS link
            WHERE ending.place - start.place BETWEEN -3 AND 1 AND start.lexeme <> ending.lexeme LIMIT 300
        ) OFFSET 0
    ) AS own (lexemes),
    LATERAL (
        SELECT term, sections, documents FROM collections_app_termstatistic
        WHERE tenant_id = ANY(%(tenants)s::bigint[]) AND (collection_id = ANY(collections)) IS TRUE
            AND sections > 0 AND term = ANY(own.lexemes) OFFSET 0
    ) AS found
WHERE links <> '{{}}'
"""  # noqa: S608

# The same for what the pairs of an English question make.
PAIRED = f"""
UNION ALL SELECT -number, term, NULL, sections::bigint, documents::bigint, 0
FROM {SCOPES},
    LATERAL (SELECT tsvector_to_array(to_tsvector(language, %(pairs)s)) OFFSET 0) AS own (lexemes),
    LATERAL (
        SELECT term, sections, documents FROM collections_app_termstatistic
        WHERE tenant_id = ANY(%(tenants)s::bigint[]) AND (collection_id = ANY(collections)) IS TRUE
            AND sections > 0 AND term = ANY(own.lexemes) OFFSET 0
    ) AS found
WHERE language = 'english'::regconfig
"""  # noqa: S608

# For lexemes of letters only. It counts all sections: for EXISTS, the planner would rather read the whole table.
STANDING = """
SELECT first, last, (
    SELECT count(*) FROM collections_app_searchedvector
    WHERE tenant_id = ANY(%(tenants)s::bigint[]) AND collection_id = ANY(%(collections)s::bigint[])
        AND vector @@ (first || ' <-> ' || last)::tsquery
)
FROM unnest(%(firsts)s::text[], %(lasts)s::text[]) AS pair (first, last)
"""


def choose_lookups(scopes: Sequence[Scope], words: Sequence[str], pairs: Sequence[str]) -> str:
    """The statements to append to terms.COUNT, for the question's words and its pairs written as one; empty if compounds are not looked
    up."""
    if len(words) > MOST_WORDS:
        return ""
    languages = {scope.language for scope in scopes}
    joined = JOINED if len(words) > 1 and not languages.isdisjoint(LINKS) else ""
    return joined + PAIRED if pairs and ENGLISH in languages else joined


def find_joined(
    scope: Scope, lexemes: Collection[str], compounds: Sequence[tuple[str, int, int]]
) -> dict[str, list[Alternative]]:
    """Lexeme of the question → the compounds that count as it. `compounds`: what JOINED or PAIRED found, with its sections and pages."""
    if not compounds:
        return {}
    sections: Counter[str] = Counter()
    pages: Counter[str] = Counter()
    for compound, own_sections, own_pages in compounds:
        if compound not in lexemes:
            sections[compound] += own_sections
            pages[compound] += own_pages
    alternatives: dict[str, list[Alternative]] = defaultdict(list)
    for compound in sorted(sections, key=lambda each: (-sections[each], each))[:MAX_JOINED]:
        for lexeme in sorted(find_parts(compound, lexemes, scope.language)):
            alternatives[lexeme].append(Alternative((compound,), (), sections[compound], pages[compound]))
    return alternatives


def find_parts(compound: str, lexemes: Collection[str], language: str) -> set[str]:
    if language == ENGLISH:
        return find_pair(compound, lexemes)
    starts = [each for each in lexemes if compound.startswith(each)]
    ends = [each for each in lexemes if compound.endswith(each)]
    pairs = (pair for pair in product(starts, ends) if is_joined(compound, *pair, language))
    return {part for pair in pairs for part in pair}


def list_split(language: str, missing: Sequence[str]) -> dict[str, list[tuple[str, ...]]]:
    """Lexemes that no section has → all ways to split them into parts; at most MAX_SPLIT lexemes."""
    ways: dict[str, list[tuple[str, ...]]] = {}
    if language == ENGLISH:
        ways = {lexeme: list(iter_halves(lexeme)) for lexeme in missing if lexeme.isalpha()}
    elif language in LINKS:
        ways = {lexeme: [(part,) for part in list_parts(lexeme)] for lexeme in missing if may_be_compound(lexeme)}
    return dict(islice(((lexeme, own) for lexeme, own in ways.items() if own), MAX_SPLIT))


def split_missing(scope: Scope, missing: Sequence[str], known: Known) -> Split:
    """The compounds that no section has, with their two parts, and in how many sections and pages each part occurs.

    `known`: the parts from list_split() that some section has.
    """
    ways = list_split(scope.language, missing)
    if scope.language == ENGLISH:
        return split_pairs(scope, ways, known)
    split = {compound: split_compound(compound, known, scope.language) for compound in ways}
    return keep_known({compound: parts for compound, parts in split.items() if parts}, known)


def split_pairs(scope: Scope, halves: Mapping[str, Sequence[tuple[str, ...]]], known: Known) -> Split:
    """The same for English, where some section must have the two side by side: most words can be cut into two unrelated ones."""
    checked = [
        pair
        for pair in set(chain(*halves.values()))
        if known.keys() >= set(pair) and min(known[half][0] for half in pair) <= MOST_CHECKED
    ]
    standing = count_standing(scope, checked)
    likeliest = {lexeme: max(own, key=lambda pair: standing.get(pair, 0)) for lexeme, own in halves.items()}
    return keep_known({lexeme: pair for lexeme, pair in likeliest.items() if pair in standing}, known)


def keep_known(split: dict[str, tuple[str, ...]], known: Known) -> Split:
    return split, {part: known[part] for parts in split.values() for part in parts}


def count_standing(scope: Scope, pairs: Sequence[tuple[str, ...]]) -> dict[tuple[str, ...], int]:
    """Pair → in how many sections of the scope the second word comes right after the first; without pairs for which that is 0."""
    if not pairs:
        return {}
    firsts, lasts = zip(*pairs, strict=True)
    with open_cursor() as cursor:
        cursor.execute(
            STANDING,
            {
                **scope.places,
                "firsts": write_text_array(firsts),
                "lasts": write_text_array(lasts),
            },
        )
        return {(first, last): sections for first, last, sections in cursor.fetchall() if sections}
