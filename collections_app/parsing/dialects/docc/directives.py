"""Directives of DocC: blocks that lay text out (`@Row {`, `@Tab("Linux") {`), pictures, and what readers do not see. PURE.

https://www.swift.org/documentation/docc/other-formatting-options
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from collections_app.parsing.dialects.tab_labels import break_label, find_place_of_label
from collections_app.parsing.headings import LineKind, iter_line_kinds
from collections_app.parsing.html.escaping import make_code_span
from collections_app.text.markdown.code_blocks import FENCE, ends_code
from collections_app.text.pages.absent_text import FILE, begin_note

_HIDDEN = re.compile(r"[ \t]*+@(?:Comment|Metadata|Options)\b[^{}\n]*+\{")
_BLOCKS = frozenset({"Row", "Column", "TabNavigator", "Tab", "Links", "Small", "DeprecationSummary"})
_MEDIA = frozenset({"Image", "Video"})
_SINGLE = frozenset({*_MEDIA, "Snippet", "Redirected"})
_MAY_HAVE = re.compile(
    r"@(?:Comment|Metadata|Options|Row|Column|TabNavigator|Tab|Links|Small|DeprecationSummary|Image|Video|Snippet|Redirected)\b[^{(\n]{0,9}[{(]"
)
_DIRECTIVE = re.compile(
    r"(?P<indent>[ \t]*+)@(?P<name>[A-Z]\w*+)[ \t]*+(?P<arguments>\(.*\))?[ \t]*+(?P<open>\{(?P<inside>.*\})?)?[ \t]*+$"
)
_ALT = re.compile(r"\balt:[ \t]*+\"([^\"]++)\"")
_PATH = re.compile(r"\bpath:[ \t]*+\"([^\"]++)\"")
_WORDS = re.compile(r"\(\s*+\"([^\"]++)\"")
_MAX_HIDDEN_LINES = 50
_MAX_LINE_CHARACTERS = 1000
_MAX_DEPTH = 10  # deeper blocks are not moved to the left
_LINES_OF_LABEL = 8


def write_directives(content: str) -> str:
    """The text with the content of blocks as indented as their first lines, tabs below their labels, pictures as their description, a note
    for code of another file, and without what is hidden. No line behind a block moves.
    """
    if not _MAY_HAVE.search(content):
        return content
    return "\n".join(_Page(content.split("\n")).write())


class _Page:
    """`opened` are the blocks around a line, with the number of the first line of each; inside them, `fence` is that of the open code."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._kinds = list(iter_line_kinds(lines))
        self._opened: list[tuple[int, re.Match[str]]] = []
        self._fence = ""

    def write(self) -> Sequence[str]:
        number = 0
        while number < len(self._lines):
            number = number + 1 if self._is_code(number) else self._read(number)
        return self._lines

    def _is_code(self, number: int) -> bool:
        """What is indented in a block is as a rule not code, though CommonMark takes it for that."""
        line = self._lines[number]
        if not self._opened:
            return self._kinds[number] is not LineKind.MARKDOWN
        if self._fence:
            self._fence = "" if ends_code(line, self._fence) else self._fence
            return True
        opening = FENCE.match(line) if "```" in line or "~~~" in line else None
        self._fence = opening["fence"] if opening else ""
        return opening is not None

    def _read(self, number: int) -> int:
        """The number of the line to go on with."""
        line = self._lines[number]
        if "@" in line and len(line) <= _MAX_LINE_CHARACTERS:
            if _HIDDEN.match(line) and (end := self._find_end(number)) > number:
                self._lines[number:end] = [""] * (end - number)
                return end
            if directive := _DIRECTIVE.match(line):
                self._write(number, directive)
        elif self._opened and line.strip() == "}":
            self._close(number)
        return number + 1

    def _find_end(self, first: int) -> int:
        """The number of the line after the one with the closing brace; `first` if it is not found."""
        depth = 0
        for number, line in enumerate(self._lines[first : first + _MAX_HIDDEN_LINES], first):
            depth += line.count("{") - line.count("}")
            if depth <= 0:
                return number + 1
        return first

    def _write(self, number: int, directive: re.Match[str]) -> None:
        name, inside = directive["name"], directive["inside"]
        is_known = name in _BLOCKS or (name in _SINGLE and directive["arguments"])
        if directive["open"] and inside is None:
            if is_known or self._opened:
                self._opened.append((number, directive))
        elif is_known and (inside is not None or name in _SINGLE):
            words = " ".join(filter(None, [_find_label(directive), (inside or "").removesuffix("}").strip()]))
            self._lines[number] = f"{directive['indent']}{words}".rstrip()

    def _close(self, end: int) -> None:
        """Write the innermost block, which ends with this line."""
        start, directive = self._opened.pop()
        if directive["name"] not in _BLOCKS | _SINGLE:
            return
        self._lines[start] = self._lines[end] = ""
        if len(self._opened) < _MAX_DEPTH:
            self._dedent(start + 1, end, len(directive["indent"]))
        if label := _find_label(directive):
            self._put_label(start, end, directive["indent"], label)

    def _dedent(self, start: int, end: int, indent: int) -> None:
        lines = self._lines[start:end]
        least = min((len(line) - len(line.lstrip(" \t")) for line in lines if line.strip()), default=0)
        if least > indent:
            self._lines[start:end] = [f"{line[:indent]}{line[least:]}" if line.strip() else "" for line in lines]

    def _put_label(self, start: int, end: int, indent: str, label: str) -> None:
        """The label of a tab that begins with a heading goes below that."""
        beginning = "\n".join([indent, *self._lines[start + 1 : min(end, start + _LINES_OF_LABEL)]])
        place = find_place_of_label(beginning, len(indent), len(indent))
        number = beginning.count("\n", 0, place)
        self._lines[start + number] = f"{indent}{break_label(label) if number else label}"


def _find_label(directive: re.Match[str]) -> str:
    """What a directive says besides its content."""
    name, arguments = directive["name"], directive["arguments"] or ""
    if name in _MEDIA:
        return _find(_ALT, arguments)
    if name == "Snippet":
        return f"*{begin_note(FILE)}* {make_code_span(path)}" if (path := _find(_PATH, arguments)) else ""
    if name == "Tab":
        return f"**{words}**" if (words := _find(_WORDS, arguments)) else ""
    return "**Deprecated**" if name == "DeprecationSummary" else ""


def _find(pattern: re.Pattern[str], arguments: str) -> str:
    found = pattern.search(arguments)
    return found[1].strip() if found else ""
