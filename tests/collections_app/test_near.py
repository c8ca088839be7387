"""Where words stand as they were asked for: how it is looked for in texts that are made to be slow."""

from __future__ import annotations

import pytest

from collections_app.documents.near import make_phrase
from tests.growth import assert_linear


@pytest.mark.parametrize(
    "words", [["_", "_", "_", "_", "_", "_", "_", "_", "zebra"], ["mooring", "*", "]", "-", "lines"]]
)
@pytest.mark.parametrize("text", ["zebra " + "_" * 40_000, "mooring " + "*]- " * 20_000, "mooring_" * 20_000])
def test_words_of_signs_are_looked_for_in_linear_time(words: list[str], text: str) -> None:
    phrase = make_phrase(words, " ".join(words))
    if phrase:
        assert_linear(lambda part: phrase.search(part), text)
    assert (phrase is None) is ("zebra" in words)


def test_signs_between_words_do_not_matter() -> None:
    phrase = make_phrase(["mooring", "*", "lines"], "mooring * lines")
    assert phrase
    assert phrase.search("the mooring *lines* here")
    assert not phrase.search("a mooring. lines")
