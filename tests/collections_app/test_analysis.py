"""Accents are folded in linear time, however many marks stand on a letter; signs beyond ASCII are no part of words."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collections_app.text.analysis import (
    MAX_RUN_CHARACTERS,
    MAX_STACKED_MARKS,
    drop_plain_words,
    encode_names,
    encode_signs,
    fold_accents,
    fold_characters,
    is_folded,
    list_telling_pairs,
    make_heading_text,
    make_index_text,
    make_query_text,
    split_identifiers,
)
from collections_app.text.variants import list_numbered, list_plain, take_varied_lines

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


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("l’API, ‘file’ and server‑side", "l'API, 'file' and server-side"),
        ("“file” «file» „file“ ¿file? →file", "file   file   file   file?  file"),
        ("stop—go, 10€", "stop go, 10"),
        ("項目「設定」", "x9805x76ee   x8a2dx5b9a"),
        ("col·lecció ※ \u05d1\u05b4", "col·leccio ※ \u05d1\u05b4"),
    ],
)
def test_signs_at_a_word_are_no_letters(text: str, plain: str) -> None:
    assert make_index_text(text).split("\n")[0].strip() == plain
    assert make_query_text(text).split("\n")[0].strip() == plain


def test_signs_between_words_are_no_part_of_a_question() -> None:
    assert make_query_text("routing → redirect — now").split() == ["routing", "redirect", "now"]
    assert "→" in make_index_text("routing → redirect")


@pytest.mark.parametrize(
    ("run", "pairs"),
    [
        ("設定をまとめる", ["設定", "定を"]),
        ("カーソルを合わせて", ["カー", "ーソ", "ソル", "ルを", "合わ"]),
        ("はじめに", ["はじ", "じめ", "めに"]),
        ("설정", ["설정"]),
        ("の", ["の"]),
    ],
)
def test_a_question_is_asked_without_particles_and_endings_where_there_is_more(run: str, pairs: list[str]) -> None:
    assert list_telling_pairs(run) == pairs


def test_a_phrase_is_asked_with_all_of_its_pairs() -> None:
    asked = [make_query_text("設定をまとめる", with_parts=with_parts).split() for with_parts in (True, False)]
    assert [len(pairs) for pairs in asked] == [2, 6]


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


# What PostgreSQL's parser looks ahead through, at each character of it again; where it stops, the time no longer grows as the square.
RUN = re.compile(r"[^\s\"<>\\^`{|}]+", re.ASCII)


@pytest.mark.parametrize(
    "repeated", ["a_", "a@1", "\u00e9@1", "1_", "~/", "./", "a.", "a-", "http://a/", "\u65e5a_", "a\u2028_", "&a;"]
)
@pytest.mark.parametrize("make", [make_index_text, make_heading_text, make_query_text])
def test_no_run_is_longer_than_a_host_or_an_address_of_mail(make: Callable[[str], str], repeated: str) -> None:
    text = make(f"Words before {repeated * 30_000} and behind.")
    assert max(map(len, RUN.findall(text))) <= MAX_RUN_CHARACTERS


def test_names_paths_and_addresses_are_whole() -> None:
    host = ".".join("a" * 62 for _ in range(4))
    for name in (
        host,
        f"{'dir/' * 60}file.txt",
        f"https://docs.example.org/{'part/' * 45}",
        f"{'a' * 242}@example.org",
    ):
        assert len(name) <= MAX_RUN_CHARACTERS
        assert name in make_index_text(f"See {name} there.")


# What is looked for within words and lines, what is beside it, and what separates words.
SEPARATORS = (" ", "\n", "\t", "\u2028", "`", "'", "(", ")", ",", ":", ".", "/")
WORDS = ("word", "Word", "WORD", "useEffect", "HTTPSession", "URLs", "OUT_DIR", "\u65e5Ab", "C++", "c#", " operator")
SIGNS = ("->>", "!=", "??", "..", "?", "-it", "$_")
NUMBERS = ("1", "3 000", "3,000", "1.2.3", "U.S.", "401(k)", "SOC 2", "sha256", "GS-15", "\u00a7 7")
PIECES = st.sampled_from([*SEPARATORS, *WORDS, *SIGNS, *NUMBERS])


@given(st.lists(PIECES, max_size=14).map("".join))
def test_plain_words_and_lines_without_numbers_have_nothing_to_add(text: str) -> None:
    words, lines = drop_plain_words(text), take_varied_lines(text)
    assert encode_signs(text, words) == encode_signs(text)
    assert split_identifiers(words) == split_identifiers(text)
    assert encode_names(words) == encode_names(text)
    assert list_plain(lines) == list_plain(text)
    assert list_numbered(lines) == list_numbered(text)


def test_most_of_a_text_is_plain() -> None:
    text = "Plain words.\nOf Part 5 and useEffect\nand NATO"
    assert drop_plain_words(text) == "words. 5 useEffect"
    assert take_varied_lines(text) == "Of Part 5 and useEffect"
