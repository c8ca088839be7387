"""Words that some write with a hyphen and others as one (`multi-tenant`, `multitenant`), which are looked up as the other where no section
has them, and versions with a `v` or without, which are looked up as both.

PostgreSQL's parser finds the whole word with its hyphens beside its parts, and stems change its end alone, so lexemes differ as words do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from collections_app.search.terms.lexeme_counts import Known
from collections_app.search.terms.term import Alternative

# Of a question's words so many are looked up. A shorter one has too many words like it, a longer one is data.
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
    """Lexemes → what counts as them. `known`: of list_spellings() those that are somewhere."""
    found = {
        lexeme: [Alternative((other,), (), *known[other]) for other in others if other in known]
        for lexeme, others in list_spellings(lexemes).items()
    }
    return {lexeme: others for lexeme, others in found.items() if others}


def is_version(lexeme: str) -> bool:
    return VERSION.fullmatch(lexeme) is not None


def iter_spellings(lexeme: str) -> Iterator[str]:
    """Without its hyphens, or with one at each place where it may be. A version with its `v`, or without."""
    if version := VERSION.fullmatch(lexeme):
        yield version[2] if version[1] else f"v{lexeme}"
    if not FEWEST_LETTERS <= len(lexeme) <= MOST_LETTERS:
        return
    if HYPHENED.fullmatch(lexeme):
        yield lexeme.replace("-", "")
    elif WORD.fullmatch(lexeme):
        yield from (f"{lexeme[:at]}-{lexeme[at:]}" for at in range(1, len(lexeme)))
