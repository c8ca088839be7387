"""Reranking: a model that reads the question together with a text (a cross-encoder) scores the first sections of a ranking.

    score'(section) = (1 − weight) · score(section) + weight · the best score(·) · relevance(section)

The model's scores have a scale of their own, so they are mapped linearly to a relevance from 0 (the lowest) to 1 (the highest); sections
that the model has not read have a relevance of 0. With a weight of 1 the order is the model's alone (Nogueira and Cho, "Passage Re-ranking
with BERT", 2019); the score before reranking is the better guide for names and code.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter

from django.conf import settings

from collections_app.clients.reranking import get_reranker
from collections_app.exceptions import UpstreamUnavailable
from collections_app.search.hits import FoundRow, make_snippets
from collections_app.search.question import Question
from collections_app.search.ranking.approach import Approach
from collections_app.search.ranking.scoring import RankedSection
from collections_app.search.rankings import Rankings
from collections_app.search.section_rows import get_rows
from collections_app.search.stages import timing

# How long a search waits for the model.
QUESTION_SECONDS = 3.0
NOT_RERANKED = "The results are not reranked."


@dataclass(frozen=True, slots=True)
class Judgement:
    """The relevance of sections by their ids, or why the model gave none."""

    relevance: Mapping[int, float] = field(default_factory=dict)
    failure: str = ""

    def place(self, rankings: Rankings) -> Rankings:
        """The rankings by both scores, best first.

        Sections with equal scores keep their order; with a weight of 1 these include all sections that the model has not read.
        """
        if not self.relevance:
            return rankings._replace(not_reranked=self.failure)
        weight = settings.DOCSMCP.rerank_weight / 100
        best = max((section.score for section in rankings.ranked), default=0.0)
        added = {pk: weight * max(best, 0.0) * relevance for pk, relevance in self.relevance.items()}
        placed = (
            section.rescored((1 - weight) * section.score + added.get(section.section_id, 0.0))
            for section in rankings.ranked
        )
        ranked = sorted(placed, key=attrgetter("score"), reverse=True)
        return rankings._replace(ranked=ranked, kept=1 - weight, added=added)


def count_judged(approach: Approach) -> int:
    """How many sections the model is to read; 0 if none is configured or wanted."""
    config = settings.DOCSMCP
    return config.rerank_sections if approach.may_rerank and config.rerank_kind != "none" else 0


def judge(rankings: Rankings) -> Judgement:
    """The model's judgement of the first sections. It waits for the model, so it must not run within a transaction."""
    question = rankings.question
    sections = rankings.ranked[: count_judged(question.approach)]
    return ask_reranker(question, sections) if len(sections) > 1 else Judgement()


@timing("rerank")
def ask_reranker(question: Question, sections: Sequence[RankedSection]) -> Judgement:
    try:
        reranker = get_reranker()
        assert reranker
        texts = write_texts(question, sections, reranker.max_characters)
        scores = reranker.score(question.query.text, list(texts.values()), seconds=QUESTION_SECONDS) if texts else []
    except UpstreamUnavailable as error:
        return Judgement(failure=f"{error.message} {NOT_RERANKED}")
    return Judgement(dict(zip(texts, scale(scores), strict=False)))  # fewer scores if time ran out


def scale(scores: Sequence[float]) -> list[float]:
    """The scores as a relevance from 0 to 1; empty if all are the same, which says nothing about the order."""
    least, most = min(scores, default=0.0), max(scores, default=0.0)
    return [(score - least) / (most - least) for score in scores] if most > least else []


def write_texts(question: Question, sections: Sequence[RankedSection], length: int) -> dict[int, str]:
    """Section id → the text that the model reads: the title of its page, its heading path, and a snippet of at most about `length`
    characters."""
    rows = get_rows([section.section_id for section in sections])
    found = [FoundRow(rows[section.section_id], section) for section in sections if section.section_id in rows]
    return {
        row.id: f"{' > '.join(dict.fromkeys([row.title, *row.heading_path]))}\n{snippet}"
        for (row, _), snippet in zip(found, make_snippets(found, question, length), strict=True)
    }
