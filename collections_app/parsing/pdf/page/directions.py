"""Words in right-to-left scripts: mirrors their positions as if everything ran from left to right. It works before lines are formed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import Enum, auto
from itertools import groupby

from collections_app.parsing.pdf.pages import Word

_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")  # Hebrew, Arabic, Syriac, Thaana, N'Ko
_LEADER = re.compile(r"\.{4}")
_NUMBER_AND_LEADER = re.compile(r"(\d+)(\.{4,})$")
_MAX_BLANK = 1.5  # times the width of a character: what is further away is another cell


class _Step(Enum):
    """Where the next word is: further on in the page's direction, back, or elsewhere."""

    ON = auto()
    BACK = auto()
    APART = auto()


def runs_right_to_left(text: str) -> bool:
    return not text.isascii() and _RIGHT_TO_LEFT.search(text) is not None


def straighten(words: Sequence[Word], rows: Sequence[int]) -> list[Word]:
    """The words in reading order, at positions that increase in that order. `rows` are the numbers of their baselines.

    A page mostly in right-to-left script is mirrored. Then words of a row that run against the page change places among themselves.
    """
    are_right_to_left = [runs_right_to_left(word.text) for word in words]
    if not any(are_right_to_left):
        return list(words)
    is_mirrored = 2 * sum(are_right_to_left) > len(words)
    placed = [_mirror_leader(_mirror(word, 0)) for word in words] if is_mirrored else list(words)
    runs_on = [
        is_right_to_left == is_mirrored or _LEADER.search(word.text) is not None
        for word, is_right_to_left in zip(placed, are_right_to_left, strict=True)
    ]
    straight: list[Word] = []
    for (does_run_on, _), run in groupby(zip(placed, runs_on, rows, strict=True), key=lambda each: each[1:]):
        run_words = [word for word, *_ in run]
        straight += run_words if does_run_on else _turn(run_words)
    return straight


def _mirror_leader(word: Word) -> Word:
    """Mirror dots with a page number attached to them, so that the number comes after the dots."""
    return replace(word, text=_NUMBER_AND_LEADER.sub(r"\2\1", word.text)) if "..." in word.text else word


def _turn(words: Sequence[Word]) -> Iterator[Word]:
    """Words that run against the page, in reversed order within each line. PDFium gives them in either order."""
    start, previous = 0, _Step.APART
    for end in range(1, len(words) + 1):
        step = _get_step(words[end - 1], words[end]) if end < len(words) else _Step.APART
        if step is _Step.APART or (end - start > 1 and step is not previous):
            yield from _turn_line(words[start:end], previous)
            start, step = end, _Step.APART
        previous = step


def _turn_line(words: Sequence[Word], step: _Step) -> Iterator[Word]:
    total = min(word.left for word in words) + max(word.right for word in words)
    in_order = reversed(words) if step is _Step.ON and _is_worded(words[0]) and _is_worded(words[-1]) else words
    return (_mirror(word, total) for word in in_order)


def _get_step(word: Word, following: Word) -> _Step:
    if following.left < word.left:
        return _Step.BACK
    blank = (word.right - word.left) / len(word.text)
    return _Step.ON if following.left - word.right < _MAX_BLANK * blank else _Step.APART


def _is_worded(word: Word) -> bool:
    """Whether it has letters: numbers may be cells of a table."""
    return any(map(str.isalpha, word.text))


def _mirror(word: Word, total: float) -> Word:
    return replace(word, left=total - word.right, right=total - word.left)
