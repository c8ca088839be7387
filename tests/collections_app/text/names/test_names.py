"""When two names are the same."""

from __future__ import annotations

import pytest

from collections_app.text.names import split_name, split_words


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Acme-Gate", ["acme", "gate"]),
        ("`MAX_CONN`", ["max", "conn"]),
        ("Café au lait!", ["cafe", "au", "lait"]),
        ("C++ and C#, not C", ["c++", "and", "c#", "not", "c"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("設定", ["設定"]),
        ("?! __", []),
    ],
)
def test_words(name: str, words: list[str]) -> None:
    assert split_name(name) == words


def test_words_as_they_are_written_keep_their_accents() -> None:
    assert split_words("Café_Docs v2.1") == ["café", "docs", "v2", "1"]
