from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from collections_app.search.ranking import scoring
from collections_app.search.ranking.scoring import (
    LACKING,
    OWN,
    STAND_IN,
    Matches,
    RankedSection,
    bm25,
    rank_matches,
)
from collections_app.search.terms.term import Alternative, Corpus, Term

CORPUS = Corpus(sections=100, pages=50, words=10_000)
COUNTS = st.tuples(st.integers(0, 3), st.integers(0, 5), st.integers(0, 255))


def make_term(lexeme: str = "word", idf: float = 2.0) -> Term:
    return Term(lexeme, sections=10, idf=idf, page_idf=idf)


class Match(NamedTuple):
    """A row of Matches with its counts."""

    vector_id: int
    section_id: int
    document_id: int
    words: int
    page_words: int
    heading_words: int
    counts: Sequence[tuple[int, int, int, int]]


def make_match(
    number: int,
    counts: Sequence[tuple[int, int, int]],
    *,
    page: int | None = None,
    words: int = 100,
    page_words: int = 200,
    heading: Sequence[bool] = (),
    heading_words: int = 0,
) -> Match:
    """`counts` in title, headings and text; `heading`: which of them the own heading has, of its `heading_words`."""
    own = [*heading, *[False] * len(counts)]
    all_counts = [(*count, int(has)) for count, has in zip(counts, own, strict=False)]
    return Match(number, number, number if page is None else page, words, page_words, heading_words, all_counts)


def make_matches(matches: Sequence[Match]) -> Matches:
    rows, counts = np.array([match[:6] for match in matches]), np.array([match.counts for match in matches])
    return Matches(rows, counts, np.zeros(len(matches)))


def score(matches: Sequence[Match], terms: Sequence[Term]) -> list[RankedSection]:
    return rank_matches(make_matches(matches), terms, CORPUS, 100, sum(term.idf for term in terms))


def rank(matches: Sequence[Match], terms: Sequence[Term]) -> list[int]:
    return [section.section_id for section in score(matches, terms)]


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        pytest.param((1, 0, 0), (0, 1, 0), id="title before heading"),
        pytest.param((0, 1, 1), (0, 0, 1), id="heading and text before text alone"),
        pytest.param((0, 0, 3), (0, 0, 1), id="often before once"),
    ],
)
def test_it_ranks_by_where_and_how_often_a_word_stands(
    better: tuple[int, int, int], worse: tuple[int, int, int]
) -> None:
    assert rank([make_match(1, [worse]), make_match(2, [better])], [make_term()]) == [2, 1]


