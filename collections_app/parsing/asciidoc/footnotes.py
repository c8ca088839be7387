"""The footnotes of a document: each is placed at the end of the section that refers to it."""

from __future__ import annotations

from collections.abc import Sequence

from collections_app.parsing.html.elements import Node, add, make_element
from collections_app.parsing.html.tree import Element


class Footnotes:
    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._count = 0
        self._waiting: list[tuple[int, Sequence[Node]]] = []

    def call(self, id: str, nodes: Sequence[Node]) -> Element:
        """The mark shown in the text; without nodes, it refers to a footnote defined elsewhere."""
        number = self._numbers.get(id) if id else None
        if number is None:
            self._count += 1
            number = self._count
            if id:
                self._numbers[id] = number
            if nodes:
                self._waiting.append((number, nodes))
        return make_element("span", [f"[{number}]"])

    def write(self, parent: Element) -> None:
        """Write the pending footnotes."""
        for number, nodes in self._waiting:
            add(parent, "p", [f"[{number}] ", *nodes])
        self._waiting = []
