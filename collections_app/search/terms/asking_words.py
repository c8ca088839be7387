"""Words that say how or why something is asked, and not what about: `Bug: …`, `missing docs`, `is it possible to …`. PURE.

Documents hardly write them, so they are rare, and a lone mention of `bug` or `confusing` would outweigh what the question is about. They
still find, and tell sections apart that have all else. A short question may be about them: `feature flags`, `add a guide`.
"""

from __future__ import annotations

from collections.abc import Sequence

from collections_app.search.terms.names import weaken
from collections_app.search.terms.term import Term

OF_ASKING = 0.4
FEWEST_OTHERS = 4
# Lexemes of PostgreSQL's stemmers, by language.
ASKING = {
    "english": frozenset({
        "abil", "abl", "add", "allow", "better", "bug", "clarifi", "confus", "doc", "document", "enabl", "exampl", "explain", "featur",
        "guid", "improv", "incorrect", "instruct", "issu", "mention", "mislead", "possibl", "problem", "question", "rfe", "support",
        "tutori", "unclear", "unexpect", "wrong",
    })
}  # fmt: skip


def weaken_asking(terms: Sequence[Term], language: str, words: int) -> list[Term]:
    """The terms of a question of so many words, those of asking worth OF_ASKING of themselves where FEWEST_OTHERS beside them are in some
    section."""
    asking = ASKING.get(language, frozenset())
    others = [term for term in terms if term.positions and term.sections and term.lexeme not in asking]
    if min(len(others), words - 1) < FEWEST_OTHERS:
        return list(terms)
    return [weaken(term, OF_ASKING) if term.lexeme in asking else term for term in terms]
