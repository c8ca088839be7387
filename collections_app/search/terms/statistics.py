"""The terms of a question, and how rare each is. Read from the statistics that ingest keeps; nothing is counted here."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from operator import attrgetter
from typing import NamedTuple

from collections_app.postgres.prepared_cursor import PLANNED_ONCE, write_text_array
from collections_app.search.narrowing import LEAST_LEFT, Narrowing, facts
from collections_app.search.scope import SCOPES, Scope, write_scopes
from collections_app.search.terms.asking_words import weaken_asking
from collections_app.search.terms.compounds import choose_lookups, find_joined, list_split, split_missing
from collections_app.search.terms.hyphens import find_other_spellings, is_version, list_spellings
from collections_app.search.terms.lexeme_counts import count_lexemes
from collections_app.search.terms.names import drop_names_within, weigh_names
from collections_app.search.terms.synonyms import find_alternatives
from collections_app.search.terms.term import Alternative, Corpus, Term, compute_idf
from collections_app.search.terms.word_forms import FORMED, find_formed, is_formed
from collections_app.search.time_limit import open_cursor
from collections_app.text.analysis import make_query_text
from collections_app.text.analysis.folding import fold
from collections_app.text.analysis.lexemes import is_label, is_single_character, split_name
from collections_app.text.names.entries import list_possible_entries
from collections_app.text.names.headings import list_asked_names
from collections_app.text.names.pages import list_asked_marks
from collections_app.text.passages.question_words import list_words
from collections_app.text.words.pairs import join_pairs

# The index reads a list of rows for each collection that is searched. With more collections than this, which together have at least this
# part of all rows, it is cheaper to skip rows of other collections afterwards.
MANY_COLLECTIONS = 12
WIDE_SHARE = 1 / 3
# With at least this many more stop words in a language than in another, a question is taken to be in it. One may be chance: `die`.
CLEARLY = 2
# A single unspaced character matches every pair that begins with it, which is expensive: done only if the question has nothing else.
MAX_PREFIXES = 2


@dataclass(frozen=True, slots=True)
class ScopedTerms:
    """The terms of a question in one scope, rarest first, including those that occur nowhere (0 sections).

    `sections`, `pages`: how many index rows and pages the scope has.
    `stop_words`: the question's words (list_words) that are stop words in the scope's language or in the question's.
    `missing_names`: lexemes of names with underscores that no section has. They are not terms: sections have their parts.
    `share`: the scope's share of candidates, 1 for the largest scope that is searched.
    `of_product`: what a section counts for being of the product that the question names, if others are searched too.
    `marks`: mark that the narrowing needs, or of the pages that the question calls (text/names/pages.py) → how many sections have it.
    `is_wide`: whether the scope has so many collections, and so much of the whole table, that the index is better searched by words only.
    """

    scope: Scope
    sections: int
    pages: int
    terms: Sequence[Term]
    marks: Mapping[str, int] = field(default_factory=dict)
    is_wide: bool = False
    stop_words: frozenset[str] = frozenset()
    missing_names: frozenset[str] = frozenset()
    share: float = 1.0
    of_product: float = 0.0

    @property
    def is_told(self) -> bool:
        """Whether the index has the facts that the narrowing relies on, and can use them: they require something, or exclude little."""
        narrowing = self.scope.narrowing
        if not narrowing.told:
            return True
        return facts.has_facts(self.marks, self.sections) and (narrowing.finds or self.passing >= LEAST_LEFT)

    @property
    def passing(self) -> float:
        """An estimate of the part of the sections that meets the narrowing, by the index or by the documents looked up; never 0."""
        narrowing = self.scope.narrowing
        left = narrowing.estimate_share(self.marks, self.sections)
        if narrowing.documents is not None:
            left = min(left, len(self.scope.document_ids) / max(self.pages, 1))
        return max(left, 1 / max(self.sections, 1))

    def narrow(self, narrowing: Narrowing) -> ScopedTerms:
        return replace(self, scope=replace(self.scope, narrowing=narrowing))


class Count(NamedTuple):
    """A lexeme in the statistics of a scope, including its alternatives.

    The empty lexeme has the totals, and its positions are those of the stop words in the list of words.
    """

    lexeme: str
    positions: list[int] | None
    sections: int
    pages: int
    words: int
    alternatives: tuple[Alternative, ...] = ()
    parts: tuple[str, ...] = ()

    def add(self, alternatives: Sequence[Alternative]) -> Count:
        return self._replace(
            sections=self.sections + sum(each.sections for each in alternatives),
            pages=self.pages + sum(each.pages for each in alternatives),
            alternatives=(*self.alternatives, *alternatives),
        )


class Counts(NamedTuple):
    """What the statistics of a scope say about a question: totals, and a count for each lexeme. `stop_words`, `marks`: see ScopedTerms."""

    total: Count
    by_lexeme: dict[str, Count]
    stop_words: frozenset[str]
    marks: Mapping[str, int]

    @property
    def places(self) -> set[int]:
        """The positions in the question for which the language has a lexeme."""
        counts = (count for name, count in self.by_lexeme.items() if not is_label(name))
        return {place for count in counts for place in count.positions or ()}

    def keep(self, places: set[int], stop_words: frozenset[str]) -> Counts:
        """Only the lexemes at these positions, and the names of headings and entries; `stop_words` are added."""
        kept = {
            name: count
            for name, count in self.by_lexeme.items()
            if is_label(name) or not places.isdisjoint(count.positions or ())
        }
        return self._replace(by_lexeme=kept, stop_words=self.stop_words | stop_words)

    def add(self, alternatives: Mapping[str, Sequence[Alternative]]) -> Counts:
        """With further alternatives for some of the lexemes."""
        if not alternatives:
            return self
        added = {name: self.by_lexeme[name].add(own) for name, own in alternatives.items()}
        return self._replace(by_lexeme=self.by_lexeme | added)

    def split(self, parts: Mapping[str, tuple[str, ...]], counted: Mapping[str, tuple[int, int]]) -> Counts:
        """With the parts of these lexemes added. `counted`: part → in how many sections and pages it is."""
        if not parts:
            return self
        whole = {name: count._replace(parts=parts.get(name, ())) for name, count in self.by_lexeme.items()}
        beside = {part: Count(part, None, *counts, 0) for part, counts in counted.items()}
        return self._replace(by_lexeme=beside | whole)


# For all scopes at once, with one index lookup for each term: with a join, the planner would read the terms of whole collections while it
# lacks statistics.
COUNT = f"""
SELECT number, lexeme, positions, found.*
FROM {SCOPES},
    LATERAL (
        SELECT lexeme, positions FROM unnest(to_tsvector(language, %(text)s)) UNION ALL SELECT '', ARRAY(
            SELECT place::smallint FROM unnest(%(words)s::text[]) WITH ORDINALITY AS given (word, place)
            WHERE to_tsvector(language, word) = ''
        ) UNION ALL SELECT lexeme, NULL FROM unnest(%(marks)s::text[]) AS mark (lexeme)
    ) AS asked,
    LATERAL (
        SELECT coalesce(sum(sections), 0)::bigint, coalesce(sum(documents), 0)::bigint, coalesce(sum(words), 0)::bigint
        FROM collections_app_termstatistic
        WHERE tenant_id = ANY(%(tenants)s::bigint[]) AND collection_id = ANY(collections) AND term = lexeme
    ) AS found
