"""Looks for the words of a question in the texts and headings of one page, in any of their spellings."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from django.db import connection

from collections_app.text.analysis.folding import fold_accents
from collections_app.text.analysis.sigils import list_asked_sigils
from collections_app.text.passages.question_words import (
    PUNCTUATION,
    QuestionWords,
    begins_word,
    fold_in_place,
    iter_positions,
    make_question_words,
)

# Limits: words that are looked for (the first that are no stop words), their spellings in all, and their places in a page, which may
# consist of these words, millions of times.
MAX_WORDS = 20
MAX_FORMS = 100
MAX_PLACES = 300_000

STOP_WORDS = """
SELECT word FROM unnest(%s::text[]) AS asked (word) WHERE to_tsvector(%s::regconfig, word) = ''
"""


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


def list_asked(words: Iterable[str], stop_words: Collection[str]) -> dict[str, QuestionWords]:
    """Each word to look for, folded → its spellings; a name with signs in it is one word. Of a stop word only a name with signs is looked
    for (`#each`), unless there are no other words."""
    forms = {word: own for word in words if any(own := make_forms(word))}
    telling = {
        word: own._replace(beginnings=()) if word in stop_words else own
        for word, own in forms.items()
        if own.names or word not in stop_words
    }
    return limit_forms(dict(islice((telling or forms).items(), MAX_WORDS)))


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
    """The spellings of a word; of a name with its arguments, which are words of their own in the text, those of the name. A name with a
    sigil (`@Moored`) counts as the word without it too, since a page about it may leave it out; no other name as its parts."""
    forms = make_question_words(word.partition("(")[0] or word)
    whole = tuple(name for name in forms.names if name not in list_asked_sigils(word))
    return forms._replace(beginnings=(), names=whole) if whole else forms


def find_stop_words(words: Sequence[str], language: str) -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute(STOP_WORDS, [list(words), language])
        return {word for (word,) in cursor.fetchall()}
