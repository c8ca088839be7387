"""Pairs of words that English writes as one or as two: `file name` and `filename`, `timed out` and `timeout`. PURE."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import product

LANGUAGE = "english"
# Two words with only a blank or a hyphen between them; pairs may overlap.
PAIR = re.compile(r"\b([^\W\d_]+)[ -](?=([^\W\d_]+)\b)")
# Particles that make nouns of verbs: `log in`, `backs up`. By themselves most of them are stop words.
PARTICLES = frozenset({"back", "down", "in", "off", "on", "out", "over", "up"})
# Shorter words are the beginning or end of too many others.
FEWEST_LETTERS = 3
# A longer one is data.
MOST_LETTERS = 40
# What stemming may take from the end of a compound but not of its last part alone: `base` in `databas`, `handler` in `errorhandl`.
LOST = ("", "e", "er")


def join_pairs(text: str) -> list[str]:
    """The single words that the pairs of a folded text, in lower case, may make; each once."""
    return list(dict.fromkeys(word for pair in PAIR.finditer(text) for word in join_pair(*pair.groups())))


def join_pair(first: str, second: str) -> Iterator[str]:
    if len(first) < FEWEST_LETTERS:
        return
    if second in PARTICLES:
        yield from (f"{verb}{second}" for verb in iter_verbs(first))
    elif len(second) >= FEWEST_LETTERS:
        yield f"{first}{second}"


def iter_verbs(word: str) -> Iterator[str]:
    """What a word may be a form of: itself, `time` for `timed`, `log` for `logging`; some of the results are not words."""
    yield word
    for ending in ("s", "ed", "ing"):
        stem = word.removesuffix(ending)
        if stem != word and len(stem) > 1:
            yield from (stem, f"{stem}e")
            if stem[-1] == stem[-2]:
                yield stem[:-1]


def iter_halves(joined: str) -> Iterator[tuple[str, str]]:
    """All pairs of lexemes that may make this one: `exit` and `code` for `exitcod`."""
    if len(joined) > MOST_LETTERS:
        return
    for at in range(FEWEST_LETTERS, len(joined) - FEWEST_LETTERS + 1):
        first, last = joined[:at], joined[at:]
        yield from product(dict.fromkeys((first, first.removesuffix("e"))), (f"{last}{lost}" for lost in LOST))


def find_pair(joined: str, lexemes: Collection[str]) -> set[str]:
    """Those of the lexemes that this one seems to be made of: two words, or one word and a particle."""
    found = set()
    for first in lexemes:
        if len(first) >= FEWEST_LETTERS and joined.startswith(first):
            rest = joined[len(first) :]
            rests = {rest, rest.removeprefix("e")}  # which stems lose: `cach|e|file`
            lasts = {last for last in lexemes if any(is_last(each, last) for each in rests)}
            if lasts or not rests.isdisjoint(PARTICLES):
                found |= {first, *lasts}
    return found


def is_last(rest: str, last: str) -> bool:
    return len(rest) >= FEWEST_LETTERS and any(last == f"{rest}{lost}" for lost in LOST)
