"""HTML elements for the content of office files, which the HTML converter turns into Markdown."""

from __future__ import annotations

from lxml import etree

from collections_app.parsing.html.tree import Element, clean_text


def add(parent: Element, tag: str, text: str = "") -> Element:
    child = etree.SubElement(parent, tag)
    child.text = clean_text(text)
    return child


def add_link(parent: Element, address: str) -> Element:
    child = etree.SubElement(parent, "a")
    child.set("href", clean_text(address))
    return child


def add_lines(parent: Element, text: str) -> None:
    """Append text, with line breaks in it as `<br>`."""
    first, *others = clean_text(text).split("\n")
    last = next(parent.iterchildren(reversed=True), None)  # len() would count all children
    if last is None:
        parent.text = (parent.text or "") + first
    else:
        last.tail = (last.tail or "") + first
    for line in others:
        etree.SubElement(parent, "br").tail = line
