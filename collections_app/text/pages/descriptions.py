"""What a page's metadata say of it, beside its text. PURE."""

from __future__ import annotations

import re

_BETWEEN_WORDS = re.compile(r"[\W_]+")


def find_untold(description: str, text: str) -> str:
    """The description on one line; empty if the text has the same words in a row, as many descriptions are a page's first sentences."""
    flat = " ".join(description.split())
    return "" if not flat or _list_words(flat) in _list_words(text) else flat


def _list_words(text: str) -> str:
    return f" {_BETWEEN_WORDS.sub(' ', text).strip().lower()} "
