"""A question's words as they are found again in a text, whatever their endings. PURE."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from collections_app.text.analysis import (
    IDENTIFIER,
    UNSPACED_RUN,
    fold,
    fold_accents,
    list_telling_pairs,
    split_identifiers,
)
from collections_app.text.entries import list_asked_entries

WORD = re.compile(r"\w+")
OPTION = re.compile(r"(?<![\w-])--?[a-z][\w-]*", re.ASCII)
# What stands around a word in a sentence and is no part of a name such as `C++`.
PUNCTUATION = ".,;:!?¿¡\"'`()"
# Words of one stem share most of their beginning: `rotating` shows for `rotate`, and `confirm` not for `configuration`.
STEM_CHARACTERS = 5
MOST_ENDING_CHARACTERS = 5
# An identifier in camel case may be a name of prose too: `WebSockets` shows for `WebSocket`.
ENDING_CHARACTERS = 2
# An option stands where it is meant, its word anywhere.
OPTION_WORTH = 2
MAX_IDENTIFIERS = 10
MAX_BEGINNINGS = 60
# Sums of the same numbers in another order differ by less.
ALIKE = 1e-6


class QuestionWords(NamedTuple):
    """What is looked for: beginnings of words, none of which begins with another, pairs of characters of unspaced scripts, and names with
    signs in them, beside their parts. `weights`: what one is worth that is not worth 1. `entries`: what an entry that is
    asked for may be called (entries.py)."""

    beginnings: tuple[str, ...]
    pairs: tuple[str, ...]
    names: tuple[str, ...] = ()
    weights: Mapping[str, float] = {}
    entries: frozenset[str] = frozenset()

    def find(self, text: str) -> list[tuple[int, str]]:
        """Where they stand in a folded text, in lower case: (position, what is looked for) in order."""
        words = (*self.beginnings, *self.names)
        found = [(at, word) for word in words for at in iter_positions(text, word) if begins_word(text, at)]
        found += [(at, pair) for pair in self.pairs for at in iter_positions(text, pair)]
        return sorted(found)

    def weigh(self, text: str) -> float:
        """What those are worth together that a text has, each once."""
        return sum(self.weights.get(word, 1.0) for word in {word for _, word in self.find(fold(text))})

    def weighed(self, worth: Mapping[str, float]) -> QuestionWords:
        """Worth what the words are that begin like them, which `worth` tells by their first STEM_CHARACTERS; others the mean of these,
        options more than that. Of very many those that are worth most are looked for."""
        if not worth:
            return self
        mean = sum(worth.values()) / len(worth)
        words = (*self.beginnings, *self.pairs, *self.names)
        weights = {
            word: worth.get(word[:STEM_CHARACTERS], OPTION_WORTH * mean if word.startswith("-") else mean)
            for word in words
        }
        telling = sorted(self.beginnings, key=lambda word: -weights[word])[:MAX_BEGINNINGS]
        return self._replace(beginnings=tuple(telling), weights=weights)


def fold_in_place(text: str) -> str:
    """In lower case and without accents, every character where it was: those that folding makes two of, or none, stay."""
    folded = fold(text)
    return folded if len(folded) == len(text) else "".join(map(fold_character, text))


@lru_cache(maxsize=10_000)
def fold_character(character: str) -> str:
    return next((each for each in (fold(character), character.lower()) if len(each) == 1), character)


def make_question_words(question: str, stop_words: Collection[str] = ()) -> QuestionWords:
    """Of its words (list_words) the `stop_words` of a text's language show nothing, unless there is nothing else.

    An identifier of several parts is looked for as a whole, in each of its spellings: many others begin like it.
    """
    runs = UNSPACED_RUN.findall(fold(question))
    pairs = {pair for run in runs for pair in list_telling_pairs(run)}
    words = list_words(question)
    telling = [word for word in words if word not in stop_words]
    spellings = spell_identifiers(question)
    shown = telling if telling or pairs else words
    stems = {cut_ending(word) for word in shown if word not in spellings}
    beginnings = sorted(stems.union(*spellings.values()))
    return QuestionWords(
        tuple(drop_continued(beginnings)),
        tuple(sorted(pairs)[:MAX_BEGINNINGS]),
        list_names(question),
        entries=frozenset(list_asked_entries(question)),
    )


def cut_ending(word: str) -> str:
    """What its other forms begin with too. A word with a digit in it is a code or a number, which has no others."""
    if any(map(str.isdigit, word)):
        return word
    return word[: max(STEM_CHARACTERS, len(word) - MOST_ENDING_CHARACTERS)]


def list_words(question: str) -> list[str]:
    """The words of three letters and more that may be found again in a text, folded, each once; none of unspaced scripts."""
    words = WORD.findall(UNSPACED_RUN.sub(" ", fold(question)))
    return sorted({word for word in words if len(word) > 2})


def list_names(question: str) -> tuple[str, ...]:
    """Options (`--check`), and words with signs in them (`codegen-units`, `storage.size`), in lower case, each once."""
    folded = fold(question)
    words = [*OPTION.findall(folded), *(word for word in IDENTIFIER.findall(folded) if not WORD.fullmatch(word))]
    return tuple(dict.fromkeys(words))[:MAX_IDENTIFIERS]


def spell_identifiers(question: str) -> dict[str, set[str]]:
    """Identifiers of several parts, in lower case, and how each may begin: `max_ack_pending`, `maxackpending`, `max-ack-pending`."""
    spellings: dict[str, set[str]] = {}
    for word in WORD.findall(fold_accents(question)):
        parts = [part.lower() for part in split_identifiers(word)]
        if parts and len(spellings) < MAX_IDENTIFIERS:
            ending = 0 if "_" in word or word[-1].isdigit() else ENDING_CHARACTERS
            written = (word.lower(), *(sign.join(parts) for sign in ("", "_", "-")))
            spellings[word.lower()] = {name[: max(len(name) - ending, STEM_CHARACTERS)] for name in written}
    return spellings


def drop_continued(beginnings: Collection[str]) -> Iterator[str]:
    """Of these, in order, those that go on from none before them: they stand wherever such a one stands."""
    last = ""
    for beginning in beginnings:
        if not (last and beginning.startswith(last)):
            last = beginning
            yield beginning


def iter_positions(text: str, part: str) -> Iterator[int]:
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + 1)


def begins_word(text: str, at: int) -> bool:
    """Whether no letter or digit stands before: the parts of an identifier are words."""
    return at == 0 or not text[at - 1].isalnum()


def find_densest(matches: Sequence[tuple[int, str]], reach: int, weights: Mapping[str, float]) -> int:
    """Where the `reach` characters begin whose different words are worth most, of (position, word) in order: the first of equals."""
    most = sum(weights.get(word, 1.0) for word in {word for _, word in matches})
    best, best_worth, worth, end = 0, 0.0, 0.0, 0
    within: Counter[str] = Counter()
    for start, word in matches:
        if best_worth >= most - ALIKE:
            break
        while end < len(matches) and matches[end][0] < start + reach:
            added = matches[end][1]
            worth += 0 if within[added] else weights.get(added, 1.0)
            within[added] += 1
            end += 1
        if worth > best_worth + ALIKE:
            best, best_worth = start, worth
        within[word] -= 1
        worth -= 0 if within[word] else weights.get(word, 1.0)
    return best
