"""A page's words at their places: which are printed twice, and which make a line."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, product
from typing import NamedTuple

from collections_app.parsing.pdf.page.styles import Style
from collections_app.parsing.pdf.pages import Line, Word

_OTHER_LINE = 0.5  # times the font size: a larger difference means another line; superscripts differ less
_SAME_LINE = 0.1  # times the font size: words of one superscript differ less
_OVERPRINTED = 0.05  # times the font size: the offset of a word printed twice


class PlacedWord(NamedTuple):
    word: Word
    y: float
    style: Style
    is_hyphenated: bool


def drop_overprinted(placed: Iterable[PlacedWord]) -> list[PlacedWord]:
    """The words without those that are printed again slightly beside themselves, for bold type or a shadow."""
    kept: list[PlacedWord] = []
    printed: dict[tuple[str, float, bool], set[tuple[int, int]]] = {}
    for each in placed:
        step = _OVERPRINTED * max(each.style.size, 1.0)
        column, row = round(each.word.left / step), round(each.y / step)
        places = printed.setdefault((each.word.text, round(each.style.size, 1), each.style.is_visible), set())
        near = product((column, column - 1, column + 1), (row, row - 1, row + 1)) if len(each.word.text) > 1 else ()
        if not places or places.isdisjoint(near):
            kept.append(each)
            places.add((column, row))
    return kept


def iter_rows(placed: Sequence[PlacedWord]) -> Iterator[int]:
    """The numbers of the words' baselines, in sequence."""
    row = 0
    for before, each in pairwise([*placed[:1], *placed]):
        row += abs(each.y - before.y) > _OTHER_LINE * max(each.style.size, before.style.size)
        yield row


def iter_lines(placed: list[PlacedWord]) -> Iterator[Line]:
    """Lines of words that follow each other to the right on nearly the same baseline."""
    run: list[PlacedWord] = []
    for each in placed:
        if run and not _continues_line(run, each):
            yield _make_line(run)
            run = []
        run.append(each)
    if run:
        yield _make_line(run)


def _continues_line(run: list[PlacedWord], word: PlacedWord) -> bool:
    if word.word.mark.cell != run[-1].word.mark.cell:
        return False
    size = max(run[-1].style.size, word.style.size)
    is_near = abs(word.y - run[0].y) < _OTHER_LINE * size or abs(word.y - run[-1].y) < _SAME_LINE * size
    return is_near and word.word.left >= run[-1].word.left and not run[-1].is_hyphenated


def _make_line(run: list[PlacedWord]) -> Line:
    """A line with the baseline and the size of most of its text, by printed width."""
    weights: dict[tuple[float, float], float] = defaultdict(float)
    for each in run:
        weights[each.y, each.style.size] += len(each.word.text) * each.style.size
    y, size = max(weights, key=lambda key: weights[key])
    return Line(tuple(each.word for each in run), y, size, run[-1].is_hyphenated)
