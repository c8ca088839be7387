"""Joins two rankings of the same question: one by words, one by meaning. PURE.

    score(section) = (1 − SEMANTIC) · words(section) / best words + SEMANTIC · the best meaning(·) of the sections of its page

Similarities lie close together, so meaning counts from the last of DEPTH to the first as 0 to 1, and not at all outside of them. It is
the page's and not the section's: which of a page's sections answers, the words know better. A section with none of the words counts only
when it is NEAR, or every question would find something. The constants were chosen on half of the questions of five data sets;
docs/benchmarks.md has both halves. Reciprocal ranks (Cormack, Clarke and Büttcher, 2009) were worse.
"""

from __future__ import annotations

from collections.abc import Sequence

from collections_app.search.ranking import RankedSection, sort_ranked

SEMANTIC = 0.3
DEPTH = 200
# A cosine. Questions about something else altogether come to 0.4 at most, by the static model.
NEAR = 0.5


def fuse(by_words: Sequence[RankedSection], by_meaning: Sequence[RankedSection]) -> list[RankedSection]:
    """The sections that have the words and those that are near, best first. Both come best first, DEPTH where there are so many."""
    best_words = by_words[0].score if by_words else 1.0
    words = {section.section_id: (1 - SEMANTIC) * section.score / best_words for section in by_words}
    pages = score_pages(by_meaning)
    near = [section for section in by_meaning if section.score >= NEAR and section.section_id not in words]
    return sort_ranked(
        section.rescored(words.get(section.section_id, 0.0) + SEMANTIC * pages.get(section.document_id, 0.0))
        for section in (*by_words, *near)
    )


def score_pages(by_meaning: Sequence[RankedSection]) -> dict[int, float]:
    """Document id → how near its nearest section is, from 0 to 1."""
    if not by_meaning:
        return {}
    first, last = by_meaning[0].score, by_meaning[-1].score
    pages: dict[int, float] = {}
    for section in by_meaning:
        pages.setdefault(section.document_id, (section.score - last) / (first - last) if first > last else 1.0)
    return pages
