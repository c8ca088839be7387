"""Compounds are told by the words that they are made of."""

from __future__ import annotations

import pytest

from collections_app.text.words.compounds import is_joined, may_be_compound, split_compound


@pytest.mark.parametrize(
    ("language", "first", "last", "compound"),
    [
        ("german", "datenbank", "verbind", "datenbankverbind"),
        ("german", "sicher", "datei", "sicherungsdatei"),
        ("german", "freiheit", "grad", "freiheitsgrad"),
        ("dutch", "inzag", "verzoek", "inzageverzoek"),
        ("swedish", "flick", "skol", "flickskol"),
        ("danish", "drift", "leder", "driftsleder"),
        ("norwegian", "sikker", "krav", "sikkerhetskrav"),
    ],
)
def test_words_are_joined_by_what_the_language_has_for_it(language: str, first: str, last: str, compound: str) -> None:
    assert is_joined(compound, first, last, language)
    assert not is_joined(compound, last, first, language)
    assert split_compound(compound, {first, last}, language) in [(first, last), ()]  # short words are no parts


@pytest.mark.parametrize(
    ("compound", "first", "last"),
    [
        ("verbindend", "verbind", "bindend"),  # which overlap
        ("kartenspiel", "kart", "spiele"),
        ("kartenspiel", "kart", "iel"),
        ("netzteil", "netz", "netzteil"),
    ],
)
def test_words_are_not_joined_by_anything(compound: str, first: str, last: str) -> None:
    assert not is_joined(compound, first, last, "german")


@pytest.mark.parametrize(
    ("lexeme", "known", "parts"),
    [
        ("datenbankspalt", {"datenbank", "daten", "bankspalt", "spalt"}, ("datenbank", "spalt")),
        ("quelltexteditor", {"quell", "quelltext", "texteditor", "editor"}, ("quelltext", "editor")),
        ("arbeitszeit", {"arbeit", "szeit", "zeit"}, ("arbeit", "szeit")),
        ("urinstinkt", {"instinkt"}, ()),
        ("datenbankspalt", {"datenbank"}, ()),
        ("weinachtsbaum", {"wein", "baum"}, ()),
    ],
)
def test_a_compound_is_split_where_least_is_left(lexeme: str, known: set[str], parts: tuple[str, ...]) -> None:
    assert split_compound(lexeme, known, "german") == parts


@pytest.mark.parametrize("lexeme", ["gartens", "v2datei2", "garten.de", "a" * 61])
def test_what_is_short_or_no_word_is_none(lexeme: str) -> None:
    assert not may_be_compound(lexeme)
