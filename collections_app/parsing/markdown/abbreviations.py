"""What abbreviations stand for, said where a page first has them: `<abbr title="Individual Contributor">IC</abbr>` is “IC (Individual
Contributor)”, as their title is seen by nobody who reads text. PURE.
"""

from __future__ import annotations

import re

_MOST_CHARACTERS = 200
_PLAIN = re.compile(r"[^\W_][\w ,.:;&+'’/()–-]*")
_WORD = re.compile(r"[^\W_]+")


class Abbreviations:
    """Those of a page."""

    def __init__(self) -> None:
        self._told: set[tuple[str, str]] = set()

    def tell(self, words: str, title: str, around: str) -> str:
        """What is to stand behind an abbreviation: its title in brackets at its first place, unless it says no more than the words, or the
        text `around` says it. Else empty.
        """
        title = " ".join(title.split())
        if not _is_telling(words, title) or (words, title) in self._told:
            return ""
        self._told.add((words, title))
        return "" if title.casefold() in around.casefold() else f" ({title})"


def _is_telling(words: str, title: str) -> bool:
    said, told = (set(_WORD.findall(text.casefold())) for text in (words, title))
    return len(title) <= _MOST_CHARACTERS and _PLAIN.fullmatch(title) is not None and bool(said) and not told <= said
