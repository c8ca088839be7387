"""Reads the index rows to be scored, with the counts of each term and the words that are side by side: one statement for all scopes.

For a query of one lexeme, ts_rank_cd is the sum of the weights of its occurrences. With weights that are far enough apart, one call says
how often the lexeme occurs in the title, in the headings, in the text and in the own heading: COUNTED holds the four weights as digits.
Most words are in the text only, and ts_rank says that, and how often, in a fifth of the time.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache, lru_cache
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
from collections_app.text.analysis import make_excluded_text, make_phrase_text
from collections_app.text.facts import UNTOLD

if TYPE_CHECKING:
    from collections_app.search.ranking.scoring import Floats, Integers

# Bits of each count in a rank, a float of 24 bits: occurrences in the text (PostgreSQL keeps at most 255 positions of a lexeme), in the
# headings, and in the own heading (each word once, but several may have the same stem). The title has the rest.
TEXT_BITS, HEADINGS_BITS, OWN_BITS = 8, 7, 3
FRACTION_BITS = TEXT_BITS + HEADINGS_BITS + OWN_BITS
COUNTED = f"{{{2.0**-FRACTION_BITS}, {2.0**-OWN_BITS}, {2.0 ** (TEXT_BITS - FRACTION_BITS)}, 1}}"
# ts_rank_cd clears 32 KB of memory for each lexeme of a query; ts_rank takes no longer than @@. With these weights it exceeds this limit if
# the lexeme is in the title or a heading; below, it says how often the lexeme is in the text (bound_ranks_in_text()). Neither holds for
# prefixes and for lexemes in sequence.
RANKED, MOST_IN_TEXT = "{0.5, 1, 1, 1}", 0.55
RANK = """CASE WHEN is_single_{number} THEN ts_rank('{ranked}', vector, term_{number})
    WHEN vector @@ term_{number} THEN 1 ELSE 0 END AS rank_{number}"""
# Negative: a rank by RANKED, of a term that is in the text only; positive: one by COUNTED.
COUNT = f"""CASE WHEN rank_{{number}} < {MOST_IN_TEXT} THEN -rank_{{number}}
    ELSE ts_rank_cd('{{counted}}', vector, term_{{number}}) END"""
# With fewer ranked sections than this, more candidates are looked for.
ENOUGH = 10
# With fewer pages than this that have a phrase in a heading, sections that have it only in their text are read too.
ENOUGH_WITH_PHRASE = 50
# Where more sections than this match (of a language with fewer sections, its share), the first ROWS times as many are read, in the order of
# the table. So many that have a rare term come before them, wherever they stand; of the others those with one of the rarest terms in a
# title or heading, unless these are hardly an answer.
MANY = 1_000
ROWS = 1.5
RAREST = 2
# Statements that are kept, each of some thousand characters.
REMEMBERED = 200
# In a wide scope the index is searched by words only and rows of other collections are skipped; but not if a word that is rare in the
# scope has this many such rows.
MANY_ELSEWHERE = 5_000

# Each scope's parameters are one object of the list. OFFSET 0: it is parsed once, not for each row.
CHOOSE = """
SELECT number, found.numbers FROM (
    SELECT number, collections AS collection_ids, documents AS document_ids, candidates, preferred, marked, many{members}{phrases}
    FROM jsonb_to_recordset(%s::jsonb) AS asked (
        number int, language regconfig, collections bigint[], documents bigint[], terms tsquery[], are_single bool[],
        candidates tsquery, preferred tsquery, marked tsquery, many int, neighbours tsquery[], bonuses float8[], first int[], second int[]
    )
    OFFSET 0
) AS scope, LATERAL (SELECT {numbers} AS numbers FROM (
    SELECT {fields}, vector, ARRAY[{counts}] AS counts FROM (
        SELECT {fields}, vector, {ranks} FROM ({rows}) AS chosen OFFSET 0
    ) AS ranked OFFSET 0
) AS counted) AS found
"""
OF_PAIRS = ("neighbours", "bonuses", "first", "second")
# The counts say faster than the vector that a row lacks one of the two words.
STAND_TOGETHER = (
    "CASE WHEN (counts[first_{number}] <> 0 AND counts[second_{number}] <> 0) IS NOT FALSE AND vector @@ neighbours_{number}"
    " THEN bonuses_{number} ELSE 0 END"
)
MATCH = "vector @@ {}"
# If documents or phrases are given, these find the rows (except with rare words beside a phrase): no index serves a condition with IS TRUE.
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
SELECT {FIELDS}, vector FROM (
    (SELECT {FIELDS}, vector FROM collections_app_searchedvector
    WHERE (SELECT prefers FROM choice) AND {{preferred}} AND {{places}} AND {{required}} LIMIT many)
    UNION ALL
    SELECT {FIELDS}, vector FROM matching, choice
    WHERE (NOT narrows OR vector @@ marked) AND (prefers AND vector @@ preferred) IS NOT TRUE
) AS ordered LIMIT many * {ROWS}
"""  # noqa: S608
# Uses a separate index over titles and headings only; the other requirements filter its rows.
IN_HEADINGS = f"""
SELECT {FIELDS}, vector FROM collections_app_searchedvector
WHERE ts_filter(vector, '{{{{a,b}}}}') @@ marked AND {{places}} AND ({{required}}) IS TRUE
LIMIT many
"""  # noqa: S608
# The condition on collections in two forms: as the indexes have it, so that other collections are skipped within the index, or evaluated
# on rows, where that is cheaper.
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
    """What is looked up in one scope. `terms` are those that occur there, rarest first."""

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
        """Whether all terms are so common that looking for a phrase of them may read many rows in vain.

        (A word that occurs nowhere is no such case: the index says so at once.)
        """
        return all(term.sections > COMMON * self.many for term in self.scoped.terms)

    @property
    def has_many(self) -> bool:
        """Whether every section with a common word is a candidate: then there are more than `many` without counting."""
        counted = [term.least_sections for term in self.terms if not term.is_prefix]
        return max(counted, default=0) > self.many and self.candidates.tsquery == " | ".join(
            term.tsquery for term in self.terms
        )


