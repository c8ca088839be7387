"""Fences of Markdown in reStructuredText, where authors mixed the two up, are read as the code that they were meant to be. Docutils makes
lists, headings and errors of it. PURE.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_FENCE = re.compile(r"```(?P<language>[A-Za-z][\w+#.-]*)?[ \t]*$")
_INDENT = "   "


def write_code_blocks(text: str) -> str:
    """The text with fences that stand at the left margin as directives; lines behind them keep their numbers."""
    if "```" not in text:
        return text
    lines = text.split("\n")
    number = 0
    while number < len(lines):
        end = _find_end(lines, number)
        if end:
            lines[number : end + 1] = _write_block(lines[number], lines[number + 1 : end])
        number = max(number, end) + 1
    return "\n".join(lines)


def _find_end(lines: Sequence[str], start: int) -> int:
    """The line of the closing fence; 0 if none begins here: within a paragraph, or if it may be the line above or below a title."""
    opening = _FENCE.match(lines[start])
    if opening is None or (start and lines[start - 1].strip()):
        return 0
    for end in range(start + 1, len(lines)):
        if closing := _FENCE.match(lines[end]):
            may_be_title = not opening["language"] and end == start + 2
            return 0 if closing["language"] or may_be_title else end
    return 0


def _write_block(opening: str, code: Sequence[str]) -> Sequence[str]:
    language = opening.strip().strip("`")
    return [f".. code-block:: {language}".rstrip(), "", *(f"{_INDENT}{line}" if line.strip() else "" for line in code)]
