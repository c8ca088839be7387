"""What others put into messages is told, and does nothing to who reads it."""

from __future__ import annotations

import pytest

from collections_app.exceptions import FetchError
from collections_app.text.control_characters import make_tellable, replace_control_characters


@pytest.mark.parametrize("text", ["", "plain", "ünï “quoted” 木", "two\nlines\tand a tab"])
def test_text_stays_as_it_is(text: str) -> None:
    assert make_tellable(text) == text


def test_each_control_character_becomes_a_sign_for_one() -> None:
    assert make_tellable("a\x1b[31m\x07\n\r\x9bb\u2028") == "a\ufffd[31m\ufffd\n\ufffd\ufffdb\ufffd"
    assert replace_control_characters("a\nb") == "a\ufffdb"


def test_no_error_has_any() -> None:
    error = FetchError("There is no branch \x1b[2J.")
    assert error.message == error.sentence == "There is no branch \ufffd[2J."
