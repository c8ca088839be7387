"""Decides what becomes of a hyphen at the end of a line: the document's other words say whether it belongs to the word."""

from __future__ import annotations

from collections_app.parsing.pdf.pages import Line, Pages

_PUNCTUATION = """.,;:!?()[]{}<>"'“”‘’`"""


class Hyphens:
    """Knows the words of a document."""

    def __init__(self, pages: Pages) -> None:
        self._words = frozenset(_fold_word(word.text) for lines in pages for line in lines for word in line.words)

    def get_joint(self, line: Line, following: Line) -> str:
        """What to write between two lines: a blank, nothing, or the hyphen of a word like `read-only`."""
        if not line.is_hyphenated:
            return " "
        start, end = line.words[-1].text, following.words[0].text
        is_compound = _fold_word(f"{start}-{end}") in self._words and _fold_word(start + end) not in self._words
        return "-" if is_compound else ""


def _fold_word(text: str) -> str:
    return text.strip(_PUNCTUATION).casefold()
