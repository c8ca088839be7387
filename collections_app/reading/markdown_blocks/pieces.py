"""The lines of blocks that end by themselves. Each function gets the position of a line, and returns the block's content with the position
behind it. `margin` is where the content of the list item around them begins. PURE.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from collections_app.reading.markdown_blocks.signs import count_spaces


def read_fence(lines: Sequence[str], position: int, mark: str, column: int, margin: int) -> tuple[list[str], int, bool]:
    """The code behind the line with the opening fence, whose column is taken off; and whether the fence is closed."""
    ends = re.compile(f" *{re.escape(mark[0])}{{{len(mark)},}} *$").match
    code: list[str] = []
    while position < len(lines):
        line = lines[position]
        if line.strip() and count_spaces(line) < margin:
            break
        position += 1
        if ends(line):
            return code, position, True
        code.append(line[min(column, count_spaces(line)) :])
    return code, position, False


def read_indented_code(lines: Sequence[str], position: int, margin: int) -> tuple[str, int]:
    column = margin + 4
    code: list[str] = []
    while position < len(lines):
        line = lines[position]
        if line.strip() and count_spaces(line) < column:
            break
        code.append(line[column:])
        position += 1
    return "\n".join(code).strip("\n"), position


def read_html(
    lines: Sequence[str], position: int, text: str, margin: int, ends: Callable[[str], object]
) -> tuple[str, int]:
    """The HTML block that `text` begins, at the position; `ends` tells of a line whether it is the last one."""
    html = [text]
    position += 1
    while position < len(lines) and not ends(html[-1]):
        line = lines[position]
        if count_spaces(line) < margin if line.strip() else ends(""):
            break
        html.append(line[margin:])
        position += 1
    return "\n".join(html), position


def find_end_of_indented(lines: Sequence[str], position: int, column: int) -> int:
    """The position behind the last line that is indented this far; the given one if none is."""
    end = position
    for at in range(position, len(lines)):
        if lines[at].strip():
            if count_spaces(lines[at]) < column:
                break
            end = at + 1
    return end
