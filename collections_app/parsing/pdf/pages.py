"""What was read from a PDF: pages of lines of words with their positions, and the outline. It knows neither PDFium nor Markdown.

Lengths are in points. `left` and `right` grow along the reading direction and `y` grows upwards, whichever way the page is turned.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

CELL_GAP = 1.5  # times the font size: no justified line stretches a space that far


@dataclass(frozen=True, slots=True)
class Cell:
    """A place in a table, which has its number on its page. Rows are counted in order, and a tagged table counts them over all its pages.

    `edges` of a drawn table are the left edges of its columns and the right edge of the last one. With `is_ruled` only its rows are drawn,
    and some of these lines may be the page's.
    """

    table: int
    row: tuple[int, int]
    column: int
    edges: tuple[float, ...] = ()
    is_ruled: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """What the file says about some text: its paragraph, by a number on the page, the level of a heading, an item's marker, a cell."""

    block: int = 0
    heading: int = 0
    is_label: bool = False
    cell: Cell | None = None


_NO_MARK = Mark()


@dataclass(frozen=True, slots=True)
class Word:
    """A run of characters without a blank, in the font of its first letter."""

    text: str
    left: float
    right: float
    is_monospaced: bool = False
    is_bold: bool = False
    mark: Mark = _NO_MARK

    @property
    def is_sign(self) -> bool:
        """Whether it is the marker of a list item."""
        return self.mark.is_label or self.text == "•"


@dataclass(frozen=True)
class Line:
    """Words on one baseline `y`, from left to right; never empty. `is_hyphenated` means that its last word continues on the next line."""

    words: tuple[Word, ...]
    y: float
    size: float
    is_hyphenated: bool = False

    @property
    def left(self) -> float:
        return self.words[0].left

    @property
    def right(self) -> float:
        return self.words[-1].right

    @cached_property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)

    @cached_property
    def is_monospaced(self) -> bool:
        return all(word.is_monospaced for word in self.words)

    @cached_property
    def is_bold(self) -> bool:
        return all(word.is_bold for word in self.words)

    @property
    def mark(self) -> Mark:
        """The mark of the text: an item's marker before it has its own."""
        return self.words[-1].mark

    @cached_property
    def cells(self) -> tuple[tuple[Word, ...], ...]:
        """The words between gaps too wide for a blank, except the gap after an item's marker."""
        starts = [
            i
            for i, (a, b) in enumerate(pairwise(self.words), 1)
            if b.left - a.right > CELL_GAP * self.size and not a.is_sign
        ]
        return tuple(self.words[a:b] for a, b in pairwise([0, *starts, len(self.words)]))


Pages = Sequence[Sequence[Line]]


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A bookmark. `level` counts from 1, `page` from 0; `y` is the height on the page that it points to, if it says so.

    `is_slide` means that it names a whole page.
    """

    title: str
    level: int
    page: int
    y: float | None
    is_slide: bool = False


@dataclass(frozen=True, slots=True)
class PdfContents:
    """`pages` has a list of lines for each page, an empty one if the page could not be read. `hidden_text` is not in them.

    `is_tagged` means that the marks of all pages are known.
    """

    pages: Pages
    is_tagged: bool
    outline: Sequence[OutlineEntry]
    information: Mapping[str, str]
    hidden_text: tuple[str, ...]
    warnings: tuple[str, ...]


_NOT_A_WORD = re.compile(r"[\W_]+")
_ICON = re.compile(r"(?<!\S)[\ue000-\uf8ff]+(?!\S)\s*+")
_WITHOUT_BLANKS = re.compile(
    "[\u2e80-\u312f\u31a0-\u9fff\uf900-\ufaff\uff00-\uff9f\U00020000-\U0003ffff]"
)  # Chinese and Japanese


def fold_text(text: str) -> str:
    """The text with letters and digits only, in lower case, to compare spellings of a title."""
    return _NOT_A_WORD.sub("", text.casefold())


def drop_icons(text: str) -> str:
    """The text without signs of icon fonts that stand by themselves, which only their font can show; as it is if it has nothing else."""
    return _ICON.sub("", text).strip() or text


def join_texts(lines: Sequence[Line]) -> str:
    """The lines joined into one; words divided between them are joined."""
    if not lines:
        return ""
    blanks = ["" if line.is_hyphenated else get_blank(line, following) for line, following in pairwise(lines)]
    return "".join(line.text + blank for line, blank in zip(lines, [*blanks, ""], strict=True))


def get_blank(line: Line, following: Line) -> str:
    """The separator between words of two joined lines; nothing in scripts without blanks."""
    around = line.words[-1].text[-1], following.words[0].text[0]
    return "" if all(map(_WITHOUT_BLANKS.match, around)) else " "
