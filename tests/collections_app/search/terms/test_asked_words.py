"""Which word of a question a lexeme is of, and putting another in its place."""

from __future__ import annotations

import pytest

from collections_app.search.terms.asked_words import find_whole_word, find_word, has_part, replace_part


@pytest.mark.parametrize(
    ("question", "lexeme", "word"),
    [
        ("Configuration configs", "config", "configs"),
        ("reconnect conn", "conn", "conn"),
        ("proxy for prod", "proxi", "proxy"),
        ("apply app settings", "appli", "apply"),
        ("the ret code of a retry", "retri", "retry"),
        ("(Happily)", "happili", "Happily"),
        ("Größen", "gross", "Größen"),
        ("max_count", "max", "max"),
        ("something", "else", "else"),
    ],
)
def test_the_word_of_a_lexeme_is_the_one_that_became_it(question: str, lexeme: str, word: str) -> None:
    assert find_word(question, lexeme) == word


@pytest.mark.parametrize(
    ("question", "lexeme", "word"),
    [
        ("reconnect to conn", "conn", "conn"),
        ("reconnect-conn", "conn", "reconnect-conn"),
        ("E_WIDGET_9999 fails", "widget", "E_WIDGET_9999"),
        ("user__profile", "userx5fprofile", "user__profile"),
        ("HTTPSession of it", "session", "HTTPSession"),
        ("GrößeLimit", "limit", "GrößeLimit"),
        ("İİİ-xy xy", "xy", "xy"),
        ("Straßenbanh", "strassenbanh", "Straßenbanh"),
    ],
)
def test_it_is_told_with_what_stands_around_it(question: str, lexeme: str, word: str) -> None:
    assert find_whole_word(question, lexeme) == word


@pytest.mark.parametrize(
    ("token", "part", "is_part"),
    [
        ("reconnect", "conn", False),
        ("openConn", "conn", True),
        ("HTTPSession", "session", True),
        ("HTTPSession", "ssion", False),
        ("sha256sum", "sum", True),
        ("a/b", "/b", True),
        ("Größne", "Größne", True),
        ("İxy", "xy", False),
        ("\u691c\u7d22\u65b9", "\u7d22", True),
    ],
)
def test_a_part_begins_where_a_word_may_begin(token: str, part: str, is_part: bool) -> None:
    assert has_part(token, part) is is_part


@pytest.mark.parametrize(
    ("text", "part", "other", "replaced"),
    [
        ("port-foward", "foward", "forward", "port-forward"),
        ("artist art", "art", "cart", "artist cart"),
        ("start artx", "art", "cart", "start cartx"),
        ("openConn", "Conn", "con", "openCon"),
        ("autunm_leavse", "leavse", "leaves", "autunm_leaves"),
        ("reconnect", "conn", "con", "reconnect"),
    ],
)
def test_another_takes_the_place_of_a_part(text: str, part: str, other: str, replaced: str) -> None:
    assert replace_part(text, part, other) == replaced
