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

# OVERSAMPLING times as many sections are ranked as are shown, so that other pages can follow if one page has most of the best sections.
# If copies of pages leave too few hits, DEEPER times as many again.
OVERSAMPLING = 4
DEEPER = 10
# If none of the FIRST sections covers at least ENOUGH_COVERED of the question (words weighted by rarity), all words get stand-ins; else
# only words that no section has.
FIRST = 3
ENOUGH_COVERED = 0.7
MAX_SECTIONS_FOR_STAND_INS = 200_000


class Rankings(NamedTuple):
    """The sections that answer a question, best first: by words, by meaning (each empty if the mode does not use it), and in the end.

    `question` is the one that was asked, including words that stand in for its own. After reranking, a section's score is `kept` times its
    former score plus what `added` has for its id. `not_reranked`: why reranking failed; else empty.
    """

    question: Question
    by_words: Sequence[RankedSection] = ()
    by_meaning: Sequence[RankedSection] = ()
    ranked: Sequence[RankedSection] = ()
    kept: float = 1.0
    added: Mapping[int, float] = MappingProxyType({})
    not_reranked: str = ""


def choose_depth(question: Question, limit: int) -> int:
    """How many sections to rank so that `limit` can be shown: more if phrases have to be checked in the texts, since few have them."""
    return limit * OVERSAMPLING * (DEEPER if any(question.patterns.values()) else 1)


def rank(question: Question, depth: int) -> Rankings:
    """The best sections of all scopes, at most `depth`, ranked by the mode of the question's approach."""
    if question.approach.mode is Mode.KEYWORD:
        asked, by_words = rank_words(question, depth)
        return Rankings(asked, by_words, ranked=by_words)
    by_meaning = rank_meaning(question, max(depth, fusion.DEPTH))
    if question.approach.mode is Mode.SEMANTIC:
        return Rankings(question, by_meaning=by_meaning, ranked=by_meaning[:depth])
    by_meaning = by_meaning[: fusion.DEPTH]
    asked, by_words = rank_words(question, max(depth, fusion.DEPTH))
    approach = question.approach
    fused = fusion.fuse(by_words, by_meaning, approach.weight, approach.near)
    return Rankings(asked, by_words, by_meaning, fused[:depth])


@timing("words")
def rank_words(question: Question, depth: int) -> tuple[Question, list[RankedSection]]:
    """Sections ranked by the question's own words, and the question; if the first sections lack too many words, both with stand-ins."""
    ranked = rank_own_words(question, depth)
    if is_taken_literally(question):
        return question, ranked
    best = max((section.coverage for section in ranked[:FIRST]), default=0.0)
    wider = question.with_stand_ins(for_missing=best >= ENOUGH_COVERED)
    return (question, ranked) if wider is question else (wider, rank_own_words(wider, depth))


def is_taken_literally(question: Question) -> bool:
    """Whether no words may stand in for those of the question: code and phrases are meant as they are written, and in very large
    collections a second ranking takes too long."""
    return bool(question.query.is_code or question.query.phrases or question.sections > MAX_SECTIONS_FOR_STAND_INS)


def rank_own_words(question: Question, depth: int) -> list[RankedSection]:
    return rank_sections(question.scopes, question.query, question.corpus, depth)


@timing("meaning")
def rank_meaning(question: Question, depth: int) -> list[RankedSection]:
    assert question.approach.meaning
    return sort_ranked(rank_by_meaning(question.approach.meaning, question.scopes, question.query, depth))[:depth]
