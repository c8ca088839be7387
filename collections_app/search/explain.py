"""Why sections are ranked as they are: the steps of search() once more, each timed, and every part of a hit's score by itself.

It reads what ranking reads and adds nothing of its own: the parts of a score sum up to the score that search() gives. For people who
look at a few hits; it costs several searches.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection as Ids
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from collections_app.models import Collection, Section
from collections_app.postgres.prepared_cursor import write_array
from collections_app.search import fusion
from collections_app.search.approach import choose_approach
from collections_app.search.asking import ask, check_query, read_query
from collections_app.search.fulltext import PLENTY, get_known, measure_rarity, rank_scopes
from collections_app.search.hits import make_hits
from collections_app.search.narrowing import make_narrowing
from collections_app.search.neighbours import Neighbours, find_neighbours
from collections_app.search.pins import put_first
from collections_app.search.question import Question
from collections_app.search.ranking import (
    LACKING,
    MOST_HEADINGS,
    PAGE,
    PAGE_B,
    PAGE_K,
    SHARED,
    STAND_IN,
    TEXT,
    TEXT_B,
    TEXT_K,
    TITLE,
    Match,
    Matches,
    RankedSection,
    score_own_heading,
    weigh_heading,
)
from collections_app.search.rankings import choose_depth, rank_meaning, rank_words
from collections_app.search.results import Hit, Mode
from collections_app.search.stages import Stage, collecting_stages
from collections_app.search.terms import Corpus, Term
from collections_app.search.time_limit import limited_transaction, limiting_time, open_cursor
from collections_app.text.analysis import decode_term

STAGES = {
    "question": "Embed the question",
    "terms": "Look up its words",
    "words": "Rank by words",
    "meaning": "Rank by meaning",
    "hits": "Read the hits",
}


@dataclass(frozen=True, slots=True)
class TermEvidence:
    """What one term of the question gives a section, or its synonyms that stand in for it. `in_title` to `on_page` count it, the others are
    shares of the score.
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

    def scale(self, factor: float) -> TermEvidence:
        """All but what the own heading gives, which nothing stands in for."""
        scaled = {name: factor * getattr(self, name) for name in ("title", "headings", "text", "shared", "page")}
        return replace(self, **scaled)


@dataclass(frozen=True, slots=True)
class PairEvidence:
    """Two words of the question that stand side by side in the section too."""

    words: str
    score: float


@dataclass(frozen=True, slots=True)
class WordEvidence:
    """`score` is what ranking by words gives the section: its parts' sum, and `lacking`, which takes off what it has not of the question.
    `coverage`: what part of the question it has, 0 to 1.
    """

    terms: tuple[TermEvidence, ...]
    neighbours: tuple[PairEvidence, ...] = ()
    coverage: float = 1.0

    @property
    def parts(self) -> float:
        return sum(term.score for term in self.terms) + sum(pair.score for pair in self.neighbours)

    @property
    def lacking(self) -> float:
        return -self.parts * LACKING * (1 - self.coverage)

    @property
    def score(self) -> float:
        return self.parts + self.lacking


@dataclass(frozen=True, slots=True)
class Explanation:
    """`from_words` and `from_meaning` sum up to the hit's score, unless people pinned it. Places count from 1.

    `words` is None for a section that was found by its meaning alone; `similarity` is the cosine of the nearest section of its page.
    """

    from_words: float
    from_meaning: float
    words: WordEvidence | None
    place_by_words: int | None
    place_by_meaning: int | None
    similarity: float | None
    is_pinned: bool

    @property
    def score(self) -> float:
        return self.from_words + self.from_meaning


@dataclass(frozen=True, slots=True)
class Explained:
    """What search() finds in `mode`, why, and how long it took; `by_mode`: what it would find in each of the modes there are."""

    mode: Mode
    hits: tuple[tuple[Hit, Explanation], ...]
    by_mode: Mapping[Mode, tuple[Hit, ...]]
    stages: tuple[Stage, ...]
    notice: str


@dataclass(frozen=True, slots=True)
class Rankings:
    """One question's, best first; `by_meaning` is empty where there are no embeddings."""

    by_words: Sequence[RankedSection]
    by_meaning: Sequence[RankedSection]
    fused: Sequence[RankedSection]

    def get(self, mode: Mode) -> Sequence[RankedSection]:
        return {Mode.KEYWORD: self.by_words, Mode.SEMANTIC: self.by_meaning}.get(mode, self.fused)


