"""Stand-ins: words that stand in for words of an English question that the sections found lack, such as `directory` for `folder`.

They come from a thesaurus of general English (text/words/thesaurus.py), so they count less than the word itself (ranking/scoring.py), and
are looked up only for questions that need them (rankings.py).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from collections_app.postgres.prepared_cursor import write_text_array
from collections_app.search.terms.lexeme_counts import count_lexemes
from collections_app.search.terms.statistics import ScopedTerms
from collections_app.search.terms.term import Alternative, Corpus, Term, compute_idf
from collections_app.search.time_limit import open_cursor
from collections_app.text.passages.question_words import PUNCTUATION
from collections_app.text.words.pairs import LANGUAGE
from collections_app.text.words.thesaurus import THESAURUS, list_entries

Lexemes = tuple[str, ...]
"""Of one word or two that stand side by side."""

# Each stand-in is checked in every candidate. So only the commonest are used for a word, and only for the rarest words.
MOST_FOR_A_WORD = 2
MOST = 5
# Words of so few letters are often parts of names (`os`, `id`), so they are not used.
SHORT_CHARACTERS = 2

READ_LEXEMES = """
SELECT entry, array_agg(lexeme ORDER BY positions[1])
FROM unnest(%s::text[]) AS entry, unnest(to_tsvector(%s::regconfig, entry)) GROUP BY entry
"""


def add_stand_ins(scopes: Sequence[ScopedTerms], text: str, corpus: Corpus, *, for_missing: bool) -> list[ScopedTerms]:
    """The scopes; English ones with stand-ins after the question's own terms. `for_missing`: only for words that no section has."""
    english = {number: scoped for number, scoped in enumerate(scopes) if scoped.scope.language == LANGUAGE}
    terms = {term.lexeme: term for scoped in english.values() for term in scoped.terms if term.positions}
    wanted = list_wanted(text, terms, [lexeme for lexeme, term in terms.items() if is_missing(term) or not for_missing])
    if not wanted:
        return list(scopes)
    every = {part for each in wanted.values() for lexemes in each for part in lexemes}
    known = count_lexemes([each.scope for each in english.values()], every)
    made = make_stand_ins(terms, [choose_alternatives(wanted, there) for there in known], corpus)
    added = dict(zip(english, made, strict=True))
    return [replace(scoped, terms=[*scoped.terms, *added.get(number, ())]) for number, scoped in enumerate(scopes)]


def make_stand_ins(
    terms: Mapping[str, Term], found: Sequence[Mapping[str, Sequence[Alternative]]], corpus: Corpus
) -> list[list[Term]]:
    """Of each scope the stand-ins for the lexemes of `found`: as rare as all alternatives in all scopes together, but no rarer than the
    word itself if that occurs."""
    sections: Counter[str] = Counter()
    pages: Counter[str] = Counter()
    for by_lexeme in found:
        for lexeme, alternatives in by_lexeme.items():
            sections[lexeme] += sum(each.sections for each in alternatives)
            pages[lexeme] += sum(each.pages for each in alternatives)

    def make(lexeme: str, alternatives: Sequence[Alternative]) -> Term:
        idf, page_idf = compute_idf(corpus.sections, sections[lexeme]), compute_idf(corpus.pages, pages[lexeme])
        if not is_missing(terms[lexeme]):
            idf, page_idf = min(idf, terms[lexeme].idf), min(page_idf, terms[lexeme].page_idf)
        here = sum(each.sections for each in alternatives)
        elsewhere = sections[lexeme] - here
        return Term(
            lexeme, here, idf, page_idf, alternatives=tuple(alternatives), elsewhere=elsewhere, is_stand_in=True
        )

    return [[make(*each) for each in by_lexeme.items()] for by_lexeme in found]


def list_wanted(text: str, terms: Mapping[str, Term], asked: Sequence[str]) -> dict[str, list[Lexemes]]:
    """Lexeme of `asked`, which are some of the question's terms → what the thesaurus has instead and does not count as the word anyway."""
    entries = find_wanted(text, terms) if asked else {}
    return {lexeme: list_others(terms[lexeme], entries[lexeme]) for lexeme in asked if lexeme in entries}


def list_others(term: Term, entries: Sequence[Lexemes]) -> list[Lexemes]:
    """The entries without those that count as the word anyway."""
    known = {each.lexemes for each in term.alternatives}
    return [each for each in entries if each not in known]


def is_missing(term: Term) -> bool:
    return not (term.sections or term.elsewhere)


def find_wanted(text: str, own: Container[str]) -> dict[str, list[Lexemes]]:
    """Lexeme of the question → what the thesaurus has instead, without the question's own words.

    For *pull request*, whose other name is *merge request*, this is `merge` for `pull`. Names with signs (`max_size`) are ignored.
    """
    if not (entries := list(iter_entries(text))):
        return {}
    lexemes = read_lexemes()
    wanted: dict[str, list[Lexemes]] = defaultdict(list)
    for entry in entries:
        for other in THESAURUS[entry]:
            # Entries with stop words can be recognised in questions, but not be searched.
            if len(lexemes[other]) < len(other.split()) or any(
                len(each) <= SHORT_CHARACTERS for each in lexemes[other]
            ):
                continue
            left = tuple(each for each in lexemes[other] if each not in own)
            asked = next((each for each in lexemes[entry] if each in own and each not in lexemes[other]), None)
            if left and asked and left not in wanted[asked]:
                wanted[asked].append(left)
    return {asked: found for asked, found in wanted.items() if found}


def iter_entries(text: str) -> Iterator[str]:
    """The thesaurus entries that the question's words are forms of: entries of two words (with a blank or a hyphen) before single ones."""
    words = [word.strip(f"{PUNCTUATION}[]{{}}*“”‘’") for word in text.lower().split()]
    taken: set[int] = set()
    for number, pair in enumerate(pairwise(words)):
        if entries := list_entries(" ".join(pair)):
            taken |= {number, number + 1}
            yield from entries
    for number, word in enumerate(words):
        if number not in taken:
            yield from list_entries(word.replace("-", " "))


def choose_alternatives(
    wanted: Mapping[str, Sequence[Lexemes]], counted: Mapping[str, tuple[int, int]]
) -> dict[str, list[Alternative]]:
    """For each lexeme the commonest entries that occur, single words first: MOST_FOR_A_WORD each, at most MOST in all."""
    chosen: dict[str, list[Alternative]] = {}
    left = MOST
    for lexeme, entries in wanted.items():
        known = [make_alternative(each, counted) for each in entries if all(part in counted for part in each)]
        known.sort(key=lambda each: (len(each.lexemes), -each.sections, each.lexemes))
        if known := known[: min(MOST_FOR_A_WORD, left)]:
            chosen[lexeme] = known
            left -= len(known)
    return chosen


def make_alternative(lexemes: Lexemes, counted: Mapping[str, tuple[int, int]]) -> Alternative:
    sections, pages = (min(column) for column in zip(*(counted[each] for each in lexemes), strict=True))
    return Alternative(lexemes, (1,) * (len(lexemes) - 1), sections, pages)


@lru_cache(maxsize=1)
def read_lexemes() -> Mapping[str, Lexemes]:
    """Thesaurus entry → its lexemes, without stop words. The database makes them, once per process."""
    with open_cursor() as cursor:
        cursor.execute(READ_LEXEMES, [write_text_array(THESAURUS), LANGUAGE])
        found = dict(cursor.fetchall())
    return {entry: tuple(found.get(entry, ())) for entry in THESAURUS}
