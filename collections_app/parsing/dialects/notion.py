"""Callouts in the Markdown that Notion exports: `<aside>`, an icon before the text, and `</aside>` on a line of its own. PURE.

One with elements of HTML or headings in it stays as it is written.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence

from collections_app.parsing.headings import LineKind, iter_line_kinds

_OPENING, _CLOSING = "<aside>", "</aside>"
_ICON_PICTURE = re.compile(r"<img src=\"[^\"<>]{1,500}\" alt=\"[^\"<>]{0,500}\" width=\"\d{1,4}px\" ?/>[ \t]*")
_MAX_CALLOUT_LINES = 200
KINDS: Mapping[str, str] = {
    "💡": "Tip",
    "⚠": "Warning",
    "🚧": "Warning",
    "🚨": "Danger",
    "❗": "Important",
    "ℹ": "Info",
}


def write_notion_callouts(content: str) -> str:
    """The text with quotes that begin with their kind, its lines on their places."""
    if _OPENING not in content:
        return content
    lines = content.split("\n")
    kinds = list(iter_line_kinds(lines))
    start = -1
    for number, line in enumerate(lines):
        sign = line.rstrip() if kinds[number] is not LineKind.CODE else ""
        if sign == _OPENING or sign.startswith(f"{_OPENING} "):
            start = number
        elif sign == _CLOSING and start >= 0:
            if number - start <= _MAX_CALLOUT_LINES:
                lines[start : number + 1] = _write_callout(lines[start : number + 1], kinds[start : number + 1])
            start = -1
    return "\n".join(lines)


def _write_callout(lines: Sequence[str], kinds: Sequence[LineKind]) -> Sequence[str]:
    beside = lines[0].removeprefix(_OPENING).strip()
    kind, first = _read_icon(beside or lines[1])
    inner = [first, *lines[1 if beside else 2 : -1]]
    is_heading = any(
        line.startswith("#") and each is LineKind.MARKDOWN for line, each in zip(lines, kinds, strict=True)
    )
    if not kind or is_heading or any("<" in line for line in inner):
        return lines
    while inner and not inner[-1].strip():
        inner.pop()
    quote = [f"> **{kind}:** {first}".rstrip(), *(f"> {line}".rstrip() for line in inner[1:])]
    above = [] if beside else [""]
    return [*above, *quote, *[""] * (len(lines) - len(above) - len(quote))]


def _read_icon(line: str) -> tuple[str, str]:
    """The kind that the icon tells, empty where there is none, and what follows it."""
    if found := _ICON_PICTURE.match(line):
        return "Note", line[found.end() :]
    icon, _, text = line.partition(" ")
    is_icon = (
        icon != ""
        and unicodedata.category(icon[0]) in ("So", "Po")
        and len(icon) <= len("👩\u200d👩\u200d👧\u200d👦\ufe0f")
    )
    is_icon = is_icon and not icon.isascii()
    return (KINDS.get(icon.rstrip("\ufe0f"), "Note"), text.strip()) if is_icon else ("", line)