def explain_search(
    query: str,
    collections: Sequence[Collection],
    *,
    limit: int,
    snippet_length: int,
    mode: Mode = Mode.AUTO,
    category: str | None = None,
    filters: Mapping[str, Any] | None = None,
    code: str | None = None,
    visible: Sequence[Collection] = (),
) -> Explained:
    """Arguments and exceptions are those of search(). A mode that is not to be had is replaced as there, and `notice` says so."""
    narrowing = make_narrowing(category, filters, code)
    with collecting_stages() as stages:
        read = read_query(check_query(query), collections, narrowing)
        with limiting_time():
            approach = choose_approach(mode if mode is Mode.SEMANTIC else Mode.HYBRID, read, collections)
            chosen = approach.mode if approach.mode is Mode.KEYWORD or mode is Mode.AUTO else mode
            approach = replace(approach, mode=chosen)
            question = ask(read, approach, collections, narrowing, snippet_length=snippet_length, visible=visible)
            rankings, question = rank_all(question, limit)
            hits = find_hits(question, rankings.get(chosen), limit)
    with limiting_time():
        by_mode = {each: find_hits(question, rankings.get(each), limit) for each in get_modes(question)}
        explanations = explain_hits(question, rankings, chosen, hits)
    notice = "" if mode in (Mode.AUTO, Mode.KEYWORD) else approach.notice
    return Explained(chosen, explanations, by_mode, describe_stages(stages), notice)


def describe_stages(stages: Sequence[Stage]) -> tuple[Stage, ...]:
    """For people; one that came twice, as when words were spelled otherwise, once with both times."""
    spent: dict[str, float] = defaultdict(float)
    for stage in stages:
        spent[STAGES[stage.name]] += stage.milliseconds
    return tuple(Stage(name, milliseconds) for name, milliseconds in spent.items())


def get_modes(question: Question) -> Sequence[Mode]:
    if question.approach.meaning is None:
        return [Mode.KEYWORD]
    return [Mode.KEYWORD, Mode.SEMANTIC, *([] if question.query.is_code else [Mode.HYBRID])]


def rank_all(question: Question, limit: int) -> tuple[Rankings, Question]:
    """The rankings, and the question that they answer: without its phrases where nothing has them, with words that stand in for its own."""
    rankings, asked = make_rankings(question, limit)
    if question.query.phrases and not find_hits(question, rankings.fused, limit):
        rankings, asked = make_rankings(question.without_phrases(), limit)
    return rankings, asked


def make_rankings(question: Question, limit: int) -> tuple[Rankings, Question]:
    depth = max(choose_depth(question, limit), fusion.DEPTH)
    question, by_words = rank_words(question, depth)
    if question.approach.meaning is None:
        return Rankings(by_words, [], by_words), question
    by_meaning = rank_meaning(question, depth)[: fusion.DEPTH]
    return Rankings(by_words, by_meaning, fusion.fuse(by_words, by_meaning, question.approach.weight)), question


def find_hits(question: Question, ranked: Sequence[RankedSection], limit: int) -> tuple[Hit, ...]:
    return make_hits(put_first(question.pinned, ranked), question, limit)[0]


def explain_hits(
    question: Question, rankings: Rankings, mode: Mode, hits: Sequence[Hit]
) -> tuple[tuple[Hit, Explanation], ...]:
    ids = find_section_ids(hits)
    evidence = weigh_words(question, set(ids.values()), len(rankings.by_words))
    weight = question.approach.weight
    fused_words = fusion.score_words(rankings.by_words, weight)
    meaning = fusion.Meanings.make(rankings.by_meaning, weight)
    places = {section.section_id: place for place, section in enumerate(rankings.by_words, 1)}
    pages: dict[int, tuple[int, float]] = {}
    for place, section in enumerate(rankings.by_meaning, 1):
        pages.setdefault(section.document_id, (place, section.score))

    def explain(hit: Hit) -> Explanation:
        section = ids.get((hit.document_id, hit.section_id), 0)
        words = evidence.get(section) if section in places else None
        own = words.score if words else 0.0
        place, similarity = pages.get(hit.document_id, (None, None))
        from_words, from_meaning = own, 0.0
        if mode is Mode.SEMANTIC:
            from_words, from_meaning = 0.0, hit.score
        elif mode is Mode.HYBRID:
            from_words = fused_words.get(section, 0.0)
            from_meaning = meaning.score(section, hit.document_id)
        return Explanation(from_words, from_meaning, words, places.get(section), place, similarity, hit.is_pinned)

    return tuple((hit, explain(hit)) for hit in hits)


def find_section_ids(hits: Sequence[Hit]) -> dict[tuple[int, str], int]:
    """(document, section id) → the section's row."""
    rows = Section.objects.filter(
        document_id__in={hit.document_id for hit in hits}, section_id__in={hit.section_id for hit in hits}
    )
    with limited_transaction():
        return {(document, name): pk for pk, document, name in rows.values_list("pk", "document_id", "section_id")}