Lookups = Mapping[int, Lookup]
"""By a number, which tells the rows of each."""


def choose_matches(query: Query, lookups: Lookups) -> dict[int, Matches]:
    """For each lookup, by its number, the rows to score."""
    chosen = {} if is_narrowed(query, lookups) else choose_by_headings(query, lookups)
    others = {number: each for number, each in lookups.items() if number not in chosen}
    return chosen | read_matches(query, others, CANDIDATES, find_rarest_in_headings)


def is_narrowed(query: Query, lookups: Lookups) -> bool:
    return bool(query.excluded or any(each.scoped.scope.narrowing for each in lookups.values()))


def choose_by_headings(query: Query, lookups: Lookups) -> dict[int, Matches]:
    """For words that nearly every section has, and phrases of such words: the sections that have them in a title or heading.

    Lookups for which these are too few (ENOUGH sections, or ENOUGH_WITH_PHRASE pages) are left out.
    """
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
    return " | ".join(term.tsquery for term in take_rarest_words(lookup.terms))


def find_rarest_in_headings(lookup: Lookup) -> str:
    return " | ".join(term.tsquery_in_headings for term in take_rarest_words(lookup.terms))


def take_rarest_words(terms: Sequence[Term]) -> Sequence[Term]:
    """Without names of entries that are a single word: these are nothing that a section is about."""
    return ([term for term in terms if not term.entry_word] or terms)[:RAREST]


def read_matches(query: Query, lookups: Lookups, rows: str, mark: Callable[[Lookup], str]) -> dict[int, Matches]:
    """The rows of each lookup, read with the SQL in `rows`; `mark` gives the tsquery of the rows that are preferred."""
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
    # Missing pairs are NULL, so that few different statements are needed.
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
    """The statement for a number of terms and pairs. It has thousands of characters and is the same for most questions with as many terms,
    so it is cached."""
    numbers = range(1, terms + 1)
    return CHOOSE.format(
        members="".join(
            [f", terms[{number}] AS term_{number}, are_single[{number}] AS is_single_{number}" for number in numbers]
            + [f", {name}[{number + 1}] AS {name}_{number}" for number in range(pairs) for name in OF_PAIRS]
        ),
        phrases=phrases,
        numbers=send_numbers(
            FIELDS, " + ".join(STAND_TOGETHER.format(number=number) for number in range(pairs)), more="counts"
        ),
        fields=FIELDS,
        ranks=", ".join(RANK.format(number=number, ranked=RANKED) for number in numbers),
        counts=", ".join(COUNT.format(number=number, counted=COUNTED) for number in numbers),
        rows=rows.format(enough=enough, **conditions._asdict()),
    )


