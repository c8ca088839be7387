"""Finds the `import` and `export` statements of an MDX text and removes them. Of JavaScript it reads only brackets."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from collections_app.parsing.dialects.mdx_code import find_fenced_lines

_WORDS = ("import", "export")
_STATEMENT = re.compile(
    r"import\s*(?:[\"'{*]|[\w$][\w$,\s{}*]*\bfrom\b|type\s)|export\s+(?:default|const|let|var|function|async|class|type|\{|\*)"
)
# A name on a line of its own, with its origin on the next line.
_NAME = re.compile(r"import\s+[\w$]+\s*$")
_SOURCE = re.compile(r"\s*from\s*[\"']")
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]")
_SIGN = re.compile(r"[\"'\[\](){}]")
_STRINGS = {quote: re.compile(rf"{quote}(?:[^{quote}\\]|\\.)*+{quote}") for quote in "\"'"}
_MAX_LINES = 2000


def drop_statements(content: str) -> str:
    """The text without statements. As in MDX, a statement begins at the margin, at the beginning or after a blank line, a heading or
    another statement. No line moves.
    """
    lines = content.split("\n") if "import" in content or "export" in content else []
    if not any(line.startswith(_WORDS) for line in lines):
        return content
    fenced = find_fenced_lines(lines)
    is_balanced = True
    for number, line in enumerate(lines):
        if (
            line.startswith(_WORDS)
            and number not in fenced
            and _may_begin(lines, number, fenced)
            and _begins(lines, number)
        ):
            end = _find_end(lines, number) if is_balanced else None
            is_balanced = end is not None
            end = end or _find_blank(lines, number)
            lines[number:end] = [""] * (end - number)
    return "\n".join(lines)


def _may_begin(lines: Sequence[str], number: int, fenced: Set[int]) -> bool:
    before = lines[number - 1] if number else ""
    return not before.strip() or (number - 1 not in fenced and _HEADING.match(before) is not None)


def _begins(lines: Sequence[str], number: int) -> bool:
    if _STATEMENT.match(lines[number]):
        return True
    return bool(_NAME.match(lines[number]) and number + 1 < len(lines) and _SOURCE.match(lines[number + 1]))


def _find_end(lines: Sequence[str], start: int) -> int | None:
    """The line after a statement: the first blank line or next statement with all brackets closed; None if they never are."""
    depth = 0
    for number in range(start, min(start + _MAX_LINES, len(lines))):
        line = lines[number]
        if number > start and depth <= 0 and (not line.strip() or _STATEMENT.match(line)):
            return number
        depth += _count_open_brackets(line)
    return len(lines) if depth <= 0 and start + _MAX_LINES >= len(lines) else None


def _count_open_brackets(line: str) -> int:
    """How many brackets the line leaves open, outside of strings. If a quotation mark is never closed, later ones of its kind are not
    searched: takes linear time.
    """
    depth, position = 0, 0
    unclosed: set[str] = set()
    while sign := _SIGN.search(line, position):
        position = sign.end()
        if sign[0] not in _STRINGS:
            depth += 1 if sign[0] in "[({" else -1
        elif sign[0] not in unclosed:
            if string := _STRINGS[sign[0]].match(line, sign.start()):
                position = string.end()
            else:
                unclosed.add(sign[0])
    return depth


def _find_blank(lines: Sequence[str], start: int) -> int:
    return next((number for number in range(start, len(lines)) if not lines[number].strip()), len(lines))
