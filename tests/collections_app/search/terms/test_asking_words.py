"""Words that say how something is asked count less than what is asked for, in questions that have enough of the latter."""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter

import pytest

from collections_app.search.terms.asking_words import OF_ASKING, OF_TEXT_KIND, weaken_asking
from collections_app.search.terms.term import Term
from tests.factories import find_paths, make_collection, put


def make_terms(*lexemes: str, missing: str = "") -> list[Term]:
    return [
        Term(lexeme, 0 if lexeme == missing else 5, 2.0, 1.0, positions=(place,))
        for place, lexeme in enumerate(lexemes, 1)
    ]


def test_they_count_less_beside_four_other_words() -> None:
    terms = make_terms("bug", "gear", "turn", "axl", "loos")
    weakened = weaken_asking(terms, "english", "bug gear turns axle loose")
    assert [term.idf for term in weakened] == [2.0 * OF_ASKING, 2.0, 2.0, 2.0, 2.0]
    assert weakened[0].page_idf == OF_ASKING


def test_a_short_question_may_be_about_them() -> None:
    terms = make_terms("featur", "flag", "of", "gear")
    assert weaken_asking(terms, "english", "feature flags of the gear") == terms
    known = make_terms("bug", "gear", "turn", "axl", "frobnic", missing="frobnic")
    assert weaken_asking(known, "english", "bug gear turn axle frobnic") == known


def test_a_name_of_several_parts_is_one_word_beside_them() -> None:
    terms = make_terms("bug", "oauth2loginconfigurer", "auth", "login", "configur")
    assert weaken_asking(terms, "english", "bug OAuth2LoginConfigurer") == terms


def test_those_of_english_are_words_of_other_languages() -> None:
    terms = make_terms("problem", "gear", "turn", "axl", "loos")
    assert weaken_asking(terms, "german", "problem gear turn axle loose") == terms


@pytest.mark.parametrize("question", ["the chapter on gear", "Gear chapter", "chapter: gear"])
def test_a_word_for_the_kind_of_text_counts_less_and_finds_last(question: str) -> None:
    weakened = weaken_asking(make_terms("chapter", "gear"), "english", question)
    assert [(term.idf, term.finds_last) for term in weakened] == [(2.0 * OF_TEXT_KIND, True), (2.0, False)]
    assert [term.lexeme for term in sorted(weakened, key=attrgetter("order"))] == ["gear", "chapter"]


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("gear chapter", "gear"),
        ("write a gear chapter", ""),
        ("chapter gear", ""),
        ("chapter gears chapter", ""),
    ],
)
def test_it_may_be_what_is_asked_for(question: str, missing: str) -> None:
    places = [place for place, word in enumerate(question.split(), 1) if word == "chapter"]
    gear, chapter = make_terms("gear", "chapter", missing=missing)
    terms = [gear, replace(chapter, positions=tuple(places))]
    assert weaken_asking(terms, "english", question) == terms


def test_it_is_told_from_words_that_begin_like_it() -> None:
    weakened = weaken_asking(make_terms("gui", "guid"), "english", "GUI guide")
    assert [term.finds_last for term in weakened] == [False, True]


@pytest.mark.django_db
def test_those_who_mention_a_chapter_do_not_come_before_the_chapter() -> None:
    docs = make_collection()
    filler = {f"{n}.md": f"# Page {n}\n\nA gear.\n" for n in range(300)}
    put(docs, filler | {"gears.md": "# Gears\n\nThey turn.\n", "x.md": "# Axles\n\nSee the chapter about gears.\n"})
    assert find_paths(docs, "gears chapter")[0] == "gears.md"


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
