"""Joins two rankings of the same question: one by words, one by meaning. PURE.

    score(section) = (1 − weight) · words(section) / best words(·) + weight · meaning(section)
    words(section) = its score · (1 − COVERAGE · (1 − what part of the question it covers))
    meaning(section) = (1 − OWN) · the best nearness(·) of its page's sections + OWN · its nearness

Similarities are close together, so nearness is scaled from 0 for the last of DEPTH sections to 1 for the first; sections beyond have none.
Most of it is the page's and not the section's: words are better at telling which section of a page answers. A section that lacks words of
the question loses more here than in keyword ranking, since other sections have all the words and are near too. A section with none of the
words counts only if its cosine is at least NEAR, and CLOSER of the way from that of unrelated texts to 1; otherwise every question would
find something. The weight is SEMANTIC, or OF_CHARACTERS if
the model knows no words of the question's script but only its characters, which say little. The constants were chosen on half of the
questions; docs/benchmarks.md has the other half too. Reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009) was worse.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Self

from collections_app.search.ranking.scoring import RankedSection, sort_ranked

SEMANTIC = 0.3
OF_CHARACTERS = 0.1
OWN = 0.1
COVERAGE = 0.3
DEPTH = 200
# A cosine. With the static model, questions about something else altogether reach 0.45 at most. Models that were trained to retrieve put
# unrelated texts at 0.8 (docs/benchmarks-history.md).
NEAR = 0.5
CLOSER = 0.4


def choose_weight(*, knows_words: bool) -> float:
    """The weight of meaning, beside that of words. `knows_words`: see Embedder.knows_words()."""
    return SEMANTIC if knows_words else OF_CHARACTERS


def choose_near(unrelated: float) -> float:
    """The cosine from which on a section without any of the words counts. `unrelated`: see Embedder.measure_unrelated()."""
    return max(NEAR, unrelated + CLOSER * (1 - unrelated))


def fuse(
    by_words: Sequence[RankedSection],
    by_meaning: Sequence[RankedSection],
    weight: float = SEMANTIC,
    near: float = NEAR,
) -> list[RankedSection]:
    """The sections that have the words and those whose cosine is at least `near`, best first. Both rankings are best first, of up to DEPTH
    sections."""
    words, meaning = score_words(by_words, weight), Meanings.make(by_meaning, weight)
    others = [section for section in by_meaning if section.score >= near and section.section_id not in words]
    return sort_ranked(
        section.rescored(words.get(section.section_id, 0.0) + meaning.score(section.section_id, section.document_id))
        for section in (*by_words, *others)
    )


def score_words(by_words: Sequence[RankedSection], weight: float) -> dict[int, float]:
    """Section id → what words add to its fused score."""
    scores = {each.section_id: each.score * (1 - COVERAGE * (1 - each.coverage)) for each in by_words}
    best = max(scores.values(), default=0.0) or 1.0
    return {section_id: (1 - weight) * score / best for section_id, score in scores.items()}


class Meanings(NamedTuple):
    """Section id → its nearness, document id → the nearness of its nearest section (0 to 1), and the weight of meaning."""

    sections: dict[int, float]
    pages: dict[int, float]
    weight: float

    @classmethod
    def make(cls, by_meaning: Sequence[RankedSection], weight: float) -> Self:
        meanings = cls({}, {}, weight)
        if not by_meaning:
            return meanings
        first, last = by_meaning[0].score, by_meaning[-1].score
        for section in by_meaning:
            nearness = (section.score - last) / (first - last) if first > last else 1.0
            meanings.sections[section.section_id] = nearness
            meanings.pages.setdefault(section.document_id, nearness)
        return meanings

    def score(self, section_id: int, document_id: int) -> float:
        """What meaning adds to a section's fused score."""
        of_page, own = self.pages.get(document_id, 0.0), self.sections.get(section_id, 0.0)
        return self.weight * ((1 - OWN) * of_page + OWN * own)
