"""Blocks of mkdocstrings (`::: sea.Boat`), which a build fills from docstrings in code: each is replaced with a note that names what is
missing, and the members that its options list. PURE.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from collections_app.parsing.headings import LineKind, iter_line_kinds
from collections_app.text.pages.absent_text import DOCSTRINGS, begin_note

_BLOCK = re.compile(r" {0,3}:::[ \t]+(?P<name>[A-Za-z_]\w*+(?:(?:\.|::)\w++)*+)[ \t]*$")
_MAY_HAVE = re.compile(rf"^{_BLOCK.pattern}", re.MULTILINE)
_IS_CODE = re.compile(r"[._]")
# Other blocks that begin with three colons, such as boxes and tabs, also end with them.
_END = re.compile(r"^[ \t>]*:{3,}[ \t]*$", re.MULTILINE)
_INDENTED = re.compile(r"(?: {4}|\t)[ \t]*+\S")
_FIRST_OPTION = re.compile(r"[ \t]+(?:handler|options|selection|rendering|inventories):")
_MEMBERS = re.compile(
    r"^[ \t]*members:[ \t]*(?:\[(?P<row>[^\[\]]*)\]|(?P<list>(?:\n[ \t]*[-#][^\n]*)++))", re.MULTILINE
)
_IN_ROW = re.compile(r"[\w.]+")
_IN_LIST = re.compile(r"^[ \t]*-[ \t]*[\"']?([\w.]+)", re.MULTILINE)


def write_docstring_notes(content: str) -> str:
    """The text with such notes; no other line moves."""
    if ":::" not in content or not _MAY_HAVE.search(content) or _END.search(content):
        return content
    lines = content.split("\n")
    for number, kind in enumerate(list(iter_line_kinds(lines))):
        block = _BLOCK.match(lines[number]) if kind is LineKind.MARKDOWN else None
        end = _find_options_end(lines, number + 1) if block else 0
        if block and (end > number + 1 or _IS_CODE.search(block["name"])):
            options = lines[number + 1 : end]
            lines[number:end] = [_write_note(block["name"], "\n".join(options)), *("" for _ in options)]
    return "\n".join(lines)


def _find_options_end(lines: Sequence[str], start: int) -> int:
    """The number of the line after the options; `start` if there are none."""
    if start == len(lines) or not _FIRST_OPTION.match(lines[start]):
        return start
    return next((number for number in range(start, len(lines)) if not _INDENTED.match(lines[number])), len(lines))


def _write_note(name: str, options: str) -> str:
    members = ", ".join(f"`{member}`" for member in _list_members(options))
    told = f" ({members})" if members else ""
    return f"*{begin_note(DOCSTRINGS)}* `{name}`{told}"


def _list_members(options: str) -> Sequence[str]:
    listed = _MEMBERS.search(options)
    if not listed:
        return ()
    return _IN_LIST.findall(listed["list"]) if listed["list"] else _IN_ROW.findall(listed["row"])