UNION ALL SELECT 0, '', NULL, reltuples::bigint, 0, 0 FROM pg_class WHERE oid = 'collections_app_sectionvector'::regclass
"""  # noqa: S608

COUNT_PREFIX = """
SELECT coalesce(sum(sections), 0)::bigint, coalesce(sum(documents), 0)::bigint FROM collections_app_termstatistic
WHERE tenant_id = ANY(%(tenants)s::bigint[]) AND collection_id = ANY(%(collections)s::bigint[]) AND term ^@ %(text)s
"""


def get_terms(
    scopes: Sequence[Scope], text: str, formed: Mapping[str, str], excluded: str = ""
) -> tuple[Corpus, list[ScopedTerms]]:
    """The corpus that is searched, and the question's terms in each scope.

    Stop words are not terms; those of the question's language are not terms in any scope. `formed`: see word_forms.list_formed().
    `excluded`: further words, for which only stop words are determined.
    """
    by_scope, rows = count_terms(scopes, text, formed, excluded)
    by_scope = look_otherwise(scopes, leave_out_stop_words(by_scope))
    totals = [counts.total for counts in by_scope]
    corpus = Corpus(*(sum(column) for column in zip(*((t.sections, t.pages, t.words) for t in totals), strict=True)))
    sections: Counter[str] = Counter()
    pages: Counter[str] = Counter()
    for counts in by_scope:
        for count in counts.by_lexeme.values():
            sections[count.lexeme] += count.sections
            pages[count.lexeme] += count.pages
    rarity = {
        lexeme: (compute_idf(corpus.sections, sections[lexeme]), compute_idf(corpus.pages, pages[lexeme]))
        for lexeme in sections
    }
    return corpus, [
        ScopedTerms(
            scope,
            total.sections,
            total.pages,
            make_terms(scope, list(by_lexeme.values()), rarity, sections, corpus, text),
            marks,
            len(scope.collection_ids) > MANY_COLLECTIONS and total.sections >= rows * WIDE_SHARE > 0,
            stop_words,
            frozenset(name for name, count in by_lexeme.items() if not count.sections and split_name(name)),
        )
        for scope, (total, by_lexeme, stop_words, marks) in zip(scopes, by_scope, strict=True)
    ]


def count_terms(
    scopes: Sequence[Scope], text: str, formed: Mapping[str, str], excluded: str
) -> tuple[list[Counts], int]:
    """The counts in each scope, and how many rows the whole table has, by PostgreSQL's estimate."""
    words, pairs = list_words(text), join_pairs(fold(text))
    marks = list_marks(scopes[0], text) if scopes else []  # the narrowing is the same in all scopes
    told = [*words, *list_words(excluded)]
    counted: defaultdict[int, list[Count]] = defaultdict(list)
    with open_cursor(**PLANNED_ONCE) as cursor:
        cursor.execute(
            COUNT + choose_lookups(scopes, words, pairs) + (FORMED if formed else ""),
            {
                **write_scopes(scopes),
                "text": " ".join([make_query_text(text), *list_asked_names(text), *list_possible_entries(text)]),
                "pairs": " ".join(pairs),
                "formed": write_text_array(formed),
                "forms": write_text_array(formed.values()),
                "words": write_text_array(told),
                "marks": write_text_array(marks),
            },
        )
        for number, *count in cursor.fetchall():
            counted[number].append(Count(*count))
    [table] = counted[0]
    by_scope = [
        make_counts(scope, counted[number], counted[-number], told, marks) for number, scope in enumerate(scopes, 1)
    ]
    return by_scope, table.sections


