"""Drops invisible characters, which may reverse the line that they are shown in. Joiners and zero-width blanks are spelling and stay.
PURE."""

from __future__ import annotations

import re

# Marks of direction, overrides and isolates, invisible operators, marks of byte order.
_UNSEEN = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


def drop_unseen(text: str) -> str:
    return text if text.isascii() else _UNSEEN.sub("", text)
