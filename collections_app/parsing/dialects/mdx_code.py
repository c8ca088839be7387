"""Finds the code in an MDX text. MDX has no indented code, and since children are indented, fences may have any indentation."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

from collections_app.parsing.safety.places import Places

MAX_TAG_CHARACTERS = 20_000
MAX_UNCLOSED = 50
"""After this many tags without an end the text is probably not MDX, and the rest of it stays as it is."""

_FENCE = re.compile(r"[ \t>]*(?:[-*+] +|\d{1,9}[.)] +)?(`{3,}(?=[^`]*$)|~{3,})")


class MdxPlaces(Places):
    """The places of an MDX text: of its lines, only those of fences are code."""

    def __init__(self, content: str) -> None:
        super().__init__(content, has_markup=True)

    @cached_property
    def _fenced(self) -> set[int]:
        return find_fenced_lines(self.lines)

    def _is_code_line(self, line: int) -> bool:
        return line in self._fenced

    def is_in_heading(self, offset: int) -> bool:
        return self.lines[self.get_line(offset)].startswith("#")


def replace_outside_mdx_code(pattern: re.Pattern[str], write: Callable[[re.Match[str]], str], content: str) -> str:
    """An MDX text with each match that does not begin in code replaced."""
    return MdxPlaces(content).replace_outside_code(pattern, write)


def find_fenced_lines(lines: Iterable[str]) -> set[int]:
    """The lines of fenced code, its fences included."""
    return {line for fence in iter_mdx_fences(lines) for line in fence}


def iter_mdx_fences(lines: Iterable[str]) -> Iterator[range]:
    """The lines of each piece of fenced code, its fences included."""
    open_fence, is_quoted, start, number = "", False, 0, -1
    for number, line in enumerate(lines):
        if is_quoted and not line.lstrip(" \t").startswith(">"):
            yield range(start, number)
            open_fence, is_quoted = "", False  # the quote has ended, and with it the fence inside
        if open_fence:
            text = line.strip(" \t>" if is_quoted else None) if open_fence in line else ""
            if text.startswith(open_fence) and not text.strip(open_fence[0]):
                yield range(start, number + 1)
                open_fence, is_quoted = "", False
        elif ("```" in line or "~~~" in line) and (fence := _FENCE.match(line)):
            open_fence, is_quoted, start = fence[1], ">" in line[: fence.start(1)], number
    if open_fence:
        yield range(start, number + 1)
