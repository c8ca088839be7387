"""Both sides of a comparison among the first sections."""

from __future__ import annotations

from collections_app.search.ranking.scoring import RankedSection
from collections_app.search.ranking.sides import show_sides


def rank(*ids: int) -> list[RankedSection]:
    return [RankedSection(number, number, number, 10.0 - place) for place, number in enumerate(ids)]


def test_the_best_of_a_side_that_is_not_among_the_first_four_comes_third_and_scores_as_the_third() -> None:
    shown = show_sides(rank(1, 2, 3, 4, 5), [rank(2), rank(9, 8)])
    assert [section.section_id for section in shown] == [1, 2, 9, 3, 4, 5]
    assert [section.score for section in shown] == [10.0, 9.0, 8.0, 8.0, 7.0, 6.0]


def test_it_moves_up_where_it_was_further_down() -> None:
    assert [section.section_id for section in show_sides(rank(1, 2, 3, 4, 5), [rank(5)])] == [1, 2, 5, 3, 4]


def test_a_side_is_shown_by_one_that_is_nearly_as_good_as_its_best() -> None:
    ranked = rank(1, 2, 3, 4, 5)
    assert show_sides(ranked, [rank(8, 4), rank(1, 8), []]) == ranked


def test_a_mention_does_not_show_it() -> None:
    side = [*rank(8), RankedSection(4, 4, 4, 8.0)]
    assert [section.section_id for section in show_sides(rank(1, 2, 3, 4, 5), [side])] == [1, 2, 8, 3, 4, 5]


def test_what_is_put_in_does_not_take_the_place_of_the_other_side() -> None:
    ranked = rank(1, 2, 3, 4, 5)
    for sides in ([rank(4), rank(9)], [rank(9), rank(4)]):
        assert {4, 9} <= {section.section_id for section in show_sides(ranked, sides)[:4]}


def test_three_or_four_sides_have_room_for_all_behind_the_first_two() -> None:
    ranked = rank(1, 2, 3, 4, 5, 6, 7, 8, 9)
    for sides in (
        [rank(7), rank(8), rank(9)],
        [rank(6), rank(7), rank(8), rank(9)],
        [rank(6), rank(3), rank(8), rank(9)],
    ):
        shown = [section.section_id for section in show_sides(ranked, sides)]
        assert shown[:2] == [1, 2]
        assert {side[0].section_id for side in sides} <= set(shown[: 2 + len(sides)])


def test_it_is_found_where_nothing_else_is() -> None:
    assert show_sides([], [rank(7)]) == rank(7)
    assert [section.section_id for section in show_sides(rank(1), [rank(7)])] == [1, 7]
