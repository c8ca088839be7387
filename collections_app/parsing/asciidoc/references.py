"""Resolves a document's references: to ids of its own sections and blocks, and to places in other documents whose titles are known.

A reference without text of its own shows the title of its target, which may come later in the document: finish() fills it in.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from collections_app.parsing.asciidoc.addresses import normalise_place
from collections_app.parsing.asciidoc.attributes import Attributes
from collections_app.parsing.html.elements import Node, make_element
from collections_app.parsing.html.handlers.inline import REFERENCE_CLASS
from collections_app.parsing.html.tree import Element

_NO_NAME = re.compile(r"[^ \w.-]")


class References:
    def __init__(self, attributes: Attributes) -> None:
        self._attributes = attributes
        self._titles: dict[str, str] = {}
        self._next_numbers: dict[str, int] = {}
        self._ids: dict[str, str] = {}
        self._open: list[tuple[Element, str]] = []
        self._links: list[tuple[Element, str]] = []

    def add(self, id: str, title: str) -> None:
        """Add a target; the first with an id keeps it. A block without a title has an empty one. A target in another document is a
        place.
        """
        if id:
            self._titles.setdefault(id, title)

    def add_section(self, id: str, title: str, words: str) -> None:
        """Add a section, which references may also name by the words of its heading."""
        self.add(id, title)
        self.add(words, words)
        self._ids.setdefault(words, id)

    def make_section_id(self, title: str) -> str:
        """An id made like Asciidoctor's: `_a_title`, with the document's `idprefix` and `idseparator`; empty if it sets no ids."""
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

    def make(self, place: str, name: str) -> Element:
        """The words of a reference without words of its own: the name, unless finish() finds a title."""
        element = make_element("span", [name])
        self._open.append((element, place))
        return element

    def make_link(self, place: str, words: Sequence[Node]) -> Element:
        """A reference to a place in this document, which becomes a link when finish() has found the place."""
        element = make_element("a", words, class_=REFERENCE_CLASS)
        self._links.append((element, place))
        return element

    def finish(self) -> None:
        ids: dict[str, str] = {}
        for id in self._titles:
            ids.setdefault(normalise_place(id), id)
        for element, place in self._open:
            element.text = (
                self._titles.get(place) or self._titles.get(ids.get(normalise_place(place), "")) or element.text
            )
        for element, place in self._links:
            found = place if place in self._titles else ids.get(normalise_place(place))
            if found:
                element.set("href", f"#{self._ids.get(found, found)}")
