"""The sections of one page among those of others."""

from __future__ import annotations

import pytest

from collections_app.search.ranking.scoring import RankedSection
from collections_app.search.ranking.spreading import spread_pages


def make_ranked(*sections: tuple[int, float]) -> list[RankedSection]:
    """(page, score) of each; its place is its id."""
    return [RankedSection(place, place, page, score) for place, (page, score) in enumerate(sections)]


@pytest.mark.parametrize(
    ("sections", "order"),
    [
        pytest.param([(1, 10.0), (1, 9.9), (1, 9.8), (2, 8.0)], [0, 1, 2, 3], id="a third is worth a tenth less"),
        pytest.param([(1, 10.0), (1, 9.9), (1, 9.8), (2, 8.9)], [0, 1, 3, 2], id="and comes behind what is between"),
        pytest.param([(1, 9.0), (1, 9.0), (1, 9.0), (1, 9.0), (1, 9.0), (2, 1.0), (1, 0.5)], [0, 1, 2, 5, 3, 4, 6], id="no four in a row"),
        pytest.param([(1, 9.0)] * 5, [0, 1, 2, 3, 4], id="unless there is no other"),
    ],
)  # fmt: skip
def test_many_sections_of_a_page_are_spread(sections: list[tuple[int, float]], order: list[int]) -> None:
    spread = spread_pages(make_ranked(*sections))
    assert [section.section_id for section in spread] == order
    scores = [section.score for section in spread]
    assert scores == sorted(scores, reverse=True)


def test_a_section_is_told_with_the_score_that_it_is_placed_by() -> None:
    spread = spread_pages(make_ranked((1, 10.0), (1, 10.0), (1, 10.0), (1, 10.0), (2, 5.0)))
    assert [(section.document_id, round(section.score, 6)) for section in spread] == [
        (1, 10.0),
        (1, 10.0),
        (1, 9.0),
        (2, 5.0),
        (1, 5.0),
    ]


def test_what_people_pinned_is_not_spread() -> None:
    pinned = RankedSection(9, 9, 1, 0.0, is_pinned=True)
    assert spread_pages([pinned, *make_ranked((1, 5.0), (1, 4.0))])[0] is pinned
