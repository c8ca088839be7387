"""Writes `payment_link_config` where an editor wrote `payment\\_link\\_config`, as GitBook and Prettier do. Within a word an underscore is
only itself (CommonMark 0.31, section 6.2), and a name is found and copied as it is called. PURE.

Code, tags, addresses in angle brackets and formulas stay, and so does all behind a backtick whose code span does not end on its line.
"""

from __future__ import annotations

import re

from collections_app.parsing.headings import LineKind, iter_line_kinds
from collections_app.parsing.safety.places import find_code_spans, replace_outside_spans

_ESCAPED = re.compile(r"<[A-Za-z/!?][^<>]*+>|(?<=[^\W_])\\_(?=[^\W_])")
_FORMULA = re.compile(r"\$[^$]+\$|\\[A-Za-z]{2}|\\[(\[]")


def write_escaped_underscores(content: str) -> str:
    """The text without such escapes; no line moves."""
    if r"\_" not in content:
        return content
    lines = content.split("\n")
    concerned = lines[: content.count("\n", 0, content.rindex(r"\_")) + 1]
    is_open = False  # whether a code span may continue in the next line
    for number, (line, kind) in enumerate(zip(concerned, list(iter_line_kinds(concerned)), strict=True)):
        if kind is not LineKind.MARKDOWN or not line.strip():
            is_open = False
            continue
        is_open = is_open or _leaves_code_open(line)
        if not is_open and r"\_" in line and not _FORMULA.search(line):
            lines[number] = replace_outside_spans(_ESCAPED, _write, line)
    return "\n".join(lines)


def _write(found: re.Match[str]) -> str:
    return "_" if found[0] == r"\_" else found[0]


def _leaves_code_open(line: str) -> bool:
    if "`" not in line:
        return False
    return line.count("`") > sum(line.count("`", start, end) for start, end in find_code_spans(line))
