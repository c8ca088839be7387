"""Which fences of a Markdown text are MyST's directives that hold Markdown, and which are code. PURE."""

from __future__ import annotations

import re

from collections_app.parsing.sphinx.myst_names import WITH_MARKDOWN
from collections_app.text.markdown.code_blocks import ends_code

FENCE = re.compile(
    r"(?P<prefix>[ \t>]*+)(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?P<fence>`{3,}+|~{3,}+|:{3,}+)(?P<info>[^`]*+)$"
)
"""A line that may open or close a fence."""

_BOX = re.compile(r"[ \t]*\{(?P<name>[A-Za-z-]+)\}")
_BEGINS_BOX = re.compile(r"(?:```|~~~)[ \t]*\{[A-Za-z-]")
_MAX_BOXES = 20
_MAX_LINE_CHARACTERS = 1000


class Fences:
    """The fences that are open in a line: `boxes` are MyST's directives that hold Markdown, the outermost first; `code` is within all of
    them. Directives between colons contain text, whatever they are called.
    """

    def __init__(self) -> None:
        self.code = ""
        self.boxes: list[str] = []

    @property
    def are_closed_by_backticks(self) -> bool:
        """Whether a fence of backticks in the text here would close a box, and one of tildes would not."""
        return bool(self.boxes) and not self.code and all(box.startswith("`") for box in self.boxes)

    def turn(self, match: re.Match[str]) -> None:
        """Read a line of FENCE, which may open or close one."""
        found, info = match["fence"], match["info"].strip()
        box = _BOX.match(info)
        if (place := self._find_closed(match.string)) is not None:
            self.code = ""
            del self.boxes[place:]
        elif self.code:
            self.code = "" if found.startswith(self.code) and not info else self.code
        elif (
            box and box["name"].lower() in WITH_MARKDOWN and not found.startswith(":") and len(self.boxes) < _MAX_BOXES
        ):
            self.boxes.append(found)
        elif not found.startswith(":"):
            self.code = found

    def closes_box(self, line: str) -> bool:
        return self._find_closed(line) is not None

    def _find_closed(self, line: str) -> int | None:
        """The outermost box that a line closes: it closes all in it."""
        return next((place for place, box in enumerate(self.boxes) if ends_code(line, box)), None)


def blank_boxes(content: str) -> str:
    """The text with blanks in place of the fences of such directives, so that what is between them is no code. No place moves."""
    if not _BEGINS_BOX.search(content):
        return content
    fences, lines = Fences(), content.split("\n")
    for number, line in enumerate(lines):
        match = FENCE.match(line) if len(line) <= _MAX_LINE_CHARACTERS else None
        if match:
            before = len(fences.boxes)
            fences.turn(match)
            lines[number] = " " * len(line) if len(fences.boxes) != before else line
    return "\n".join(lines)
