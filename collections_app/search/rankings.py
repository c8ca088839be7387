"""The sections that answer a question, best first: by words, by meaning, or by both."""

from __future__ import annotations

from collections_app.search import fusion
from collections_app.search.fulltext import rank_sections
from collections_app.search.question import Question
from collections_app.search.ranking import RankedSection, sort_ranked
from collections_app.search.results import Mode
from collections_app.search.semantic import rank_by_meaning
from collections_app.search.stages import timing

# Ranked beyond what is shown, so that other pages can follow when one page has most of the best sections; and once more so many times
# when copies of pages take the places.
OVERSAMPLING = 4
DEEPER = 10


def choose_depth(question: Question, limit: int) -> int:
    """How many are ranked, of whom `limit` are shown. What texts are looked through for leaves few."""
    return limit * OVERSAMPLING * (DEEPER if any(question.patterns.values()) else 1)


def rank(question: Question, depth: int) -> list[RankedSection]:
    """Over all scopes, at most `depth`."""
    if question.approach.mode is Mode.KEYWORD:
        return rank_words(question, depth)
    by_meaning = rank_meaning(question, max(depth, fusion.DEPTH))
    if question.approach.mode is Mode.SEMANTIC:
        return by_meaning[:depth]
    return fusion.fuse(rank_words(question, max(depth, fusion.DEPTH)), by_meaning[: fusion.DEPTH])[:depth]


@timing("words")
def rank_words(question: Question, depth: int) -> list[RankedSection]:
    return rank_sections(question.scopes, question.query, question.corpus, depth)


@timing("meaning")
def rank_meaning(question: Question, depth: int) -> list[RankedSection]:
    meaning = question.approach.meaning
    if meaning is None:
        return []
    ranked = (
        section
        for scoped in question.scopes
        for section in rank_by_meaning(meaning, scoped.scope, question.query, depth)
    )
    return sort_ranked(ranked)[:depth]
