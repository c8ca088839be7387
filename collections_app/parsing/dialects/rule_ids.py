"""Rule ids of specifications in mdBook, on lines of their own: `r[type.array]` before a heading or a paragraph. PURE.

The Rust Reference uses them (https://doc.rust-lang.org/reference/introduction.html). The last one before a heading becomes the heading's
id, if it has none of its own, and moves into its section. Rule ids stay in the text: readers see them in the margin and search for them.
"""

from __future__ import annotations

import re

from collections_app.parsing.headings import LineKind, read_lines

_RULE = re.compile(r"r\[(?P<id>[a-z][\w-]*+(?:\.[\w-]++)*+)\][ \t]*+")
# If no id has several parts, they may be something else.
_HINT = re.compile(r"r\[(?<=^r\[)[a-z][\w-]*+\.[\w.-]++\][ \t]*+$", re.MULTILINE)


def write_rule_ids(content: str) -> str:
    """The text with those before headings as attributes of these, and below them. It has as many lines as before."""
    if "r[" not in content or not _HINT.search(content):
        return content
    lines = content.split("\n")
    kinds, numbers = read_lines(lines)
    headings = frozenset(numbers)
    for number, line in enumerate(lines):
        if kinds[number] is LineKind.MARKDOWN and (rule := _RULE.fullmatch(line)):
            following = next((each for each in (number + 1, number + 2) if each in headings), None)
            if following and not any(each.strip() for each in lines[number + 1 : following]):
                has_id = lines[following].rstrip().endswith("}")
                lines[number] = lines[following] if has_id else f"{lines[following]} {{#{rule['id']}}}"
                lines[following] = line
    return "\n".join(lines)
