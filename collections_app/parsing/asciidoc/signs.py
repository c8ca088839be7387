"""Characters that stand for themselves: set aside while markup is parsed, and put back afterwards.

Meanwhile they are encoded as characters of Unicode's last private plane, and finished pieces as their numbers between two control
characters; clean_text() removes anything from a file that could be mistaken for either.
"""

from __future__ import annotations

import re
import string

_PLANE = 0x10_0000
_PROTECTED = {ord(sign): _PLANE + ord(sign) for sign in f" {string.punctuation}"}
_UNPROTECTED = {protected: sign for sign, protected in _PROTECTED.items()}
# XML 1.0, production 2.
_NO_TEXT = re.compile(f"[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff{chr(_PLANE)}-{chr(_PLANE + 0xFFFF)}]")

KEPT = "\x01"
"""Encloses the number of a finished piece."""


def clean_text(text: str) -> str:
    """The text without characters that a tree cannot contain, and without those that encode signs."""
    return _NO_TEXT.sub("", text)


def protect(text: str) -> str:
    return text.translate(_PROTECTED)


def unprotect(text: str) -> str:
    return text if text.isascii() else text.translate(_UNPROTECTED)
