"""Monospaced lines of a PDF as lines of code: indentation, inner gaps and blank lines are derived from the positions of the words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from collections_app.parsing.pdf.pages import Line, Word

_DEFAULT_ADVANCE = 0.6  # times the font size: the width of a character in Courier
_MAX_COLUMN = 200
_MAX_BLANK_LINES = 2


def write_code(lines: Sequence[Line]) -> list[str]:
    """The code lines of one page, as text. A gap of two lines or more becomes blank lines."""
    advance = _get_advance(lines)
    margin = min(line.left for line in lines)
    usual = min((a.y - b.y for a, b in pairwise(lines) if a.y > b.y), default=0.0)
    written = [_write_line(lines[0], margin, advance)]
    for line, following in pairwise(lines):
        blank_lines = round((line.y - following.y) / usual) - 1 if usual and line.y > following.y else 0
        written += [""] * min(blank_lines, _MAX_BLANK_LINES)
        written.append(_write_line(following, margin, advance))
    return written


def _get_advance(lines: Sequence[Line]) -> float:
    """The width of a character, as most words have it."""
    widths = [_get_width(word) for line in lines for word in line.words if word.right > word.left]
    return median(widths) if widths else _DEFAULT_ADVANCE * lines[0].size


def _get_width(word: Word) -> float:
    return (word.right - word.left) / len(word.text)


def _write_line(line: Line, margin: float, advance: float) -> str:
    text = ""
    for word in line.words:
        column = min(round((word.left - margin) / advance), _MAX_COLUMN)
        text += " " * max(column - len(text), 1 if text else 0) + word.text
    return text
