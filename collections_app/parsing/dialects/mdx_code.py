"""Finds the code in an MDX text. MDX has no indented code, and since children are indented, fences may have any indentation."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable
from itertools import accumulate

from collections_app.parsing.safety.places import find_code_spans
from collections_app.text.spans import is_in_span

MAX_TAG_CHARACTERS = 20_000
MAX_UNCLOSED = 50
"""After this many tags without an end the text is probably not MDX, and the rest of it stays as it is."""

_FENCE = re.compile(r"[ \t>]*(?:[-*+] +|\d{1,9}[.)] +)?(`{3,}(?=[^`]*$)|~{3,})")


class MdxCode:
    """The code of one text."""

    def __init__(self, content: str) -> None:
        self._lines = content.split("\n")
        self._starts = [0, *accumulate(len(line) + 1 for line in self._lines)]
        self._fenced = find_fenced_lines(self._lines)
        self._spans: tuple[int, list[tuple[int, int]]] = (-1, [])

    def get_line(self, offset: int) -> int:
        return bisect_right(self._starts, offset) - 1

    def is_in_heading(self, offset: int) -> bool:
        return self._lines[self.get_line(offset)].startswith("#")

    def holds(self, offset: int) -> bool:
        """Whether this position is in a fence or a code span."""
        line = self.get_line(offset)
        if line in self._fenced:
            return True
        if self._spans[0] != line:
            self._spans = line, find_code_spans(self._lines[line])
        column = offset - self._starts[line]
        return is_in_span(self._spans[1], column, column + 1)


def replace_outside_mdx_code(pattern: re.Pattern[str], write: Callable[[re.Match[str]], str], content: str) -> str:
    """An MDX text with each match that does not begin in code replaced."""
    if not pattern.search(content):
        return content
    code = MdxCode(content)
    return pattern.sub(lambda found: found[0] if code.holds(found.start()) else write(found), content)


def find_fenced_lines(lines: Iterable[str]) -> set[int]:
    """The lines of fenced code, its fences included."""
    fenced: set[int] = set()
    open_fence, is_quoted = "", False
    for number, line in enumerate(lines):
        if is_quoted and not line.lstrip(" \t").startswith(">"):
            open_fence, is_quoted = "", False  # the quote has ended, and with it the fence inside
        if open_fence:
            fenced.add(number)
            text = line.strip(" \t>" if is_quoted else None)
            if text.startswith(open_fence) and not text.strip(open_fence[0]):
                open_fence, is_quoted = "", False
        elif fence := _FENCE.match(line):
            fenced.add(number)
            open_fence, is_quoted = fence[1], ">" in line[: fence.start(1)]
    return fenced
