"""What a document can be led to within itself: the ids of its sections and blocks, and the words of references to them.

A reference without words of its own says the title of what it leads to, which may come later: finish() puts it in.
"""

from __future__ import annotations

import re

from collections_app.parsing.asciidoc.attributes import Attributes
from collections_app.parsing.asciidoc.tree import make_element
from collections_app.parsing.html.tree import Element

_NO_NAME = re.compile(r"[^ \w.-]")
_NO_LETTER = re.compile(r"[\W_]+")


class References:
    def __init__(self, attributes: Attributes) -> None:
        self._attributes = attributes
        self._titles: dict[str, str] = {}
        self._next_numbers: dict[str, int] = {}
        self._open: list[tuple[Element, str]] = []

    def add(self, id: str, title: str) -> None:
        """The first that has an id keeps it; a block without a title has an empty one."""
        if id:
            self._titles.setdefault(id, title)

    def make_section_id(self, title: str) -> str:
        """As Asciidoctor makes it: `_a_title`, with the document's `idprefix` and `idseparator`; empty where it makes none."""
        if "sectids" not in self._attributes:
            return ""
        prefix, separator = self._attributes.get("idprefix"), self._attributes.get("idseparator")
        separator = "_" if separator is None else separator[:1]
        words = _NO_NAME.sub("", title.lower())
        name = re.sub(f"[ .{re.escape(separator or ' ')}-]+", lambda _: separator, words)
        name = f"{'_' if prefix is None else prefix}{name.strip(separator or None) if separator else name}"
        unique, number = name, self._next_numbers.get(name, 2)
        while unique in self._titles:
            unique = f"{name}{separator}{number}"
            number += 1
        self._next_numbers[name] = number
        return unique

    def make(self, target: str) -> Element:
        """The words of a reference that brings none."""
        element = make_element("span")
        self._open.append((element, target))
        return element

    def finish(self) -> None:
        """An id that nothing has is looked for in the spelling that another prefix or separator would make of it."""
        titles: dict[str, str] = {}
        for id, title in self._titles.items():
            titles.setdefault(normalise_id(id), title)
        for element, target in self._open:
            element.text = self._titles.get(target) or titles.get(normalise_id(target)) or target


def normalise_id(id: str) -> str:
    """What is left of the id of a title where `idprefix` and `idseparator` are not known."""
    return _NO_LETTER.sub("", id.lower())
