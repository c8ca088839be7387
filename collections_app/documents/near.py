"""Where in a document words stand closest together, to begin reading there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from collections_app.documents.sections import SectionText
from collections_app.search.question_words import QuestionWords, fold_in_place, make_question_words
from collections_app.search.snippets import find_densest

# How far from the first of them the others may stand to be counted, and how long a paragraph may be to be begun with.
REACH_CHARACTERS = 400
PARAGRAPH_CHARACTERS = 1_000


class Nearby(NamedTuple):
    """A place in a section's own text: so many characters from its beginning on."""

    section: SectionText
    offset: int


def find_nearby(sections: Iterable[SectionText], words: str) -> Nearby | None:
    """Where most of the different words are, at the beginning of a paragraph; the first of equals. None where there is none of them.

    `sections` with their own texts only.
    """
    asked = make_question_words(words)
    best, most = None, 0
    for section in sections:
        at, count = find_closest(section.text, asked)
        if count > most:
            best, most = Nearby(section, begin_paragraph(section.text, at)), count
    return best


def find_closest(text: str, words: QuestionWords) -> tuple[int, int]:
    """Where the words stand closest together, at the one of them that the text has least; and how many different ones do there."""
    found = words.find(fold_in_place(text))
    first = find_densest(found, REACH_CHARACTERS)
    near = [(at, word) for at, word in found if first <= at < first + REACH_CHARACTERS]
    counts = Counter(word for _, word in found)
    at, _ = min(near, key=lambda match: (counts[match[1]], match[0]), default=(0, ""))
    return at, len({word for _, word in near})


def begin_paragraph(text: str, at: int) -> int:
    """The beginning of the paragraph or list item, or of the line where that is far."""
    blank = text.rfind("\n\n", 0, at)
    start = blank + 2 if blank >= 0 else 0
    return start if at - start <= PARAGRAPH_CHARACTERS else text.rfind("\n", 0, at) + 1
