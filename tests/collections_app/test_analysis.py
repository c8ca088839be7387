"""Accents are folded in linear time, however many marks stand on a letter."""

from __future__ import annotations

from collections_app.text.analysis import MAX_STACKED_MARKS, fold_accents

POINT = "\u05b4"  # of Hebrew: a mark that stays


def test_marks_are_folded_and_points_stay() -> None:
    assert fold_accents("Cafe\u0301 Stra\u00dfe \u05d1\u05b4") == "Cafe Strasse \u05d1\u05b4"


def test_of_marks_that_no_language_stacks_so_high_the_first_are_kept() -> None:
    below, above = "\u0316" * 1_000, "\u0301" * 1_000
    assert fold_accents(f"\u05d1{POINT * 500}a{above}{below}") == f"\u05d1{POINT * MAX_STACKED_MARKS}a"


def test_lines_and_signs_in_a_row_are_no_marks() -> None:
    frame = "\u2500" * 500 + "\u2518"
    assert fold_accents(frame) == frame
