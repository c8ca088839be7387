"""Han, Kana, Hangul and Thai, which have no blanks between words: their runs become overlapping pairs of characters. PURE.

A pair is written as an ASCII word of its code points, since what PostgreSQL takes for a letter depends on the database's locale.
"""

from __future__ import annotations

import re
from collections.abc import Callable

UNSPACED = (
    "\u0e00-\u0e7f"  # Thai
    "\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff"  # Hangul
    "\u3041-\u30ff\u31f0-\u31ff"  # Kana
    "\u2e80-\u2fdf\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
)
UNSPACED_RUN = re.compile(f"[{UNSPACED}]+")
# Japanese writes particles and verb endings in Hiragana.
HIRAGANA = re.compile("[\u3041-\u309f]")
# What encode_characters() writes for one or two of them.
ENCODED = re.compile(r"(?:x[0-9a-f]{3,5}){1,2}")


def list_pairs(run: str) -> list[str]:
    """日本 and 本語 of `日本語`; a single character alone."""
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]


def list_telling_pairs(run: str) -> list[str]:
    """The pairs without those that begin with Hiragana, if there are others: 設定 and 定を for `設定をする`.

    Pairs that begin with Hiragana say nothing about a question, and sections have them by chance.
    """
    pairs = list_pairs(run)
    return [pair for pair in pairs if not HIRAGANA.match(pair)] or pairs


def pair_unspaced(text: str, cut: Callable[[str], list[str]] = list_pairs) -> str:
    """The text with runs of unspaced scripts replaced by their encoded pairs of characters."""
    if text.isascii():
        return text
    return UNSPACED_RUN.sub(lambda run: f" {' '.join(map(encode_characters, cut(run[0])))} ", text)


def encode_characters(characters: str) -> str:
    return "".join([f"x{ord(character):x}" for character in characters])
