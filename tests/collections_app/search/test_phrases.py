"""What a phrase means that has words which no index knows."""

from __future__ import annotations

import pytest

from collections_app.search.phrases import has_phrases, make_patterns
from tests.factories import find, find_paths, make_collection, put

STOP_WORDS = frozenset({"there", "such", "the", "from"})


@pytest.mark.parametrize(
    ("phrase", "text", "is_there"),
    [
        ("there is no such consumer", "Error: there is no such Consumer!", True),
        ("there is no such consumer", "there is no\nsuch **consumers**", True),
        ("there is no such consumer", "there is no consumer", False),
        ("there is no such consumer", "there is no such stream and no consumer", False),
        ("read from disk", "it is [read](http://example.com/a) from disk", True),
        ("read from disk", "thread from disk", False),
        ("the café", "in THE CAFE", True),
    ],
)
def test_its_stop_words_have_to_stand_as_they_are(phrase: str, text: str, is_there: bool) -> None:
    assert has_phrases(make_patterns([phrase], STOP_WORDS), text) is is_there


@pytest.mark.parametrize("phrase", ["durable consumer", "there such", "設定 is 方法"])
def test_what_the_index_knows_alone_is_not_looked_for_again(phrase: str) -> None:
    assert make_patterns([phrase], STOP_WORDS) == []


@pytest.mark.django_db
def test_a_quoted_message_of_common_words_is_found_as_it_stands() -> None:
    collection = make_collection()
    pages = {f"p{n}.md": f"# Consumer {n}\n\nA consumer, a consumer. There is one such thing.\n" for n in range(60)}
    put(collection, {**pages, "error.md": "# Codes\n\nThe server says: there is no such consumer.\n"})
    assert find_paths(collection, '"there is no such consumer"') == ["error.md"]
    results = find(collection, '"there is not this consumer"')
    assert len(results.hits) == 10
    assert "No section has the words in quotes" in results.notice
