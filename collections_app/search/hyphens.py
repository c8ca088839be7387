"""Words that some write with a hyphen and others as one (`multi-tenant`, `multitenant`): what no section has is looked up as the other.

PostgreSQL's parser finds the whole word with its hyphens beside its parts, and stems change its end alone, so lexemes differ as words do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from collections_app.search.lexeme_counts import count_lexemes
from collections_app.search.scope import Scope
from collections_app.search.term import Alternative

# Of a question's words so many are looked up. A shorter one has too many words like it, a longer one is data.
MAX_LOOKED_UP = 3
FEWEST_LETTERS, MOST_LETTERS = 5, 40
WORD = re.compile(r"[^\W\d_]+")
HYPHENED = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+")


def find_other_spellings(scope: Scope, missing: Sequence[str]) -> dict[str, list[Alternative]]:
    """Lexemes that no section has → what counts as them. Costs a statement where there is such a lexeme."""
    spellings = {lexeme: list(iter_spellings(lexeme)) for lexeme in missing}
    looked_up = [lexeme for lexeme, others in spellings.items() if others][:MAX_LOOKED_UP]
    if not looked_up:
        return {}
    known = count_lexemes(scope, {other for lexeme in looked_up for other in spellings[lexeme]})
    found = {
        lexeme: [Alternative((other,), (), *known[other]) for other in spellings[lexeme] if other in known]
        for lexeme in looked_up
    }
    return {lexeme: others for lexeme, others in found.items() if others}


def iter_spellings(lexeme: str) -> Iterator[str]:
    """Without its hyphens, or with one at each place where it may be."""
    if not FEWEST_LETTERS <= len(lexeme) <= MOST_LETTERS:
        return
    if HYPHENED.fullmatch(lexeme):
        yield lexeme.replace("-", "")
    elif WORD.fullmatch(lexeme):
        yield from (f"{lexeme[:at]}-{lexeme[at:]}" for at in range(1, len(lexeme)))
