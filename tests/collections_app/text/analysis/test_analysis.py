"""Signs beyond ASCII are no part of words; no run is too long for PostgreSQL's parser; plain words add nothing."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collections_app.text.analysis import (
    MAX_RUN_CHARACTERS,
    make_heading_text,
    make_index_text,
    make_phrase_text,
    make_query_text,
)
from collections_app.text.analysis.identifiers import drop_plain_words, encode_names, split_identifiers
from collections_app.text.analysis.sigils import encode_sigils
from collections_app.text.analysis.signs import encode_signs
from collections_app.text.analysis.variants import list_numbered, list_plain, take_varied_lines
from tests.growth import assert_linear


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


def test_a_dotted_name_is_several_words_of_a_heading_and_a_version_is_one() -> None:
    assert make_heading_text("`boat.startRow(pace)` in 3.1.x").split() == ["`boat", "startRow(pace)`", "in", "3.1.x"]


def test_a_phrase_is_asked_with_all_of_its_pairs() -> None:
    asked = [make("設定をまとめる").split() for make in (make_query_text, make_phrase_text)]
    assert [len(pairs) for pairs in asked] == [2, 6]


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
SIGILS = ("@Word", "${WORD}", "--force", "::word", "#[word]", "*.md", "<Word>", "word!(", "%WORD%")
NUMBERS = ("1", "3 000", "3,000", "1.2.3", "U.S.", "401(k)", "SOC 2", "sha256", "GS-15", "\u00a7 7")
PIECES = st.sampled_from([*SEPARATORS, *WORDS, *SIGNS, *SIGILS, *NUMBERS])


@given(st.lists(PIECES, max_size=14).map("".join))
def test_plain_words_and_lines_without_numbers_have_nothing_to_add(text: str) -> None:
    words, lines = drop_plain_words(text), take_varied_lines(text)
    assert encode_signs(text, words) == encode_signs(text)
    assert split_identifiers(words) == split_identifiers(text)
    assert encode_names(words) == encode_names(text)
    assert encode_sigils(words) == encode_sigils(text)
    assert list_plain(lines) == list_plain(text)
    assert list_numbered(lines) == list_numbered(text)


def test_most_of_a_text_is_plain() -> None:
    text = "Plain, words.\nOf Part 5 and useEffect\n(and NATO)"
    assert drop_plain_words(text) == "5 useEffect (and NATO)"
    assert take_varied_lines(text) == "Of Part 5 and useEffect"


def test_plain_words_are_found_in_linear_time() -> None:
    for piece in ("word ", "word.,", "Word\u0431", " "):
        assert_linear(drop_plain_words, piece * 20_000)