def list_marks(scope: Scope, text: str) -> list[str]:
    """The marks of the index to be counted for a question, each once."""
    return list(dict.fromkeys([*scope.narrowing.lexemes, *list_asked_marks(text)]))


def make_counts(
    scope: Scope, counted: Sequence[Count], others: Sequence[Count], words: Sequence[str], marks: Sequence[str]
) -> Counts:
    """The counts of one scope. `others`: what compounds.JOINED, compounds.PAIRED and word_forms.FORMED found."""
    counts = {count.lexeme: count for count in counted}
    total = counts.pop("")
    marked = {mark: counts.pop(mark).sections for mark in marks}
    synonyms = find_alternatives(scope)
    found = [(each.lexeme, each.sections, each.pages) for each in others]
    joined = find_joined(scope, counts, [each for each in found if not is_formed(each[0])])
    forms = find_formed(counts, [each for each in found if is_formed(each[0])])
    return Counts(
        total,
        {name: count.add(keep_first(name, synonyms, joined, forms)) for name, count in counts.items()},
        frozenset(words[place - 1] for place in total.positions or ()),
        marked,
    )


def keep_first(lexeme: str, *sources: Mapping[str, Sequence[Alternative]]) -> list[Alternative]:
    """The alternatives for a lexeme from all sources, each once (a synonym may also be a form of the word)."""
    found: dict[tuple[str, ...], Alternative] = {}
    for each in chain.from_iterable(source.get(lexeme, ()) for source in sources):
        found.setdefault(each.lexemes, each)
    return list(found.values())


