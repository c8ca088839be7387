"""Finds the place in a document where words are closest together, to begin reading there."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from django.db import connection

from collections_app.documents.sections import SectionText
from collections_app.text.asked_entries import AskedEntries, make_asked_entries
from collections_app.text.code_blocks import blank_code
from collections_app.text.entries import make_entry_pattern
from collections_app.text.folding import fold_accents
from collections_app.text.question_words import (
    PUNCTUATION,
    QuestionWords,
    begins_word,
    find_densest,
    fold_in_place,
    iter_positions,
    make_question_words,
)
from collections_app.text.telling import (
    ASKING,
    PARAGRAPH_CHARACTERS,
    REACH_CHARACTERS,
    blank_contents,
    find_beginning,
    find_telling,
    look_around,
    prefer_prose,
    prefer_rows,
)

MAX_LABEL_CHARACTERS = 100
# A name with its arguments, `rate(<period>)`: it is the name that is looked for.
CALL = re.compile(r"\A([^\s(]+)\([^()]*\)\Z")
# A section that describes a name is chosen before one that has at most this many times as many of the words.
MOST_TIMES = 3
# Limits: words that are looked for (the first that are no stop words), their spellings in all, and their places in a page, which may
# consist of these words, millions of times.
MAX_WORDS = 20
MAX_FORMS = 100
MAX_PLACES = 300_000

# Between words that stand side by side there may be marks, but no end of a sentence.
BETWEEN = r"[\s_*`\"'()\[\]-]{1,4}"

STOP_WORDS = """
SELECT word FROM unnest(%s::text[]) AS asked (word) WHERE to_tsvector(%s::regconfig, word) = ''
"""


class Nearby(NamedTuple):
    """A place in a section's own text, in characters from its beginning. `missing`: those of the words looked for that are nowhere;
    `has_all`: all of them are at this place or in a heading above it. `namesakes`: if it is chosen for its name, the ids of other sections
    that have this name or an entry with it."""

    section: SectionText
    offset: int
    missing: tuple[str, ...]
    has_all: bool
    namesakes: tuple[str, ...] = ()


def find_nearby(
    sections: Iterable[SectionText],
    words: str,
    language: str,
    most_before: int = PARAGRAPH_CHARACTERS,
    named: Collection[int] = (),
) -> Nearby | None:
    """The best place in these sections to read about the words; None if none of the words occurs.

    It is the section with that name, else a list or table entry with that name, else a section with an entry that has a name of the words,
    else the section with most of the different words, headings above included (see Rank; the first of equals). Within the section it is an
    entry that the words are about (AskedEntries), else where the words stand as they were asked for, else where the rarest words are
    together (find_telling), moved back to the beginning of a paragraph, but by at most `most_before` characters; a section with that name
    is read from its heading on.

    `sections` have their own texts only. `named`: the positions of those that were asked for by name, and are not just subsections.
    `language`: that of the text. Only the first of many words are looked for, and only the beginning of a page that has them too often.
    """
    called = split_words(words)
    stop_words = find_stop_words(called, language) | ASKING
    asked = list_asked(called, stop_words)
    search, entries = WordSearch(asked), make_asked_entries(words, stop_words)
    label = CALL.sub(r"\1", words.strip()).strip(f"{PUNCTUATION} ")
    entry = make_entry_pattern(label) if len(words) <= MAX_LABEL_CHARACTERS else None
    phrase = make_phrase(called)
    best, of_entries, seen, namesakes = None, None, set[str](), list[str]()
    for section in sections:
        text = fold_in_place(blank_contents(section.text))
        found = search.find(text)
        described = entry.search(blank_code(section.text)) if found and entry else None
        own, *above = map(search.look_at, (section.heading, *section.heading_path))
        seen.update((word for _, word in found), *(heading.found for heading in above))
        near = look_around(found, find_densest(found, REACH_CHARACTERS, {}))
        told = near.union(*(heading.found for heading in above))
        as_asked = phrase.search(text) if phrase and found else None
        rank = rank_section(own, above, called, len(told))._replace(
            has_entry=described is not None, as_asked=as_asked is not None, is_named=section.position in named
        )
        if rank.has_name:
            namesakes.append(section.section_id)
        candidate = Candidate(section, found, rank, get_start(described), get_start(as_asked)) if told else None
        best = choose_better(best, candidate)
        if found and entries.are_in(section.heading, section.text):
            of_entries = choose_better(of_entries, candidate)
        if search.is_exhausted:
            break
    nowhere = () if search.is_exhausted else asked.keys() - seen
    missing = (word for word, forms in asked.items() if not forms.pairs and word in nowhere)
    if best is None:
        return None
    best = prefer_entries(best, of_entries)
    has_all = best.rank.told >= len({form.word for form in search.forms})
    others = (each for each in namesakes if each != best.section.section_id)
    return Nearby(best.section, begin(best, entries, most_before), tuple(missing), has_all, tuple(others))


class Candidate(NamedTuple):
    """A section, the places of the words in it, what speaks for it, and, if they are in it, the beginnings of the entry with that name and
    of the words as they were asked for."""

    section: SectionText
    found: Sequence[tuple[int, str]]
    rank: Rank
    entry: int | None
    as_asked: int | None


def get_start(found: re.Match[str] | None) -> int | None:
    return found.start() if found else None


def choose_better(best: Candidate | None, other: Candidate | None) -> Candidate | None:
    """The one of higher rank; the first of equals."""
    if best is None or other is None:
        return best or other
    return other if other.rank > best.rank else best


def prefer_entries(best: Candidate, of_entries: Candidate | None) -> Candidate:
    """The section that describes a name in the words, unless another has the very name, or so many more of the words."""
    if of_entries is None or best.rank.has_name or best.rank.told > MOST_TIMES * of_entries.rank.told:
        return best
    return of_entries


def begin(best: Candidate, entries: AskedEntries, most_before: int) -> int:
    """Where to begin in the section: with its heading if it is called so, or has one of the words and they are near it."""
    if best.rank.is_called_so:
        return 0
    if best.entry is not None:
        return best.entry
    text = best.section.text
    found = prefer_rows(text, prefer_prose(text, best.found))
    at = find_telling(found) if best.as_asked is None else best.as_asked
    if best.rank.in_own and at <= most_before:
        return 0
    entry = entries.find(text, found, at)
    return find_beginning(text, at, most_before) if entry is None else entry


class Heading(NamedTuple):
    """A heading's words: all of them, those that were asked for as written, and those that were asked for in any spelling."""

    words: Sequence[str]
    asked: Collection[str]
    found: Collection[str]


