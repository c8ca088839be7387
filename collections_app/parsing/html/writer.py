"""Blocks → lines of Markdown, with the prefixes of quotes and list items, and the anchor of each heading. It escapes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from collections_app.parsing.html.escaping import make_fence
from collections_app.parsing.html.places import drop_marks

_MAX_DEPTH = 12
"""Deeper lists and quotes are written at this depth: every line repeats the indentation, and nobody counts further."""


@dataclass(slots=True)
class _Container:
    """A quote or list item. `first` begins its first line, `rest` the others; `is_tight` means no blank line before it."""

    first: str
    rest: str
    is_tight: bool = False
    is_begun: bool = False

    @property
    def is_item(self) -> bool:
        return self.first != self.rest


class MarkdownWriter:
    """`lines` has the text so far, `headings` the lines of headings that make sections, `anchors` the fragment of each heading by its line,
    and `titles` the level-1 headings.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.headings: list[int] = []
        self.anchors: dict[int, str] = {}
        self.titles: list[str] = []
        self._containers: list[_Container] = []
        self._deeper = 0
        self._is_after_entry = False

    @property
    def title(self) -> str:
        """The first level-1 heading, or an empty text."""
        return self.titles[0] if self.titles else ""

    @property
    def next_line(self) -> int:
        """The line, from 0, at which a block would begin now. For callers that write no line themselves, but need a position."""
        if not self.lines:
            return 0
        opened = next((container for container in self._containers if not container.is_begun), None)
        return len(self.lines) + (opened is None or not opened.is_tight)

    @property
    def is_nested(self) -> bool:
        return bool(self._containers)

    @property
    def is_in_item(self) -> bool:
        """Whether the next block is directly in a list item."""
        return bool(self._containers) and self._containers[-1].is_item

    def open_quote(self) -> None:
        self._open(_Container("> ", "> "))

    def open_cell(self) -> None:
        """Begin a cell, which makes its content nested, but has no prefix."""
        self._open(_Container("", ""))

    def open_item(self, marker: str, *, is_tight: bool) -> None:
        self._open(_Container(f"{marker} ", " " * (len(marker) + 1), is_tight))

    def close_container(self) -> None:
        if self._deeper:
            self._deeper -= 1
        else:
            self._containers.pop()

    def write_heading(self, level: int, text: str, anchor: str = "") -> None:
        """Write a heading. In a quote or list it is a bold line, which makes no section. A title that repeats the one directly above
        it, such as that of a README below the page's own, is written once.
        """
        self._is_after_entry = False
        if self._containers:
            self.write([f"**{text}**"])
            return
        line = f"{'#' * level} {text}"
        if level == 1 and self._repeats(line):
            if anchor:
                self.anchors.setdefault(len(self.lines) - 1, anchor)
            return
        self.write([line])
        self.headings.append(len(self.lines) - 1)
        if level == 1:
            self.titles.append(text)
        if anchor:
            self.anchors[len(self.lines) - 1] = anchor

    def _repeats(self, heading: str) -> bool:
        last = len(self.lines) - 1
        is_below = bool(self.headings) and self.headings[-1] == last
        return is_below and drop_marks(self.lines[last]) == drop_marks(heading)

    def end_entry(self) -> None:
        """End the description of a function or option. Text that follows is about something else, and is separated by a thematic break."""
        self._is_after_entry = not self._containers

    def write_code(self, code: str, language: str) -> None:
        fence = make_fence(code)
        self.write([f"{fence}{language}", *code.split("\n"), fence])

    def write(self, block: Iterable[str]) -> None:
        """Write the lines of a block, after a blank line if needed."""
        self._separate_from_entry()
        if not self._containers:
            if self.lines:
                self.lines.append("")
            self.lines.extend(block)
            return
        lines = iter(block)
        for line in lines:
            self._separate()
            self.lines.append(self._take_first_prefix() + line)
            break
        rest = "".join(container.rest for container in self._containers)
        self.lines.extend(rest + line if line else rest.rstrip() for line in lines)

    def _separate_from_entry(self) -> None:
        if self._is_after_entry:
            self._is_after_entry = False
            self.write(["---"])

    def _open(self, container: _Container) -> None:
        self._separate_from_entry()
        if len(self._containers) < _MAX_DEPTH:
            self._containers.append(container)
        else:
            self._deeper += 1

    def _separate(self) -> None:
        if not self.lines:
            return
        begun = _get_begun(self._containers)
        opened = self._containers[len(begun)] if len(begun) < len(self._containers) else None
        if opened is None or not opened.is_tight:
            self.lines.append("".join(container.rest for container in begun).rstrip())

    def _take_first_prefix(self) -> str:
        prefix = "".join(each.rest if each.is_begun else each.first for each in self._containers)
        for container in self._containers:
            container.is_begun = True
        return prefix


def _get_begun(containers: Sequence[_Container]) -> Sequence[_Container]:
    """The outer containers that have a line already. A container inside one without a line has none either."""
    count = next((number for number, each in enumerate(containers) if not each.is_begun), len(containers))
    return containers[:count]
