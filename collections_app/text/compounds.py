"""Words that some languages write as one: `Datenbankverbindung` is a `Verbindung` to a `Datenbank`. PURE, on lexemes.

Both sides are stems, so what stands between them is what the first one lost (`sicher|ungs|datei`) and what joins the two (`arbeit|s|zeit`).
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
# A lexeme of fewer letters is part of too many that are none of its compounds.
PART_CHARACTERS = 4
MAX_COMPOUND_CHARACTERS = 60


def is_joined(compound: str, first: str, last: str, language: str) -> bool:
    """Whether it is made of the two, in this order."""
    between = compound[len(first) : len(compound) - len(last)]
    is_longer = len(compound) >= len(first) + len(last)
    return is_longer and compound.startswith(first) and compound.endswith(last) and between in LINKS[language]


def may_be_compound(lexeme: str) -> bool:
    return lexeme.isalpha() and 2 * PART_CHARACTERS <= len(lexeme) <= MAX_COMPOUND_CHARACTERS


def list_parts(lexeme: str) -> list[str]:
    """All that may be the first or the last part of it."""
    places = range(PART_CHARACTERS, len(lexeme) - PART_CHARACTERS + 1)
    return [part for place in places for part in (lexeme[:place], lexeme[place:])]


def split_compound(lexeme: str, known: Container[str], language: str) -> tuple[str, ...]:
    """Its two parts: of those that are known the ones that leave least between them, then those of which the first is longest. Empty where
    there are none."""
    cuts = ((lexeme[:end], lexeme[start:]) for end, start in iter_cuts(lexeme, language))
    pairs = [(first, last) for first, last in cuts if first in known and last in known]
    return max(pairs, key=lambda pair: (len(pair[0]) + len(pair[1]), len(pair[0])), default=())


def iter_cuts(lexeme: str, language: str) -> Iterator[tuple[int, int]]:
    """(end of the first part, start of the last one)."""
    for end in range(PART_CHARACTERS, len(lexeme) - PART_CHARACTERS + 1):
        for link in LINKS[language]:
            if lexeme.startswith(link, end) and len(lexeme) - end - len(link) >= PART_CHARACTERS:
                yield end, end + len(link)
