"""Where in a document words stand closest together, to begin reading there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from django.db import connection

from collections_app.documents.sections import SectionText
from collections_app.text.analysis import fold_accents
from collections_app.text.code_blocks import blank_code
from collections_app.text.entries import make_entry_pattern
from collections_app.text.question_words import (
    PUNCTUATION,
    QuestionWords,
    find_densest,
    fold_in_place,
    make_question_words,
)

# How far from the first of them the others may stand to be counted, and how long a paragraph may be to be begun with.
REACH_CHARACTERS = 400
PARAGRAPH_CHARACTERS = 1_000
MAX_LABEL_CHARACTERS = 100
BEGIN_BEHIND = ("\n\n", "\n", ". ", "。")

STOP_WORDS = """
SELECT word FROM unnest(%s::text[]) AS asked (word) WHERE to_tsvector(%s::regconfig, word) = ''
"""


class Nearby(NamedTuple):
    """A place in a section's own text: so many characters from its beginning on. `missing`: the words that are nowhere; `has_all`: each
    of them stands at this very place, or in a heading above it."""

    section: SectionText
    offset: int
    missing: tuple[str, ...]
    has_all: bool


def find_nearby(
    sections: Iterable[SectionText], words: str, language: str, most_before: int = PARAGRAPH_CHARACTERS
) -> Nearby | None:
    """The section that is called so, else the entry of a list or table, else where most of the different words are, the headings above
    counted in; see Rank for equals, of which the first counts. At the beginning of a paragraph, with at most `most_before` characters
    before the words. None where there is none of them.

    `sections` with their own texts only; `language` is the one of the text.
    """
    asked = list_asked(words, language)
    entry = make_entry_pattern(words.strip(f"{PUNCTUATION} ")) if len(words) <= MAX_LABEL_CHARACTERS else None
    best, best_rank, best_told, seen = None, Rank(), 0, set[str]()
    for section in sections:
        found = find_words(section.text, asked)
        described = entry.search(blank_code(section.text)) if found and entry else None
        seen |= {word for _, word in found}
        at, near = find_closest(found)
        told = near.union(*({word for _, word in find_words(heading, asked)} for heading in section.heading_path))
        rank = rank_section(section, words, asked, len(told))._replace(has_entry=described is not None)
        if told and rank > best_rank:
            if described and not rank.is_called_so:
                offset = described.start()
            else:
                is_heading = rank.in_own and at < REACH_CHARACTERS
                offset = 0 if is_heading else find_beginning(section.text, at, most_before)
            best, best_rank, best_told = (section, offset), rank, len(told)
    missing = (word for word, forms in asked.items() if not forms.pairs and word not in seen)
    has_all = best_told >= sum(len(forms.pairs) or 1 for forms in asked.values())
    return Nearby(*best, tuple(missing), has_all) if best else None


class Rank(NamedTuple):
    """What tells for a section, the weightiest first: that it is called so, or an entry in it, how many of the words it has, how many of
    them are words of the headings above and of its own one, and how few others are in that."""

    is_called_so: bool = False
    has_entry: bool = False
    told: int = 0
    in_path: int = 0
    in_own: int = 0
    shortness: int = 0


def rank_section(section: SectionText, words: str, asked: Collection[str], told: int) -> Rank:
    own = split_words(section.heading)
    path = {word for heading in section.heading_path for word in split_words(heading)}
    in_own = sum(word in asked for word in own)
    return Rank(
        is_called_so=own == split_words(words),
        told=told,
        in_path=sum(word in path for word in asked),
        in_own=in_own,
        shortness=-len(own) if in_own else 0,
    )


def list_asked(words: str, language: str) -> dict[str, QuestionWords]:
    """Each word that is looked for, folded, and how it may be written: a name with signs in it as a whole."""
    forms = {word: make_forms(word) for word in split_words(words)}
    stop_words = find_stop_words(list(forms), language)
    forms = {word: own for word, own in forms.items() if any(own)}
    return {word: own for word, own in forms.items() if word not in stop_words} or forms


def split_words(text: str) -> list[str]:
    """Folded, without what stands around them; those that a hyphen joins, which others write apart, each by itself."""
    words = (word.strip(PUNCTUATION) for word in fold_accents(text).split())
    return [
        part.lower()
        for word in words
        for part in (word.split("-") if word.replace("-", "").isalpha() else [word])
        if part
    ]


def make_forms(word: str) -> QuestionWords:
    forms = make_question_words(word)
    return forms._replace(beginnings=()) if forms.names else forms


def find_stop_words(words: Sequence[str], language: str) -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute(STOP_WORDS, [list(words), language])
        return {word for (word,) in cursor.fetchall()}


def find_words(text: str, asked: Mapping[str, QuestionWords]) -> list[tuple[int, str]]:
    """Where each is in a text, in order; of unspaced scripts each pair of characters."""
    folded = fold_in_place(text)
    return sorted(
        (at, form if forms.pairs else word) for word, forms in asked.items() for at, form in forms.find(folded)
    )


def find_closest(found: Sequence[tuple[int, str]]) -> tuple[int, set[str]]:
    """Where the words stand closest together, at the one of them that the text has least; and which do there."""
    first = find_densest(found, REACH_CHARACTERS, {})
    near = [(at, word) for at, word in found if first <= at < first + REACH_CHARACTERS]
    counts = Counter(word for _, word in found)
    at, _ = min(near, key=lambda match: (counts[match[1]], match[0]), default=(0, ""))
    return at, {word for _, word in near}


def find_beginning(text: str, at: int, most_before: int) -> int:
    """Where the paragraph or list item begins, or the line, or the sentence: the first of them that is no farther before."""
    for end in BEGIN_BEHIND:
        before = text.rfind(end, 0, at)
        start = before + len(end) if before >= 0 else 0
        if at - start <= most_before:
            return start
    return at
