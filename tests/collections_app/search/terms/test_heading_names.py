"""Headings of stop words, as many functions, methods and keywords are named, are found by their names."""

from __future__ import annotations

import pytest

from collections_app.models import TermStatistic
from collections_app.search import SearchOptions
from collections_app.search.explain import explain_search
from collections_app.text.analysis.lexemes import decode_term
from collections_app.text.names.headings import MOST_IN_TEXT, list_asked_names, list_heading_names, list_names_in_text
from tests.factories import find, find_paths, make_collection, put

METHODS = {
    "lists.md": "# Lists\n\nA list has methods.\n\n## Available methods\n\nEach list has all of these, once.\n\n"
    "### `each()`\n\nGoes along the items.\n\n### `only()`\n\nKeeps some keys.\n\n### `filter()`\n\nKeeps some items.\n",
    "loops.md": "# Loops\n\nRun a method for each item of a list, with a condition, and not at once.\n",
    "rules.md": "# Rules\n\n## in:a,b,...\n\nOne of these values.\n\n## not_in:a,b,...\n\nNone of these values.\n\n"
    "## min:number\n\nAt least so much.\n",
    "relations.md": "# Relations\n\n## Has One\n\nAn owner.\n\n## Has One Through\n\nAn owner of an owner.\n\n"
    "## Has One Of Many\n\nThe last one.\n",
    "words.md": "# Words\n\n## How it works\n\nBy rules.\n\n## Where the files are\n\nIn the methods' folder.\n",
}


def find_headings(question: str) -> list[str]:
    collection = make_collection()
    put(collection, METHODS)
    return [hit.heading_path[-1] for hit in find(collection, question).hits]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("question", "heading"),
    [
        ("list each method", "each()"),
        ("each", "each()"),
        ("each method", "each()"),
        ("method each", "each()"),
        ("lists each", "each()"),
        ("Lists.each", "each()"),
        ("how do the items of a list go along each() here", "each()"),
        ("why does `only` keep some of a list and lose others", "only()"),
        ("in rule", "in:a,b,..."),
        ("not in rule", "not_in:a,b,..."),
        ("has one through", "Has One Through"),
        ("how it works", "How it works"),
    ],
)
def test_a_heading_of_stop_words_is_found(question: str, heading: str) -> None:
    assert find_headings(question)[0] == heading


@pytest.mark.django_db
def test_so_is_a_page_by_its_title_or_by_the_name_of_its_file() -> None:
    collection = make_collection()
    texts = {f"{name}.md": f"# Page {name}\n\nA function for all, as it is.\n" for name in ("first", "second", "third")}
    put(
        collection,
        {**texts, "functions/Where.md": "# collections.Where\n\nA function.\n", "if.md": "# Choices\n\nA keyword.\n"},
    )
    assert find_paths(collection, "where function") == ["functions/Where.md", "first.md", "second.md", "third.md"]
    assert find_paths(collection, "if keyword")[0] == "if.md"


@pytest.mark.django_db
@pytest.mark.parametrize("question", ["what is each list", "is it each", "run only once a list", "list with not items"])
def test_a_stop_word_of_a_sentence_is_no_name(question: str) -> None:
    collection = make_collection()
    put(collection, METHODS)
    hits = explain_search(question, [collection], SearchOptions(limit=10, snippet_length=100)).hits
    assert not {each.word for _, why in hits if why.words for each in why.words.terms} & {"each", "only", "with", "not"}


@pytest.mark.django_db
def test_it_is_told_as_it_is_written_and_never_as_missing() -> None:
    collection = make_collection()
    put(collection, METHODS)
    found = find(collection, "each lists method")
    assert found.words == ()
    hit, why = explain_search("each method", [collection], SearchOptions(limit=1, snippet_length=100)).hits[0]
    assert hit.heading_path[-1] == "each()"
    assert why.words
    assert [each.word for each in why.words.terms] == ["each", "method"]


@pytest.mark.django_db
@pytest.mark.parametrize(("language", "names"), [("english", {"each", "only"}), ("simple", set()), ("german", set())])
def test_only_names_with_a_stop_word_of_the_language_are_indexed(language: str, names: set[str]) -> None:
    collection = make_collection(language=language)
    put(collection, {"lists.md": METHODS["lists.md"]})
    terms = TermStatistic.objects.filter(collection=collection, term__startswith="hd0", sections__gt=0)
    assert {decode_term(term) for term in terms.values_list("term", flat=True)} == names


@pytest.mark.parametrize(
    ("heading", "names"),
    [
        ("each()", ["each"]),
        ("Has One Through", ["has one through"]),
        ("collections.Where", ["collections where", "where"]),
        ("Str::is()", ["str is", "is"]),
        ("in:_foo_,_bar_", ["in foo bar", "in"]),
        ("not_in:foo", ["not in foo", "not in"]),
        ("The `@once` Directive", ["the once directive", "once"]),
        ("What there is to be said of `when`", ["when"]),
        ("What there is to be said of it", []),
        ("Où est-ce", ["ou est ce"]),
        ("где это", []),
        ("a" * 61, []),
        ("", []),
    ],
)
def test_names_of_a_heading(heading: str, names: list[str]) -> None:
    assert [decode_term(each) for each in list_heading_names(heading)] == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("where", ["where"]),
        ("where function", ["where", "where function", "function"]),
        ("run with docker", ["run", "run with", "run with docker"]),
        ("is it down", ["is it", "is it down"]),
        ("redirect visitors who are not logged in", []),
        ("what do Str::after and `with` do with a text", ["str after", "after", "with"]),
    ],
)
def test_names_of_a_question(question: str, names: list[str]) -> None:
    assert [decode_term(each) for each in list_asked_names(question)] == names


def test_so_many_words_of_a_text_are_names_as_it_writes_by_themselves() -> None:
    text = '`until` and `when:`, `"off"`, `@if`, `each()`; not until, `wait until`, ``or``, `a`, `x_y`.'
    assert list_names_in_text(text) == [f"hd0{name}" for name in ("until", "when", "off", "if", "each")]
    assert len(list_names_in_text("`or` " * 1_000)) == MOST_IN_TEXT