@pytest.mark.parametrize(("count", "first"), [(8, 1), (20, 2)])
def test_of_a_long_question_the_heading_that_repeats_it_is_worth_more(count: int, first: int) -> None:
    terms = [make_term(f"word{number}") for number in range(count)]
    most = [(0, 0, 1)] * (count * 3 // 4) + [(0, 0, 0)] * (count // 4)
    headed = [(0, 1, 1)] * (count // 2) + [(0, 0, 0)] * (count // 2)
    assert rank([make_match(1, most), make_match(2, headed)], terms) == [first, 3 - first]


def test_a_heading_that_is_all_asked_for_is_worth_what_part_of_the_question_it_is() -> None:
    terms = [make_term("own", 3.0), make_term("other", 1.0)]
    plain, headed = (
        make_match(1, [(0, 1, 1), (0, 0, 1)], heading=heading, heading_words=1) for heading in ([], [True])
    )
    [before], [after] = score([plain], terms), score([headed], terms)
    assert after.score - before.score == pytest.approx(OWN * 3.0 * 3.0 / 4.0)
    [whole] = score([make_match(1, [(0, 1, 1), (0, 0, 1)], heading=[True, True], heading_words=2)], terms)
    assert whole.score - before.score == pytest.approx(OWN * 4.0)


@pytest.mark.parametrize(("in_title", "is_less"), [(1, True), (0, False)])
def test_a_heading_that_repeats_the_title_is_no_text(in_title: int, is_less: bool) -> None:
    headed, plain = (
        score([make_match(1, [(in_title, 1, 2)], heading=heading)], [make_term()])[0].score for heading in ([True], [])
    )
    assert (headed < plain) is is_less
    assert is_less or headed == plain


def test_a_heading_with_other_words_is_worth_no_more() -> None:
    counts = [(0, 1, 1), (0, 1, 1)]
    sections = score(
        [make_match(1, counts), make_match(2, counts, heading=[True, True], heading_words=3)], [make_term()] * 2
    )
    assert sections[0].score == sections[1].score


def test_a_heading_whose_words_are_not_known_is_worth_no_more() -> None:
    sections = score([make_match(1, [(0, 1, 1)]), make_match(2, [(0, 1, 1)], heading=[True])], [make_term()])
    assert sections[0].score == sections[1].score


def test_a_word_of_a_heading_counts_in_another_form() -> None:
    terms = [replace(make_term("hide"), alternatives=(Alternative(("hidden",), (), 1, 1),)), make_term("row")]
    counts = [(0, 1, 1), (0, 1, 1)]
    plain, headed = make_match(1, counts), make_match(2, counts, heading=[True, True], heading_words=2)
    assert rank([plain, headed], terms) == [2, 1]


@pytest.mark.parametrize(("words", "are_both"), [(("user", "name"), True), (("user", "username"), False)])
def test_a_word_that_counts_as_another_of_the_question_is_none_of_the_heading(
    words: tuple[str, str], are_both: bool
) -> None:
    terms = [replace(make_term(word), alternatives=(Alternative(("username",), (), 1, 1),)) for word in words]
    counts = [(0, 1, 1), (0, 1, 1)]
    plain, headed = make_match(1, counts), make_match(2, counts, heading=[True, True], heading_words=2)
    sections = score([plain, headed], terms)
    assert (sections[0].score > sections[1].score) == are_both


def test_joined_matches_have_each_row_once() -> None:
    first, second = (make_matches([make_match(n, [(0, 0, n)]) for n in numbers]) for numbers in ([1, 2], [2, 3]))
    assert first.join(second).rows[:, 0].tolist() == [1, 2, 3]
    assert Matches.none().join(first).rows[:, 0].tolist() == [1, 2]
    assert first.join(Matches.none()) is first


def test_a_rare_word_is_worth_more_than_a_common_one() -> None:
    terms = [make_term("rare", idf=5.0), make_term("common", idf=0.5)]
    assert rank([make_match(1, [(0, 0, 0), (0, 0, 5)]), make_match(2, [(0, 0, 1), (0, 0, 0)])], terms) == [2, 1]


def test_a_section_gains_by_what_its_page_says_elsewhere() -> None:
    terms = [make_term("a"), make_term("b")]
    alone = make_match(1, [(0, 0, 1), (0, 0, 0)], page=1)
    helped = make_match(2, [(0, 0, 1), (0, 0, 0)], page=2)
    sibling = make_match(3, [(0, 0, 0), (0, 0, 1)], page=2)
    assert rank([alone, helped, sibling], terms)[0] == 2


def test_the_same_words_count_more_in_a_shorter_section_and_page() -> None:
    long = make_match(1, [(0, 0, 2)], words=500)
    short = make_match(2, [(0, 0, 2)], words=50)
    assert rank([long, short], [make_term()]) == [2, 1]
    long_page = make_match(1, [(0, 0, 2)], page_words=5_000)
    short_page = make_match(2, [(0, 0, 2)], page_words=100)
    assert rank([long_page, short_page], [make_term()]) == [2, 1]


def test_rows_without_a_count_of_words_are_of_average_length() -> None:
    average = Match(1, 1, 1, 100, 200, 0, [(0, 0, 2, 0)])
    unknown = Match(2, 2, 2, 0, 0, 0, [(0, 0, 2, 0)])
    first, second = score([average, unknown], [make_term()])
    assert first.score == pytest.approx(second.score)


def test_of_the_parts_of_a_section_the_best_one_counts() -> None:
    weak = Match(1, 7, 1, 100, 200, 0, [(0, 0, 1, 0)])
    strong = Match(2, 7, 1, 100, 200, 0, [(0, 0, 9, 0)])
    assert [(s.vector_id, s.section_id) for s in score([weak, strong], [make_term()])] == [(2, 7)]


def test_of_equal_parts_the_first_one_counts_in_whatever_order_they_were_read() -> None:
    parts = [make_match(1, [(0, 0, 1)])._replace(vector_id=vector_id) for vector_id in (12, 11, 13)]
    assert [section.vector_id for section in score(parts, [make_term()])] == [11]


def test_coverage_is_what_a_section_has_of_the_question_by_rarity() -> None:
    terms = [make_term("rare", idf=3.0), make_term("common", idf=1.0)]
    matches = make_matches([make_match(1, [(0, 0, 1), (0, 0, 0)]), make_match(2, [(0, 1, 0), (1, 0, 2)])])
    ranked = rank_matches(matches, terms, CORPUS, 10, rarity=4.0)
    assert {each.section_id: each.coverage for each in ranked} == {1: 0.75, 2: 1.0}
    # In another language more of the question is known.
    assert [each.coverage for each in rank_matches(matches, terms, CORPUS, 10, rarity=8.0)] == [0.5, 0.375]


def test_of_two_sections_of_a_page_the_one_that_has_more_of_the_question_comes_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terms = [make_term("rare", idf=3.0), make_term("common", idf=1.0)]
    often, both = make_match(1, [(0, 0, 9), (0, 0, 0)], page=1), make_match(2, [(0, 0, 4), (0, 0, 1)], page=1)
    with_all, with_one = score([often, both], terms)
    assert [with_all.section_id, with_one.section_id] == [2, 1]
    monkeypatch.setattr(scoring, "LACKING", 0.0)
    by_evidence = score([often, both], terms)
    assert [each.section_id for each in by_evidence] == [1, 2]
    assert with_all.score == by_evidence[1].score
    assert with_one.score == pytest.approx(by_evidence[0].score * (1 - LACKING * 0.25))


def test_what_stands_in_for_a_word_counts_less_and_only_where_it_is_more() -> None:
    word, other = make_term("word"), make_term("other", idf=1.0)
    stand_in = replace(word, alternatives=(Alternative(("twin",), (), 10, 10),), is_stand_in=True)
    itself, instead, both = (
        make_match(1, [(0, 0, 1), (0, 0, 0), (0, 0, 0)]),
        make_match(2, [(0, 0, 0), (0, 0, 0), (0, 0, 1)]),
        make_match(3, [(0, 0, 1), (0, 0, 0), (0, 0, 1)]),
    )
    scores = {each.section_id: each for each in score([itself, instead, both], [word, other, stand_in])}
    assert scores[1].score == scores[3].score > scores[2].score > 0
    assert [scores[n].coverage for n in (1, 2)] == [pytest.approx(2.0 / 5.0), pytest.approx(2.0 * STAND_IN / 5.0)]
    # What is nowhere has no column of its own.
    [alone] = rank_matches(
        make_matches([make_match(2, [(0, 0, 0), (0, 0, 1)])]),
        [other, stand_in],
        CORPUS,
        10,
        rarity=1.0 + 2.0 * STAND_IN,
    )
    assert alone.coverage == pytest.approx(2.0 * STAND_IN / (1.0 + 2.0 * STAND_IN))
    assert alone.score > 0


def test_what_stands_in_makes_a_question_no_longer() -> None:
    terms = [make_term(f"word{number}") for number in range(12)]
    counts = [(0, 1, 1)] * 12
    stand_ins = [replace(term, is_stand_in=True) for term in terms]
    [plain] = score([make_match(1, counts)], terms)
    [wider] = rank_matches(
        make_matches([make_match(1, [*counts, *[(0, 0, 0)] * 12])]), [*terms, *stand_ins], CORPUS, 10, rarity=24.0
    )
    assert wider.score == pytest.approx(plain.score)


def test_equal_sections_come_in_the_order_of_their_ids() -> None:
    assert rank([make_match(n, [(0, 0, 1)]) for n in (3, 1, 2)], [make_term()]) == [1, 2, 3]


@given(COUNTS, st.sampled_from(range(3)))
def test_another_occurrence_never_lowers_a_score(counts: tuple[int, int, int], field: int) -> None:
    more = tuple(count + (number == field) for number, count in enumerate(counts))
    (before,) = score([make_match(1, [counts])], [make_term()])
    (after,) = score([make_match(1, [more])], [make_term()])  # type: ignore[list-item]
    assert after.score >= before.score


def bm25_of(count: int, ratio: float) -> float:
    return float(bm25(np.array(count), np.array(ratio), k=2.0, b=0.3))


@given(st.integers(1, 255), st.floats(0.01, 50))
def test_bm25_grows_with_the_count_falls_with_the_length_and_is_bounded(count: int, ratio: float) -> None:
    value = bm25_of(count, ratio)
    assert 0 < value < 3
    assert value < bm25_of(count + 1, ratio)
    assert value > bm25_of(count, ratio * 1.1)


@given(st.lists(st.tuples(st.lists(COUNTS, min_size=2, max_size=2), st.integers(1, 3)), min_size=1, max_size=12))
def test_equal_sections_of_equal_pages_score_the_same_to_the_last_bit(
    sections: list[tuple[list[tuple[int, int, int]], int]],
) -> None:
    """Else the order of copies would change with what else is found."""
    terms = [make_term("a", idf=2.3), make_term("b", idf=0.7)]
    matches = [make_match(n, counts, page=page) for n, (counts, page) in enumerate(sections)]
    copies = [make_match(n + 100, counts, page=page + 100) for n, (counts, page) in enumerate(sections)]
    scores = {section.section_id: section.score for section in score([*matches, *copies], terms)}
    assert all(scores[n] == scores[n + 100] for n in range(len(sections)))
