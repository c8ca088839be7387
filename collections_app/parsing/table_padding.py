"""Removes the blanks that align the columns of pipe tables: they cost agents tokens, and people do not see them. No line moves. PURE."""

from __future__ import annotations

import re
from collections.abc import Sequence

from collections_app.parsing.headings import LineKind, iter_line_kinds

_RULE = re.compile(r"^[ \t>]*+\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+(?::?-++:?[ \t]*+)?)++$", re.MULTILINE)
_BLANKS = re.compile(r"(?<=\S)[ \t]{2,}(?=\|)|(?<!\\\|)(?<=\|)[ \t]{2,}(?=\S)|(?<=\S)[ \t]++$")
_DASHES = re.compile("-{4,}")


def drop_table_padding(content: str) -> str:
    """The text with one blank on each side of a cell, and with three dashes below a column's heading."""
    if "|" not in content or not _RULE.search(content):
        return content
    lines = content.split("\n")
    kinds = list(iter_line_kinds(lines))
    rule = 0
    for number, (line, kind) in enumerate(zip(lines, kinds, strict=True)):
        if number < rule or kind is not LineKind.MARKDOWN or not _RULE.match(line):
            continue
        rule = _find_end(lines, kinds, number)
        for row in range(max(0, number - 1), rule):
            lines[row] = _BLANKS.sub(_keep_one, lines[row])
        lines[number] = _DASHES.sub("---", lines[number])
    return "\n".join(lines)


def _find_end(lines: Sequence[str], kinds: Sequence[LineKind], rule: int) -> int:
    """The number of the first line after the delimiter row that is not a table row."""
    end = rule + 1
    while end < len(lines) and kinds[end] is LineKind.MARKDOWN and "|" in lines[end]:
        end += 1
    return end


def _keep_one(blanks: re.Match[str]) -> str:
    return "" if blanks.end() == len(blanks.string) else " "
