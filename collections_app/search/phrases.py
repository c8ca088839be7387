"""Whether a text has a phrase with its stop words, which PostgreSQL's index knows nothing of. PURE.

Of `"there is no such consumer"` the index tells where `consumer` is. What else belongs to the phrase is looked for in the text itself.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from collections_app.search.snippets import drop_targets
from collections_app.text.analysis import TERM_PART, UNSPACED_RUN, fold

# As PostgreSQL's parser, and the patterns below, take names apart.
# The index has found the others by their stems, which share most of a word's beginning.
STEM_CHARACTERS = 4
# Whether a word of fewer letters is a stop word is not known here: it has to stand as it is.
TELLING_CHARACTERS = 3
# Of underscores the word has none of those behind it: else each of many would be tried as the end of it.
BETWEEN = r"(?<!_)[\W_]++"


class Pattern(NamedTuple):
    """A phrase: how its words begin, each of which the text has somewhere, and how they stand together."""

    beginnings: tuple[str, ...]
    together: re.Pattern[str]


def make_patterns(phrases: Sequence[str], stop_words: Collection[str]) -> list[Pattern]:
    """One for each phrase that has stop words, of which the index knows nothing; for folded text in lower case."""
    patterns = (make_pattern(phrase, stop_words) for phrase in phrases)
    return [pattern for pattern in patterns if pattern]


def list_words(phrase: str) -> list[str]:
    return TERM_PART.findall(fold(phrase))


def find_exact(words: Sequence[str], stop_words: Collection[str]) -> set[str]:
    """Those that are, or may be, stop words: they have to stand as they are."""
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
    # Whether a word begins there is asked behind its letters: a pattern that begins with letters is found several times as fast.
    starts[0] += rf"(?<!\w{starts[0]})"
    ends = ["" if word in exact else r"\w*" for word in words]
    return Pattern(beginnings, re.compile(BETWEEN.join(map("".join, zip(starts, ends, strict=True))) + r"\b"))


def may_be_stopped(phrase: str, stop_words: Collection[str]) -> bool:
    """Whether it may have nothing but stop words, of which the index knows nothing."""
    words = list_words(phrase)
    return bool(words) and not UNSPACED_RUN.search(phrase) and find_exact(words, stop_words).issuperset(words)


def has_phrases(patterns: Sequence[Pattern], text: str) -> bool:
    """Whether the text has all of them. Most have not, which is told soonest by a word that is missing."""
    folded = fold(text)
    if not all(beginning in folded for pattern in patterns for beginning in pattern.beginnings):
        return False
    read = drop_targets(folded)
    return all(pattern.together.search(read) for pattern in patterns)
