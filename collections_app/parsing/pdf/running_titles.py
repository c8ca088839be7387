"""Finds running heads that change with each section: a page number beside a title of the document. It reads no other lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from collections_app.parsing.pdf.headings.numbers import strip_number
from collections_app.parsing.pdf.headings.sizes import get_text_size
from collections_app.parsing.pdf.pages import Line, Word, fold_text

_MIN_PAGES = 3
_MIN_SHARE = 0.3  # of the pages: the first ones of a book have none, or are counted separately
_MAX_SIZE = 1.1  # times the text's size: larger lines are headings, which may have a number as well
_MAX_NUMBER_CHARACTERS = 4
_MIN_TITLE_CHARACTERS = 3
_BAR = "|"

_Found = tuple[int, Line, str]
"""How much the printed number is above the page's, the line, and the title."""


def find_running_titles(
    edges: Sequence[Iterable[Line]], pages: Sequence[Sequence[Line]], titles: Iterable[str]
) -> frozenset[int]:
    """The id() of each such line among those at the `edges` of the pages.

    Beside the number and a bar or a wide gap is a title of the outline, or of a line elsewhere. The numbers count on from page to page, and
    some title is on several pages: otherwise these are headings of numbered chapters.
    """
    largest = _MAX_SIZE * get_text_size(pages)
    told = [list(_iter_told(number, lines, largest)) for number, lines in enumerate(edges)]
    candidates = [each for found in told for each in found]
    if len(candidates) < _MIN_PAGES:
        return frozenset()
    seen = {id(line) for _, line, _ in candidates}
    printed = [line.text for page in pages for line in page if id(line) not in seen]
    known = {fold for text in (*titles, *printed) for fold in _fold(text)}
    found = [each for each in candidates if not known.isdisjoint(_fold(each[2]))]
    return _keep_counted(found, max(_MIN_PAGES, _MIN_SHARE * len(pages)))


def _keep_counted(found: Sequence[_Found], least: float) -> frozenset[int]:
    counts = Counter(offset for offset, _, _ in found)
    offset, count = counts.most_common(1)[0] if counts else (0, 0)
    kept = [(line, fold_text(title)) for other, line, title in found if other == offset]
    if count < least or len({title for _, title in kept}) == count:
        return frozenset()
    return frozenset(id(line) for line, _ in kept)


def _iter_told(page: int, lines: Iterable[Line], largest: float) -> Iterator[_Found]:
    for line in lines:
        number, title = _split(line)
        if number and not line.mark.cell and line.size <= largest:
            yield int(number) - page, line, title


def _split(line: Line) -> tuple[str, str]:
    """The number and the title; empty if there is no number at either end."""
    words = line.words
    for number, bar, title in ((words[:1], words[1:2], words[2:]), (words[-1:], words[-2:-1], words[:-2])):
        if title and bar[0].text == _BAR and _is_number(number):
            return number[0].text, _join(title)
    cells = line.cells
    for number, title in ((cells[0], cells[-1]), (cells[-1], cells[0])) if len(cells) == 2 else ():
        if _is_number(number):
            return number[0].text, _join(title)
    return "", ""


def _is_number(words: Sequence[Word]) -> bool:
    text = words[0].text
    return len(words) == 1 and text.isascii() and text.isdecimal() and len(text) <= _MAX_NUMBER_CHARACTERS


def _join(words: Sequence[Word]) -> str:
    return " ".join(word.text for word in words)


def _fold(title: str) -> set[str]:
    """The title with and without its number, as far as there are letters to compare."""
    folded = {fold_text(title), fold_text(strip_number(title))}
    return {each for each in folded if len(each) >= _MIN_TITLE_CHARACTERS}
