"""Words that English writes as one or as two: `file name` and `filename`, `timed out` and `timeout`. PURE."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import product

LANGUAGE = "english"
# Two words that stand side by side, no more than a blank or a hyphen between them; each may be the second of the pair before.
PAIR = re.compile(r"\b([^\W\d_]+)[ -](?=([^\W\d_]+)\b)")
# They make nouns of verbs: `log in`, `backs up`. As words of their own most of them are left out of the index.
PARTICLES = frozenset({"back", "down", "in", "off", "on", "out", "over", "up"})
# A shorter word is the beginning or the end of too many.
FEWEST_LETTERS = 3
# A longer one is data.
MOST_LETTERS = 40
# What a word may lose more at its end as the last part of a longer one: `base` of `databas`, `handler` of `errorhandl`.
LOST = ("", "e", "er")


def join_pairs(text: str) -> list[str]:
    """What the pairs of a folded text, in lower case, may make; each once."""
    return list(dict.fromkeys(word for pair in PAIR.finditer(text) for word in join_pair(*pair.groups())))


def join_pair(first: str, second: str) -> Iterator[str]:
    if len(first) < FEWEST_LETTERS:
        return
    if second in PARTICLES:
        yield from (f"{verb}{second}" for verb in iter_verbs(first))
    elif len(second) >= FEWEST_LETTERS:
        yield f"{first}{second}"


def iter_verbs(word: str) -> Iterator[str]:
    """What a word may be a form of: `time` of `timed`, `log` of `logging`; itself, and what is no word, besides."""
    yield word
    for ending in ("s", "ed", "ing"):
        stem = word.removesuffix(ending)
        if stem != word and len(stem) > 1:
            yield from (stem, f"{stem}e")
            if stem[-1] == stem[-2]:
                yield stem[:-1]


def iter_halves(joined: str) -> Iterator[tuple[str, str]]:
    """The lexemes of two words that may have made this one: `exit` and `code` of `exitcod`."""
    if len(joined) > MOST_LETTERS:
        return
    for at in range(FEWEST_LETTERS, len(joined) - FEWEST_LETTERS + 1):
        first, last = joined[:at], joined[at:]
        yield from product(dict.fromkeys((first, first.removesuffix("e"))), (f"{last}{lost}" for lost in LOST))


def find_pair(joined: str, lexemes: Collection[str]) -> set[str]:
    """Of which of the lexemes this one is made, by their beginnings and ends: of two words, or of one and a particle."""
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
