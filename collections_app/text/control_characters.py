"""Control characters, line ends and lone surrogates: not allowed in names, since lists, logs and terminals show names as they are."""

from __future__ import annotations

import re
import unicodedata

_UNTOLD = re.compile(r"[^\n\t]+")
_CATEGORIES = frozenset({"Cc", "Cs", "Zl", "Zp"})


def has_control_characters(text: str) -> bool:
    return any(unicodedata.category(character) in _CATEGORIES for character in text)


def replace_control_characters(text: str) -> str:
    """The text with each control character replaced by U+FFFD."""
    if text.isprintable():
        return text
    return "".join("\ufffd" if has_control_characters(character) else character for character in text)


def make_tellable(text: str) -> str:
    """A message that is safe to show: control characters that a server or document put into it are replaced. Line ends and tabs stay."""
    return text if text.isprintable() else _UNTOLD.sub(lambda found: replace_control_characters(found[0]), text)