def describe(number: int, lookup: Lookup, query: Query, mark: Callable[[Lookup], str]) -> dict[str, Any]:
    """The parameters of CHOOSE for one scope."""
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
        "are_single": [single for term in lookup.terms for single in term.are_single],
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
    """Matches from rows of FIELDS and the bonus, followed by ranks, those of each term and its alternatives in turn."""
    counts = read_counts(choose_alternatives(read_ranks_in_text(table[:, NUMBERS:]), terms))
    return Matches(table[:, : NUMBERS - 1].astype("int64"), counts, table[:, NUMBERS - 1])


def read_ranks_in_text(ranks: Floats) -> Floats:
    """The same ranks, but all by COUNTED."""
    import numpy as np

    in_text = np.searchsorted(bound_ranks_in_text(), -ranks)
    return np.where(ranks < 0, in_text / (1 << FRACTION_BITS), ranks)


@cache
def bound_ranks_in_text() -> Floats:
    """The bounds, of ranks by RANKED, between a lexeme that is in a text not at all, once, twice and so on.

    calc_rank_or() in PostgreSQL's src/backend/utils/adt/tsrank.c sums weight / i² for the i-th occurrence, in single precision, and divides
    by π² / 6.
    """
    import numpy as np

    times = np.arange(1, 1 << TEXT_BITS)
    sums = np.cumsum(np.float32(0.5) / (times * times).astype(np.float32), dtype=np.float32)
    ranks = np.concatenate([[0.0], sums / 1.64493406685])
    bounds: Floats = (ranks[:-1] + ranks[1:]) / 2
    return bounds


def choose_alternatives(ranks: Floats, terms: Sequence[Term]) -> Floats:
    """For each term, the highest of its own rank and those of its alternatives."""
    import numpy as np

    sizes = [len(term.tsqueries) for term in terms]
    starts = np.cumsum([0, *sizes[:-1]])
    highest: Floats = np.maximum.reduceat(ranks[:, : sum(sizes)], starts, axis=1)
    return highest


def read_counts(ranks: Floats) -> Integers:
    """For each rank by COUNTED, the occurrences in the title, the headings, the text and the own heading (last axis, in this order)."""
    import numpy as np

    # A float that came as decimal text is near a whole number only.
    digits = np.rint(ranks * (1 << FRACTION_BITS)).astype(np.int64)
    title, own = digits >> FRACTION_BITS, digits >> TEXT_BITS + HEADINGS_BITS & (1 << OWN_BITS) - 1
    headings, text = digits >> TEXT_BITS & (1 << HEADINGS_BITS) - 1, digits & (1 << TEXT_BITS) - 1
    return np.stack([title, headings, text, own], axis=-1)


def make_requirements(
    scopes: Sequence[Scope], query: Query, stopped: Collection[str] = ()
) -> tuple[list[str], list[Any]]:
    """SQL conditions that section vectors must meet besides being in the scopes' collections, however they are ranked, and their values.

    They are for a row joined with its scope: the columns of make_phrases(), and `document_ids`. The narrowing is the same in all scopes.
    `stopped`: phrases whose column may be NULL, in which case they require nothing.
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
    """Columns with the tsqueries of required and excluded phrases, for a row with its `language`, and their values.

    `otherwise`: the column used instead of a phrase that has only stop words, which is checked in the texts. The `_whole` column of an
    excluded phrase keeps its stop words. If it has any, the index alone would exclude too much, so the check is left to the texts
    (search/phrases.py).
    """
    required = f"coalesce(nullif(phraseto_tsquery(language, %s)::text, ''), {otherwise}::text)::tsquery AS {{name}}"
    excluded = "phraseto_tsquery(language, %s) AS {name}, phraseto_tsquery('simple', %s) AS {name}_whole"
    columns = [required] * len(query.phrases) + [excluded] * len(query.excluded)
    values = [make_phrase_text(phrase) for phrase in query.phrases]
    values += [text for phrase in query.excluded for text in [make_excluded_text(phrase)] * 2]
    return "".join(f", {column.format(name=f'phrase_{number}')}" for number, column in enumerate(columns)), values
