"""Callouts in the Markdown that Notion exports: `<aside>`, an icon before the text, and `</aside>` on a line of its own. PURE.

A callout that contains HTML elements or headings stays as it is written.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence

from collections_app.parsing.headings import LineKind, iter_line_kinds

_OPENING, _CLOSING = "<aside>", "</aside>"
_ICON_PICTURE = re.compile(r"<img src=\"([^\"<>]{1,500})\" alt=\"[^\"<>]{0,500}\" width=\"\d{1,4}px\" ?/>[ \t]*")
_MAX_CALLOUT_LINES = 200
KINDS: Mapping[str, str] = {
    "💡": "Tip",
    "⚠": "Warning",
    "🚧": "Warning",
    "🚨": "Danger",
    "❗": "Important",
    "ℹ": "Info",
    "‼": "Important",
}
_PICTURE_KINDS = {
    "warning": "Warning",
    "info": "Info",
    "light-bulb": "Tip",
    "lightbulb": "Tip",
    "exclamation": "Important",
}
_PICTURE_NAME = re.compile(r"(?:^|/)icons/(" + "|".join(_PICTURE_KINDS) + r")(?:-[a-z-]{1,40})?_[a-z]{1,20}\.svg$")
_OTHER_ICONS = frozenset("⁉")  # not symbols by their Unicode category
_WRITTEN_SIGNS = frozenset("●○■□◆◇№™")  # symbols by their category
_FIRST_PICTURE = "\u2100"  # symbols before it are used in texts: ©, ®, °, ¦
_MAX_ICON_CHARACTERS = len("👩\u200d👩\u200d👧\u200d👦\ufe0f")


def write_notion_callouts(content: str) -> str:
    """The text with callouts as quotes that begin with their kind; no line moves."""
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


def read_picture_kind(address: str) -> str:
    """The kind of a callout by its picture, whose name in Notion says what it shows, and its colour (`/icons/warning_red.svg`)."""
    found = _PICTURE_NAME.search(address)
    return _PICTURE_KINDS[found[1]] if found else "Note"


def _read_icon(line: str) -> tuple[str, str]:
    """The kind that the icon stands for, and the text after it; an empty kind if there is no icon."""
    if found := _ICON_PICTURE.match(line):
        return read_picture_kind(found[1]), line[found.end() :]
    icon, _, text = line.partition(" ")
    return (KINDS.get(icon.rstrip("\ufe0f"), "Note"), text.strip()) if _is_icon(icon) else ("", line)


def _is_icon(word: str) -> bool:
    """Whether the word is a pictogram, and not a word or a symbol of the text."""
    if not word or len(word) > _MAX_ICON_CHARACTERS:
        return False
    if word.rstrip("\ufe0f") in KINDS or word.rstrip("\ufe0f") in _OTHER_ICONS:
        return True
    is_picture = unicodedata.category(word[0]) == "So" and word[0] >= _FIRST_PICTURE and word[0] not in _WRITTEN_SIGNS
    return is_picture and not any(map(str.isalnum, word))
