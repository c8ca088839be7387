"""What blocks begin with, in lines without tabs. PURE."""

from __future__ import annotations

import re

FENCE = re.compile(r"(`{3,}+)([^`]*+)$|(~{3,}+)(.*+)$")
MARKER = re.compile(r"([-+*]|[0-9]{1,9}[.)])(?: +|$)")
LIST_STARTS = {"-", "+", "*", "1.", "1)"}
THEMATIC_BREAK = re.compile(r"([-*_])(?: *+\1){2,}+ *+$")
UNDERLINE = re.compile("(?:=+|-+) *$")
HARD_BREAK = re.compile(r"(?<!\\)\\$")
HEADING = re.compile(r"#{1,6}(?: |$)")
TABLE_RULE = re.compile(r"\|?(?: *:?-+:? *\|)+(?: *:?-+:? *)?$")


def begins_block(text: str, kind: str = "") -> bool:
    """Whether a line ends the paragraph before it instead of continuing it; `kind` is that of the list around the paragraph."""
    if marker := MARKER.match(text):
        return marker[1][-1] == kind or marker.end() < len(text)
    return bool(text[:1] == ">" or FENCE.match(text) or HEADING.match(text) or THEMATIC_BREAK.match(text))


def get_marker(text: str) -> re.Match[str]:
    marker = MARKER.match(text)
    assert marker
    return marker


def count_spaces(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
