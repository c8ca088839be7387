"""Explains a search: what search() finds (finding.py), how long each step took, and the parts of each hit's score.

It reads what ranking reads and adds no rules of its own: the parts sum up to the score that search() gives. It is meant for people who
inspect a few hits, and costs as much as several searches.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection as Ids
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from collections_app.models import Collection, Section
from collections_app.postgres.prepared_cursor import write_array
from collections_app.search.asking import ask, check_query, read_query
from collections_app.search.finding import Found, find
from collections_app.search.narrowing import choose_named, make_narrowing, read_conditions
from collections_app.search.question import Question
from collections_app.search.ranking import fusion
from collections_app.search.ranking.approach import choose_approach
from collections_app.search.ranking.fulltext import PLENTY, get_known, measure_rarity, rank_scopes
from collections_app.search.ranking.neighbours import Neighbours, find_neighbours
from collections_app.search.ranking.scoring import LACKING, Matches, Parts, RankedSection, weigh_parts
from collections_app.search.results import Hit
from collections_app.search.search_options import Mode, SearchOptions
from collections_app.search.stages import Stage, collecting_stages
from collections_app.search.terms.term import Term
from collections_app.search.time_limit import limited_transaction, limiting_time, open_cursor
from collections_app.text.analysis.lexemes import decode_term

STAGES = {
    "question": "Embed the question",
    "terms": "Look up its words",
    "words": "Rank by words",
    "meaning": "Rank by meaning",
    "rerank": "Rerank the first",
    "hits": "Read the hits",
}


# Scores are shown with three decimals; smaller differences are not visible.
SEEN = 0.0005


@dataclass(frozen=True, slots=True)
class TermEvidence:
    """What one term of the question, or the synonyms that stand in for it, adds to a section's score.

    `in_title` to `on_page` count how often the term occurs; `title` to `own_heading` are shares of the score.
    """

    word: str
    synonyms: tuple[str, ...]
    is_stand_in: bool
    sections: int
    idf: float
    in_title: int
    in_headings: int
    in_text: int
    on_page: int
    title: float
    headings: float
    text: float
    shared: float
    page: float
    own_heading: float

    @property
    def score(self) -> float:
        return self.title + self.headings + self.text + self.shared + self.page + self.own_heading


@dataclass(frozen=True, slots=True)
class PairEvidence:
    """Two words that are side by side both in the question and in the section."""

    words: str
    score: float


@dataclass(frozen=True, slots=True)
class WordEvidence:
    """What ranking by words saw in a section.

    `score` is the section's score by words: the sum of the parts and of `lacking`, which is negative if the section lacks words of the
    question. `of_product` is for being of the product that the question names. `coverage`: the part of the question that the section has,
    0 to 1.
    """

    terms: tuple[TermEvidence, ...]
    neighbours: tuple[PairEvidence, ...] = ()
    coverage: float = 1.0
    of_product: float = 0.0

    @property
    def parts(self) -> float:
        return sum(term.score for term in self.terms) + sum(pair.score for pair in self.neighbours) + self.of_product

    @property
    def lacking(self) -> float:
        return -self.parts * LACKING * (1 - self.coverage)

    @property
    def score(self) -> float:
        return self.parts + self.lacking


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a hit is where it is.

    `from_words`, `from_meaning` and `from_reranker` sum up to the score that ranking gives the section. `placed_by` is the hit's score. It
    is lower than that sum if other sections of the page come before it (spreading.py), higher if it is the best about one of the things
    that the question compares (sides.py) or the best of a page's newest version (hits.py), and unrelated to it if the section is
    pinned. Places count from 1.

    `words` is None for a section that was found by meaning alone; `similarity` is the cosine of the nearest section of its page.
    """

    from_words: float
    from_meaning: float
    words: WordEvidence | None
    place_by_words: int | None
    place_by_meaning: int | None
    similarity: float | None
    is_pinned: bool
    placed_by: float
    from_reranker: float = 0.0

    @property
    def score(self) -> float:
        return self.from_words + self.from_meaning + self.from_reranker

    @property
    def is_crowded(self) -> bool:
        """Whether it is placed visibly (by SEEN or more) below its score."""
        return not self.is_pinned and self.placed_by < self.score - SEEN

    @property
    def is_raised(self) -> bool:
        """Whether it is placed visibly (by SEEN or more) above its score."""
        return not self.is_pinned and self.placed_by > self.score + SEEN


