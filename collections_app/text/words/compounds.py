"""Compound words, which some languages write as one: `Datenbankverbindung` is a `Verbindung` to a `Datenbank`. PURE, on lexemes.

Both parts are stems, so between them is what the first one lost (`sicher|ungs|datei`), or what links the two (`arbeit|s|zeit`).
"""

from __future__ import annotations

from collections.abc import Container, Iterator

LINKS = {
    "danish": ("", "e", "en", "er", "heds", "s"),
    "dutch": ("", "e", "en", "heids", "ings", "s"),
    "german": ("", "e", "en", "er", "heits", "s", "ungs"),
    "norwegian": ("", "e", "en", "er", "hets", "s"),
    "swedish": ("", "a", "e", "o", "s", "u"),
}
# Shorter lexemes occur in too many words that are not compounds of them.
PART_CHARACTERS = 4
MAX_COMPOUND_CHARACTERS = 60


def is_joined(compound: str, first: str, last: str, language: str) -> bool:
    """Whether the compound consists of these two parts, in this order."""
    between = compound[len(first) : len(compound) - len(last)]
    is_longer = len(compound) >= len(first) + len(last)
    return is_longer and compound.startswith(first) and compound.endswith(last) and between in LINKS[language]


def may_be_compound(lexeme: str) -> bool:
    return lexeme.isalpha() and 2 * PART_CHARACTERS <= len(lexeme) <= MAX_COMPOUND_CHARACTERS


def list_parts(lexeme: str) -> list[str]:
    """All possible first and last parts of the lexeme."""
    places = range(PART_CHARACTERS, len(lexeme) - PART_CHARACTERS + 1)
    return [part for place in places for part in (lexeme[:place], lexeme[place:])]


def split_compound(lexeme: str, known: Container[str], language: str) -> tuple[str, ...]:
    """The two known parts of a compound, with as little as possible between them, then with the longest first part; empty if there are
    none."""
    cuts = ((lexeme[:end], lexeme[start:]) for end, start in iter_cuts(lexeme, language))
    pairs = [(first, last) for first, last in cuts if first in known and last in known]
    return max(pairs, key=lambda pair: (len(pair[0]) + len(pair[1]), len(pair[0])), default=())


def iter_cuts(lexeme: str, language: str) -> Iterator[tuple[int, int]]:
    """(end of the first part, start of the last one)."""
    for end in range(PART_CHARACTERS, len(lexeme) - PART_CHARACTERS + 1):
        for link in LINKS[language]:
            if lexeme.startswith(link, end) and len(lexeme) - end - len(link) >= PART_CHARACTERS:
                yield end, end + len(link)
