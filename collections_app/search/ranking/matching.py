"""Which rows of the index are scored, how often each term stands in them and which stand together: one statement for all scopes.

For a query of one lexeme, ts_rank_cd is the sum of the weights of its occurrences. With weights that are far enough apart, one
call tells how often the lexeme stands in the title, in the headings, in the text and in the own heading: COUNTED holds the four as digits.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from collections_app.postgres.number_tables import read_numbers, send_numbers
from collections_app.postgres.prepared_cursor import PLANNED_ONCE, write_array
from collections_app.search.narrowing.filters import make_where
from collections_app.search.query import Query
from collections_app.search.ranking.candidates import COMMON, Candidates
from collections_app.search.ranking.neighbours import MAX_PAIRS, find_neighbours
from collections_app.search.ranking.scoring import Matches
from collections_app.search.scope import Scope
from collections_app.search.terms.statistics import ScopedTerms
from collections_app.search.terms.term import Term
from collections_app.search.time_limit import open_cursor
from collections_app.search.tsquery import quote
from collections_app.text.analysis import make_query_text
from collections_app.text.facts import UNTOLD

if TYPE_CHECKING:
    from collections_app.search.ranking.scoring import Floats, Integers

# The digits of a rank, whose float has 24 bits: of texts (PostgreSQL keeps at most 255 positions of a lexeme), headings, the own heading
# (each word once, but several may have one stem), and titles.
TEXT_BITS, HEADINGS_BITS, OWN_BITS = 8, 7, 3
FRACTION_BITS = TEXT_BITS + HEADINGS_BITS + OWN_BITS
COUNTED = f"{{{2.0**-FRACTION_BITS}, {2.0**-OWN_BITS}, {2.0 ** (TEXT_BITS - FRACTION_BITS)}, 1}}"
# Most terms are not in most candidates, which @@ tells five times as fast.
COUNT = "CASE WHEN vector @@ {term} THEN ts_rank_cd('{weights}', vector, {term}) ELSE 0 END"
# Fewer ranked sections than this are hardly an answer.
ENOUGH = 10
# And fewer pages with a phrase in a heading are no reason to leave out those that have it in their text alone.
ENOUGH_WITH_PHRASE = 50
# Where more sections than this match (of a language with fewer sections, its share), the first ROWS times as many are read, in the order of
# the table. So many that have a rare term come before them, wherever they stand; of the others those with one of the rarest terms in a
# title or heading, unless these are hardly an answer.
MANY = 1_000
ROWS = 1.5
RAREST = 2
# Statements that are kept, each of some thousand characters.
REMEMBERED = 200
# A wide scope is asked for words only, and others' rows are passed over; not where a word that is rare in it has so many of those.
MANY_ELSEWHERE = 5_000

# What is asked of a scope is one object of the list. OFFSET 0: it is read once, not again for each row.
CHOOSE = """
SELECT number, found.numbers FROM (
    SELECT number, collections AS collection_ids, documents AS document_ids, candidates, preferred, marked, many{members}{phrases}
    FROM jsonb_to_recordset(%s::jsonb) AS asked (
        number int, language regconfig, collections bigint[], documents bigint[], terms tsquery[], candidates tsquery,
        preferred tsquery, marked tsquery, many int, neighbours tsquery[], bonuses float8[], first int[], second int[]
    )
    OFFSET 0
) AS scope, LATERAL (SELECT {numbers} AS numbers FROM ({rows}) AS chosen) AS found
"""
OF_PAIRS = ("neighbours", "bonuses", "first", "second")
# A row that has not both of the words is told so by its counts, sooner than by its vector.
STAND_TOGETHER = (
    "CASE WHEN (counts[first_{number}] > 0 AND counts[second_{number}] > 0) IS NOT FALSE AND vector @@ neighbours_{number}"
    " THEN bonuses_{number} ELSE 0 END"
)
MATCH = "vector @@ {}"
# Where documents or phrases are given, these find the rows, but for rare words beside a phrase: IS TRUE is in no index.
IS_TRUE = f"({MATCH}) IS TRUE"
FIELDS = "id, section_id, document_id, words, page_words, heading_words"
NUMBERS = 7  # and the bonus
CANDIDATES = f"""
WITH matching AS MATERIALIZED (
    SELECT {FIELDS}, vector FROM collections_app_searchedvector
    WHERE {{candidates}} AND {{places}} AND {{required}} LIMIT many * {ROWS}
), choice AS MATERIALIZED (
    SELECT are_many, are_many AND preferred IS NOT NULL AS prefers, are_many AND (
        SELECT count(*) FROM matching WHERE vector @@ marked AND (vector @@ preferred) IS NOT TRUE
    ) >= {{enough}} AS narrows
    FROM (SELECT count(*) > many AS are_many FROM matching) AS counted
)
SELECT {FIELDS}, vector, {{counts}} AS counts FROM (
    (SELECT {FIELDS}, vector FROM collections_app_searchedvector
    WHERE (SELECT prefers FROM choice) AND {{preferred}} AND {{places}} AND {{required}} LIMIT many)
    UNION ALL
    SELECT {FIELDS}, vector FROM matching, choice
    WHERE (NOT narrows OR vector @@ marked) AND (prefers AND vector @@ preferred) IS NOT TRUE
) AS ordered LIMIT many * {ROWS}
"""  # noqa: S608
# By an index of its own, which has titles and headings only; what else is required finds no rows.
IN_HEADINGS = f"""
SELECT {FIELDS}, vector, {{counts}} AS counts
FROM collections_app_searchedvector WHERE ts_filter(vector, '{{{{a,b}}}}') @@ marked AND {{places}} AND ({{required}}) IS TRUE
LIMIT many
"""  # noqa: S608
# As the indexes have it, so that rows of other collections are passed over within the index; or not, where that costs more.
IN_INDEX = "ARRAY[collection_id] && {}::bigint[]"
IN_ROWS = "collection_id = ANY({}::bigint[])"
# Of documents whose facts the index does not tell. A scalar is looked up where it is asked for: for EXISTS, PostgreSQL may make a table
# of all documents first.
MEETS_UNTOLD = """(NOT vector @@ %s::tsquery OR (
    SELECT true FROM collections_app_document WHERE tenant_id = ANY(%s::bigint[]) AND id = document_id AND {}))"""
IN_COLLECTIONS = """document_id IN (
    SELECT id FROM collections_app_document WHERE tenant_id = ANY(%s::bigint[]) AND collection_id = ANY(%s::bigint[])"""


class Conditions(NamedTuple):
    """Of rows, in SQL: what makes them candidates and what rather than others, where they are, and what is required whatever ranks them."""

    candidates: str
    preferred: str
    places: str
    required: str


class Lookup(NamedTuple):
    """What is asked of one scope. `terms` occur there, rarest first."""

    scoped: ScopedTerms
    terms: Sequence[Term]
    candidates: Candidates

    @property
    def many(self) -> int:
        return round(MANY * self.scoped.share)

    @property
    def is_wide(self) -> bool:
        rare = (term for term in self.terms if term.sections <= MANY)
        return self.scoped.is_wide and all(term.elsewhere < MANY_ELSEWHERE for term in rare)

    @property
    def has_common_words_only(self) -> bool:
        """Whether a phrase of them is looked for in many rows in vain. A word that occurs nowhere is told by the index at once."""
        return all(term.sections > COMMON * self.many for term in self.scoped.terms)

    @property
    def has_many(self) -> bool:
        """Whether every section with a common word is a candidate, so that nothing has to be counted to know that they are MANY."""
        counted = [term.least_sections for term in self.terms if not term.is_prefix]
        return max(counted, default=0) > self.many and self.candidates.tsquery == " | ".join(
            term.tsquery for term in self.terms
        )


Lookups = Mapping[int, Lookup]
"""By a number, which tells the rows of each."""


def choose_matches(query: Query, lookups: Lookups) -> dict[int, Matches]:
    """For each lookup the rows that are scored."""
    chosen = {} if is_narrowed(query, lookups) else choose_by_headings(query, lookups)
    others = {number: each for number, each in lookups.items() if number not in chosen}
    return chosen | read_matches(query, others, CANDIDATES, find_rarest_in_headings)


def is_narrowed(query: Query, lookups: Lookups) -> bool:
    return bool(query.excluded or any(each.scoped.scope.narrowing for each in lookups.values()))


def choose_by_headings(query: Query, lookups: Lookups) -> dict[int, Matches]:
    """Of words that nearly every section has, and of phrases of such words: the sections that have them in a title or heading."""
    if query.phrases:
        common = {number: each for number, each in lookups.items() if each.has_common_words_only}
        marked = read_matches(query, common, IN_HEADINGS, find_together)
        return {number: matches for number, matches in marked.items() if matches.pages >= ENOUGH_WITH_PHRASE}
    common = {number: each for number, each in lookups.items() if each.has_many}
    marked = read_matches(query, common, IN_HEADINGS, find_rarest)
    return {number: matches for number, matches in marked.items() if len(matches) >= ENOUGH}


def find_together(lookup: Lookup) -> str:
    return " & ".join(term.tsquery for term in lookup.terms)


def find_rarest(lookup: Lookup) -> str:
    return " | ".join(term.tsquery for term in lookup.terms[:RAREST])


def find_rarest_in_headings(lookup: Lookup) -> str:
    return " | ".join(term.tsquery_in_headings for term in lookup.terms[:RAREST])


def read_matches(query: Query, lookups: Lookups, rows: str, mark: Callable[[Lookup], str]) -> dict[int, Matches]:
    """`mark` gives the tsquery by which `rows` tells those that it prefers."""
    found: dict[int, Matches] = {}
    for is_wide in (False, True):
        if asked := {number: each for number, each in lookups.items() if each.is_wide == is_wide}:
            found |= read_placed(query, asked, rows, mark, is_wide=is_wide)
    return found


def read_placed(
    query: Query, lookups: Lookups, rows: str, mark: Callable[[Lookup], str], *, is_wide: bool
) -> dict[int, Matches]:
    scopes = [each.scoped.scope for each in lookups.values()]
    asked = [describe(number, each, query, mark) for number, each in lookups.items()]
    terms = max(len(each["terms"]) for each in asked)
    # Nulls where there are fewer, so that the statement's text is rarely another.
    pairs = max(min(terms, MAX_PAIRS), *(len(each["neighbours"]) for each in asked))
    requirements, values = make_requirements(scopes, query)
    phrases, of_phrases = make_phrases(query, "candidates")
    has_documents = scopes[0].narrowing.documents is not None
    conditions = Conditions(
        (IS_TRUE if has_documents or query.phrases else MATCH).format("candidates"),
        (IS_TRUE if has_documents else MATCH).format("preferred"),
        (IN_ROWS if is_wide or has_documents else IN_INDEX).format("collection_ids"),
        " AND ".join(requirements),
    )
    statement = write_statement(rows, phrases, terms, pairs, conditions, ENOUGH)
    # Which documents are many depends on the conditions' values.
    settings = {} if scopes[0].narrowing.looked_up else PLANNED_ONCE
    with open_cursor(**settings) as cursor:
        cursor.execute(statement, [*of_phrases, json.dumps(asked), *values * rows.count("{required}")])
        tables = {number: read_numbers(numbers, NUMBERS + terms) for number, numbers in cursor.fetchall()}
    return {number: make_matches(table, lookups[number].terms) for number, table in tables.items()}


@lru_cache(maxsize=REMEMBERED)
def write_statement(rows: str, phrases: str, terms: int, pairs: int, conditions: Conditions, enough: int) -> str:
    """For so many terms and pairs of a scope. It is thousands of characters, and the same for most questions of as many terms."""
    names = [f"term_{number}" for number in range(terms)]
    return CHOOSE.format(
        members="".join(
            [f", terms[{number}] AS {name}" for number, name in enumerate(names, 1)]
            + [f", {name}[{number + 1}] AS {name}_{number}" for number in range(pairs) for name in OF_PAIRS]
        ),
        phrases=phrases,
        numbers=send_numbers(
            FIELDS, " + ".join(STAND_TOGETHER.format(number=number) for number in range(pairs)), more="counts"
        ),
        rows=rows.format(
            counts=f"ARRAY[{', '.join(COUNT.format(term=name, weights=COUNTED) for name in names)}]",
            enough=enough,
            **conditions._asdict(),
        ),
    )


def describe(number: int, lookup: Lookup, query: Query, mark: Callable[[Lookup], str]) -> dict[str, Any]:
    """What CHOOSE is told of a scope."""
    pairs = find_neighbours(lookup.terms, in_code=query.is_code)
    starts = accumulate((len(term.tsqueries) for term in lookup.terms), initial=1)
    # A word with synonyms may be there where its own lexeme is not.
    places = {
        term.lexeme: None if term.alternatives else start
        for term, start in zip(lookup.terms, starts, strict=False)
        if not term.is_stand_in
    }
    scope = lookup.scoped.scope
    return {
        "number": number,
        "language": scope.language,
        "collections": list(scope.collection_ids),
        "documents": scope.document_ids,
        "terms": [tsquery for term in lookup.terms for tsquery in term.tsqueries],
        "candidates": lookup.candidates.tsquery,
        "preferred": lookup.candidates.preferred,
        "marked": mark(lookup),
        "many": lookup.many,
        "neighbours": [pair.tsquery for pair in pairs],
        "bonuses": [pair.bonus for pair in pairs],
        "first": [places[pair.first.lexeme] for pair in pairs],
        "second": [places[pair.second.lexeme] for pair in pairs],
    }


def make_matches(table: Floats, terms: Sequence[Term]) -> Matches:
    """Of rows with the first NUMBERS of a Match and then ranks: first those of the terms, each with its alternatives."""
    counts = read_counts(choose_alternatives(table[:, NUMBERS:], terms))
    return Matches(table[:, : NUMBERS - 1].astype("int64"), counts, table[:, NUMBERS - 1])


def choose_alternatives(ranks: Floats, terms: Sequence[Term]) -> Floats:
    """Of each term's own rank and its alternatives' the highest."""
    import numpy as np

    sizes = [len(term.tsqueries) for term in terms]
    starts = np.cumsum([0, *sizes[:-1]])
    highest: Floats = np.maximum.reduceat(ranks[:, : sum(sizes)], starts, axis=1)
    return highest


def read_counts(ranks: Floats) -> Integers:
    """For each rank by COUNTED the occurrences in title, headings, text and the own heading."""
    import numpy as np

    # A float that came as decimal text is near a whole number only.
    digits = np.rint(ranks * (1 << FRACTION_BITS)).astype(np.int64)
    title, own = digits >> FRACTION_BITS, digits >> TEXT_BITS + HEADINGS_BITS & (1 << OWN_BITS) - 1
    headings, text = digits >> TEXT_BITS & (1 << HEADINGS_BITS) - 1, digits & (1 << TEXT_BITS) - 1
    return np.stack([title, headings, text, own], axis=-1)


def make_requirements(
    scopes: Sequence[Scope], query: Query, stopped: Collection[str] = ()
) -> tuple[list[str], list[Any]]:
    """What is required of the scopes' section vectors whatever ranks them, beside their collections, and its values.

    The conditions are for a row that has its scope beside it: the columns of make_phrases(), and its `document_ids`. What
    narrows one of the scopes narrows all of them. `stopped`: phrases whose column may be NULL, which require nothing then.
    """
    narrowing = scopes[0].narrowing
    tenants = write_array({tenant for scope in scopes for tenant in scope.tenant_ids})
    collections = [collection for scope in scopes for collection in scope.collection_ids]
    names = [f"phrase_{number}" for number in range(len(query.phrases + query.excluded))]
    conditions, values = ["tenant_id = ANY(%s::bigint[])"], [tenants]
    conditions += [
        f"({name} IS NULL OR vector @@ {name})" if phrase in stopped else f"vector @@ {name}"
        for phrase, name in zip(query.phrases, names, strict=False)
    ]
    conditions += [
        f"(numnode({name}) < numnode({name}_whole) OR NOT vector @@ {name})" for name in names[len(query.phrases) :]
    ]
    if narrowing.tsquery:  # by words that they have not, no index finds any
        conditions.append("vector @@ %s::tsquery" if narrowing.finds else "(vector @@ %s::tsquery) IS TRUE")
        values.append(narrowing.tsquery)
    if narrowing.documents is not None:
        conditions.append("document_id IN (SELECT unnest(document_ids))")  # a list would be gone through for each row
    if narrowing.told:
        facts, of_facts = make_where(narrowing.told)
        conditions.append(MEETS_UNTOLD.format(facts))
        values += [quote(UNTOLD), tenants, *of_facts]
    if narrowing.looked_up:
        documents, of_documents = make_where(narrowing.looked_up)
        conditions.append(f"{IN_COLLECTIONS} AND {documents})")
        values += [tenants, write_array(collections), *of_documents]
    return conditions, values


def make_phrases(query: Query, otherwise: str = "NULL") -> tuple[str, list[str]]:
    """Columns with the tsqueries of what must stand together and what must not, for a row with its `language`, and their values.
    `otherwise`: the column that is asked for instead of a phrase of stop words alone, which the texts are looked through for.

    `_whole` has the stop words of what must not, too: where it has any, the index would exclude the others wherever they stand, so it is
    left to the texts (search/phrases.py).
    """
    required = f"coalesce(nullif(phraseto_tsquery(language, %s)::text, ''), {otherwise}::text)::tsquery AS {{name}}"
    excluded = "phraseto_tsquery(language, %s) AS {name}, phraseto_tsquery('simple', %s) AS {name}_whole"
    columns = [required] * len(query.phrases) + [excluded] * len(query.excluded)
    values = [make_query_text(phrase, with_parts=False) for phrase in query.phrases]
    values += [text for phrase in query.excluded for text in [make_query_text(phrase, with_parts=False)] * 2]
    return "".join(f", {column.format(name=f'phrase_{number}')}" for number, column in enumerate(columns)), values
