"""Blocks of Python-Markdown's extension pymdownx.blocks (`/// tip | Title` … `///`), as colon containers, which are handled elsewhere.
Those about a version (`/// version-added | v2.1`) are words before their text. PURE.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from collections_app.parsing.headings import LineKind, iter_line_kinds
from collections_app.parsing.sphinx.markup import VERSION_CHANGES

_MAX_LINE_CHARACTERS = 300
_BEGIN = re.compile(
    r"(?P<indent>[ \t]*)/(?P<slashes>/{2,19})[ \t]*(?P<kind>[a-z][a-z-]*+)[ \t]*(?:\|[ \t]*(?P<title>.*))?$"
)
_END = re.compile(r"[ \t]*/(/{2,19})[ \t]*$")
_MAY_HAVE = re.compile(rf"^{_END.pattern}", re.MULTILINE)
_OPTION = re.compile(r"[ \t]{4,}(?P<name>type|open|new|select|attrs):(?:[ \t]*(?P<value>[a-z-]+))?")
# Blocks that only change how their content looks.
_UNSEEN = frozenset({"html"})
_VERSION = re.compile(r"v?(\d[\w.+-]*)")


def write_slash_blocks(content: str) -> str:
    """The text with these blocks as containers of colons; no line moves."""
    if "///" not in content or not _MAY_HAVE.search(content):
        return content
    lines = content.split("\n")
    for begin, end, block in list(_iter_blocks(lines)):
        options = _read_options(lines, begin + 1)
        kind = options.get("type", "note") if block["kind"] == "admonition" else block["kind"]
        lines[begin + 1 : begin + 1 + len(options)] = [""] * len(options)
        if kind in _UNSEEN:
            lines[begin] = lines[end] = ""
        elif change := _describe_change(kind, block["title"] or ""):
            is_empty = not any(line.strip() for line in lines[begin + 1 : end])
            lines[begin], lines[end] = f"{block['indent']}**{change}{'' if is_empty else ':'}**", ""
        else:
            colons = f"{block['indent']}:{':' * len(block['slashes'])}"
            lines[begin], lines[end] = f"{colons} {kind} {block['title'] or ''}".rstrip(), colons
    return "\n".join(lines)


def _describe_change(kind: str, title: str) -> str:
    """What a block says of the versions in its title; empty for others."""
    words = VERSION_CHANGES.get(kind, "")
    versions = [version[1] for each in title.split() if (version := _VERSION.fullmatch(each))]
    is_told = bool(words) and len(versions) == len(title.split()) == words.count("{}")
    return words.format(*versions) if is_told else ""


def _iter_blocks(lines: Sequence[str]) -> Iterator[tuple[int, int, re.Match[str]]]:
    """The first and the last line of each block that is closed, and the match of its beginning."""
    open_blocks: dict[int, list[tuple[int, re.Match[str]]]] = {}
    for number, kind in enumerate(iter_line_kinds(lines)):
        line = lines[number]
        if kind is not LineKind.MARKDOWN or "///" not in line or len(line) > _MAX_LINE_CHARACTERS:
            continue
        if begin := _BEGIN.match(line):
            open_blocks.setdefault(len(begin["slashes"]), []).append((number, begin))
        elif (end := _END.match(line)) and (waiting := open_blocks.get(len(end[1]))):
            yield waiting[-1][0], number, waiting.pop()[1]


def _read_options(lines: Sequence[str], start: int) -> dict[str, str]:
    """The options directly below the first line of a block."""
    options: dict[str, str] = {}
    for line in lines[start : start + 10]:
        option = _OPTION.match(line)
        if not option or option["name"] in options:
            break
        options[option["name"]] = option["value"] or ""
    return options
