"""Looks up positions in a Markdown text: their line, whether it is code, and the passage around it. It changes nothing."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, islice, repeat
from operator import add

from collections_app.parsing.headings import LineKind, iter_line_kinds
from collections_app.text.spans import is_in_span

BEFORE_BLOCK = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?")
"""What a line may have before a block: quote markers and a list marker."""

_BACKTICKS = re.compile("`+")
_BEGINS_BLOCK = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]|#{1,6}[ \t]|\||$)")
_HEADING = re.compile(r"[ \t>]*#{1,6}[ \t]")
_OPENING_QUOTES = frozenset("\"'“”„«»‘‚‹「『《")
_CLOSING_QUOTES = re.compile("[\"'“”»«’‘›」』》]")
_BEFORE_MARKUP_QUOTE = re.compile(r"(?:\](?:\(|:)[ \t]*+[^\s()]*+[ \t]++|<[a-zA-Z][^<>]*\s[\w:-]++=)\Z")
_MARKERS_CHARACTERS = 200
_INDENTED = re.compile(r"[> ]*(?:\t| {4})[ \t]*[^\s]")
_BLANK_LINE = re.compile(r"\n[ \t>]*(?:\n|$)")
_FOLLOWING_CHARACTERS = 5_000
_BLANKS = re.compile(r"[^\S\n]*+")
_LINE_CHARACTERS = 200
_EMPHASIS = "*_[("


class Places:
    """The lines of a text and the code among them, worked out on demand. Text without markup (`has_markup` false) has no code."""

    def __init__(self, content: str, *, has_markup: bool) -> None:
        self.content = content
        self._has_markup = has_markup
        self._line_kinds: list[LineKind] = []
        self._code_spans: tuple[int, list[tuple[int, int]]] = (-1, [])

    @cached_property
    def lines(self) -> list[str]:
        return self.content.split("\n")

    @cached_property
    def _starts(self) -> Sequence[int]:
        return [0, *accumulate(map(add, map(len, self.lines), repeat(1)))]

    @cached_property
    def _further_line_kinds(self) -> Iterator[LineKind]:
        return iter_line_kinds(self.lines) if self._has_markup else iter(())

    def _get_line_kind(self, line: int) -> LineKind:
        """Lines are classified only as far as needed, because most questions concern the beginning."""
        if line >= len(self._line_kinds):
            self._line_kinds += islice(self._further_line_kinds, line + 1 - len(self._line_kinds))
        return self._line_kinds[line] if line < len(self._line_kinds) else LineKind.MARKDOWN

    def _is_code_line(self, line: int) -> bool:
        return self._get_line_kind(line) is LineKind.CODE

    def get_line(self, offset: int) -> int:
        return bisect_right(self._starts, offset) - 1

    def get_start(self, line: int) -> int:
        return self._starts[line]

    def is_code(self, start: int, end: int) -> bool:
        """Whether `start` is in a line of code, or `start` to `end` is within a code span."""
        line = self.get_line(start)
        if self._is_code_line(line):
            return True
        first = self.get_start(line)
        return is_in_span(self._find_code_spans(line), start - first, end - first)

    def is_code_at(self, offset: int) -> bool:
        return self.is_code(offset, offset + 1)

    def replace_outside_code(self, pattern: re.Pattern[str], write: Callable[[re.Match[str]], str]) -> str:
        """The text with each match replaced that does not begin in code."""
        return pattern.sub(lambda found: found[0] if self.is_code_at(found.start()) else write(found), self.content)

    def is_markup(self, start: int, end: int) -> bool:
        """Whether the `<` at `start` begins markup that ends at `end`: not in code, and not escaped by a backslash, which HTML blocks do
        not know.
        """
        if self.is_code(start, end):
            return False
        before = start
        while before > 0 and self.content[before - 1] == "\\":
            before -= 1
        return (start - before) % 2 == 0 or self.is_html(start)

    def is_html(self, offset: int) -> bool:
        """Whether the line of `offset` belongs to an HTML block."""
        return self._get_line_kind(self.get_line(offset)) is LineKind.HTML

    def get_text_before(self, offset: int) -> str:
        """The text from the beginning of its line up to `offset`; in a long line, only the last part of that."""
        return self.content[max(self.get_start(self.get_line(offset)), offset - _MARKERS_CHARACTERS) : offset]

    def _find_code_spans(self, line: int) -> list[tuple[int, int]]:
        if self._code_spans[0] != line:
            self._code_spans = line, find_code_spans(self.lines[line]) if self._has_markup else []
        return self._code_spans[1]

    def is_quoted(self, start: int, end: int) -> bool:
        """Whether it begins right after a quotation mark and another one follows. Quotation marks around a title or an attribute do not
        count.
        """
        before = self.get_text_before(start).rstrip(_EMPHASIS)
        return (
            before[-1:] in _OPENING_QUOTES
            and _CLOSING_QUOTES.search(self.content, end, end + 500) is not None
            and not _BEFORE_MARKUP_QUOTE.search(before[:-1])
        )

    def find_passage(self, line: int) -> tuple[int, int]:
        """The first and the last line of the paragraph, list item, heading or table row that `line` belongs to."""
        first = last = line
        while first > 0 and not _BEGINS_BLOCK.match(self.lines[first]) and self._is_running_text(first - 1):
            first -= 1
        while (
            last + 1 < len(self.lines)
            and not _HEADING.match(self.lines[last])
            and not self._is_code_line(last + 1)
            and not _BEGINS_BLOCK.match(self.lines[last + 1])
        ):
            last += 1
        return first, last

    def _is_running_text(self, line: int) -> bool:
        text = self.lines[line]
        return bool(text.strip()) and not self._is_code_line(line) and not _HEADING.match(text)


def is_alone(content: str, start: int, end: int) -> bool:
    """Whether a tag is alone on its line, apart from quote markers. Of a long line only the part near the tag is checked."""
    before = content[max(start - _LINE_CHARACTERS, 0) : start].rpartition("\n")[2]
    behind = content[end : end + _LINE_CHARACTERS].partition("\n")[0]
    return not before.strip(" \t>") and not behind.strip()


def would_become_code(content: str, end: int) -> bool:
    """Whether indented HTML behind the line of `end` may become code if that line becomes blank. The policy would then judge nothing in it,
    hidden or not.
    """
    start = _BLANKS.search(content, end).end()  # type: ignore[union-attr]  # it matches everywhere
    # If more text than this follows on the line, some of it will remain, and the line will not be blank.
    behind = content.find("\n", start, start + _LINE_CHARACTERS)
    if behind < 0 or not _INDENTED.match(content, behind + 1):
        return False
    following = content[behind + 1 : behind + 1 + _FOLLOWING_CHARACTERS]
    blank = _BLANK_LINE.search(following)
    return "<" in following[: blank.start() if blank else None]


def find_code_spans(line: str) -> list[tuple[int, int]]:
    """Where code spans begin and end, backticks included (CommonMark 0.31, section 6.1). Takes linear time."""
    runs = [match.span() for match in _BACKTICKS.finditer(line)]
    closers: defaultdict[int, list[int]] = defaultdict(list)
    for index in range(len(runs) - 1, -1, -1):
        start, end = runs[index]
        closers[end - start].append(index)
    spans = []
    following = 0
    for index, (start, end) in enumerate(runs):
        same = closers[end - start]
        same.pop()
        if index >= following and same:
            following = same[-1] + 1
            spans.append((start, runs[same[-1]][1]))
    return spans


def replace_outside_code(pattern: re.Pattern[str], write: Callable[[re.Match[str]], str], content: str) -> str:
    """A Markdown text with each match replaced that does not begin in code."""
    return Places(content, has_markup=True).replace_outside_code(pattern, write)


def replace_outside_spans(pattern: re.Pattern[str], write: Callable[[re.Match[str]], str], line: str) -> str:
    """A line of Markdown with each match replaced that is not within a code span."""
    if not pattern.search(line):
        return line
    code = find_code_spans(line)
    return pattern.sub(lambda found: found[0] if is_in_span(code, *found.span()) else write(found), line)
