"""What a heading is called in a section id. PURE. Agents store ids, so this rule must not change."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

EMPTY_SLUG = "section"

_NOT_IN_ASCII_SLUG = re.compile("[^a-z0-9]+")


@lru_cache(maxsize=4096)
def make_slug(heading: str) -> str:
    """A heading's part of a section id: words of letters, marks and digits, with hyphens."""
    text = heading.lower()
    if not text.isascii():
        text = "".join(char if _is_slug_character(char) else "-" for char in text)
        return re.sub("-+", "-", text).strip("-") or EMPTY_SLUG
    return _NOT_IN_ASCII_SLUG.sub("-", text).strip("-") or EMPTY_SLUG


def _is_slug_character(char: str) -> bool:
    category = unicodedata.category(char)
    return category[0] in "LM" or category == "Nd"
