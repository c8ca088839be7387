"""Accents are folded in linear time, however many marks stand on a letter."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collections_app.text.analysis.folding import MAX_STACKED_MARKS, fold_accents, fold_characters, is_folded

POINT = "\u05b4"  # of Hebrew: a mark that stays


def test_marks_are_folded_and_points_stay() -> None:
    assert fold_accents("Cafe\u0301 Stra\u00dfe \u05d1\u05b4") == "Cafe Strasse \u05d1\u05b4"


def test_a_cyrillic_letter_of_its_own_is_kept() -> None:
    assert fold_accents("Ещё Йод, файл, фаи\u0306л, за\u0301мок") == "Еще Йод, файл, файл, замок"


def test_of_marks_that_no_language_stacks_so_high_the_first_are_kept() -> None:
    below, above = "\u0316" * 1_000, "\u0301" * 1_000
    assert fold_accents(f"\u05d1{POINT * 500}a{above}{below}") == f"\u05d1{POINT * MAX_STACKED_MARKS}a"


def test_lines_and_signs_in_a_row_are_no_marks() -> None:
    frame = "\u2500" * 500 + "\u2518"
    assert fold_accents(frame) == frame


# Of each kind that folding looks at, and what it leaves: marks alone and in rows, jamo that become one letter, letters without a
# decomposition, ligatures, full-width letters, signs, and what is not seen.
CHARACTERS = st.sampled_from(
    "aИи \n“”—→✓éßøﬁＡ①½가\u1100\u1161\u0301\u0306\u0651\u093c\u0e49\u00ad\u200b\ufeff\u212b\ud800é"
)


@given(st.lists(CHARACTERS, max_size=12).map("".join) | st.text(max_size=20), st.integers(1, 90))
def test_what_is_taken_for_folded_is_so(text: str, times: int) -> None:
    for each in (text, text * times):
        assert not is_folded(each) or fold_characters(each) == each


@pytest.mark.parametrize("text", ["“quoted” — and so on → done ✓", "привет", "日本語", "ไทย"])
def test_texts_without_anything_to_fold_are_known_at_once(text: str) -> None:
    assert is_folded(text)
