"""Tells from its letters whether a font is monospaced when its name and flags do not say. It knows no PDFium."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

_NARROW = frozenset("ijlftrI.,:;'|!()[]{}")  # narrow in all fonts whose letters differ in width
# Without digits, which have the same width in most fonts.
_WIDE = frozenset("abdeghknopqsuvxyzmwABCDEFGHKMNOPQRSTUVWXYZ<>=+")
_MIN_NARROW = 1
_MIN_WIDE = 2
_TOLERANCE = 0.02
# Chinese and Japanese characters with their punctuation; Korean separates words by blanks.
_SQUARE = re.compile("[\u2e80-\u312f\u3190-\u9fff\uf900-\ufaff\uff00-\uff9f\uffe0-\uffef]")
_MOSTLY_SQUARE = 0.5  # of the characters
_MOSTLY = 0.8  # of the words: others have a character of another font, or are set tighter


def is_fixed_pitch(words: Sequence[tuple[str, float]], get_width: Callable[[str], float]) -> bool:
    """Whether all characters of the words have the same width, by the font and by their positions.

    `words` come with their widths, and `get_width` returns a character's width, both as shares of the font's size. A font gives the same
    width for all characters that it does not know, so the words must also be as wide as these widths make them.
    """
    used = {character for word, _ in words for character in word}
    narrow, wide = used & _NARROW, used & _WIDE
    if len(narrow) < _MIN_NARROW or len(wide) < _MIN_WIDE:
        return False
    widths = [get_width(character) for character in narrow | wide]
    advance = widths[0]
    if advance <= 0 or any(abs(width - advance) > _TOLERANCE * advance for width in widths):
        return False
    told = [(len(word), width) for word, width in words]
    as_told = sum(abs(width - length * advance) <= _TOLERANCE * length * advance for length, width in told)
    return as_told >= _MOSTLY * len(told)


def is_mostly_square(words: Iterable[str]) -> bool:
    """Whether the words are Chinese or Japanese, whose characters have the same width in every font, so that this does not
    indicate code.
    """
    text = "".join(words)
    return len(_SQUARE.findall(text)) > _MOSTLY_SQUARE * len(text)
