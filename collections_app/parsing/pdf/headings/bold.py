"""Finds bold headings in the size of the text, as written by authors who use no styles: for documents with few other headings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from collections_app.parsing.pdf.breaks import find_item_marker
from collections_app.parsing.pdf.headings.sizes import LargeText, get_size, get_text_size
from collections_app.parsing.pdf.pages import Line, Pages, join_texts

_MAX_CHARACTERS = 120
_MAX_LINES = 2
_SMALLER = 0.97  # times the text's size
_MAX_SHARE = 0.2  # of the lines: with more, it is a form, or a document in bold type
_SENTENCE_END = re.compile(r"[.:;,!?…][\"'’”)\]]*$")
_WORDS = re.compile(r"[^\W\d_]{2}")


def find_bold_headings(pages: Pages) -> list[LargeText]:
    """Bold headings; none if so much is bold that it means nothing."""
    found = list(_iter_bold(pages, _SMALLER * get_text_size(pages)))
    lines = sum(map(len, pages))
    return found if sum(text.line_count for text in found) <= _MAX_SHARE * lines else []


def _iter_bold(pages: Pages, size: float) -> Iterator[LargeText]:
    for page, lines in enumerate(pages):
        index = 0
        for (is_bold, *_), part in groupby(lines, key=_get_key):
            run = list(part)
            end = index + len(run)
            if is_bold and end < len(lines) and _is_heading(run, lines[end], size):
                yield LargeText(page, index, len(run), join_texts(run), (-get_size(run[0]), 0))
            index = end


def _get_key(line: Line) -> tuple[bool, float, int]:
    """What the lines of one heading have in common."""
    return line.is_bold, get_size(line) if line.is_bold else 0, line.mark.heading if line.is_bold else 0


def _is_heading(run: Sequence[Line], following: Line, size: float) -> bool:
    """Whether these lines are short, complete and stand alone above some text."""
    text = join_texts(run)
    return (
        len(run) <= _MAX_LINES
        and len(text) <= _MAX_CHARACTERS
        and run[0].size >= size
        and following.y < run[-1].y
        and bool(_WORDS.search(text))
        and not text[0].islower()
        and not _SENTENCE_END.search(text)
        and not any(line.mark.cell or line.is_monospaced or len(line.cells) > 1 for line in (*run, following))
        and find_item_marker(run[0]) != "-"
    )
