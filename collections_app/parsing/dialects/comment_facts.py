"""Facts about a Markdown file at its very start: in comments, as Writerside writes them (`[//]: # (title: Getting started)`), and in
Pandoc's title block (`% Getting started`, `% its authors`, `% its date`), which pages of manuals have too (`% boat-row 1`). PURE.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_COMMENT = re.compile(
    r"\[//\]:[ \t]*+#[ \t]*+[(\"'](?:(title|description):)?[ \t]*+(.*)[)\"'][ \t]*+(?:\n|\Z)|[ \t]*+\n"
)
# Each of the lines may continue on indented ones.
_TITLE_BLOCK = re.compile(
    r"%[ \t]++(?P<title>[^\n]++(?:\n[ \t]++[^\s][^\n]*+)*+)(?:\n%[^\n]*+(?:\n[ \t]++[^\s][^\n]*+)*+){0,2}(?=\n[ \t]*+(?:\n|\Z)|\Z)"
)
# `boat-row 1`, `boat-row(1) version 2 | Boats`.
_OF_MANUAL = re.compile(r"(?P<name>[^\s()]+)(?: (?P<number>[1-9][a-z]?)|\((?P<section>[1-9][a-z]?)\))(?: .*)?")


def read_comment_facts(content: str) -> Mapping[str, str]:
    """The title and the description, if they are given."""
    facts: dict[str, str] = {}
    position = 0
    while found := _COMMENT.match(content, position):
        position = found.end()
        if found[1] and found[2].strip():
            facts.setdefault(found[1], found[2].strip())
    return facts


def split_title_block(content: str) -> tuple[str, str]:
    """The text without such a block, with no line moved, and the title in it; that of a page of a manual as `boat-row(1)`."""
    block = _TITLE_BLOCK.match(content) if content.startswith("%") else None
    if not block:
        return content, ""
    title = " ".join(block["title"].replace("\\-", "-").split())
    page = _OF_MANUAL.fullmatch(title)
    written = f"{page['name']}({page['number'] or page['section']})" if page else title
    return "\n" * block[0].count("\n") + content[block.end() :], written
