"""Scores sections by the words they have: BM25 of the section, its headings and its title, and of its page. PURE.

The score of a section is the sum over the question's terms t of

    idf(t)      · (TITLE · has_title(t) + H · h / (h + 1) + TEXT · bm25(d, words / mean words; TEXT_K, TEXT_B))
    + idf(t)    · SHARED · the best of that among the page's sections
    + idf_p(t)  · PAGE · bm25(Σ d over the page, page words / mean page words; PAGE_K, PAGE_B)

plus a bonus for each two neighbours in the question that are side by side in the section (neighbours.py), plus a bonus if all words of the
section's own heading are in the question: OWN · (Σ idf of these words)² / Σ idf of the question, plus Σ idf of the product's name for a
section of the product that the question names, if others are searched too: it counts as having the name. The sum is multiplied by
1 − LACKING · (1 − coverage). The coverage is the part of the question's Σ idf that the section has in its title, headings or text: of two
sections of one page, which share the page's words, the one that has more of the question itself comes first.

h and d are the counts of t in the headings and in the text. The text has the section's own heading as its first line, which is not
counted for words of the title. A word that stands in for t (terms/stand_ins.py) gives STAND_IN times what it would give itself, if that is
more than what t gives. H is HEADING for most questions, and more for long ones (weigh_heading). idf counts sections, idf_p pages; of a
page only its candidates are known. With f' = f / (1 − b + b r),

    bm25(f, r; k, b) = f' (k + 1) / (f' + k)

(Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009, sections 3.3 and 3.5). The constants were
chosen on half of the questions of five data sets; docs/benchmarks.md has both halves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from collections_app.search.terms.names import are_beside
from collections_app.search.terms.term import Corpus, Term

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

TITLE = 0.8
HEADING = 0.7
MOST_HEADINGS = 3
# So many terms are those of a pasted message. Any text has some of them, but the heading of the section about the message repeats it.
MANY_TERMS = 12
TEXT, TEXT_K, TEXT_B = 0.35, 2.0, 0.3
PAGE, PAGE_K, PAGE_B = 0.5, 3.0, 0.65
SHARED = 0.1
OWN = 0.5
LACKING = 0.15
STAND_IN = 0.7
HELD = 1.2


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """Candidates, which are rows of the index, as arrays.

    Each of `rows` has the ids of the row, its section and its document, and the words in it, on its page and in its heading, 0 where they
    are not known. `counts[row, term]`: how often the term stands in its title, its headings, its text, and its own heading.
    `bonuses[row]`: for neighbours.
    """

    rows: Integers
    counts: Integers
    bonuses: Floats

    @classmethod
    def none(cls) -> Matches:
        import numpy as np

        return cls(np.array([]), np.array([]), np.array([]))

    def __len__(self) -> int:
        return len(self.rows)

    def join(self, others: Matches) -> Matches:
        """Both together, each row of the index once; both must have the same terms."""
        if not len(self) or not len(others):
            return self if len(self) else others
        import numpy as np

        new = ~np.isin(others.rows[:, 0], self.rows[:, 0])
        return Matches(
            np.concatenate([self.rows, others.rows[new]]),
            np.concatenate([self.counts, others.counts[new]]),
            np.concatenate([self.bonuses, others.bonuses[new]]),
        )

    @property
    def pages(self) -> int:
        """How many different pages the rows are from."""
        return len(set(self.rows[:, 2].tolist())) if len(self) else 0


class RankedSection(NamedTuple):
    """A section and its score. `coverage`: the part of the question's words that it has, weighted by rarity, 0 to 1, for fusion.py."""

    vector_id: int
    section_id: int
    document_id: int
    score: float
    is_pinned: bool = False
    coverage: float = 1.0

    def rescored(self, score: float) -> RankedSection:
        return RankedSection(self.vector_id, self.section_id, self.document_id, score, self.is_pinned, self.coverage)


class Parts(NamedTuple):
    """What each term adds to each match's score, as arrays of matches × terms.

    Of a term and its stand-in only one adds anything, except for `own_heading`.
    """

    title: Floats
    headings: Floats
    text: Floats
    shared: Floats
    page: Floats
    own_heading: Floats

    def sum(self) -> Floats:
        """The sum of the parts for each match."""
        # Rows are summed one by one: a product of matrices may round equal rows differently, and ties would fall at random.
        by_terms: Floats = self.title + self.headings + self.text + self.shared + self.page + self.own_heading
        return by_terms.sum(axis=1)  # type: ignore[no-any-return]


def rank_matches(
    matches: Matches, terms: Sequence[Term], corpus: Corpus, limit: int, rarity: float, of_product: float = 0.0
) -> list[RankedSection]:
    """The matches' sections with their scores, best first, at most `limit`; of a section's several index rows the best one counts.

    `rarity`: the summed idf of all words that a section could have. `of_product`: see ScopedTerms.
    """
    if not len(matches):
        return []
    import numpy as np

    scores = weigh_parts(matches, terms, corpus, rarity).sum() + matches.bonuses + of_product
    has = matches.counts.any(axis=2) * get_idf(terms) * [not term.entry_word for term in terms]
    fold_stand_ins([has], terms)
    coverage = np.minimum((has.sum(axis=1) + of_product) / (rarity or 1.0), 1.0)
    scores *= 1 - LACKING * (1 - coverage)
    order = np.lexsort((matches.rows[:, 0], matches.rows[:, 1], -scores))
    _, first = np.unique(matches.rows[order, 1], return_index=True)
    best = order[np.sort(first)][:limit]
    columns = (*matches.rows[best, :3].T.tolist(), scores[best].tolist(), [False] * len(best), coverage[best].tolist())
    return list(map(RankedSection, *columns))


