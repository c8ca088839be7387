"""Operators, and names that end in signs, are found and told apart."""

from __future__ import annotations

import pytest

from collections_app.text.analysis import decode_term, encode_signs
from tests.factories import find, find_paths, make_collection, put


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("a @> b, or `->>`: x != y.", ["@>", "->>", "!="]),
        ("(C++) and C#, g++: C++17", ["c++", "c#", "g++"]),
        ("a && b && c || d", ["&&", "||"]),
        ("## Title\n\n| a | b |\n|---|:-:|\n\n--- *** ... === a -- b ~~~ +--+", []),
        ("--no-cache **bold** a/b http://x/y #anchor page#part *args", []),
    ],
)
def test_signs_that_stand_by_themselves_are_words(text: str, signs: list[str]) -> None:
    assert [decode_term(each) for each in encode_signs(text)] == signs


@pytest.mark.django_db
@pytest.mark.parametrize("operator", ["@>", "->>", "@@", "!=", "<=>"])
def test_an_operator_is_found(operator: str) -> None:
    collection = make_collection()
    put(collection, {f"{n}.md": f"# Page {n}\n\nThe operator `{each}` is here.\n" for n, each in enumerate("ab")})
    put(collection, {"own.md": f"# Operators\n\nSelect `a {operator} b` from it.\n"})
    assert find_paths(collection, operator) == ["own.md"]
    assert find_paths(collection, f"what does {operator} do")[0] == "own.md"


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "path"), [("C++", "cpp.md"), ("c++", "cpp.md"), ("C#", "cs.md"), ("C", "c.md")])
def test_languages_of_one_letter_are_told_apart(name: str, path: str) -> None:
    collection = make_collection()
    pages = {"c.md": "C", "cs.md": "C#", "cpp.md": "C++"}
    put(collection, {path: f"# {name} client\n\nThe {name} client connects.\n" for path, name in pages.items()})
    hits = find(collection, f"{name} client").hits
    if name != "C":  # which the others' names begin with
        assert hits[0].path == path
        assert hits[0].score > hits[1].score
    assert {hit.path for hit in hits} == set(pages)
