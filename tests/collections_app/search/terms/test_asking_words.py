"""Words that say how something is asked count less than what is asked for, in questions that have enough of the latter."""

from __future__ import annotations

import pytest

from collections_app.search.terms.asking_words import OF_ASKING, weaken_asking
from collections_app.search.terms.term import Term
from tests.factories import find_paths, make_collection, put


def make_terms(*lexemes: str, missing: str = "") -> list[Term]:
    return [
        Term(lexeme, 0 if lexeme == missing else 5, 2.0, 1.0, positions=(place,))
        for place, lexeme in enumerate(lexemes, 1)
    ]


def test_they_count_less_beside_four_other_words() -> None:
    terms = make_terms("bug", "gear", "turn", "axl", "loos")
    weakened = weaken_asking(terms, "english", 5)
    assert [term.idf for term in weakened] == [2.0 * OF_ASKING, 2.0, 2.0, 2.0, 2.0]
    assert weakened[0].page_idf == OF_ASKING


def test_a_short_question_may_be_about_them() -> None:
    terms = make_terms("featur", "flag", "of", "gear")
    assert weaken_asking(terms, "english", 5) == terms
    known = make_terms("bug", "gear", "turn", "axl", "frobnic", missing="frobnic")
    assert weaken_asking(known, "english", 5) == known


def test_a_name_of_several_parts_is_one_word_beside_them() -> None:
    terms = make_terms("bug", "oauth2loginconfigurer", "auth", "login", "configur")
    assert weaken_asking(terms, "english", 2) == terms


def test_those_of_english_are_words_of_other_languages() -> None:
    terms = make_terms("problem", "gear", "turn", "axl", "loos")
    assert weaken_asking(terms, "german", 5) == terms


@pytest.mark.django_db
def test_a_lone_mention_of_one_does_not_outweigh_what_is_asked_for() -> None:
    docs = make_collection()
    words = ("gear", "turn", "axle", "clock")
    filler = {f"{n}.md": f"# Page {n}\n\nSomething of a {words[n % 4]}.\n" for n in range(24)}
    put(
        docs,
        filler
        | {
            "notes.md": "# Notes\n\nThe axle of a clock, which gears turn.\n",
            "bugs.md": "# Bugs\n\nA bug of a bug.\n",
        },
    )
    assert find_paths(docs, "Bug: clock does turn gear and axle")[0] == "notes.md"
