"""Raised text within a line, which is an exponent (`10^6`) or the mark of a footnote (`Text[3]`). PURE."""

from __future__ import annotations

import re

NOTE_MARK = re.compile(r"\[?(\d{1,4}|[*†‡])\]?$")

_MAX_CHARACTERS = 10


def is_short(text: str) -> bool:
    """Whether it may be an exponent or a mark; longer text is only set higher."""
    return 0 < len(text) < _MAX_CHARACTERS


def write_raised(text: str, before: str) -> str:
    """A short text that is raised, where `before` is the text in front of it; two characters suffice. A number belongs to a number or a
    letter alone (`10^6`, `n^2`); behind anything else it is a footnote's.
    """
    mark = NOTE_MARK.match(text) if text[0] == "[" or not _may_have_exponent(before) else None
    return f"[{mark[1]}]" if mark else f"^{text}"


def _may_have_exponent(before: str) -> bool:
    return before[-1:].isdigit() or (before[-1:].isalpha() and before[-2:-1] in ("", " ", "("))
