"""Control characters, line ends and lone surrogates, which names may not have, since lists, logs and terminals show names as they are; and
invisible characters, which may reverse the line that they are shown in.
"""

from __future__ import annotations

import re
import unicodedata

_UNTOLD = re.compile(r"[^\n\t]+")
_CATEGORIES = frozenset({"Cc", "Cs", "Zl", "Zp"})
# Marks of direction, overrides and isolates, invisible operators, marks of byte order. Joiners and zero-width blanks are spelling.
_UNSEEN = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


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


def drop_unseen(text: str) -> str:
    """The text without invisible characters."""
    return text if text.isascii() else _UNSEEN.sub("", text)
