"""Facts about a Markdown file in comments at its very start, as Writerside writes them: `[//]: # (title: Getting started)`. PURE."""

from __future__ import annotations

import re
from collections.abc import Mapping

_COMMENT = re.compile(
    r"\[//\]:[ \t]*+#[ \t]*+[(\"'](?:(title|description):)?[ \t]*+(.*)[)\"'][ \t]*+(?:\n|\Z)|[ \t]*+\n"
)


def read_comment_facts(content: str) -> Mapping[str, str]:
    """The title and the description, if they are given."""
    facts: dict[str, str] = {}
    position = 0
    while found := _COMMENT.match(content, position):
        position = found.end()
        if found[1] and found[2].strip():
            facts.setdefault(found[1], found[2].strip())
    return facts
