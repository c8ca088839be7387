"""How sections are ranked by the words they have: BM25 of the section, its headings and its title, and of its page. PURE.

The score of a section is the sum over the question's terms t of

    idf(t)      · (TITLE · has_title(t) + HEADING · h / (h + 1) + TEXT · bm25(d, words / mean words; TEXT_K, TEXT_B))
    + idf(t)    · SHARED · the best of that among the page's sections
    + idf_p(t)  · PAGE · bm25(Σ d over the page, page words / mean page words; PAGE_K, PAGE_B)

and then of PROXIMITY · min(idf) for each two neighbours of the question that stand side by side in the section. h and d count t in
the headings and in the text; idf counts sections, idf_p pages; of a page only its candidates are known. With f' = f / (1 − b + b r),

    bm25(f, r; k, b) = f' (k + 1) / (f' + k)

(Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009, sections 3.3 and 3.5). The constants were
chosen on half of the questions of five data sets; docs/benchmarks.md has both halves.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from collections_app.search.terms import Corpus, Term

TITLE = 0.8
HEADING = 0.7
MOST_HEADINGS = 3
TEXT, TEXT_K, TEXT_B = 0.35, 2.0, 0.3
PAGE, PAGE_K, PAGE_B = 0.5, 3.0, 0.55
SHARED = 0.1
PROXIMITY = 0.35


@dataclass(frozen=True, slots=True)
class Match:
    """A candidate: a row of the index, and how often each term stands in its title, its headings and its text.

    `counts` are in the order of the terms. `words` and `page_words` are 0 where they are not known.
    """

    vector_id: int
    section_id: int
    document_id: int
    words: int
    page_words: int
    counts: Sequence[tuple[int, int, int]]


@dataclass(frozen=True, slots=True)
class RankedSection:
    vector_id: int
    section_id: int
    document_id: int
    score: float
    is_pinned: bool = False


def rank_matches(matches: Sequence[Match], terms: Sequence[Term], corpus: Corpus) -> list[RankedSection]:
    """The matches' sections with their scores, best first; of a section's parts the best one counts."""
    weights = [score_terms(match, corpus) for match in matches]
    pages = score_pages(matches, weights, terms, corpus)
    best: dict[int, RankedSection] = {}
    for match, own in zip(matches, weights, strict=True):
        score = pages[match.document_id] + sum(
            term.idf * weight for term, weight in zip(terms, own, strict=True) if weight
        )
        if match.section_id not in best or score > best[match.section_id].score:
            best[match.section_id] = RankedSection(match.vector_id, match.section_id, match.document_id, score)
    return sort_ranked(best.values())


def sort_ranked(sections: Iterable[RankedSection]) -> list[RankedSection]:
    return sorted(sections, key=lambda section: (-section.score, section.section_id))


def score_terms(match: Match, corpus: Corpus) -> list[float]:
    """What each term is worth in a section, before its rarity."""
    ratio = match.words / corpus.mean_words if match.words and corpus.mean_words else 1.0
    return [
        TITLE * (title > 0) + HEADING * saturate_headings(headings) + TEXT * bm25(text, ratio, TEXT_K, TEXT_B)
        if title or headings or text
        else 0.0
        for title, headings, text in match.counts
    ]


def score_pages(
    matches: Sequence[Match], weights: Sequence[Sequence[float]], terms: Sequence[Term], corpus: Corpus
) -> dict[int, float]:
    """What every section of a page gets for its page; document id → score."""
    members: dict[int, list[int]] = defaultdict(list)
    for index, match in enumerate(matches):
        members[match.document_id].append(index)
    scores = {}
    for document_id, indexes in members.items():
        page_words = matches[indexes[0]].page_words
        ratio = page_words / corpus.mean_page_words if page_words and corpus.mean_page_words else 1.0
        score = 0.0
        for number, term in enumerate(terms):
            text = sum(matches[index].counts[number][2] for index in indexes)
            score += term.idf * SHARED * max(weights[index][number] for index in indexes)
            score += term.page_idf * PAGE * bm25(text, ratio, PAGE_K, PAGE_B) if text else 0.0
        scores[document_id] = score
    return scores


def saturate_headings(count: int) -> float:
    count = min(count, MOST_HEADINGS)  # the headings above are repeated in those below
    return count / (count + 1)


def bm25(count: float, length_ratio: float, k: float, b: float) -> float:
    frequency = count / (1 - b + b * length_ratio)
    return frequency * (k + 1) / (frequency + k)
