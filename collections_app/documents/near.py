"""Where in a document words stand closest together, to begin reading there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from django.db import connection

from collections_app.documents.sections import SectionText
from collections_app.search.question_words import QuestionWords, fold_in_place, make_question_words
from collections_app.search.snippets import find_densest
from collections_app.text.analysis import fold_accents

# How far from the first of them the others may stand to be counted, and how long a paragraph may be to be begun with.
REACH_CHARACTERS = 400
PARAGRAPH_CHARACTERS = 1_000
# Around a word, and around what a heading says.
PUNCTUATION = ".,;:!?¿¡\"'`()"

STOP_WORDS = """
SELECT word FROM unnest(%s::text[]) AS asked (word) WHERE to_tsvector(%s::regconfig, word) = ''
"""


class Nearby(NamedTuple):
    """A place in a section's own text: so many characters from its beginning on. `missing`: the words that are nowhere."""

    section: SectionText
    offset: int
    missing: tuple[str, ...]


def find_nearby(sections: Iterable[SectionText], words: str, language: str) -> Nearby | None:
    """The section that is called so, else where most of the different words are, the headings above counted in; of equals the one whose own
    heading has most of them and least besides, then the first. At the beginning of a paragraph. None where there is none of the words.

    `sections` with their own texts only; `language` is the one of the text.
    """
    asked = list_asked(words, language)
    best, best_rank, seen = None, (False, 0, 0, 0), set[str]()
    for section in sections:
        found = find_words(section.text, asked)
        seen |= {word for _, word in found}
        at, near = find_closest(found)
        told = near.union(*({word for _, word in find_words(heading, asked)} for heading in section.heading_path))
        heading = split_words(section.heading)
        whole = len(asked.keys() & set(heading))
        rank = (heading == split_words(words), len(told), whole, whole - len(heading) if whole else 0)
        if told and (best is None or rank > best_rank):
            is_called_so = whole and at < REACH_CHARACTERS
            best, best_rank = (section, 0 if is_called_so else begin_paragraph(section.text, at)), rank
    missing = (word for word, forms in asked.items() if not forms.pairs and word not in seen)
    return Nearby(*best, tuple(missing)) if best else None


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
