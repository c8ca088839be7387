"""Pasted code and command lines are told from words about them, and found by the order of their words."""

from __future__ import annotations

import pytest

from collections_app.models import Collection
from collections_app.search import SearchOptions
from collections_app.search.explain import explain_search
from collections_app.search.query import parse_query
from collections_app.search.query.code import is_code
from tests.factories import find, find_paths, make_collection, put


@pytest.mark.parametrize(
    "text",
    [
        "lock = winch.acquire(timeout=30)",
        "const rope = ropes[0];",
        "winch haul --rope main --slack 3",
        'rope: "main", slack: 3, tags: [a, b]',
        "int taut = rope->haul(&winch);",
        "WHERE length=3 AND owner=$1;",
        "curl https://winch.example/ropes",
        "cat ~/.winch/config | sort",
    ],
)
def test_code_is_told_by_its_signs(text: str) -> None:
    assert is_code(text)


@pytest.mark.parametrize(
    "text",
    [
        "acquire",
        "winch.acquire",
        "what does `winch.acquire()` return?",
        "how do I set --slack for one rope",
        "Wie lange wartet die Winde (unter Last) auf das Seil?",
        'the message "rope is slack" and what it means',
        "note: ropes, winches and knots",
        "read/write locks in C++ and C#",
        "why is ropes[0] None after hauling",
        "what is 401(k)",
        "$3,000 stipend limit",
        "employee(s) leave",
        "vacation; sick leave; holidays",
        "#1 priority of @john",
        "what is $PATH",
        "explain -n flag",
        "/etc/hosts format",
        "`winch.haul()` in middlewares",
        "",
    ],
)
def test_words_about_code_are_none(text: str) -> None:
    assert not is_code(text)


# Every one has all words of the line that is asked for; the page's title has most of them.
ROPES = {
    "acquire.md": "# Acquire a winch, with rope and timeout\n\nThe rope of a winch, its timeout. Acquire the winch, acquire a rope.\n",
    "rope.md": "# Rope\n\nThe timeout. Acquire it. Any winch.\n\n## Winch\n\nThe rope waits: acquire, timeout.\n",
    "example.md": "# Example\n\nMuch is said about hauling before this.\n\n```python\nwinch.acquire(rope, timeout=30)\n```\n",
}


@pytest.fixture
def ropes(db: None) -> Collection:
    collection = make_collection()
    put(collection, ROPES)
    return collection


def test_a_pasted_line_is_found_where_it_stands(ropes: Collection) -> None:
    assert find_paths(ropes, "acquire winch timeout rope")[0] == "acquire.md"
    assert find_paths(ropes, "x = winch.acquire(rope, timeout=30)")[0] == "example.md"


def test_texts_in_code_need_not_occur(ropes: Collection) -> None:
    assert parse_query('winch.acquire(rope, name="my rope")').phrases == ()
    assert parse_query('"winch.acquire(rope, timeout=30)"').phrases == ("winch.acquire(rope, timeout=30)",)
    assert parse_query('what does "my rope" mean in winch.acquire(rope)').phrases == ("my rope",)
    put(ropes, {"other.md": "# Knots\n\nTie my rope with a knot.\n"})
    assert "example.md" in find_paths(ropes, 'winch.acquire(rope, "my rope")')


def test_options_that_are_told_by_documents_count(db: None) -> None:
    query = parse_query("winch -r main -slack")
    assert (query.is_code, query.keep_options(["slack"]).is_code) == (False, True)


def test_its_explanation_sums_up(ropes: Collection) -> None:
    explained = explain_search(
        "x = winch.acquire(rope, timeout=30)", [ropes], SearchOptions(limit=3, snippet_length=100)
    )
    hit, why = explained.hits[0]
    assert [hit] == list(find(ropes, "x = winch.acquire(rope, timeout=30)").hits[:1])
    assert why.score == pytest.approx(hit.score, abs=1e-4)