def leave_out_stop_words(by_scope: Sequence[Counts]) -> list[Counts]:
    """The counts without stop words of the language that the question is in.

    In German texts `how` is rare and would count more than the subject of the question. The question's language is taken to be the one with
    lexemes at the fewest positions. Languages with fewer than CLEARLY more positions stay as they are.
    """
    places = [counts.places for counts in by_scope]
    fewest = min(map(len, places), default=0)
    if not fewest:
        return list(by_scope)
    asked_in = [(own, counts) for own, counts in zip(places, by_scope, strict=True) if len(own) == fewest]
    told = set[int]().union(*(own for own, _ in asked_in))
    stop_words = frozenset.intersection(*(counts.stop_words for _, counts in asked_in))
    return [
        counts.keep(told, stop_words) if len(own) >= fewest + CLEARLY else counts
        for own, counts in zip(places, by_scope, strict=True)
    ]


def look_otherwise(scopes: Sequence[Scope], by_scope: Sequence[Counts]) -> list[Counts]:
    """The counts with other spellings of versions and of lexemes that no scope has; if these have no other spelling, with their parts.

    One statement finds which of the spellings and parts occur.
    """
    missing = list_missing(by_scope)
    respelled = [[*own, *list_versions(counts, own)] for counts, own in zip(by_scope, missing, strict=True)]
    lexemes = {other for own in respelled for others in list_spellings(own).values() for other in others}
    for scope, own in zip(scopes, missing, strict=True):
        lexemes.update(part for ways in list_split(scope.language, own).values() for parts in ways for part in parts)
    known = count_lexemes(scopes, lexemes)
    spelled = [
        counts.add(find_other_spellings(own, there))
        for counts, own, there in zip(by_scope, respelled, known, strict=True)
    ]
    return [
        counts.split(*split_missing(scope, own, there))
        for scope, counts, own, there in zip(scopes, spelled, list_missing(spelled), known, strict=True)
    ]


def list_missing(by_scope: Sequence[Counts]) -> list[list[str]]:
    """For each scope, those of its lexemes that no scope has."""
    found = {name for counts in by_scope for name, count in counts.by_lexeme.items() if count.sections}
    return [[name for name in counts.by_lexeme if name not in found] for counts in by_scope]


def list_versions(counts: Counts, missing: Sequence[str]) -> list[str]:
    """The versions among the lexemes, except missing ones: pages may have both `3.4` and `v3.4`."""
    return [name for name in counts.by_lexeme if is_version(name) and name not in missing]


def make_terms(
    scope: Scope,
    counts: Sequence[Count],
    rarity: Mapping[str, tuple[float, float]],
    everywhere: Mapping[str, int],
    corpus: Corpus,
    question: str,
) -> list[Term]:
    """The terms of one scope, weighed, in the order in which they find sections."""
    terms = [
        Term(
            count.lexeme,
            count.sections,
            *rarity[count.lexeme],
            positions=() if is_label(count.lexeme) else tuple(count.positions or ()),
            alternatives=count.alternatives,
            elsewhere=everywhere[count.lexeme] - count.sections,
            parts=count.parts,
        )
        for count in counts
    ]
    terms = list(weigh_names(drop_names_within(weaken_asking(terms, scope.language, question))))
    if not any(term.sections and not is_single_character(term.lexeme) for term in terms):
        singles = [term.lexeme for term in terms if is_single_character(term.lexeme)][:MAX_PREFIXES]
        terms = [term for term in terms if term.lexeme not in singles]
        terms += [make_prefix(scope, lexeme, corpus) for lexeme in singles]
    return sorted(terms, key=attrgetter("order"))


def make_prefix(scope: Scope, lexeme: str, corpus: Corpus) -> Term:
    with open_cursor() as cursor:
        cursor.execute(COUNT_PREFIX, {**scope.places, "text": lexeme})
        sections, pages = cursor.fetchone()
    sections, pages = min(sections, corpus.sections), min(pages, corpus.pages)
    idf, page_idf = compute_idf(corpus.sections, sections), compute_idf(corpus.pages, pages)
    return Term(lexeme, sections, idf, page_idf, is_prefix=True)
