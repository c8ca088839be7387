"""The sections that answer a question, best first: by words, by meaning, or by both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from collections_app.search.question import Question
from collections_app.search.ranking import fusion
from collections_app.search.ranking.fulltext import rank_sections
from collections_app.search.ranking.scoring import RankedSection, sort_ranked
from collections_app.search.ranking.semantic import rank_by_meaning
from collections_app.search.search_options import Mode
from collections_app.search.stages import timing

# Ranked beyond what is shown, so that other pages can follow when one page has most of the best sections; and once more so many times
# when copies of pages take the places.
OVERSAMPLING = 4
DEEPER = 10
# Where none of the first so many has this part of the question, each word as much as it is rare, words that stand in for its own are
# looked for too; else those for words that no section has.
FIRST = 3
ENOUGH_COVERED = 0.7
MAX_SECTIONS_FOR_STAND_INS = 200_000


class Rankings(NamedTuple):
    """The sections of a question, best first: by words, by meaning, each as far as that ranks it, and by what it is ranked by in the end.
    `question`: as it was put to them, with words that stand in for its own. Reranked, a score is `kept` of what it was and what is `added`
    by section id; `not_reranked`: why it is not."""

    question: Question
    by_words: Sequence[RankedSection] = ()
    by_meaning: Sequence[RankedSection] = ()
    ranked: Sequence[RankedSection] = ()
    kept: float = 1.0
    added: Mapping[int, float] = MappingProxyType({})
    not_reranked: str = ""


def choose_depth(question: Question, limit: int) -> int:
    """How many are ranked, of whom `limit` are shown. What texts are looked through for leaves few."""
    return limit * OVERSAMPLING * (DEEPER if any(question.patterns.values()) else 1)


def rank(question: Question, depth: int) -> Rankings:
    """By the mode of the question's approach: the best of all scopes, at most `depth`."""
    if question.approach.mode is Mode.KEYWORD:
        asked, by_words = rank_words(question, depth)
        return Rankings(asked, by_words, ranked=by_words)
    by_meaning = rank_meaning(question, max(depth, fusion.DEPTH))
    if question.approach.mode is Mode.SEMANTIC:
        return Rankings(question, by_meaning=by_meaning, ranked=by_meaning[:depth])
    by_meaning = by_meaning[: fusion.DEPTH]
    asked, by_words = rank_words(question, max(depth, fusion.DEPTH))
    return Rankings(asked, by_words, by_meaning, fusion.fuse(by_words, by_meaning, question.approach.weight)[:depth])


@timing("words")
def rank_words(question: Question, depth: int) -> tuple[Question, list[RankedSection]]:
    """By its own words; where the first sections lack too much of these, by words that stand in for them too."""
    ranked = rank_own_words(question, depth)
    if is_taken_literally(question):
        return question, ranked
    best = max((section.coverage for section in ranked[:FIRST]), default=0.0)
    wider = question.with_stand_ins(for_missing=best >= ENOUGH_COVERED)
    return (question, ranked) if wider is question else (wider, rank_own_words(wider, depth))


def is_taken_literally(question: Question) -> bool:
    """Code and phrases are asked for as they stand. Among very many sections a second look takes too long."""
    return bool(question.query.is_code or question.query.phrases or question.sections > MAX_SECTIONS_FOR_STAND_INS)


def rank_own_words(question: Question, depth: int) -> list[RankedSection]:
    return rank_sections(question.scopes, question.query, question.corpus, depth)


@timing("meaning")
def rank_meaning(question: Question, depth: int) -> list[RankedSection]:
    assert question.approach.meaning
    return sort_ranked(rank_by_meaning(question.approach.meaning, question.scopes, question.query, depth))[:depth]
