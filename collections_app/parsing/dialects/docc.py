"""Apple's DocC in Markdown: directives that readers do not see, and links to other articles (`<doc:ControlFlow#Early-Exit>`). PURE.

https://www.swift.org/documentation/docc/api-reference-syntax
"""

from __future__ import annotations

import re
from collections.abc import Callable

from collections_app.parsing.headings import LineKind, iter_line_kinds
from collections_app.parsing.safety.places import replace_outside_code

LINK_HINT = re.compile(rb"<doc:")

_MAX_LINES = 50
_MAY_HIDE = re.compile(r"@(?:Comment|Metadata|Options)\b[^{}\n]*+\{")
_HIDDEN = re.compile(rf"[ \t]*+{_MAY_HIDE.pattern}")
_LINK = re.compile(r"<doc:(?P<name>[\w./-]++)(?:#(?P<heading>[^\s<>\[\]|#]++))?>")
_BEGINS_WORD = re.compile(r"(?<=[a-z])(?=[A-Z])")


def drop_docc_directives(content: str) -> str:
    """The text without comments, metadata and options; no line moves."""
    if not _MAY_HIDE.search(content):
        return content
    lines = content.split("\n")
    kinds = list(iter_line_kinds(lines))
    number = 0
    while number < len(lines):
        end = number
        if kinds[number] is LineKind.MARKDOWN and _HIDDEN.match(lines[number]):
            end = _find_end(lines, number)
            lines[number:end] = [""] * (end - number)
        number = max(end, number + 1)
    return "\n".join(lines)


def _find_end(lines: list[str], first: int) -> int:
    """The line after the one with the closing brace; `first` if it is not found."""
    depth = 0
    for number, line in enumerate(lines[first : first + _MAX_LINES], first):
        depth += line.count("{") - line.count("}")
        if depth <= 0:
            return number + 1
    return first


def write_as_wikilinks(text: str, is_file: Callable[[str], bool]) -> str:
    """The text with its links to existing articles as wikilinks, labelled with the heading or the article's name."""

    def write(found: re.Match[str]) -> str:
        name, heading = found["name"], found["heading"] or ""
        if not is_file(name):
            return found[0]
        words = heading.replace("-", " ") if heading else _BEGINS_WORD.sub(" ", name.rpartition("/")[2])
        return f"[[{name}{'#' if heading else ''}{heading.replace('-', ' ')}|{words}]]"

    return replace_outside_code(_LINK, write, text)
