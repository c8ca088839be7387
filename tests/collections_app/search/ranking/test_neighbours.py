import pytest

from collections_app.search.ranking.neighbours import MAX_PAIRS, find_neighbours
from collections_app.search.terms.term import Term


def test_neighbours_are_two_words_with_at_most_one_between_them() -> None:
    terms = [
        Term("queue", 5, 2.0, 2.0, positions=(1,)),
        Term("group", 5, 3.0, 3.0, positions=(2,)),
        Term("name", 5, 1.0, 1.0, positions=(4,)),
        Term("far", 5, 1.0, 1.0, positions=(9,)),
    ]
    first, second = find_neighbours(terms)
    assert first.tsquery == "('queue' <-> 'group') | ('queue' <2> 'group')"
    assert second.tsquery == "('group' <-> 'name') | ('group' <2> 'name')"
    assert first.bonus == 2 * second.bonus > 0


def test_a_word_is_no_neighbour_of_itself() -> None:
    assert find_neighbours([Term("queue", 5, 2.0, 2.0, positions=(1, 2))]) == []


def test_a_pair_that_stands_there_twice_is_one_that_is_worth_twice_as_much() -> None:
    once = [Term("queue", 5, 2.0, 2.0, positions=(1,)), Term("group", 5, 3.0, 3.0, positions=(2,))]
    twice = [Term("queue", 5, 2.0, 2.0, positions=(1, 7)), Term("group", 5, 3.0, 3.0, positions=(2, 8))]
    (pair,), (same,) = find_neighbours(once), find_neighbours(twice)
    assert same.tsquery == pair.tsquery
    assert same.bonus == pytest.approx(2 * pair.bonus)


def test_of_very_many_pairs_those_worth_most_are_looked_for() -> None:
    terms = [Term(f"word{place}", 5, float(place), 1.0, positions=(place,)) for place in range(1, 40)]
    pairs = find_neighbours(terms)
    assert len(pairs) == MAX_PAIRS
    assert min(pair.first.idf for pair in pairs) == 39 - MAX_PAIRS
