"""Decides whether a hyphen at the end of a line belongs to the word, by looking at the document's other words."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from collections_app.parsing.pdf.pages import Line, Pages, get_blank

_ADDRESS = re.compile(r"://|^www\.|@.")  # programs break these only at their own hyphens
_CUT = re.compile(r"[^\W\d_]{2}-$")
_PUNCTUATION = """.,;:!?()[]{}<>"'“”‘’`"""


def mark_hyphens(pages: Pages) -> list[list[Line]]:
    """The pages without hyphens of divided words that PDFium took for the author's: the document contains the whole words."""
    words = _list_words(pages)
    return [[*(_mark(line, following, words) for line, following in pairwise(lines)), *lines[-1:]] for lines in pages]


def _mark(line: Line, following: Line, words: frozenset[str]) -> Line:
    start, end = line.words[-1], following.words[0].text
    if (
        start.is_monospaced
        or not _CUT.search(start.text)
        or not end[:1].islower()
        or _fold_word(start.text[:-1] + end) not in words
    ):
        return line
    return replace(line, words=(*line.words[:-1], replace(start, text=start.text[:-1])), is_hyphenated=True)


class Hyphens:
    """Knows the words of a document."""

    def __init__(self, pages: Pages) -> None:
        self._words = _list_words(pages)

    def get_joint(self, line: Line, following: Line) -> str:
        """What to write between two lines: a blank, nothing, or the hyphen of a word like `read-only`."""
        start, end = line.words[-1].text, following.words[0].text
        if not line.is_hyphenated:
            return get_blank(line, following)
        is_known = _fold_word(start + end) in self._words
        is_compound = _fold_word(f"{start}-{end}") in self._words or _ADDRESS.search(start) or _begins_word(start, end)
        return "-" if is_compound and not is_known else ""


def _begins_word(start: str, end: str) -> bool:
    """Whether `end` begins like words that are not divided, as in `Base-Ratified` and `UTF-8`."""
    return (end[:1].isupper() and not start.isupper()) or end[:1].isdigit()


def _list_words(pages: Pages) -> frozenset[str]:
    return frozenset(_fold_word(word.text) for lines in pages for line in lines for word in line.words)


def _fold_word(text: str) -> str:
    return text.strip(_PUNCTUATION).casefold()
