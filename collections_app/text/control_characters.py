"""What no name may have, since lists, logs and terminals show names as they are: controls, line ends, halves of surrogate pairs."""

from __future__ import annotations

import unicodedata

_CATEGORIES = frozenset({"Cc", "Cs", "Zl", "Zp"})


def has_control_characters(text: str) -> bool:
    return any(unicodedata.category(character) in _CATEGORIES for character in text)


def replace_control_characters(text: str) -> str:
    """Each by U+FFFD."""
    return "".join("\ufffd" if has_control_characters(character) else character for character in text)
