"""Decides how a line of text continues in the next one: whether a paragraph, a line or nothing ends between them. It writes nothing."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from enum import Enum, auto
from itertools import pairwise

from collections_app.parsing.pdf.pages import Line, Pages, Word

_DEFAULT_LEADING = 1.2
_PARAGRAPH_GAP = 1.15  # times the usual line spacing
_INDENT = 0.6  # times the font size: less is no indentation
_OTHER_SIZE = 1.15
_NEIGHBOUR = 8.0  # times the font size: lines that begin this close have the same right margin
_ENDS_SENTENCE = re.compile(r"""[.:;!?…]["'’”)\]]*$""")
LEADER = re.compile(r"(?:\s*[.·∙⋅]){4,}\s*|\s*…{2,}\s*|\s*(?:-\s+){5,}")
"""The dots or dashes between an entry of a table of contents and its page number."""

_WORD_BULLET = "o"  # in Courier: Word's bullet on the second level
_BULLETS = frozenset(f"•◦‣·*–—-➢➤❖►▶▸◆◇○□❑❒➔∙{_WORD_BULLET}")
_ITEM_NUMBER = re.compile(r"(?:\d{1,3}|[a-zA-Z])[.)]$|\(\w{1,3}\)$")


class Break(Enum):
    """`PAGE` is no break: the text continues after the end of a page."""

    NONE = auto()
    PAGE = auto()
    LINE = auto()
    PARAGRAPH = auto()


def find_item_marker(line: Line) -> str:
    """`-` for a bullet, `2.` for a number, if the line begins a list item."""
    if len(line.words) < 2:
        return ""
    first, second = line.words[:2]
    if first.text == _WORD_BULLET and not first.mark.is_label:
        return "-" if first.is_monospaced and not second.is_monospaced else ""
    if first.is_monospaced:
        return ""
    if _is_bullet(first):
        return "-"
    return first.text if _ITEM_NUMBER.match(first.text) else ""


def _is_bullet(word: Word) -> bool:
    """Whether it is a bullet. Symbol fonts have their symbols in the range for private use, where a single one means nothing in other
    fonts.

    The last part of the pattern excludes pieces of large brackets.
    """
    if word.text in _BULLETS or (len(word.text) == 1 and "\ue000" <= word.text < "\uf8e5"):
        return True
    return word.mark.is_label and not any(map(str.isalnum, word.text))


class BreakFinder:
    """Knows the usual distance between lines in the document, and where lines end on each page."""

    def __init__(self, pages: Pages) -> None:
        self._leading = _get_leading(pages)
        self._margins = [_get_right_margins(lines) for lines in pages]

    def find(self, line: Line, following: Line, page: int, *, is_first: bool) -> Break:
        """The kind of break between two lines of page number `page`. `is_first` means that `line` begins its paragraph."""
        if line.is_hyphenated:
            return Break.NONE
        if find_item_marker(following) or _have_other_sizes(line, following):
            return Break.PARAGRAPH
        distance = line.y - following.y
        if distance < -_INDENT * line.size:  # up into the next column
            return Break.NONE if goes_on(line, following) else Break.PARAGRAPH
        if distance > _PARAGRAPH_GAP * self._leading * line.size:
            return Break.PARAGRAPH
        if _is_indented(line, following, is_first=is_first):
            return Break.PARAGRAPH
        if self._is_forced(line, following, page):
            return Break.LINE
        return Break.NONE

    def _is_forced(self, line: Line, following: Line, page: int) -> bool:
        """Whether the line ends although the first word of the next one would have fitted, or is a row of cells."""
        if len(line.cells) > 1:
            return not _is_hanging(line, following)
        if len(following.cells) > 1 or LEADER.search(line.text):
            return True
        first = following.words[0]
        room = self._margins[page][_get_margin_key(line)] - line.right
        return room > first.right - first.left + 2 * line.size and not goes_on(line, following)


def goes_on(line: Line, following: Line) -> bool:
    """Whether the words alone look like one sentence."""
    return line.is_hyphenated or (not _ENDS_SENTENCE.search(line.text) and following.text[:1].islower())


def _is_indented(line: Line, following: Line, *, is_first: bool) -> bool:
    """Whether the next line is indented in another way than first lines, items and rows of cells are."""
    offset = following.left - line.left
    if offset > _INDENT * line.size:
        return not (find_item_marker(line) or _is_hanging(line, following))
    return offset < -_INDENT * line.size and not is_first


def _is_hanging(line: Line, following: Line) -> bool:
    """Whether the next line continues the last cell of this one."""
    return len(line.cells) > 1 and abs(following.left - line.cells[-1][0].left) < _INDENT * line.size


def _have_other_sizes(line: Line, following: Line) -> bool:
    smaller, larger = sorted((line.size, following.size))
    return larger > _OTHER_SIZE * smaller


def _get_leading(pages: Pages) -> float:
    """The usual line spacing, as a multiple of the font size."""
    distances = Counter(
        round((a.y - b.y) / a.size, 1) for lines in pages for a, b in pairwise(lines) if a.size < a.y - b.y < 3 * a.size
    )
    return distances.most_common(1)[0][0] if distances else _DEFAULT_LEADING


def _get_right_margins(lines: Sequence[Line]) -> Mapping[int, float]:
    """The right margins of lines that begin close to each other, by the key of their left edges."""
    edges: defaultdict[int, float] = defaultdict(float)
    for line in lines:
        key = _get_margin_key(line)
        edges[key] = max(edges[key], line.right)
    return {key: max(edges.get(near, 0.0) for near in (key - 1, key, key + 1)) for key in edges}


def _get_margin_key(line: Line) -> int:
    return round(line.left / (_NEIGHBOUR * line.size))
