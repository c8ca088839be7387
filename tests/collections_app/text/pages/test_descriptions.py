"""What a description says that the text does not."""

from __future__ import annotations

import pytest

from collections_app.text.pages.descriptions import find_untold


@pytest.mark.parametrize("text", ["", "# Replace\n\n```go\nReplace\n```\n", "# Returns\n\nThe copy of input.\n"])
def test_what_the_text_does_not_say_is_given_on_one_line(text: str) -> None:
    assert find_untold("Returns a copy\n of INPUT.", text) == "Returns a copy of INPUT."


@pytest.mark.parametrize(
    "text", ["# Replace\n\nReturns a **copy** of\n`input`, replacing all.\n", "> returns a copy of INPUT\n"]
)
def test_what_the_text_says_in_the_same_words_is_not_repeated(text: str) -> None:
    assert find_untold("Returns a copy of INPUT …", text) == ""


def test_a_part_of_a_word_is_not_the_word() -> None:
    assert find_untold("A cop", "# A\n\nA copy\n") == "A cop"


def test_no_description_says_nothing() -> None:
    assert find_untold(" \n", "text") == ""
