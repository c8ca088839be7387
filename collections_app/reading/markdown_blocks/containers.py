"""Boxes that are open until a line of colons ends them (`:::tip` … `:::`), innermost last. PURE."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple

from collections_app.text.markdown.boxes import Box, count_closing


class Container(NamedTuple):
    """A box that a line with as many `colons` ends, in the list item that it began in; `items` is the depth of that item. In the output,
    its own lines are those from `start` to `body`: if it never ends, they stay as written. `box` is None for a container that is no box."""

    box: Box | None
    colons: int
    items: int
    start: int
    body: int


class OpenContainers:
    def __init__(self) -> None:
        self._open: list[Container] = []

    def find_closed(self, text: str, items: int) -> Container | None:
        """The one that a line at this depth of list items ends: with as many colons, else with most below that; the innermost of these."""
        colons = count_closing(text) if self._open else 0
        fitting = [each for each in reversed(self._open) if each.items == items and each.colons <= colons]
        return max(fitting, key=attrgetter("colons"), default=None)

    def find_level(self, text: str, indent: int, kept: int, columns: Sequence[int]) -> int:
        """The depth in items of the container that a line ends, since formatters of Markdown indent such a line like the list above it;
        otherwise `kept`. `columns`: where the content of the items begins, from the outside in."""
        if not self._open or text[0] != ":":
            return kept
        starts = [0, *columns]
        levels = (
            level for level in range(kept, -1, -1) if indent - starts[level] < 4 and self.find_closed(text, level)
        )
        return next(levels, kept)

    def leave(self, items: int) -> None:
        """Gives up those inside of items that have ended."""
        self._open = [container for container in self._open if container.items <= items]

    def add(self, container: Container) -> None:
        self._open.append(container)

    def make_room(self, most: int) -> None:
        """Gives up the outermost, so that with another one `most` are open."""
        del self._open[: max(0, len(self._open) + 1 - most)]

    def close(self, container: Container) -> None:
        """Ends it, and those inside it, which never ended."""
        while self._open.pop() is not container:
            pass