@dataclass(frozen=True, slots=True)
class Explained:
    """What search() finds in `mode`, why, and how long it took; `by_mode`: what it would find in each available mode."""

    mode: Mode
    hits: tuple[tuple[Hit, Explanation], ...]
    by_mode: Mapping[Mode, tuple[Hit, ...]]
    stages: tuple[Stage, ...]
    notice: str


def explain_search(
    query: str,
    collections: Sequence[Collection],
    options: SearchOptions,
    *,
    visible: Sequence[Collection] = (),
) -> Explained:
    """Explain a search. Arguments and exceptions are those of search(); an unavailable mode is replaced likewise, and `notice` says so."""
    text, mode, limit = check_query(query), options.mode, options.limit
    conditions = read_conditions(options.category, options.filters)
    collections = choose_named(conditions, collections)
    narrowing = make_narrowing(conditions, options.code, collections)
    with collecting_stages() as stages:
        read, known = read_query(text, collections, narrowing)
        with limiting_time():
            offered = choose_approach(mode if mode is Mode.SEMANTIC else Mode.HYBRID, read, collections)
            chosen = offered.mode if offered.mode is Mode.KEYWORD or mode is Mode.AUTO else mode
            approach = offered.in_mode(chosen) if mode is Mode.KEYWORD else offered
            question = ask(read, approach, collections, narrowing, options.snippet_length, visible, known)
            found = find(question, limit)
    with limiting_time():
        by_mode = {chosen: found} | {
            each: find(replace(question, approach=offered.in_mode(each)), limit)
            for each in get_modes(question)
            if each is not chosen
        }
        explanations = explain_hits(chosen, by_mode)
    notice = "" if mode in (Mode.AUTO, Mode.KEYWORD) else approach.notice
    hits_by_mode = {each: by_mode[each].hits for each in get_modes(question)}
    return Explained(chosen, explanations, hits_by_mode, describe_stages(stages), notice)


def describe_stages(stages: Sequence[Stage]) -> tuple[Stage, ...]:
    """The stages with readable names. One that ran twice (as when a typing error was corrected) is listed once, with the total time."""
    spent: dict[str, float] = defaultdict(float)
    for stage in stages:
        spent[STAGES[stage.name]] += stage.milliseconds
    return tuple(Stage(name, milliseconds) for name, milliseconds in spent.items())


def get_modes(question: Question) -> Sequence[Mode]:
    if question.approach.meaning is None:
        return [Mode.KEYWORD]
    return [Mode.KEYWORD, Mode.SEMANTIC, *([] if question.query.is_code else [Mode.HYBRID])]


def explain_hits(chosen: Mode, by_mode: Mapping[Mode, Found]) -> tuple[tuple[Hit, Explanation], ...]:
    """The hits of the chosen mode with their explanations. Rankings that this mode does not make are taken from the mode that does."""
    found, words = by_mode[chosen], by_mode[Mode.KEYWORD]
    by_words = found.rankings.by_words or words.rankings.by_words
    by_meaning = found.rankings.by_meaning or by_mode.get(Mode.SEMANTIC, found).rankings.by_meaning
    ids = find_section_ids(found.hits)
    asked = found.question if found.rankings.by_words else words.question
    evidence = weigh_words(asked, set(ids.values()), len(by_words))
    scores = Scores(by_words, by_meaning, evidence, found.question.approach.weight)

    def explain(hit: Hit) -> Explanation:
        section = ids.get((hit.document_id, hit.section_id), 0)
        from_words, from_meaning = scores.split(chosen, section, hit.document_id)
        place, similarity = scores.pages.get(hit.document_id, (None, None))
        kept = found.rankings.kept
        return Explanation(
            from_words=kept * from_words,
            from_meaning=kept * from_meaning,
            words=scores.evidence.get(section),
            place_by_words=scores.places.get(section),
            place_by_meaning=place,
            similarity=similarity,
            is_pinned=hit.is_pinned,
            placed_by=hit.score,
            from_reranker=found.rankings.added.get(section, 0.0),
        )

    return tuple((hit, explain(hit)) for hit in found.hits)


