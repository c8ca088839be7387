"""Whether a text has a phrase with its stop words, which PostgreSQL's index knows nothing of. PURE.

Of `"there is no such consumer"` the index tells where `consumer` is. What else belongs to the phrase is looked for in the text itself.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from collections_app.search.question_words import WORD
from collections_app.search.snippets import drop_targets
from collections_app.text.analysis import UNSPACED_RUN, fold_accents

# The index has found the others by their stems, which share most of a word's beginning.
STEM_CHARACTERS = 4
# Whether a word of fewer letters is a stop word is not known here: it has to stand as it is.
TELLING_CHARACTERS = 3
BETWEEN = r"[\W_]+"

Pattern = re.Pattern[str]


def make_patterns(phrases: Sequence[str], stop_words: Collection[str]) -> list[Pattern]:
    """One for each phrase that has stop words beside others; in folded text and lower case."""
    patterns = (make_pattern(phrase, stop_words) for phrase in phrases)
    return [pattern for pattern in patterns if pattern]


def make_pattern(phrase: str, stop_words: Collection[str]) -> Pattern | None:
    if UNSPACED_RUN.search(phrase):
        return None
    words = WORD.findall(fold_accents(phrase).lower())
    exact = {word for word in words if word in stop_words or len(word) < TELLING_CHARACTERS}
    if not exact or exact.issuperset(words):
        return None
    parts = (re.escape(word) if word in exact else rf"{re.escape(word[:STEM_CHARACTERS])}\w*" for word in words)
    return re.compile(rf"\b{BETWEEN.join(parts)}\b")


def has_phrases(patterns: Sequence[Pattern], text: str) -> bool:
    """Whether the text has all of them."""
    folded = fold_accents(drop_targets(text)).lower()
    return all(pattern.search(folded) for pattern in patterns)
