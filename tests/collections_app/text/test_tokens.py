from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collections_app.text.tokens import count_unspaced_characters, estimate_tokens, estimate_tokens_of_counts


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("a", 1),
        ("four", 1),
        ("fours", 2),
        ("éééé", 1),
        ("日本語", 3),
        ("かな", 2),
        ("カナｶﾅ", 4),
        ("한국어", 3),
        ("ภาษาไทย", 7),
        ("𠀀", 1),
        ("日本 and", 3),
        ("日本 and x", 4),
        ("ع" * 8, 2),
        ("🎉" * 4, 1),
    ],
)
def test_it_counts_four_characters_a_token_and_unspaced_scripts_one_each(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


@given(st.lists(st.text(alphabet="ab é日ไ한カ\n")))
def test_the_estimate_of_parts_is_that_of_the_whole(parts: list[str]) -> None:
    counts = sum(map(len, parts)), sum(map(count_unspaced_characters, parts))
    assert estimate_tokens_of_counts(*counts) == estimate_tokens("".join(parts))
