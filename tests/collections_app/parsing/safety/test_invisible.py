"""Invisible characters are removed where nothing needs them, and stay where scripts and emoji do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collections_app.parsing.safety.invisible import read_smuggled_text, strip_invisible, strip_invisible_lines


@pytest.mark.parametrize(
    "text",
    [
        "soft\u00adhyphen",
        "می\u200cخواهم",  # Persian: ZWNJ keeps letters apart
        "क्\u200dष",  # Devanagari: ZWJ asks for a half form
        "👩\u200d💻 👨\u200d👩\u200d👧 ❤\ufe0f\u200d🔥",
        "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",  # the flag of England
        "ภาษา\u200bไทย",
        "葛\U000e0100城",  # an ideographic variant
        "שלום\u200e (abc)\u200f",
        "عربي \u2068abc\u2069",
        "ᠮᠣᠩ\u180bᠭᠣᠯ",
    ],
)
def test_what_scripts_and_emoji_need_stays(text: str) -> None:
    assert strip_invisible(text) == (text, "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pass\u200bword", "password"),
        ("a\u200c\u200db", "ab"),
        ("if (a\u202e) {\u2066", "if (a) {"),
        ("ש\u202eabc\u202c", "שabc"),
        ("a\ufeffb", "ab"),
        ("x\u2060y\u2063z", "xyz"),
        ("ᄀa\u3164b", "ᄀab"),
        ("a\ufe0f\ufe01\ufe02", "a"),
        ("hi\U000e0041\U000e0042", "hi"),
        ("می\u200c\u200c\u200bخ", "میخ"),
        ("🏴" + "\U000e0061" * 20, "🏴"),
    ],
)
def test_what_nothing_needs_goes(text: str, expected: str) -> None:
    assert strip_invisible(text)[0] == expected


def test_text_in_tags_and_selectors_is_read() -> None:
    tags = "".join(chr(0xE0000 + ord(letter)) for letter in "obey me")
    selectors = "".join(chr(0xE0100 + ord(letter) - 16) for letter in "obey me")
    assert read_smuggled_text(tags) == read_smuggled_text(selectors) == "obey me"
    assert read_smuggled_text("\u200b\u200c" * 20) == ""


@given(st.text(alphabet=st.one_of(st.characters(), st.sampled_from("\u200b\u200d\ufe0f\U000e0041\n👩ם")), max_size=80))
def test_stripping_moves_no_line_and_takes_only_invisible_characters(text: str) -> None:
    stripped, runs = strip_invisible_lines(text)
    assert stripped.count("\n") == text.count("\n")
    assert len(text) - len(stripped) == sum(len(run.characters) for run in runs)


@given(st.text(alphabet=st.characters(exclude_categories=["Cf", "Cn", "Mn", "Lo", "So"])))
def test_text_without_such_characters_stays_as_it_is(text: str) -> None:
    assert strip_invisible_lines(text) == (text, [])
