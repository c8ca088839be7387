"""Checks whether a text has a phrase including its stop words, which are not in PostgreSQL's index. PURE.

For `"there is no such consumer"` the index only says where `consumer` is; the rest of the phrase is looked for in the text itself.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from collections_app.search.snippets import drop_targets
from collections_app.text.analysis.folding import fold
from collections_app.text.analysis.lexemes import TERM_PART
from collections_app.text.analysis.unspaced import UNSPACED_RUN

# Words that are not stop words were found by the index through their stems; it is enough that the text's word begins with so many of the
# same characters.
STEM_CHARACTERS = 4
# A shorter word may be a stop word that is not known as one here: it has to occur exactly as it is.
TELLING_CHARACTERS = 3
# What separates two words. Underscores right behind a word must all belong to it: otherwise each of many would be tried as its end.
BETWEEN = r"(?<!_)[\W_]++"


class Pattern(NamedTuple):
    """A phrase: the beginnings of its words, all of which the text must have somewhere, and the regular expression for the whole."""

    beginnings: tuple[str, ...]
    together: re.Pattern[str]


def make_patterns(phrases: Sequence[str], stop_words: Collection[str]) -> list[Pattern]:
    """One pattern for each phrase with stop words, which the index does not have. They match folded text in lower case."""
    patterns = (make_pattern(phrase, stop_words) for phrase in phrases)
    return [pattern for pattern in patterns if pattern]


def list_words(phrase: str) -> list[str]:
    """Its words, folded; names are split as PostgreSQL's parser and the patterns below split them."""
    return TERM_PART.findall(fold(phrase))


def find_exact(words: Sequence[str], stop_words: Collection[str]) -> set[str]:
    """The words that are or may be stop words: they have to occur exactly as they are."""
    return {word for word in words if word in stop_words or len(word) < TELLING_CHARACTERS}


def make_pattern(phrase: str, stop_words: Collection[str]) -> Pattern | None:
    if UNSPACED_RUN.search(phrase):
        return None
    words = list_words(phrase)
    exact = find_exact(words, stop_words)
    if exact.isdisjoint(words) or (len(words) == 1 and words[0] not in stop_words):
        return None
    beginnings = tuple(word if word in exact else word[:STEM_CHARACTERS] for word in words)
    starts = [re.escape(beginning) for beginning in beginnings]
    # The lookbehind for a word boundary comes after the letters: a pattern that begins with literal letters is several times as fast.
    starts[0] += rf"(?<!\w{starts[0]})"
    ends = ["" if word in exact else r"\w*" for word in words]
    return Pattern(beginnings, re.compile(BETWEEN.join(map("".join, zip(starts, ends, strict=True))) + r"\b"))


def may_be_stopped(phrase: str, stop_words: Collection[str]) -> bool:
    """Whether the phrase may consist of stop words only, so that the index cannot find it."""
    words = list_words(phrase)
    return bool(words) and not UNSPACED_RUN.search(phrase) and find_exact(words, stop_words).issuperset(words)


def has_phrases(patterns: Sequence[Pattern], text: str) -> bool:
    """Whether the text has all these phrases. Most texts do not, and a missing word is the fastest way to know."""
    folded = fold(text)
    if not all(beginning in folded for pattern in patterns for beginning in pattern.beginnings):
        return False
    read = drop_targets(folded)
    return all(pattern.together.search(read) for pattern in patterns)
