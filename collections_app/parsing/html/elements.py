"""Builds the HTML tree of a text, from which the HTML converter makes Markdown. Each text is inserted only once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from lxml import etree

from collections_app.parsing.html.tree import Element

Node: TypeAlias = "str | Element"


def make_element(tag: str, nodes: Iterable[Node] = (), **attributes: str) -> Element:
    """Make an element; attribute names that are reserved words in Python end with `_`."""
    element = etree.Element(tag, {name.rstrip("_"): value for name, value in attributes.items() if value})
    fill(element, nodes)
    return element


def add(parent: Element, tag: str, nodes: Iterable[Node] = (), **attributes: str) -> Element:
    element = make_element(tag, nodes, **attributes)
    parent.append(element)
    return element


def fill(parent: Element, nodes: Iterable[Node]) -> None:
    """Put texts and elements into an empty element."""
    pieces: list[str] = []
    last: Element | None = None
    for node in (*nodes, None):
        if isinstance(node, str):
            pieces.append(node)
            continue
        if pieces:
            text = "".join(pieces)
            if last is None:
                parent.text = text
            else:
                last.tail = text
            pieces = []
        if node is not None:
            parent.append(node)
            last = node
