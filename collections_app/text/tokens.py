"""The one estimate of how many tokens a text costs a model. It counts; it knows no model's real tokenizer."""

from __future__ import annotations

import re

# Scripts without blanks between words, where a character is about a token: ranges of Unicode 16, Scripts.txt.
_HAN = (
    r"\u2e80-\u2fd5\u3005\u3007\u3021-\u3029\u3038-\u303b\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
)
_KANA = r"\u3041-\u3096\u3099-\u30ff\u31f0-\u31ff\u32d0-\u32fe\u3300-\u3357\uff66-\uff9f\U0001aff0-\U0001b16f"
_HANGUL = r"\u1100-\u11ff\u3131-\u318e\u3200-\u321e\u3260-\u327e\ua960-\ua97c\uac00-\ud7fb\uffa0-\uffdc"
_THAI = r"\u0e01-\u0e3a\u0e40-\u0e5b"

_UNSPACED_RUN = re.compile(f"[{_HAN}{_KANA}{_HANGUL}{_THAI}]+")


def count_unspaced_characters(text: str) -> int:
    """How many characters of `text` are Han, Kana, Hangul or Thai: they cost one token each."""
    if text.isascii():
        return 0
    return len(text) - len(_UNSPACED_RUN.sub("", text))


def estimate_tokens_of_counts(characters: int, unspaced_characters: int) -> int:
    """The estimate for a text of which only the counts are known, such as the sum of a section's parts."""
    return (characters - unspaced_characters + 3) // 4 + unspaced_characters


def estimate_tokens(text: str) -> int:
    """ceil(characters / 4), Han, Kana, Hangul and Thai characters one each."""
    return estimate_tokens_of_counts(len(text), count_unspaced_characters(text))
