"""What was read from a PDF: pages of lines of words with their positions, and the outline. It knows neither PDFium nor Markdown.

Lengths are in points. `left` and `right` grow along the reading direction and `y` grows upwards, whichever way the page is turned.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

CELL_GAP = 1.5  # times the font size: what no justified line stretches a space to


@dataclass(frozen=True, slots=True)
class Cell:
    """A place in a table, which has its number on its page. Rows are in order, and the same on all pages of a table that is tagged.

    `edges`: of a table that is drawn, where its columns begin and where the last one ends; `is_ruled`: only its rows are drawn, and some of
    them may be the page's.
    """

    table: int
    row: tuple[int, int]
    column: int
    edges: tuple[float, ...] = ()
    is_ruled: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """What the file itself says of some text: its paragraph, by a number on the page, a heading's level, the sign of an item, a cell."""

    block: int = 0
    heading: int = 0
    is_label: bool = False
    cell: Cell | None = None


_NO_MARK = Mark()


@dataclass(frozen=True, slots=True)
class Word:
    """A run of characters without a blank; its font is that of its first letter."""

    text: str
    left: float
    right: float
    is_monospaced: bool = False
    is_bold: bool = False
    mark: Mark = _NO_MARK

    @property
    def is_sign(self) -> bool:
        """Whether it stands before an item of a list."""
        return self.mark.is_label or self.text == "•"


@dataclass(frozen=True)
class Line:
    """Words on one baseline `y`, from left to right; never empty. `is_hyphenated` says that its last word goes on in the next line."""

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
        """That of the text: a sign before it has its own."""
        return self.words[-1].mark

    @cached_property
    def cells(self) -> tuple[tuple[Word, ...], ...]:
        """The words between gaps that are too wide for a blank, other than behind the sign of an item."""
        starts = [
            i
            for i, (a, b) in enumerate(pairwise(self.words), 1)
            if b.left - a.right > CELL_GAP * self.size and not a.is_sign
        ]
        return tuple(self.words[a:b] for a, b in pairwise([0, *starts, len(self.words)]))


Pages = Sequence[Sequence[Line]]


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A bookmark. `level` counts from 1, `page` from 0; `y` is where on the page it points to, if it says so.

    `is_slide`: it names a whole page.
    """

    title: str
    level: int
    page: int
    y: float | None
    is_slide: bool = False


@dataclass(frozen=True, slots=True)
class PdfContents:
    """`pages` has one list of lines per page, an empty one for a page that could not be read. `hidden_text` is not in them.

    `is_tagged` says that the marks of all pages are known.
    """

    pages: Pages
    is_tagged: bool
    outline: Sequence[OutlineEntry]
    information: Mapping[str, str]
    hidden_text: tuple[str, ...]
    warnings: tuple[str, ...]


_NOT_A_WORD = re.compile(r"[\W_]+")
_WITHOUT_BLANKS = re.compile(
    "[\u2e80-\u312f\u31a0-\u9fff\uf900-\ufaff\uff00-\uff9f\U00020000-\U0003ffff]"
)  # Chinese and Japanese


def fold_text(text: str) -> str:
    """Only the letters and digits, in lower case: what two spellings of a title have in common."""
    return _NOT_A_WORD.sub("", text.casefold())


def join_texts(lines: Sequence[Line]) -> str:
    """The lines joined into one; words divided between them are rejoined."""
    if not lines:
        return ""
    blanks = ["" if line.is_hyphenated else get_blank(line, following) for line, following in pairwise(lines)]
    return "".join(line.text + blank for line, blank in zip(lines, [*blanks, ""], strict=True))


def get_blank(line: Line, following: Line) -> str:
    """The separator between words of two joined lines: nothing in scripts without spaces."""
    around = line.words[-1].text[-1], following.words[0].text[0]
    return "" if all(map(_WITHOUT_BLANKS.match, around)) else " "
