"""Two words of English are told to be one by what they make."""

from __future__ import annotations

import pytest

from collections_app.text.words.pairs import find_pair, iter_halves, join_pairs


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("rename the file name", "filename"),
        ("file names", "filenames"),
        ("dry-run", "dryrun"),
        ("request timed out", "timeout"),
        ("users logging in", "login"),
        ("it logs out", "logout"),
        ("set up a host", "setup"),
        ("backing up", "backup"),
    ],
)
def test_words_side_by_side_make_one(text: str, joined: str) -> None:
    assert joined in join_pairs(text)


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("the name of a file", "filename"),  # not side by side
        ("name file", "filename"),  # nor in this order
        ("file, name", "filename"),
        ("file_name", "file"),
        ("my_file name", "filename"),
        ("file name_of", "filename"),
        ("be all", "beall"),  # short words stand everywhere
        ("file is", "fileis"),
        ("in out", "inout"),
    ],
)
def test_other_words_do_not(text: str, joined: str) -> None:
    assert joined not in join_pairs(text)


def test_each_pair_is_told_once_and_in_order() -> None:
    assert join_pairs("host name, web page, host name") == ["hostname", "webpage"]


@pytest.mark.parametrize(
    ("joined", "lexemes", "made_of"),
    [
        ("filenam", {"file", "name"}, {"file", "name"}),
        ("databas", {"data", "base"}, {"data", "base"}),
        ("errorhandl", {"error", "handler"}, {"error", "handler"}),
        ("cachefil", {"cach", "file"}, {"cach", "file"}),
        ("timeout", {"time", "request"}, {"time"}),
        ("logevent", {"log", "event"}, {"log", "event"}),
        ("fileerror", {"file", "error"}, {"file", "error"}),
        ("makeup", {"make"}, {"make"}),
        ("filenam", {"file"}, set()),
        ("filenam", {"name", "rename"}, set()),
        ("onlin", {"on", "line"}, set()),
        ("timelin", {"time", "li", "linear"}, set()),
    ],
)
def test_lexemes_are_told_that_one_is_made_of(joined: str, lexemes: set[str], made_of: set[str]) -> None:
    assert find_pair(joined, lexemes) == made_of


@pytest.mark.parametrize(
    ("joined", "halves"),
    [
        ("exitcod", ("exit", "code")),
        ("cachefil", ("cach", "file")),
        ("errorhandl", ("error", "handler")),
        ("logfil", ("log", "file")),
    ],
)
def test_a_word_is_cut_into_lexemes(joined: str, halves: tuple[str, str]) -> None:
    assert halves in list(iter_halves(joined))


@pytest.mark.parametrize("joined", ["check", "x" * 41, ""])
def test_short_words_and_data_are_not_cut(joined: str) -> None:
    assert list(iter_halves(joined)) == []
