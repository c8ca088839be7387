"""Finds the entry of a list or table that a question is about, although it says more than the entry's name. PURE.

`default of auto_flush_rows` asks for the entry `auto_flush_rows`, and `what is the adjust mode of a node` for `Adjust mode`. What explains
such a name in passing may have more of the question's words together, so the entry is preferred to a place that has at most twice as much.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from collections_app.text.markdown.code_blocks import blank_code
from collections_app.text.names.entries import (
    MOST_WORDS,
    find_entry,
    iter_entries,
    list_asked_entries,
    list_names_of_heading,
    make_entry_pattern,
)
from collections_app.text.passages.best_passage import look_around, weigh_by_rarity
from collections_app.text.passages.question_words import PUNCTUATION

# Most labels of several words have no more than these.
MOST_IN_LABEL = 4
# The part of what the best place is worth that the entry must be worth.
WORTH = 0.5


class AskedEntries(NamedTuple):
    """What entries that a question may be about are called: names, as words of the index, and other labels."""

    names: frozenset[str]
    pattern: re.Pattern[str] | None = None

    def find(self, text: str, found: Sequence[tuple[int, str]], best: int) -> int | None:
        """The beginning of the entry with most of the question's words, the first of equals. None if there is none, or if it is worth much
        less than the place `best`. `found`: (position, word), in order."""
        entries = sorted({*self._iter_places(text)})
        if not entries:
            return None
        weights = weigh_by_rarity(found)

        def weigh(start: int) -> float:
            return sum(weights[word] for word in look_around(found, start))

        entry = max(entries, key=weigh)
        return entry if weigh(entry) >= WORTH * weigh(best) else None

    def are_in(self, heading: str, text: str) -> bool:
        """Whether a section describes one of the names: in an entry, or because its heading is hardly more than the name."""
        if not self.names:
            return False
        return not self.names.isdisjoint(list_names_of_heading(heading)) or find_entry(text, self.names) is not None

    def _iter_places(self, text: str) -> Iterator[int]:
        yield from iter_entries(text, self.names)
        if self.pattern:
            yield from (entry.start() for entry in self.pattern.finditer(blank_code(text)))


def make_asked_entries(question: str, stop_words: Collection[str]) -> AskedEntries:
    labels = list_labels(question, stop_words)
    return AskedEntries(frozenset(list_asked_entries(question)), make_entry_pattern(*labels) if labels else None)


def list_labels(question: str, stop_words: Collection[str]) -> list[str]:
    """Two to MOST_IN_LABEL words of the question side by side, of which neither the first nor the last is a stop word. None if the question
    is too long to be about an entry."""
    words = [word.strip(PUNCTUATION) for word in question.split()]
    if len(words) > MOST_WORDS:
        return []
    may_end = [bool(word) and word.lower() not in stop_words for word in words]
    return [
        " ".join(words[first : last + 1])
        for first in range(len(words))
        for last in range(first + 1, min(first + MOST_IN_LABEL, len(words)))
        if may_end[first] and may_end[last]
    ]
