"""Ids of the rules of a specification in mdBook, on lines of their own: `r[type.array]` before a heading or a paragraph. PURE.

As the Rust Reference has them (https://doc.rust-lang.org/reference/introduction.html). The last one before a heading is the heading's
id, if it has none of its own; no reader sees the others but at the edge of the page.
"""

from __future__ import annotations

import re

from collections_app.parsing.headings import LineKind, iter_headings, iter_line_kinds

_RULE = re.compile(r"r\[(?P<id>[a-z][\w-]*+(?:\.[\w-]++)*+)\][ \t]*+")
# Where none has several parts, they may be something else.
_HINT = re.compile(r"^r\[[a-z][\w-]*+\.[\w.-]++\][ \t]*+$", re.MULTILINE)


def write_rule_ids(content: str) -> str:
    """The text with ids as attributes of its headings, and without the others, its lines on their places."""
    if not _HINT.search(content):
        return content
    lines = content.split("\n")
    headings = {heading.line for heading in iter_headings(lines)}
    kinds = list(iter_line_kinds(list(lines)))
    for number, line in enumerate(lines):
        if kinds[number] is LineKind.MARKDOWN and (rule := _RULE.fullmatch(line)):
            lines[number] = ""
            following = next((each for each in (number + 1, number + 2) if each in headings), None)
            is_next = following and not any(each.strip() for each in lines[number + 1 : following])
            if following and is_next and not lines[following].rstrip().endswith("}"):
                lines[following] += f" {{#{rule['id']}}}"
    return "\n".join(lines)
