"""Weakens words that say how, why or where something is asked for, and not what: `Bug: …`, `is it possible`, `the gears chapter`. PURE.

They are rare in documents, so a single mention of `bug` or `chapter` would outweigh what the question is about. They still find sections,
and decide between sections that have everything else. A short question may be about them: `feature flags`, `add a guide`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from collections_app.search.terms.asked_words import may_be_of
from collections_app.search.terms.names import weaken
from collections_app.search.terms.term import Term
from collections_app.text.names.text_kinds import find_text_kind

OF_ASKING = 0.4
FEWEST_OTHERS = 4
# What is left of a word for a kind of text (text/names/text_kinds.py).
OF_TEXT_KIND = 0.3
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


def weaken_asking(terms: Sequence[Term], language: str, question: str) -> list[Term]:
    """The terms, where words of asking count only OF_ASKING times if enough other words are in some section. A word for the kind of text
    counts only OF_TEXT_KIND times, and finds sections last, if another word is in some section.
    """
    asking, comparing = ASKING.get(language, frozenset()), COMPARING.get(language, frozenset())
    others = [
        term
        for term in terms
        if term.positions and term.sections and term.lexeme not in asking and term.lexeme not in comparing
    ]
    words = len(question.split())  # a name is one word, with several terms
    weak = {
        lexeme
        for lexemes, fewest in ((asking, FEWEST_OTHERS), (comparing, COMPARED))
        if min(len(others), words - 1) >= fewest
        for lexeme in lexemes
    }
    kind = find_kind_lexeme(terms, language, question)

    def weigh(term: Term) -> Term:
        if term.lexeme == kind:
            return replace(weaken(term, OF_TEXT_KIND), finds_last=True)
        return weaken(term, OF_ASKING) if term.lexeme in weak else term

    return list(map(weigh, terms))


def find_kind_lexeme(terms: Sequence[Term], language: str, question: str) -> str:
    """The lexeme of the word for the kind of text; empty if there is none, or no section has another word of the question."""
    word, _ = find_text_kind(question) if language in ASKING else ("", "")
    kind = max(
        (term for term in terms if word and may_be_of(term.lexeme, word)),
        key=lambda term: len(term.lexeme),
        default=None,
    )
    if not kind or len(kind.positions) != 1:
        return ""
    return kind.lexeme if any(term.positions and term.sections for term in terms if term is not kind) else ""
