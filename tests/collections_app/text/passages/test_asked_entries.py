"""Entries that a question is about, although it says more than their names."""

from __future__ import annotations

import pytest

from collections_app.text.passages.asked_entries import list_labels, make_asked_entries
from collections_app.text.passages.best_passage import prefer_rows
from tests.growth import assert_linear

STOP_WORDS = frozenset({"what", "is", "the", "of", "a"})


def test_labels_are_words_side_by_side_that_begin_and_end_with_a_telling_one() -> None:
    assert list_labels("what is the adjust mode of a node?", STOP_WORDS) == ["adjust mode", "mode of a node"]
    assert list_labels("mode", STOP_WORDS) == []
    assert list_labels("adjust mode " * 7, STOP_WORDS) == []


def test_of_several_entries_it_is_the_one_with_most_of_the_question() -> None:
    text = "- `max_rows`: a number.\n" + "- `min_rows`: a name.\n" * 30 + "- `max_rows`: for a sail.\n"
    found = [(at, word) for at, word in ((text.index("number"), "number"), (text.index("sail"), "sail"))]
    entries = make_asked_entries("max_rows of a sail", STOP_WORDS)
    assert entries.find(text, found[1:], found[1][0]) == text.rindex("- `max_rows`")
    assert entries.find(text, found, found[0][0]) == 0
    assert make_asked_entries("rows of a sail", STOP_WORDS).find(text, found, 0) is None


@pytest.mark.parametrize(
    "line", ["max rows\n", "\n\nmax rows\n", "| max rows |\n|---|\n", "max rows\n\n", "- max rows, "]
)
def test_long_texts_are_looked_through_once(line: str) -> None:
    entries = make_asked_entries("what are the max rows and min_rows of a sail by default", STOP_WORDS)
    assert_linear(lambda text: entries.find(text, [(0, "max")], 0), line * 4_000)


@pytest.mark.parametrize(
    "line", ["| a ", "|" * 9, "| a |\n", "| a |\n|---|\n", "|-" * 9, "|---|\n", "> | a |\n> |--\n", " \t> "]
)
def test_heads_of_tables_are_looked_for_once(line: str) -> None:
    assert_linear(lambda text: prefer_rows(text, [(0, "a")]), line * 8_000)
