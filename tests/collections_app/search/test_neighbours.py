from collections_app.search.neighbours import find_neighbours
from collections_app.search.terms import Term


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
