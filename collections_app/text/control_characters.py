"""What no name may have, since lists, logs and terminals show names as they are: controls, line ends, halves of surrogate pairs."""

from __future__ import annotations

import re
import unicodedata

_UNTOLD = re.compile(r"[^\n\t]+")
_CATEGORIES = frozenset({"Cc", "Cs", "Zl", "Zp"})


def has_control_characters(text: str) -> bool:
    return any(unicodedata.category(character) in _CATEGORIES for character in text)


def replace_control_characters(text: str) -> str:
    """Each by U+FFFD."""
    if text.isprintable():
        return text
    return "".join("\ufffd" if has_control_characters(character) else character for character in text)


def make_tellable(text: str) -> str:
    """What a server or a document has put into a message, such as a terminal's escape sequence, told as what it is. Lines and tabs stay."""
    return text if text.isprintable() else _UNTOLD.sub(lambda found: replace_control_characters(found[0]), text)
