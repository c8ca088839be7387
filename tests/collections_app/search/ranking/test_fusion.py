"""How two rankings become one."""

from __future__ import annotations

import pytest

from collections_app.search.ranking.fusion import NEAR, SEMANTIC, choose_near, choose_weight, fuse
from collections_app.search.ranking.scoring import RankedSection


def rank(*sections: tuple[int, int, float]) -> list[RankedSection]:
    """(section, document, score), best first."""
    return [RankedSection(0, *section) for section in sections]


def order(sections: list[RankedSection]) -> list[int]:
    return [section.section_id for section in sections]


def test_without_meaning_the_order_is_that_of_the_words() -> None:
    assert order(fuse(rank((1, 1, 9.0), (2, 2, 4.0)), [])) == [1, 2]


def test_without_words_the_order_is_that_of_the_meaning() -> None:
    assert order(fuse([], rank((1, 1, 0.9), (2, 2, 0.6), (3, 3, 0.1)))) == [1, 2]


def test_what_has_none_of_the_words_must_be_near() -> None:
    assert order(fuse(rank((1, 1, 3.0)), rank((2, 2, 0.49), (1, 1, 0.3)))) == [1]
    assert order(fuse([], rank((2, 2, 0.49), (3, 3, 0.1)))) == []


def test_what_is_near_depends_on_how_close_the_model_puts_all_texts() -> None:
    assert choose_near(-0.02) == choose_near(0.1) == NEAR
    assert choose_near(0.8) == pytest.approx(0.88)
    assert order(fuse([], rank((2, 2, 0.9), (3, 3, 0.87)), near=choose_near(0.8))) == [2]


def test_meaning_lifts_what_the_words_rank_nearly_as_well() -> None:
    words = rank((1, 1, 10.0), (2, 2, 9.0), (3, 3, 2.0))
    assert order(fuse(words, rank((2, 2, 0.8), (1, 1, 0.4), (3, 3, 0.3)))) == [2, 1, 3]


def test_a_model_that_knows_only_characters_lifts_less() -> None:
    words, meaning = rank((1, 1, 10.0), (2, 2, 8.0)), rank((2, 2, 0.9), (1, 1, 0.1))
    assert order(fuse(words, meaning, choose_weight(knows_words=True))) == [2, 1]
    assert order(fuse(words, meaning, choose_weight(knows_words=False))) == [1, 2]


def test_meaning_does_not_overrule_words_that_are_much_better() -> None:
    words = rank((1, 1, 10.0), (2, 2, 2.0))
    assert order(fuse(words, rank((2, 2, 0.9), (1, 1, 0.1)))) == [1, 2]


def test_the_nearest_section_of_a_page_speaks_for_all_of_the_page() -> None:
    words = rank((11, 1, 10.0), (21, 2, 9.0), (22, 2, 8.5))
    fused = fuse(words, rank((22, 2, 0.9), (11, 1, 0.2)))
    assert order(fused) == [21, 22, 11]


def test_of_a_page_the_section_that_is_nearest_itself_comes_first() -> None:
    words = rank((11, 1, 10.0), (12, 1, 10.0), (13, 1, 10.0))
    assert order(fuse(words, rank((13, 1, 0.9), (12, 1, 0.7), (30, 3, 0.2)))) == [13, 12, 11]


def test_a_section_that_lacks_words_of_the_question_counts_less() -> None:
    partial, whole = RankedSection(0, 1, 1, 10.0, coverage=0.5), RankedSection(0, 2, 2, 9.0)
    fused = fuse([partial, whole], [])
    assert order(fused) == [2, 1]
    assert [section.score for section in fused] == pytest.approx([0.7, 0.7 * 8.5 / 9])


def test_scores_lie_between_nothing_and_one() -> None:
    fused = fuse(rank((1, 1, 10.0), (2, 2, 5.0)), rank((1, 1, 0.9), (3, 3, 0.6)))
    assert [section.score for section in fused] == [1.0, (1 - SEMANTIC) / 2, 0.0]


def test_equal_similarities_are_all_the_nearest() -> None:
    fused = fuse([], rank((1, 1, 0.5), (2, 2, 0.5)))
    assert [section.score for section in fused] == [SEMANTIC, SEMANTIC]