class Scores:
    """What each ranking says of a section, by its row. `places` are by words, from 1; `pages` has the place by meaning of each document's
    nearest section, and its cosine."""

    def __init__(
        self,
        by_words: Sequence[RankedSection],
        by_meaning: Sequence[RankedSection],
        evidence: Mapping[int, WordEvidence],
        weight: float,
    ) -> None:
        self.places = {section.section_id: place for place, section in enumerate(by_words, 1)}
        self.evidence = {section: words for section, words in evidence.items() if section in self.places}
        self.pages: dict[int, tuple[int, float]] = {}
        for place, section in enumerate(by_meaning, 1):
            self.pages.setdefault(section.document_id, (place, section.score))
        self._cosines = {section.section_id: section.score for section in by_meaning}
        self._fused_words = fusion.score_words(by_words, weight)
        self._meanings = fusion.Meanings.make(by_meaning, weight)

    def split(self, mode: Mode, section: int, document: int) -> tuple[float, float]:
        """What the section's words add to its score in this mode, and what its meaning does."""
        if mode is Mode.SEMANTIC:
            return 0.0, self._cosines.get(section, 0.0)
        if mode is Mode.HYBRID:
            return self._fused_words.get(section, 0.0), self._meanings.score(section, document)
        words = self.evidence.get(section)
        return (words.score if words else 0.0), 0.0


def find_section_ids(hits: Sequence[Hit]) -> dict[tuple[int, str], int]:
    """(document, section id) → the section's row."""
    rows = Section.objects.filter(
        document_id__in={hit.document_id for hit in hits}, section_id__in={hit.section_id for hit in hits}
    )
    with limited_transaction():
        return {(document, name): pk for pk, document, name in rows.values_list("pk", "document_id", "section_id")}


def weigh_words(question: Question, wanted: Ids[int], depth: int) -> dict[int, WordEvidence]:
    """Section row id → what ranking by words saw in it, for the `wanted` sections among the first `depth` (PLENTY at least)."""
    rankings = rank_scopes(question.scopes, question.query, question.corpus, max(depth, PLENTY))
    rarity = measure_rarity(question.scopes)
    evidence: dict[int, WordEvidence] = {}
    for scoped, (matches, ranked) in zip(question.scopes, rankings, strict=True):
        chosen = {section.vector_id: section for section in ranked if section.section_id in wanted}
        if not chosen:
            continue
        terms = get_known(scoped)
        together = find_together(chosen, find_neighbours(terms, in_code=question.query.is_code))
        parts = weigh_parts(matches, terms, question.corpus, rarity)
        for row, vector_id in enumerate(matches.rows[:, 0].tolist()):
            if section := chosen.get(vector_id):
                of_terms = describe_terms(row, matches, parts, terms)
                pairs = together.get(vector_id, ())
                evidence[section.section_id] = WordEvidence(of_terms, pairs, section.coverage, scoped.of_product)
    return evidence


def describe_terms(row: int, matches: Matches, parts: Parts, terms: Sequence[Term]) -> tuple[TermEvidence, ...]:
    """The evidence of each term, in the order of `terms`, for the match in this row."""
    of_page = matches.counts[matches.rows[:, 2] == matches.rows[row, 2]]
    on_page = of_page[:, :, 2].sum(axis=0).tolist()
    counts = matches.counts[row].tolist()
    shares = [
        dict(zip(Parts._fields, share, strict=True))
        for share in zip(*(part[row].tolist() for part in parts), strict=True)
    ]
    return tuple(
        TermEvidence(
            decode_term(term.lexeme),
            tuple(" ".join(map(decode_term, each.lexemes)) for each in term.alternatives),
            term.is_stand_in,
            term.sections,
            term.idf,
            counts[number][0],
            counts[number][1],
            counts[number][2],
            on_page[number],
            **share,
        )
        for number, (term, share) in enumerate(zip(terms, shares, strict=True))
    )


def find_together(vector_ids: Ids[int], neighbours: Sequence[Neighbours]) -> dict[int, tuple[PairEvidence, ...]]:
    """Index row id → the pairs of neighbours in the question that this row has side by side too."""
    if not vector_ids or not neighbours:
        return {}
    tests = ", ".join("vector @@ %s::tsquery" for _ in neighbours)
    with open_cursor() as cursor:
        cursor.execute(
            f"SELECT id, {tests} FROM collections_app_searchedvector WHERE id = ANY(%s::bigint[])",  # noqa: S608
            [*(pair.tsquery for pair in neighbours), write_array(vector_ids)],
        )
        return {
            row[0]: tuple(
                PairEvidence(f"{decode_term(pair.first.lexeme)} {decode_term(pair.second.lexeme)}", pair.bonus)
                for pair, has in zip(neighbours, row[1:], strict=True)
                if has
            )
            for row in cursor.fetchall()
        }
