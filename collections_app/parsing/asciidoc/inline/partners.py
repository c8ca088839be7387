"""Finds the mark that closes a span of text, in linear time for any series of opening marks."""

from __future__ import annotations

import re


class Partners:
    """The closing marks of a text. A mark that was once searched in vain is known not to occur further on."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._missing: set[str] = set()
        self._found: dict[str, int] = {}

    def find(self, kind: str, pattern: re.Pattern[str] | str, position: int) -> int:
        """Where the closing mark begins; -1 if there is none."""
        if kind in self._missing:
            return -1
        if self._found.get(kind, -1) >= position:
            return self._found[kind]
        if isinstance(pattern, str):
            found = self._text.find(pattern, position)
        else:
            match = pattern.search(self._text, position)
            found = match.start() if match else -1
        if found < 0:
            self._missing.add(kind)
        self._found[kind] = found
        return found
