"""Finds the hits for a question: ranks sections, reranks them if a model is configured, and reads them. For search() and explain.py."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass

from collections_app.postgres.snapshots import seeing_one_moment
from collections_app.search.hits import make_hits
from collections_app.search.question import Question
from collections_app.search.ranking.called_pages import find_beginnings
from collections_app.search.ranking.pins import has_found, put_first
from collections_app.search.ranking.scoring import RankedSection
from collections_app.search.ranking.sides import BEST_OF_SIDE, show_sides
from collections_app.search.ranking.starts import find_starts
from collections_app.search.rankings import DEEPER, OVERSAMPLING, Rankings, choose_depth, rank, rank_own_words
from collections_app.search.reranking import Judgement, count_judged, judge
from collections_app.search.results import Hit
from collections_app.search.search_options import Mode
from collections_app.search.stages import timing

ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class Found:
    """The hits and how they were found.

    `rankings` are those of the question in its final form. `is_found` says whether ranking found any of the hits; otherwise all are pinned.
    """

    rankings: Rankings
    hits: tuple[Hit, ...]
    is_found: bool

    @property
    def question(self) -> Question:
        return self.rankings.question


def find(question: Question, limit: int) -> Found:
    """At most `limit` hits.

    If no section has the question's phrases, the search is repeated without them; their words still rank. A reranker that failed the first
    time is not called again.
    """
    found = find_hits(question, limit)
    if question.query.phrases and not found.is_found:
        return find_hits(question.without_phrases(), limit, found.rankings.not_reranked)
    return found


def find_hits(question: Question, limit: int, not_reranked: str = "") -> Found:
    """Rank sections and read the best.

    Both are repeated if a document was replaced in between, and with a greater depth if too few hits are left because sections are copies
    or lack the phrases. The last attempt uses one snapshot of the database: while documents are replaced all the time, each attempt would
    miss some. `not_reranked`: why the reranker must not be called; empty if it may be.
    """
    depth = max(choose_depth(question, limit), count_judged(question.approach))
    deepest = limit * OVERSAMPLING * DEEPER**2
    rankings = Rankings(question)
    hits: tuple[Hit, ...] = ()
    judgement = Judgement(failure=not_reranked) if not_reranked else None
    for attempt in range(1, ATTEMPTS + 1):
        with seeing_one_moment() if attempt == ATTEMPTS else nullcontext():
            rankings = rank(question, depth)
            judgement = judgement or judge(rankings)
            rankings = judgement.place(rankings)
            shown = show_sides(rankings.ranked, rank_sides(question))
            called = find_beginnings(question.called, shown, only_ranked=question.is_limited)
            ranked = put_first(question.pinned, put_first(find_starts(question.product), put_first(called, shown)))
            hits, is_current = make_hits(ranked, rankings.question, limit)
        if not is_current:
            continue
        if len(hits) == limit or len(ranked) < depth or depth >= deepest:
            break
        depth *= DEEPER
    return Found(rankings, hits, has_found(question.pinned, rankings.ranked, hits, limit))


@timing("words")
def rank_sides(question: Question) -> list[list[RankedSection]]:
    """The best sections of each thing that the question compares; empty in semantic mode, which does not rank by words."""
    sides = () if question.approach.mode is Mode.SEMANTIC else question.sides
    return [rank_own_words(side, BEST_OF_SIDE) for side in sides]
