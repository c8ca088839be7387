"""Heading ids and references of Julia's Documenter: `# [Title](@id name)`, `[words](@ref)`. PURE.

https://documenter.juliadocs.org/stable/man/syntax/
"""

from __future__ import annotations

import re
from operator import itemgetter

from collections_app.parsing.headings import iter_headings
from collections_app.parsing.safety.places import replace_outside_code

_HEADING = re.compile(r"(?P<signs> {0,3}#{1,6}[ \t]++)\[(?P<title>.+)\]\(@id[ \t]++(?P<id>[^\s()]++)\)[ \t]*$")
_REFERENCE = re.compile(
    r"\[(?P<words>(?:`[^`\n]++`|[^\[\]\n`])++)\]\(@ref(?:[ \t][^()\n]*+(?:\([^()\n]*+\)[^()\n]*+)*+)?\)"
)
_MAX_LINE_CHARACTERS = 1000


def write_documenter_signs(content: str) -> str:
    """The text with its heading ids as attributes, and with references replaced by their words: only a build knows where they lead."""
    if "(@id" not in content and "(@ref" not in content:
        return content
    lines = content.split("\n")
    for heading in list(iter_headings(lines)):
        line = lines[heading.line]
        if len(line) <= _MAX_LINE_CHARACTERS and (found := _HEADING.match(line)):
            lines[heading.line] = f"{found['signs']}{found['title']} {{#{found['id']}}}"
    return replace_outside_code(_REFERENCE, itemgetter("words"), "\n".join(lines))
