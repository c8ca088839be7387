"""Finds a question's words in a text, whatever their endings. PURE."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from collections_app.text.analysis.folding import fold, fold_accents
from collections_app.text.analysis.identifiers import IDENTIFIER, split_identifiers
from collections_app.text.analysis.sigils import list_asked_sigils
from collections_app.text.analysis.signs import MARKUP, OPERATOR
from collections_app.text.analysis.unspaced import UNSPACED_RUN, list_telling_pairs
from collections_app.text.names.entries import list_asked_entries, list_possible_entries

WORD = re.compile(r"\w+")
OPTION = re.compile(r"(?<![\w-])--?[a-z][\w-]*", re.ASCII)
# Punctuation around a word in a sentence that is not part of a name such as `C++`.
PUNCTUATION = ".,;:!?¿¡\"'`()"
# Words with the same stem share most of their beginning: `rotating` matches `rotate`, but `confirm` does not match `configuration`.
STEM_CHARACTERS = 5
MOST_ENDING_CHARACTERS = 5
# Endings of words of which less than STEM_CHARACTERS are left: `pods`, `boxes`, `queries`, `running`, `stopped`. Not those of `access`,
# `status` and `redis`.
SHORT_WORDS_ENDING = re.compile(
    r"(?:(?<=..[hx])es|(?<=....)ies|(?<=...[^siu])s|(?<!new)(?<=^..[^siu])s|(?<=.[np])(?:ning|ping|ned|ped))\Z"
)
# An identifier in camel case may also be a name in prose: `WebSockets` matches `WebSocket`.
ENDING_CHARACTERS = 2
# An option is worth more than a word: it only occurs where it is meant, while its word may be anywhere.
OPTION_WORTH = 2
MAX_IDENTIFIERS = 10
MAX_BEGINNINGS = 60
# Tolerance for comparing sums: sums of the same numbers in another order differ by less.
ALIKE = 1e-6


class QuestionWords(NamedTuple):
    """What is looked for in a text.

    `beginnings` of words, none of which begins with another; `pairs` of characters in unspaced scripts; `names` with signs in them, besides
    their parts. `weights`: the worth of each that is not worth 1. `entries`: names of entries that the question asks for;
    `possible_entries`: the same, or else words that may be such names (text/names/entries.py).
    """

    beginnings: tuple[str, ...]
    pairs: tuple[str, ...]
    names: tuple[str, ...] = ()
    weights: Mapping[str, float] = {}
    entries: frozenset[str] = frozenset()
    possible_entries: frozenset[str] = frozenset()

    def find(self, text: str) -> list[tuple[int, str]]:
        """Their places in a folded text in lower case, as (position, what was looked for), in order."""
        words = (*self.beginnings, *self.names)
        found = [(at, word) for word in words for at in iter_positions(text, word) if begins_word(text, at)]
        found += [(at, pair) for pair in self.pairs for at in iter_positions(text, pair)]
        return sorted(found)

    def weigh(self, text: str) -> float:
        """The total worth of those that a text has, each counted once."""
        return sum(self.weights.get(word, 1.0) for word in {word for _, word in self.find(fold(text))})

    def weighed(self, worth: Mapping[str, float]) -> QuestionWords:
        """The same with weights. `worth`: the first STEM_CHARACTERS of words → their worth.

        Others are worth the mean of these, and options more (OPTION_WORTH). Only the MAX_BEGINNINGS beginnings that are worth most are
        kept.
        """
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
    """The text in lower case and without accents, with every character at its position: those that folding would make two of, or none, are
    only lowercased, if at all."""
    folded = fold(text)
    return folded if len(folded) == len(text) else "".join(map(fold_character, text))


@lru_cache(maxsize=10_000)
def fold_character(character: str) -> str:
    return next((each for each in (fold(character), character.lower()) if len(each) == 1), character)


def make_question_words(question: str, stop_words: Collection[str] = ()) -> QuestionWords:
    """What to look for, for a question. `stop_words`, those of the text's language, are left out unless there are no other words.

    An identifier of several parts is looked for as a whole, in each of its spellings, since many others have the same beginning.
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
        possible_entries=frozenset(list_possible_entries(question)),
    )


def cut_ending(word: str) -> str:
    """The beginning that the word shares with its other forms. A word with a digit is a code or a number and has no other forms."""
    if any(map(str.isdigit, word)):
        return word
    shortest = max(STEM_CHARACTERS, len(word) - MOST_ENDING_CHARACTERS)
    ending = SHORT_WORDS_ENDING.search(word)
    return word[: min(shortest, ending.start()) if ending else shortest]


def list_words(question: str) -> list[str]:
    """The question's words of three or more letters, folded, each once, in alphabetical order; without unspaced scripts."""
    words = WORD.findall(UNSPACED_RUN.sub(" ", fold(question)))
    return sorted({word for word in words if len(word) > 2})


def list_names(question: str) -> tuple[str, ...]:
    """Options (`--check`), words with signs in them (`codegen-units`, `storage.size`), names with a sigil (`@media`), and operators
    (`->>`), in lower case, each once."""
    folded = fold(question)
    words = [*OPTION.findall(folded), *(word for word in IDENTIFIER.findall(folded) if not WORD.fullmatch(word))]
    words += list_asked_sigils(folded)
    words += [sign for sign in OPERATOR.findall(folded) if not MARKUP.fullmatch(sign)]
    return tuple(dict.fromkeys(words))[:MAX_IDENTIFIERS]


def spell_identifiers(question: str) -> dict[str, set[str]]:
    """Identifier of several parts, in lower case → the beginnings of its spellings: `max_ack_pending`, `maxackpending`,
    `max-ack-pending`."""
    spellings: dict[str, set[str]] = {}
    for word in WORD.findall(fold_accents(question)):
        parts = [part.lower() for part in split_identifiers(word)]
        if parts and len(spellings) < MAX_IDENTIFIERS:
            ending = 0 if "_" in word or word[-1].isdigit() else ENDING_CHARACTERS
            written = (word.lower(), *(sign.join(parts) for sign in ("", "_", "-")))
            spellings[word.lower()] = {name[: max(len(name) - ending, STEM_CHARACTERS)] for name in written}
    return spellings


def drop_continued(beginnings: Collection[str]) -> Iterator[str]:
    """The (sorted) beginnings without those that begin with another one, which finds them too."""
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
    """Whether no letter or digit comes before the position; parts of an identifier with signs count as words."""
    return at == 0 or not text[at - 1].isalnum()


def find_densest(matches: Sequence[tuple[int, str]], reach: int, weights: Mapping[str, float]) -> int:
    """The start of the window of `reach` characters whose different words are worth most; the first of equals.

    `matches`: (position, word), in order.
    """
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
