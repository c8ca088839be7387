"""Decides whether a hidden text is worth reporting to an editor, and how much of it to quote. It knows no policy."""

from __future__ import annotations

import re

from collections_app.text.tokens import count_unspaced_characters

MAX_EXCERPT_CHARACTERS = 200

_MIN_WORDS = 6
_MIN_COMMENT_WORDS = 25  # every other page has shorter notes between its authors
_JUDGED_CHARACTERS = 10_000

_WORD = re.compile(r"[^\W\d_]{2,}")
_ORDINARY_COMMENT = re.compile(
    r"copyright|licen[cs]e|spdx|all rights reserved|permission is|prettier|lint|\btoc\b", re.IGNORECASE
)


def is_prose(text: str) -> bool:
    """Whether it says something: at least a few words, not a symbol or a label."""
    return _count_words(text) >= _MIN_WORDS


def is_telling_comment(text: str) -> bool:
    """Whether a comment has something to tell: it is long, and neither a licence nor directions to a tool."""
    return _count_words(text) >= _MIN_COMMENT_WORDS and not _ORDINARY_COMMENT.search(text[:_JUDGED_CHARACTERS])


def make_excerpt(text: str) -> str:
    """The beginning of the text, on one line."""
    return " ".join(text[: 4 * MAX_EXCERPT_CHARACTERS].split())[:MAX_EXCERPT_CHARACTERS]


def _count_words(text: str) -> int:
    judged = text[:_JUDGED_CHARACTERS]
    return sum(1 for _ in _WORD.finditer(judged)) + count_unspaced_characters(judged) // 2
