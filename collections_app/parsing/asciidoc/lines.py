"""Recognises what a line starts: a title, a delimited block, a list item, block attributes. It looks at one line at a time."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

_MAX_LINE_CHARACTERS = 5000
"""A longer line means nothing to blocks."""

MAX_FOLLOWING = 50
"""The most lines by which the value of an attribute continues."""

_SECTION_TITLE = re.compile(r"(?P<signs>={1,6}|#{1,6})[ \t]+(?P<title>\S.*)$")
BLOCK_ATTRIBUTES = re.compile(r"\[(?P<attributes>(?:[\w{,.#\"'%*].*)?)\]$")
BLOCK_ANCHOR = re.compile(r"\[\[(?P<id>[\w:][\w:.{}-]*)?(?:,[ ]*(?P<text>.+))?\]\]$")
BLOCK_TITLE = re.compile(r"\.(?P<title>\.?[^ \t.].*)$")
_BLOCK_MACRO = re.compile(r"(?P<name>[A-Za-z][\w-]*)::(?P<target>[^\[\]]*)\[(?P<attributes>.*)\]$")
ADMONITION = re.compile(r"(?P<kind>NOTE|TIP|IMPORTANT|WARNING|CAUTION):[ \t]+(?P<text>\S.*)$")
BREAK = re.compile(r"'{3,}$|-{3}$|\*{3}$|(?:- ){2}-$|(?:\* ){2}\*$|_{3}$")
FENCE = re.compile(r"```(?P<language>[\w+#.-]*)[^`]*$")
_DELIMITER = re.compile(r"(?:-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|/{4,}|~{4,}|--|[|,:!]={3,})$")

_UNORDERED = re.compile(r"[ \t]*(?P<marker>-|\*+|\u2022)[ \t]+(?P<text>\S.*)$")
_ORDERED = re.compile(r"[ \t]*(?P<marker>\.+|\d{1,9}\.|[A-Za-z]\.|[IVXivx]{1,9}\))[ \t]+(?P<text>\S.*)$")
_DESCRIBED = re.compile(r"[ \t]*(?P<term>(?!//)\S.*?|\S)(?P<marker>:::?:?|;;)(?:[ \t]+(?P<text>\S.*))?$")
_CALLOUT = re.compile(r"<(?P<number>\d{1,9}|\.)>[ \t]+(?P<text>\S.*)$")
_UNDERLINE = re.compile(r"(?:={2,}|-{2,}|~{2,}|\^{2,}|\+{2,})$")
_HAS_WORD = re.compile(r"\w")

CONTINUATION = "+"
UNDERLINES = "=-~^+"
"""In the order of levels, from the document's title down."""


@dataclass(frozen=True, slots=True)
class ListMark:
    """How a line begins an item of a list. `kind` is `ul`, `ol`, `dl` or `callouts`; items of one list have the same `sign`."""

    kind: str
    marker: str
    sign: str
    text: str
    term: str = ""


@lru_cache(maxsize=4096)  # lists within lists ask for the same lines again
def find_list_mark(line: str) -> ListMark | None:
    if not line or len(line) > _MAX_LINE_CHARACTERS:
        return None
    if match := _UNORDERED.match(line):
        return ListMark("ul", match["marker"], match["marker"], match["text"])
    if match := _ORDERED.match(line):
        return ListMark("ol", match["marker"], _find_sign(match["marker"]), match["text"])
    if line[0] == "<" and (match := _CALLOUT.match(line)):
        return ListMark("callouts", match["number"], "<>", match["text"])
    if ("::" in line or ";;" in line) and (match := _DESCRIBED.match(line)):
        return ListMark("dl", match["marker"], match["marker"], match["text"] or "", match["term"])
    return None


def _find_sign(marker: str) -> str:
    if marker[0] == ".":
        return marker
    if marker[0].isdigit():
        return "1."
    if marker.endswith(")"):
        return "i)" if marker.islower() else "I)"
    return "a." if marker.islower() else "A."


def find_delimiter(line: str) -> str:
    """The line that ends the block begun by this one; empty if it begins none."""
    if line.startswith("```"):
        return "```" if FENCE.match(line) else ""
    return line if line[:2] and _DELIMITER.match(line) else ""


