"""Decides which words of a question are typing errors, and what was meant. PURE.

close_words.py finds close spellings of words that no section has. Most of these words are not errors, but names, values, or other forms of
words that documents have.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from rapidfuzz import fuzz
from rapidfuzz.distance import OSA

from collections_app.search.query import Query
from collections_app.search.results import WordReport

# A shorter word has too many neighbours to be corrected, except to one with the same letters in another order. A typing error is a letter
# too many, one too few, a wrong one, or two swapped; longer words may have two errors.
MIN_MISSPELT_CHARACTERS = 5
MIN_SWAPPED_CHARACTERS = 4
DIGIT = re.compile(r"\d")
FEW_ELSEWHERE = 2
SHORT_CHARACTERS = 7
LONG_CHARACTERS = 9


def choose_spellings(query: Query, reports: Iterable[WordReport]) -> dict[str, str]:
    """Missing word → the nearest of its close spellings, to be searched instead.

    Words that another collection has are not corrected, except for a long word in only a section or two, which may have the same typing
    error. Nor are the words of a pasted message, which nobody typed.
    """
    if query.is_message:
        return {}
    nearest = {each.word: choose_nearest(each) for each in reports if not is_known_elsewhere(each)}
    return {word: spelling for word, spelling in nearest.items() if spelling}


def is_known_elsewhere(report: WordReport) -> bool:
    count = sum(sections for _, sections in report.elsewhere)
    return count > (FEW_ELSEWHERE if len(report.word) >= LONG_CHARACTERS else 0)


def choose_nearest(report: WordReport) -> str | None:
    word = report.word.lower()
    return min(
        (close for close in report.close if is_misspelt(word, drop_plural(word, close.lower()))),
        key=lambda close: compare_spellings(word, drop_plural(word, close.lower())),
        default=None,
    )


def drop_plural(word: str, spelling: str) -> str:
    """The spelling without a plural `s`, unless the word has one too: it is by chance the form that one document has."""
    return spelling if word.endswith("s") else spelling.removesuffix("s")


def is_misspelt(word: str, spelling: str) -> bool:
    """Whether the difference is a typing error, and not another ending, another number or, in a short word, another letter."""
    has_same_letters = sorted(word) == sorted(spelling)
    if len(word) < (MIN_SWAPPED_CHARACTERS if has_same_letters else MIN_MISSPELT_CHARACTERS):
        return False
    if DIGIT.findall(word) != DIGIT.findall(spelling):
        return False
    if DIGIT.search(word) and len(word) < LONG_CHARACTERS:
        return False
    if not has_same_letters:
        has_other_letter = len(word) == len(spelling)
        if word[-1] != spelling[-1] or (has_other_letter and len(word) < SHORT_CHARACTERS):
            return False
    may_have_two = len(word) >= LONG_CHARACTERS and word[:2] == spelling[:2]
    return 0 < OSA.distance(word, spelling) <= (2 if may_have_two else 1)


def compare_spellings(word: str, spelling: str) -> tuple[int, float]:
    return OSA.distance(word, spelling), -fuzz.ratio(word, spelling)


def describe_spellings(spellings: Mapping[str, str]) -> str:
    """A sentence on what was searched instead; empty without spellings."""
    if not spellings:
        return ""
    told = ", ".join(f'"{spelling}" instead of "{word}"' for word, spelling in spellings.items())
    return f"Searched for {told}."
