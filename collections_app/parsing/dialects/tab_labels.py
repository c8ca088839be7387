"""Where the label of a tab belongs in the text. PURE."""

from __future__ import annotations

import re

_FOLLOWING_HEADING = re.compile(
    r"(?:[ \t]*\n){1,5}(?P<indent>[ \t]*+)#{1,6}[ \t][^\n]*\n(?=[ \t]*\n(?!(?P=indent)(?: {4}|\t)))"
)
_MOST_INDENT = 3  # a line indented further than its tag may be code
_LINE_CHARACTERS = 200


def break_label(text: str) -> str:
    """The label with a line break, to be put below a heading."""
    return f"{text.rstrip()}  "


def find_place_of_label(content: str, start: int, end: int) -> int:
    """The beginning of the line below the heading that follows a tab's tag, if that line is blank, so that the heading's section says which
    tab it belongs to; else the end of the tag.
    """
    heading = _FOLLOWING_HEADING.match(content, end)
    before = content[max(0, start - _LINE_CHARACTERS) : start].rpartition("\n")[2]
    indent = len(before) if before.isspace() else 0
    return heading.end() if heading and len(heading["indent"]) <= indent + _MOST_INDENT else end