class Form(NamedTuple):
    """A spelling of a word, and the word that it counts as; a pair of unspaced characters may be anywhere within a word."""

    written: str
    word: str
    is_pair: bool


class WordSearch:
    """Looks for words in the texts of a page and its headings, up to MAX_PLACES places in all."""

    def __init__(self, asked: Mapping[str, QuestionWords]) -> None:
        self.asked = asked
        self.forms = list(iter_forms(asked))
        self.places_left = MAX_PLACES
        self.headings: dict[str, Heading] = {}

    @property
    def is_exhausted(self) -> bool:
        return self.places_left < len(self.forms)

    def find(self, folded: str) -> list[tuple[int, str]]:
        """(position, word) in order, in a folded text; for unspaced scripts, each pair of characters. If there are too many, the first of
        each form."""
        return sorted(self._iter_places(folded))

    def _iter_places(self, folded: str) -> Iterator[tuple[int, str]]:
        most = self.places_left // max(1, len(self.forms))
        for form in self.forms:
            if form.written not in folded:  # as most are
                continue
            for at in islice(iter_positions(folded, form.written), most):
                self.places_left -= 1
                if form.is_pair or begins_word(folded, at):
                    yield at, form.word

    def look_at(self, heading: str) -> Heading:
        """The heading's words. Each heading is only searched once, as thousands of sections may be below the same one."""
        if heading not in self.headings:
            words = split_words(heading)
            found = {word for _, word in self.find(fold_in_place(heading))}
            self.headings[heading] = Heading(words, {word for word in words if word in self.asked}, found)
        return self.headings[heading]


def iter_forms(asked: Mapping[str, QuestionWords]) -> Iterator[Form]:
    for word, forms in asked.items():
        for written in (*forms.beginnings, *forms.names):
            yield Form(written, written if forms.pairs else word, is_pair=False)
        for pair in forms.pairs:
            yield Form(pair, pair, is_pair=True)


class Rank(NamedTuple):
    """What speaks for a section, in order of weight: it has the name; an entry in it has the name; how many of the words it has; it has
    them side by side, in the order in which they were asked for; it was asked for by name; how many of the words are in the headings above
    it and its own; and how few other words its own heading has."""

    is_called_so: bool = False
    has_entry: bool = False
    told: int = 0
    as_asked: bool = False
    is_named: bool = False
    in_path: int = 0
    in_own: int = 0
    shortness: int = 0

    @property
    def has_name(self) -> bool:
        return self.is_called_so or self.has_entry


def rank_section(own: Heading, above: Iterable[Heading], called: Sequence[str], told: int) -> Rank:
    return Rank(
        is_called_so=own.words == called,
        told=told,
        in_path=len(set[str]().union(*(heading.asked for heading in above))),
        in_own=sum(word in own.asked for word in own.words),
        shortness=-len(own.words) if own.asked else 0,
    )


def make_phrase(words: Sequence[str]) -> re.Pattern[str] | None:
    """A pattern for several words as they were asked for, in a folded text; the last one may go on (`shard`, `shards`). Words of signs
    alone are left out: what stands between words may be such signs too."""
    telling = [word for word in words if any(map(str.isalnum, word))]
    if not 2 <= len(telling) <= MAX_WORDS:
        return None
    return re.compile(rf"(?<![^\W_]){BETWEEN.join(map(re.escape, telling))}")


def list_asked(words: Iterable[str], stop_words: Collection[str]) -> dict[str, QuestionWords]:
    """Each word to look for, folded → its spellings; a name with signs in it is one word."""
    forms = {word: own for word in words if any(own := make_forms(word))}
    telling = {word: own for word, own in forms.items() if word not in stop_words} or forms
    return limit_forms(dict(islice(telling.items(), MAX_WORDS)))


def limit_forms(asked: Mapping[str, QuestionWords]) -> dict[str, QuestionWords]:
    """At most MAX_FORMS spellings in all, the same number for each word."""
    most = MAX_FORMS // max(1, len(asked))
    return {
        word: QuestionWords(own.beginnings[:most], own.pairs[:most], own.names[:most]) for word, own in asked.items()
    }


def split_words(text: str) -> list[str]:
    """The folded words, without surrounding punctuation. Words joined by a hyphen are split, as others write them apart."""
    words = (word.strip(PUNCTUATION) for word in fold_accents(text).split())
    return [
        part.lower()
        for word in words
        for part in (word.split("-") if word.replace("-", "").isalpha() else [word])
        if part
    ]


def make_forms(word: str) -> QuestionWords:
    """The spellings of a word; of a name with its arguments, which are words of their own in the text, those of the name."""
    forms = make_question_words(word.partition("(")[0] or word)
    return forms._replace(beginnings=()) if forms.names else forms


def find_stop_words(words: Sequence[str], language: str) -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute(STOP_WORDS, [list(words), language])
        return {word for (word,) in cursor.fetchall()}
