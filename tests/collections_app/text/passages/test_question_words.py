"""Finding a question's words again in a text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collections_app.text.passages.question_words import QuestionWords, make_question_words


@pytest.mark.parametrize(
    ("question", "text", "found"),
    [
        ("rotate", "rotating, rotates and a crotate", [(0, "rotat"), (10, "rotat")]),
        ("max connections", "max_connections is no climax", [(0, "max"), (4, "connec")]),
        ("configuration", "confirm what is configured", [(16, "configur")]),
        ("0x80070105 plr0250", "0x80070001, PLR0200, plr0250 or 0x80070105", [(21, "plr0250"), (32, "0x80070105")]),
        ("series of movies", "the server moved a series", [(19, "serie")]),
        ("news", "a newline is new", []),
        ("pods", "a pod and pods", [(2, "pod"), (10, "pod")]),
        ("proxies stopped", "stop the proxy", [(0, "stop"), (9, "prox")]),
        ("status of boxes", "a box has a status", [(2, "box"), (12, "statu")]),
        ("use user", "users use it", [(0, "use"), (6, "use")]),
        ("of it", "of it", []),
        ("認証局", "認証局の証局", [(0, "認証"), (1, "証局"), (4, "証局")]),
    ],
)
def test_it_finds_words_by_their_beginnings(question: str, text: str, found: list[tuple[int, str]]) -> None:
    assert make_question_words(question).find(text) == found


def test_it_weighs_different_words() -> None:
    words = make_question_words("rotate a key")
    assert words.weigh("Rotate KEYS: rotate the kéy") == 2
    assert words.weighed({"rotat": 3.0, "door": 2.0}).weigh("Rotate KEYS: rotate the kéy") == 3 + 2.5
    assert words.weighed({}).weigh("Keys") == 1


def test_of_very_many_those_that_are_worth_most_are_looked_for() -> None:
    words = make_question_words(" ".join(f"{letter}{other}word" for letter in "abcdefgh" for other in "abcdefghij"))
    assert len(words.beginnings) == 80
    weighed = words.weighed({**dict.fromkeys(words.beginnings, 1.0), "hjwor": 9.0, "hhwor": 5.0})
    assert weighed.beginnings[:2] == ("hjwor", "hhwor")
    assert len(weighed.beginnings) < 80


def test_stop_words_tell_nothing_beside_others() -> None:
    found = make_question_words("how to rotate", stop_words={"how"})
    assert (found.beginnings, found.pairs, found.names) == (("rotat",), (), ())
    assert make_question_words("how 認証", stop_words={"how"}) == QuestionWords((), ("認証",))


def test_stop_words_tell_something_by_themselves() -> None:
    assert make_question_words("how and when", stop_words={"how", "and", "when"}).beginnings == ("and", "how", "when")


@given(st.lists(st.text("ab_ 1", max_size=6), max_size=5).map(" ".join), st.text("ab_ 1", max_size=40))
def test_what_is_found_begins_a_word_and_comes_once_and_in_order(question: str, text: str) -> None:
    found = make_question_words(question).find(text)
    positions = [at for at, _ in found]
    assert positions == sorted(set(positions))
    for at, word in found:
        assert text.startswith(word, at)
        assert not text[:at][-1:].isalnum()
