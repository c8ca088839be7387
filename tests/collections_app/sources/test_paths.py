"""Paths that others chose: clean ones come out, everything else is refused."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from collections_app.exceptions import InvalidParameter
from collections_app.sources.paths import MAX_PATH_CHARACTERS, check_path, make_printable
from collections_app.sources.uploads import check_upload_path

PATHS = st.text(st.one_of(st.sampled_from("./\\:Ca\u0301é\0\n"), st.characters()), max_size=60)


@pytest.mark.parametrize(
    ("path", "checked"),
    [
        ("a.md", "a.md"),
        ("./a//b/./c.md", "a/b/c.md"),
        ("a b/ü.md", "a b/ü.md"),
        ("e\u0301.md", "é.md"),
        ("...", "..."),
        ("a..b/c.md", "a..b/c.md"),
        ("x" * 1000, "x" * 1000),
        ("a:b.md", "a:b.md"),
        ("a:b/c.md", "a:b/c.md"),
        ("a:", "a:"),
    ],
)
def test_it_gives_the_path_as_documents_have_it(path: str, checked: str) -> None:
    assert check_path(path) == checked


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("", "no file"),
        (".", "no file"),
        ("a/", "no file"),
        ("a/.", "no file"),
        ("/a.md", "absolute"),
        ("C:/a.md", "absolute"),
        ("c:\\a.md", "absolute"),
        ("../a.md", "leads out"),
        ("a/../b.md", "leads out"),
        ("a\0.md", "control"),
        ("a\u2028.md", "control"),
        ("\ud800.md", "control"),
        ("x" * 1001, "longer"),
    ],
)
def test_it_refuses_others_with_the_reason(path: str, reason: str) -> None:
    with pytest.raises(InvalidParameter, match=reason):
        check_path(path)


@given(PATHS)
def test_what_is_accepted_is_relative_and_stays_inside_and_as_it_is(path: str) -> None:
    try:
        checked = check_path(path)
    except InvalidParameter:
        assume(False)
    assert check_path(checked) == checked
    assert not checked.startswith("/")
    assert {"", ".", ".."}.isdisjoint(checked.split("/"))
    assert 0 < len(checked) <= MAX_PATH_CHARACTERS
    assert unicodedata.is_normalized("NFC", checked)
    checked.encode()


@given(PATHS)
def test_what_is_shown_of_a_refused_path_can_be_stored(path: str) -> None:
    shown = make_printable(path)
    assert 0 < len(shown.encode().decode()) <= MAX_PATH_CHARACTERS
    assert "\0" not in shown


def test_an_upload_from_windows_keeps_its_folders() -> None:
    assert check_upload_path("guide\\start.md") == "guide/start.md"
    for path in ("..\\start.md", "C:\\start.md", "C:..\\..\\start.md"):
        with pytest.raises(InvalidParameter):
            check_upload_path(path)
