"""File trees that Fumadocs and Nextra write as components (`<Files><Folder name="app"><File name="a.ts" /></Folder></Files>`): readers see
the names, which are only in attributes. They become code, one name on each line. PURE.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from collections_app.parsing.dialects.mdx_code import find_fenced_lines

_MAX_LINE_CHARACTERS = 1_000
_BEGIN = re.compile(r"(?P<indent>[ \t]*)<(?P<name>Files|FileTree)(?=[ \t>])[^<>]*>[ \t]*$")
_PART = re.compile(
    r"(?P<indent>[ \t]*)<(?P<end>/)?(?:FileTree\.)?(?P<kind>Folder|File)(?=[\s/>])(?P<attributes>[^\n]*)>[ \t]*$"
)
_NAME = re.compile(r"(?<![\w-])name=\{?(?:\"([^\"]+)\"|'([^']+)')")


def write_file_trees(content: str) -> str:
    """The text with such trees as code; other lines do not move. A tree that contains anything else stays as it is written."""
    if "<Folder" not in content and "<File" not in content:
        return content
    lines = content.split("\n")
    fenced = find_fenced_lines(lines)
    position = 0
    while position < len(lines):
        begin = _BEGIN.match(lines[position]) if position not in fenced else None
        end = _find_end(lines, position + 1, f"</{begin['name']}>") if begin else None
        if begin and end and (names := _read_names(lines[position + 1 : end])):
            written = [f"{begin['indent']}```", *names, f"{begin['indent']}```"]
            lines[position : end + 1] = written + [""] * (end + 1 - position - len(written))
        position = (end or position) + 1
    return "\n".join(lines)


def _find_end(lines: Sequence[str], start: int, tag: str) -> int | None:
    """The line of the closing tag, if there are only parts of the tree before it."""
    for number in range(start, len(lines)):
        if lines[number].strip() == tag:
            return number
        if lines[number].strip() and not _match(lines[number]):
            return None
    return None


def _read_names(lines: Sequence[str]) -> list[str]:
    """The names, indented as they are written; names of folders get a slash."""
    parts = [part for part in map(_match, lines) if part and not part["end"]]
    found = [(part, _NAME.search(part["attributes"])) for part in parts]
    return [
        f"{part['indent']}{name[1] or name[2]}{'/' if part['kind'] == 'Folder' else ''}" for part, name in found if name
    ]


def _match(line: str) -> re.Match[str] | None:
    return _PART.match(line) if len(line) <= _MAX_LINE_CHARACTERS else None
