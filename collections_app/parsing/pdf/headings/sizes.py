"""Finds headings by their typesetting: larger than the text, or bold with a number. Their sizes, ranked, give at most four levels."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from collections_app.parsing.pdf.headings.numbers import find_number, get_depth
from collections_app.parsing.pdf.pages import Line, Pages, join_texts

_MAX_LEVELS = 4
_MAX_CHARACTERS = 200
_MAX_LINES = 4
_LARGER = 1.15  # times the text's size
_BOLD_LARGER = 1.04  # enough for a bold line
_BOLD_NUMBERED_LARGER = 0.97  # enough for a bold line with a number
_LINE_HEIGHT = 1.8  # times its size: the most to a heading's next line
_MIN_PAGES_WITH_COVER = 4
_WORDY = re.compile(r"[^#•*%–-].*[^\W\d_]{2}|[^\W\d_]+$")
_GOES_ON = re.compile(
    r"[,;]$|(?:^|[^\s.·∙⋅-])\s*+(?:(?:[.·∙⋅]\s*+){4,}+|(?:-\s++){4,}+)\w*$"
)  # a sentence, or an entry of a table of contents


@dataclass(frozen=True, slots=True)
class LargeText:
    """Lines of a page in the same type. A smaller `rank` means a larger text, or one with a shorter number."""

    page: int
    index: int
    line_count: int
    text: str
    rank: tuple[float, int]


def iter_large_headings(pages: Pages) -> Iterator[tuple[LargeText, int]]:
    """The headings with their levels, from 1 to 4."""
    texts = list(iter_large_texts(pages))
    levels = _rank_levels(texts, len(pages))
    return ((text, levels[text.rank]) for text in texts if text.rank in levels)


def iter_large_texts(pages: Pages) -> Iterator[LargeText]:
    text_size = get_text_size(pages)
    for page, lines in enumerate(pages):
        index = 0
        for part in _iter_parts(lines):
            for is_heading, piece in _iter_pieces(part, text_size):
                if is_heading:
                    text = join_texts(piece)
                    yield LargeText(page, index, len(piece), text, (-get_size(piece[0]), get_depth(text)))
                index += len(piece)


def find_largest_text(pages: Pages) -> LargeText | None:
    """What is set larger on the first page than anything else in the document, apart from initials; None if nothing is."""
    texts = sorted((text for text in iter_large_texts(pages) if len(text.text) > 1), key=lambda text: text.rank[0])
    if not texts or texts[0].page != 0 or (len(texts) > 1 and texts[1].rank[0] == texts[0].rank[0]):
        return None
    return texts[0]


def get_text_size(pages: Pages) -> float:
    """The size of most of the text; code counts only if there is nothing else."""
    characters: Counter[tuple[bool, float]] = Counter()
    for lines in pages:
        for line in lines:
            characters[line.is_monospaced, get_size(line)] += len(line.text)
    prose = {key: count for key, count in characters.items() if not key[0]} or characters
    return max(prose, key=lambda key: prose[key])[1] if prose else 0.0


def get_size(line: Line) -> float:
    """The size, rounded: programs set the same type in sizes that differ slightly."""
    return round(line.size * 2) / 2


def _iter_parts(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Groups of lines in the same type, directly below each other."""
    part: list[Line] = []
    for line in lines:
        if part and not _goes_on(part[-1], line):
            yield part
            part = []
        part.append(line)
    if part:
        yield part


def _iter_pieces(part: Sequence[Line], text_size: float) -> Iterator[tuple[bool, Sequence[Line]]]:
    """The headings, and other lines, in lines of the same type. A whole paragraph is no heading, however large it is set."""
    index = 0
    for is_heading, piece in groupby(_iter_judged(part, text_size)):
        length = len(list(piece))
        for start in range(index, index + length, _MAX_LINES):
            yield is_heading, part[start : min(start + _MAX_LINES, index + length)]
        index += length


def _iter_judged(part: Sequence[Line], text_size: float) -> Iterator[bool]:
    for _, run in groupby(part, key=lambda line: line.is_bold):
        lines = list(run)
        is_paragraph = len(join_texts(lines)) > _MAX_CHARACTERS
        yield from (not is_paragraph and _is_heading(line, text_size) for line in lines)


def _is_heading(line: Line, text_size: float) -> bool:
    if (
        line.is_monospaced
        or line.mark.cell
        or len(line.text) > _MAX_CHARACTERS
        or not _WORDY.match(line.text)
        or _GOES_ON.search(line.text)
    ):
        return False
    if line.is_bold and find_number(line.text)[:1].isdigit():
        return line.size >= _BOLD_NUMBERED_LARGER * text_size
    return line.size >= (_BOLD_LARGER if line.is_bold else _LARGER) * text_size


def _goes_on(line: Line, following: Line) -> bool:
    is_near = 0 < line.y - following.y <= _LINE_HEIGHT * line.size
    return is_near and get_size(line) == get_size(following) and not find_number(following.text)


def _rank_levels(texts: Sequence[LargeText], page_count: int) -> Mapping[tuple[float, int], int]:
    """Levels by rank. On a cover, in type that does not occur after the first page, only the largest text is a heading: the title."""
    has_cover = page_count >= _MIN_PAGES_WITH_COVER
    ranks = sorted({text.rank for text in texts if text.page > 0 or not has_cover})
    cover = min((text.rank for text in texts if text.page == 0), default=None)
    if has_cover and cover is not None and cover < min(ranks, default=cover):
        ranks.insert(0, cover)
    return {rank: min(level, _MAX_LEVELS) for level, rank in enumerate(ranks, 1)}
