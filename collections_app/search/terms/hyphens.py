"""Other spellings of a question's words: with and without a hyphen (`multi-tenant`, `multitenant`), and versions with and without a `v`.

Hyphenated words are looked up in the other spelling only if no section has them; versions are always looked up in both. PostgreSQL's parser
keeps the whole hyphenated word beside its parts, and stemming changes only its end, so that lexemes differ as the words do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from collections_app.search.terms.lexeme_counts import Known
from collections_app.search.terms.term import Alternative

# At most this many words are looked up. A shorter word resembles too many others, a longer one is data.
MAX_LOOKED_UP = 3
FEWEST_LETTERS, MOST_LETTERS = 5, 40
WORD = re.compile(r"[^\W\d_]+")
VERSION = re.compile(r"(v?)(\d{1,5}(?:\.\d{1,5}){1,3})", re.ASCII)
HYPHENED = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+")


def list_spellings(lexemes: Sequence[str]) -> dict[str, list[str]]:
    """Lexemes → how else they may be written; versions last."""
    spellings = ((lexeme, list(iter_spellings(lexeme))) for lexeme in sorted(lexemes, key=is_version))
    return dict(islice(((lexeme, others) for lexeme, others in spellings if others), MAX_LOOKED_UP))


def find_other_spellings(lexemes: Sequence[str], known: Known) -> dict[str, list[Alternative]]:
    """Lexeme → other spellings that count as it. `known`: the spellings from list_spellings() that some section has."""
    found = {
        lexeme: [Alternative((other,), (), *known[other]) for other in others if other in known]
        for lexeme, others in list_spellings(lexemes).items()
    }
    return {lexeme: others for lexeme, others in found.items() if others}


def is_version(lexeme: str) -> bool:
    return VERSION.fullmatch(lexeme) is not None


def iter_spellings(lexeme: str) -> Iterator[str]:
    """The word without its hyphens, or with one at each possible place; a version with a `v`, or without."""
    if version := VERSION.fullmatch(lexeme):
        yield version[2] if version[1] else f"v{lexeme}"
    if not FEWEST_LETTERS <= len(lexeme) <= MOST_LETTERS:
        return
    if HYPHENED.fullmatch(lexeme):
        yield lexeme.replace("-", "")
    elif WORD.fullmatch(lexeme):
        yield from (f"{lexeme[:at]}-{lexeme[at:]}" for at in range(1, len(lexeme)))
