from dataclasses import replace

from collections_app.search.ranking.candidates import (
    Candidates,
    choose_candidates,
    choose_every,
    choose_with_stand_ins,
    iter_candidates,
)
from collections_app.search.terms.term import Alternative, Term
from collections_app.text.names.entries import list_entry_names

TOTAL = 20_000


def make_term(lexeme: str, sections: int) -> Term:
    return Term(lexeme, sections, idf=1.0, page_idf=1.0)


def test_it_takes_the_rarest_terms_until_enough_sections_are_expected() -> None:
    terms = [make_term("a", 50), make_term("b", 100), make_term("c", 100)]
    assert choose_candidates(terms, TOTAL, wanted=200) == Candidates("'a' | 'b'", "")


def test_it_takes_a_term_alone_that_is_more_common_than_wanted() -> None:
    assert choose_candidates([make_term("a", 900)], TOTAL, wanted=200) == Candidates("'a'", "")


def test_it_takes_commoner_terms_in_pairs_those_expected_least_often_first() -> None:
    terms = [make_term("a", 190), make_term("b", 1000), make_term("c", 2000), make_term("d", 9000)]
    assert choose_candidates(terms, TOTAL, wanted=200) == Candidates("'a'", "('b' & 'c')")


def test_it_takes_only_pairs_when_even_the_rarest_term_is_common() -> None:
    terms = [make_term("a", 1500), make_term("b", 1600)]
    assert choose_candidates(terms, TOTAL, wanted=200) == Candidates("", "('a' & 'b')")


def test_sections_that_describe_a_word_are_found_by_it_beside_one_of_the_rarest_others() -> None:
    words = [make_term("port", 900), make_term("amber", 1200), make_term("store", 3000), make_term("how", 9000)]
    [entry] = [make_term(name, 60) for name in list_entry_names("- `port`: which")]
    found = choose_candidates([entry, *words], TOTAL, wanted=200)
    assert found == Candidates(
        "'port'", f"('amber' & 'store') | ('{entry.lexeme}' & 'amber') | ('{entry.lexeme}' & 'store')"
    )


def test_the_name_of_an_entry_finds_nothing_by_itself_and_takes_no_others_place() -> None:
    [entry] = [make_term(name, 60) for name in list_entry_names("- `port`: which")]
    assert choose_candidates([entry, make_term("port", 150)], TOTAL, wanted=200) == Candidates("'port'", "")
    common = [replace(entry, sections=9000), make_term("port", 900), make_term("amber", 8000)]
    assert choose_candidates(common, TOTAL, wanted=200) == Candidates("'port'", "")


def test_it_asks_for_more_words_together_when_two_are_common_too() -> None:
    terms = [make_term(lexeme, 8000) for lexeme in "abcd"]
    assert choose_candidates(terms, TOTAL, wanted=200) == Candidates("", "('a' & 'b' & 'c' & 'd')")


def test_each_query_is_wider_than_the_one_before_and_the_last_has_every_term() -> None:
    terms = [make_term("a", 190), make_term("b", 1000), make_term("c", 9000)]
    assert [candidates.tsquery for candidates in iter_candidates(terms, TOTAL)] == [
        "'a' | ('b' & 'c')",
        "'a' | 'b'",
        "'a' | 'b' | 'c'",
    ]


def test_every_section_with_a_term_is_a_candidate_those_with_a_rare_one_first() -> None:
    terms = [make_term("a", 190), make_term("b", 700), make_term("c", 9000)]
    assert choose_every(terms) == Candidates("", "'a' | 'b' | 'c'")
    assert choose_every(terms, 1000) == Candidates("'a' | 'b'", "'c'")


def test_what_has_a_rare_term_is_preferred_where_there_is_something_else() -> None:
    assert Candidates("'a'", "('b' & 'c')").preferred == "'a'"
    assert Candidates("'a'", "").preferred is None
    assert Candidates("", "('b' & 'c')").preferred is None


def test_what_is_looked_for_later_is_not_rare() -> None:
    terms = [make_term("a", 190), make_term("b", 1000), make_term("c", 9000), make_term("d", 9000)]
    first, *others = iter_candidates(terms, TOTAL)
    assert first.preferred == "'a'"
    assert len(others) == 2
    assert [candidates.preferred for candidates in others] == [None, None]


def test_sections_with_what_stands_in_for_a_word_come_beside_those_with_the_word() -> None:
    own = [make_term("a", 150), make_term("b", 1000), make_term("c", 2000)]
    others = (Alternative(("x",), (), 35, 35), Alternative(("y", "z"), (1,), 5, 5))
    stand_in = replace(make_term("a", 40), alternatives=others, is_stand_in=True)
    candidates = choose_with_stand_ins([*own, stand_in], TOTAL, wanted=200)
    assert candidates == Candidates("'a' | ('a' | 'x' | 'y' <1> 'z')", "('b' & 'c')")
    assert choose_with_stand_ins([stand_in], TOTAL, wanted=200) == Candidates("('x' | 'y' <1> 'z')", "")
