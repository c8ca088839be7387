"""Finds the code in an MDX text. MDX has no indented code, and since children are indented, fences may have any indentation.

What stands between fences of `mdx-code-block` is no code: Docusaurus takes these fences off before it compiles a page. They keep formatters
and translators from the tags in them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

from collections_app.parsing.safety.places import Places

MAX_TAG_CHARACTERS = 20_000
MAX_UNCLOSED = 50
"""After this many tags without an end the text is probably not MDX, and the rest of it stays as it is."""

WRAPPER = "mdx-code-block"
_FENCE = re.compile(r"[ \t>]*(?:[-*+] +|\d{1,9}[.)] +)?(`{3,}(?=[^`]*$)|~{3,})")
_WRAPPER_BEGINS = re.compile(r"[ \t]*`{3,4} *" + WRAPPER + r"[ \t]*\r?$")
_WRAPPER_ENDS = re.compile(r"[ \t]*`{3,4}[ \t]*\r?$")
_WRAPPERS_WITHIN_EACH_OTHER = 2


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


def unwrap_mdx(content: str) -> str:
    """The text with an empty line in place of each fence of an `mdx-code-block`, also of one in another. Those shown in other code stay."""
    if WRAPPER not in content:
        return content
    lines = content.split("\n")
    for _ in range(_WRAPPERS_WITHIN_EACH_OTHER):
        for fence in list(iter_mdx_fences(lines)):
            first, last = fence.start, fence.stop - 1
            if _WRAPPER_BEGINS.match(lines[first]) and _WRAPPER_ENDS.match(lines[last]):
                lines[first] = lines[last] = ""
    return "\n".join(lines)