def weigh_words(question: Question, wanted: Ids[int], depth: int) -> dict[int, WordEvidence]:
    """Section row → what ranking by words saw in it; only for wanted ones among the first `depth`."""
    rankings = rank_scopes(question.scopes, question.query, question.corpus, max(depth, PLENTY))
    rarity = measure_rarity(question.scopes)
    evidence: dict[int, WordEvidence] = {}
    for scoped, (matches, ranked) in zip(question.scopes, rankings, strict=True):
        terms = get_known(scoped)
        pages: dict[int, list[Match]] = defaultdict(list)
        for match in matches:
            pages[match.document_id].append(match)
        chosen = {section.vector_id: section.coverage for section in ranked if section.section_id in wanted}
        together = find_together(chosen, find_neighbours(terms, in_code=question.query.is_code))
        for match in matches:
            if match.vector_id in chosen:
                parts = weigh_terms(match, pages[match.document_id], terms, question.corpus, rarity)
                pairs = together.get(match.vector_id, ())
                evidence[match.section_id] = WordEvidence(parts, pairs, chosen[match.vector_id])
    return evidence


def weigh_terms(
    match: Match, page: Sequence[Match], terms: Sequence[Term], corpus: Corpus, rarity: float
) -> tuple[TermEvidence, ...]:
    """`page`: all candidates of the match's page, in their order."""
    page_ratio = compute_ratio(page[0].page_words, corpus.mean_page_words)
    own_heading = score_own_heading(Matches.make([match]), terms, rarity)[0].tolist()
    heading = weigh_heading(terms)

    def weigh(number: int, term: Term) -> TermEvidence:
        own = weigh_counts(match, number, corpus, heading)
        on_page = sum(member.counts[number][2] for member in page)
        in_title, in_headings, in_text, _ = match.counts[number]
        return TermEvidence(
            word=decode_term(term.lexeme),
            synonyms=tuple(" ".join(map(decode_term, each.lexemes)) for each in term.alternatives),
            is_stand_in=term.is_stand_in,
            sections=term.sections,
            idf=term.idf,
            in_title=in_title,
            in_headings=in_headings,
            in_text=in_text,
            on_page=on_page,
            title=term.idf * own.title,
            headings=term.idf * own.headings,
            text=term.idf * own.text,
            shared=term.idf * SHARED * max(sum(weigh_counts(member, number, corpus, heading)) for member in page),
            page=term.page_idf * PAGE * weigh_frequency(on_page, page_ratio, PAGE_K, PAGE_B),
            own_heading=own_heading[number],
        )

    return choose_stand_ins([weigh(number, term) for number, term in enumerate(terms)], terms)


def choose_stand_ins(evidence: Sequence[TermEvidence], terms: Sequence[Term]) -> tuple[TermEvidence, ...]:
    """As fold_stand_ins() of ranking.py: what is worth less of a term and what stands in for it adds nothing."""
    chosen = list(evidence)
    places = {term.lexeme: number for number, term in enumerate(terms) if not term.is_stand_in}
    for number, term in enumerate(terms):
        if term.is_stand_in:
            chosen[number] = evidence[number].scale(STAND_IN)
            if (own := places.get(term.lexeme)) is not None:
                is_more = chosen[number].score > evidence[own].score - evidence[own].own_heading
                less = own if is_more else number
                chosen[less] = chosen[less].scale(0.0)
    return tuple(chosen)


class Weights(NamedTuple):
    """What a term is worth in a section, before its rarity."""

    title: float
    headings: float
    text: float


def weigh_counts(match: Match, number: int, corpus: Corpus, heading: float) -> Weights:
    title, headings, text, _ = match.counts[number]
    headings = min(headings, MOST_HEADINGS)
    ratio = compute_ratio(match.words, corpus.mean_words)
    return Weights(
        TITLE * (title > 0), heading * headings / (headings + 1), TEXT * weigh_frequency(text, ratio, TEXT_K, TEXT_B)
    )


def weigh_frequency(count: int, ratio: float, k: float, b: float) -> float:
    """bm25() of ranking.py, of one number."""
    return count * (k + 1) / (count + k * (1 - b + b * ratio))


def compute_ratio(words: int, mean_words: float) -> float:
    return words / mean_words if words and mean_words else 1.0


def find_together(vector_ids: Ids[int], neighbours: Sequence[Neighbours]) -> dict[int, tuple[PairEvidence, ...]]:
    """Index row → the neighbours of the question that it has side by side."""
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
