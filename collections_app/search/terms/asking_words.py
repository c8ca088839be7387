"""Weakens words that say how or why something is asked, and not what about: `Bug: …`, `missing docs`, `is it possible to …`. PURE.

They are rare in documents, so a single mention of `bug` or `confusing` would outweigh what the question is about. They still find sections,
and decide between sections that have everything else. A short question may be about them: `feature flags`, `add a guide`.
"""

from __future__ import annotations

from collections.abc import Sequence

from collections_app.search.terms.names import weaken
from collections_app.search.terms.term import Term

OF_ASKING = 0.4
FEWEST_OTHERS = 4
# A comparison has at least two things besides its word for comparing.
COMPARED = 2
# Lexemes of PostgreSQL's stemmers, by language.
ASKING = {
    "english": frozenset({
        "abil", "abl", "add", "allow", "better", "bug", "clarifi", "confus", "doc", "document", "enabl", "exampl", "explain", "featur",
        "guid", "improv", "incorrect", "instruct", "issu", "mention", "mislead", "possibl", "problem", "question", "rfe", "support",
        "tutori", "unclear", "unexpect", "wrong",
    })
}  # fmt: skip
COMPARING = {"english": frozenset({"compar", "comparison", "differ", "versus", "vs"})}


def weaken_asking(terms: Sequence[Term], language: str, words: int) -> list[Term]:
    """The terms, where words of asking count only OF_ASKING times if enough other words are in some section.

    `words`: how many words the question has.
    """
    asking, comparing = ASKING.get(language, frozenset()), COMPARING.get(language, frozenset())
    others = [
        term
        for term in terms
        if term.positions and term.sections and term.lexeme not in asking and term.lexeme not in comparing
    ]
    weak = {
        lexeme
        for lexemes, fewest in ((asking, FEWEST_OTHERS), (comparing, COMPARED))
        if min(len(others), words - 1) >= fewest
        for lexeme in lexemes
    }
    return [weaken(term, OF_ASKING) if term.lexeme in weak else term for term in terms]