def weigh_parts(matches: Matches, terms: Sequence[Term], corpus: Corpus, rarity: float) -> Parts:
    """`rarity`: see rank_matches()."""
    import numpy as np

    idf = get_idf(terms)
    in_title, in_headings, in_text, in_own_heading = np.moveaxis(matches.counts, 2, 0)
    # The own heading is also a line of the text. If it repeats the title, its words would count three times.
    in_text = np.where(in_title > 0, np.maximum(in_text - in_own_heading, 0), in_text)
    ratios = compute_ratios(matches.rows[:, 3], corpus.mean_words)
    title = TITLE * idf * (in_title > 0)
    headings = weigh_heading(terms) * idf * saturate_headings(in_headings)
    text = TEXT * idf * bm25(in_text, ratios[:, None], TEXT_K, TEXT_B)
    hold_entry_words(title, in_title + in_headings, terms)
    shared, page = weigh_pages(matches, title + headings + text, terms, corpus)
    fold_stand_ins([title, headings, text, shared, page], terms)
    return Parts(title, headings, text, shared, page, weigh_own_heading(matches, terms, rarity))


def hold_entry_words(title: Floats, above: Integers, terms: Sequence[Term]) -> None:
    """Lets the name of an entry that is a single word (`port`) add at most HELD of the idf that the rest of the question has in the title
    and the headings: many pages have such an entry, and the one that is asked for is on a page about the rest. Works in place.
    """
    import numpy as np

    entries = [(number, term.entry_word) for number, term in enumerate(terms) if term.entry_word]
    told = (above > 0) * get_idf(terms) if entries else above
    for number, word in entries:
        rest = told[:, are_beside(word, terms)].sum(axis=1)
        title[:, number] = np.minimum(title[:, number], HELD * rest)


def get_idf(terms: Sequence[Term]) -> Floats:
    import numpy as np

    return np.array([term.idf for term in terms])


def sort_ranked(sections: Iterable[RankedSection]) -> list[RankedSection]:
    """By score, best first; equal scores by section id."""
    return sorted(sorted(sections, key=attrgetter("section_id")), key=attrgetter("score"), reverse=True)


def fold_stand_ins(parts: Sequence[Floats], terms: Sequence[Term]) -> None:
    """For each term and its stand-in, keep in each match the one that is worth more in all parts together, and set the other to 0.

    Works in place.
    """
    places = {term.lexeme: number for number, term in enumerate(terms) if not term.is_stand_in}
    for number, term in enumerate(terms):
        if term.is_stand_in:
            for part in parts:
                part[:, number] *= STAND_IN
            if (own := places.get(term.lexeme)) is not None:
                is_more = sum(part[:, number] for part in parts) > sum(part[:, own] for part in parts)
                for part in parts:
                    part[is_more, own] = 0.0
                    part[~is_more, number] = 0.0


def weigh_own_heading(matches: Matches, terms: Sequence[Term], rarity: float) -> Floats:
    """What each term adds for being in the match's own heading, if the question has all words of that heading. `rarity`: rank_matches().

    Stand-ins do not count, nor does a term with another of the terms as an alternative: the word is in the heading only once. Two words
    that are written as one somewhere (`changerequest`) both count as in a heading with that one word, so one further word of the heading
    may be missing from the question.
    """
    import numpy as np

    lexemes = {(term.lexeme,) for term in terms if not term.is_stand_in}
    is_apart = [
        not (term.is_prefix or term.is_stand_in or any(each.lexemes in lexemes for each in term.alternatives))
        for term in terms
    ]
    has = (matches.counts[:, :, 3] > 0) & is_apart
    is_asked = (matches.rows[:, 5] > 0) & (has.sum(axis=1) >= matches.rows[:, 5])
    own = np.where(has & is_asked[:, None], get_idf(terms), 0.0)
    scores: Floats = OWN * own * own.sum(axis=1, keepdims=True) / (rarity or 1.0)
    return scores


def weigh_heading(terms: Sequence[Term]) -> float:
    count = sum(not term.is_stand_in for term in terms)
    return HEADING * max(1.0, 2 * count / MANY_TERMS - 1)


def weigh_pages(matches: Matches, weights: Floats, terms: Sequence[Term], corpus: Corpus) -> tuple[Floats, Floats]:
    """What each term adds to each match for its page: SHARED of the highest `weights` among the page's matches, and PAGE · bm25(…)."""
    import numpy as np

    _, first, page = np.unique(matches.rows[:, 2], return_index=True, return_inverse=True)
    order = np.argsort(page, kind="stable")
    starts = np.searchsorted(page[order], np.arange(len(first)))
    best = np.maximum.reduceat(weights[order], starts)
    text = np.add.reduceat(matches.counts[order, :, 2], starts)
    ratios = compute_ratios(matches.rows[first, 4], corpus.mean_page_words)
    evidence = PAGE * bm25(text, ratios[:, None], PAGE_K, PAGE_B) * [term.page_idf for term in terms]
    return SHARED * best[page], evidence[page]


def compute_ratios(words: Integers, mean_words: float) -> Floats:
    """Lengths as multiples of the mean length; an unknown length (0) counts as the mean."""
    import numpy as np

    return np.where(words > 0, words / mean_words, 1.0) if mean_words else np.ones(len(words))


def saturate_headings(count: Integers) -> Floats:
    import numpy as np

    count = np.minimum(count, MOST_HEADINGS)  # the headings above are repeated in those below
    return count / (count + 1)


def bm25(count: Integers, length_ratio: Floats, k: float, b: float) -> Floats:
    return count * (k + 1) / (count + k * (1 - b + b * length_ratio))
