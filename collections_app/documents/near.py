"""Finds the place in a document where words are closest together, to begin reading there."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from collections_app.documents.sections import SectionText
from collections_app.documents.word_search import (
    MAX_WORDS,
    Heading,
    WordSearch,
    find_stop_words,
    list_asked,
    split_words,
)
from collections_app.text.markdown.code_blocks import blank_code
from collections_app.text.names.entries import make_entry_pattern
from collections_app.text.passages.asked_entries import AskedEntries, make_asked_entries
from collections_app.text.passages.best_passage import (
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
from collections_app.text.passages.question_words import (
    PUNCTUATION,
    find_densest,
    fold_in_place,
    list_names,
)

MAX_LABEL_CHARACTERS = 100
# A name with its arguments, `rate(<period>)`: it is the name that is looked for.
CALL = re.compile(r"\A([^\s(]+)\([^()]*\)\Z")
# A section that describes a name is chosen before one that has at most this many times as many of the words.
MOST_TIMES = 3

# Between words that stand side by side there may be marks, but no end of a sentence.
BETWEEN = r"[\s_*`\"'()\[\]-]{1,4}"


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
    sought = Sought(words, language)
    best, of_entries, namesakes = None, None, list[str]()
    for section in sections:
        candidate = sought.look_at(section, is_named=section.position in named)
        if candidate.rank.has_name:
            namesakes.append(section.section_id)
        if candidate.rank.told:
            best = choose_better(best, candidate)
            if candidate.found and sought.entries.are_in(section.heading, section.text):
                of_entries = choose_better(of_entries, candidate)
        if sought.search.is_exhausted:
            break
    if best is None:
        return None
    best = prefer_entries(best, of_entries)
    has_all = best.rank.told >= len({form.word for form in sought.search.forms})
    others = tuple(each for each in namesakes if each != best.section.section_id)
    return Nearby(best.section, begin(best, sought.entries, most_before), sought.list_missing(), has_all, others)


class Sought:
    """The words that are looked for: by themselves, as the name of a section or an entry, as names of entries, and as they were asked for.
    `seen`: those that were found so far."""

    def __init__(self, words: str, language: str) -> None:
        self.called = split_words(words)
        stop_words = find_stop_words(self.called, language) | ASKING
        self.asked = list_asked(self.called, stop_words)
        self.search = WordSearch(self.asked)
        self.entries = make_asked_entries(words, stop_words)
        label = CALL.sub(r"\1", words.strip()).strip(f"{PUNCTUATION} ")
        self.entry = make_entry_pattern(label) if len(words) <= MAX_LABEL_CHARACTERS else None
        self.phrase = make_phrase(self.called, words)
        self.seen: set[str] = set()

    def look_at(self, section: SectionText, *, is_named: bool) -> Candidate:
        text = fold_in_place(blank_contents(section.text))
        found = self.search.find(text)
        described = self.entry.search(blank_code(section.text)) if found and self.entry else None
        as_asked = self.phrase.search(text) if found and self.phrase else None
        own, *above = map(self.search.look_at, (section.heading, *section.heading_path))
        in_headings = set[str]().union(*(heading.found for heading in above))
        self.seen.update(in_headings, (word for _, word in found))
        near = look_around(found, find_densest(found, REACH_CHARACTERS, {}))
        rank = rank_section(own, above, self.called, len(near | in_headings))
        rank = rank._replace(has_entry=described is not None, as_asked=as_asked is not None, is_named=is_named)
        return Candidate(section, found, rank, get_start(described), get_start(as_asked))

    def list_missing(self) -> tuple[str, ...]:
        """The words that are nowhere in what was looked at; none if that is not all there is."""
        if self.search.is_exhausted:
            return ()
        return tuple(word for word, forms in self.asked.items() if not forms.pairs and word not in self.seen)


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


def make_phrase(called: Sequence[str], words: str) -> re.Pattern[str] | None:
    """A pattern for several words as they were asked for, in a folded text; the last one may go on (`shard`, `shards`). Words of signs
    alone are left out: what stands between words may be such signs too. For a single name with signs, a pattern for that (`--force`)."""
    telling = [word for word in called if any(map(str.isalnum, word))]
    if len(telling) == 1 and (names := list_names(words)):
        return re.compile(rf"(?<![^\W_]){re.escape(max(names, key=len))}(?!\w)")
    if not 2 <= len(telling) <= MAX_WORDS:
        return None
    return re.compile(rf"(?<![^\W_]){BETWEEN.join(map(re.escape, telling))}")