def match_block_attributes(line: str) -> re.Match[str] | None:
    """The match of a line of attributes or of an anchor above a block."""
    if not line.startswith("[") or not line.endswith("]") or len(line) > _MAX_LINE_CHARACTERS:
        return None
    return BLOCK_ANCHOR.match(line) or BLOCK_ATTRIBUTES.match(line)


def match_block_title(line: str) -> re.Match[str] | None:
    title = BLOCK_TITLE.match(line)
    return title if title and not find_delimiter(line) and not find_list_mark(line) else None


def begins_block(line: str) -> bool:
    """Whether the line ends the paragraph before it."""
    if line.startswith("["):
        return match_block_attributes(line) is not None
    return bool(find_delimiter(line)) or line.startswith("include::")


def match_block_macro(line: str) -> re.Match[str] | None:
    return _BLOCK_MACRO.match(line) if line.endswith("]") and len(line) <= _MAX_LINE_CHARACTERS else None


def find_section_title(line: str) -> tuple[str, int]:
    """The title and its level, from 1; 0 if the line is not a title. The markers may follow the title as well."""
    found = _SECTION_TITLE.match(line) if line[:1] in ("=", "#") and len(line) <= _MAX_LINE_CHARACTERS else None
    if found is None:
        return "", 0
    title = found["title"].rstrip()
    signs = found["signs"]
    without = title.removesuffix(signs)
    return (without.rstrip() if without[-1:].isspace() else title), len(signs)


def find_title(line: str, next_line: str) -> tuple[str, int, int]:
    """A section's title, its level as in find_section_title(), and how many lines it takes: two if underlined."""
    title, level = find_section_title(line)
    if level:
        return title, level, 1
    if is_underlined(line, next_line) and not begins_block(line) and not find_list_mark(line):
        return line.rstrip(), UNDERLINES.index(next_line[0]) + 1, 2
    return "", 0, 0


def is_underlined(line: str, underline: str) -> bool:
    """Whether the second line makes the first a title: it is nearly as long, and repeats one character."""
    if not underline or underline[0] not in UNDERLINES or abs(len(line) - len(underline)) > 1:
        return False
    return bool(_UNDERLINE.match(underline) and _HAS_WORD.search(line)) and not line.startswith((" ", "\t", "."))


class Lines:
    """Lines being read, and the position in them."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._position = 0

    def __bool__(self) -> bool:
        return self._position < len(self._lines)

    def peek(self, ahead: int = 0) -> str:
        """A line not yet taken; empty after the last."""
        place = self._position + ahead
        return self._lines[place] if place < len(self._lines) else ""

    def get_following(self) -> list[str]:
        """Up to MAX_FOLLOWING lines after the next one."""
        return list(self._lines[self._position + 1 : self._position + 1 + MAX_FOLLOWING])

    def take(self, count: int = 1) -> str:
        """Take this many lines and return the last."""
        self._position += count
        return self._lines[self._position - 1]

    def skip_blank(self) -> bool:
        """Skip blank lines; returns whether there were any."""
        first = self._position
        while self and not self.peek():
            self._position += 1
        return self._position > first

    def take_block(self, delimiter: str) -> list[str]:
        """Take the lines up to the delimiter, or to the end if there is none, and the delimiter itself."""
        found = self.take_while(lambda line: line != delimiter)
        self._position += 1 if self else 0
        return found

    def take_while(self, goes_on: Callable[[str], bool]) -> list[str]:
        end = self._position
        while end < len(self._lines) and goes_on(self._lines[end]):
            end += 1
        return self._take_to(end)

    def take_rest(self) -> list[str]:
        return self._take_to(len(self._lines))

    def _take_to(self, end: int) -> list[str]:
        taken = list(self._lines[self._position : end])
        self._position = end
        return taken

    def take_paragraph(self) -> list[str]:
        """Take the lines up to a blank one, or one that begins another block."""
        return self.take_while(lambda line: bool(line) and line != CONTINUATION and not begins_block(line))
