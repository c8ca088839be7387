"""Removes the blanks that align the columns of pipe tables: they cost agents tokens, and people do not see them. No line moves. PURE."""

from __future__ import annotations

import re
from collections.abc import Sequence

from collections_app.parsing.headings import LineKind, iter_line_kinds

_RULE = re.compile(r"[ \t>]*+\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+(?::?-++:?[ \t]*+)?)++$")
_BLANKS = re.compile(r"(?<=\S)[ \t]{2,}(?=\|)|(?<!\\\|)(?<=\|)[ \t]{2,}(?=\S)|(?<=\S)[ \t]++$")
_DASHES = re.compile("-{4,}")


def drop_table_padding(content: str) -> str:
    """The text with one blank on each side of a cell, and with three dashes below a column's heading."""
    if "|" not in content:
        return content
    lines = content.split("\n")
    rules = [number for number, line in enumerate(lines) if "|" in line and _RULE.match(line)]
    if not rules:
        return content
    kinds = list(iter_line_kinds(lines))
    end = 0
    for rule in rules:
        if rule < end or kinds[rule] is not LineKind.MARKDOWN:
            continue
        end = _find_end(lines, kinds, rule)
        for row in range(max(0, rule - 1), end):
            if "  " in lines[row] or "\t" in lines[row] or lines[row].endswith(" "):
                lines[row] = _BLANKS.sub(_keep_one, lines[row])
        lines[rule] = _DASHES.sub("---", lines[rule])
    return "\n".join(lines)


def _find_end(lines: Sequence[str], kinds: Sequence[LineKind], rule: int) -> int:
    """The number of the first line after the delimiter row that is not a table row."""
    end = rule + 1
    while end < len(lines) and kinds[end] is LineKind.MARKDOWN and "|" in lines[end]:
        end += 1
    return end


def _keep_one(blanks: re.Match[str]) -> str:
    return "" if blanks.end() == len(blanks.string) else " "
