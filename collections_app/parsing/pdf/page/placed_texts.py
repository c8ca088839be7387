"""Words with their positions on a page, in the form that tables need. PURE."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from collections_app.parsing.pdf.pages import CELL_GAP

TIGHT = 0.4
"""Times the size: a blank between words is smaller, and so is the difference in height on one line."""


class PlacedText(NamedTuple):
    """A word: its start and end, the height of its middle, its size, and whether it is set like code."""

    text: str
    left: float
    right: float
    middle: float
    size: float
    is_code: bool


def iter_lines(texts: Iterable[PlacedText]) -> Iterator[list[PlacedText]]:
    """The texts of equal height as lines, from top to bottom, each from left to right."""
    line: list[PlacedText] = []
    for text in sorted(texts, key=lambda text: -text.middle):
        if line and not are_on_a_line(line[0], text):
            yield sorted(line, key=lambda text: text.left)
            line = []
        line.append(text)
    if line:
        yield sorted(line, key=lambda text: text.left)


def are_on_a_line(text: PlacedText, other: PlacedText) -> bool:
    return abs(other.middle - text.middle) < TIGHT * text.size


def iter_gaps(texts: Iterable[PlacedText]) -> Iterator[tuple[float, float]]:
    """The gaps between texts of a line that are wider than a blank, line by line."""
    for line in iter_lines(texts):
        for text, following in pairwise(line):
            if following.left - text.right > CELL_GAP * text.size:
                yield text.right, following.left
