"""Elements of HTML, which readers of office files make of what they read; the HTML converter makes Markdown of them."""

from __future__ import annotations

import re

from lxml import etree

from collections_app.parsing.html.tree import Element

_NOT_XML = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def add(parent: Element, tag: str, text: str = "") -> Element:
    child = etree.SubElement(parent, tag)
    child.text = clean(text)
    return child


def add_link(parent: Element, address: str) -> Element:
    child = etree.SubElement(parent, "a")
    child.set("href", clean(address))
    return child


def add_lines(parent: Element, text: str) -> None:
    """Behind what is there, with breaks between them."""
    first, *others = clean(text).split("\n")
    last = next(parent.iterchildren(reversed=True), None)  # len() would count all of them
    if last is None:
        parent.text = (parent.text or "") + first
    else:
        last.tail = (last.tail or "") + first
    for line in others:
        etree.SubElement(parent, "br").tail = line


def clean(text: str) -> str:
    """Without what no XML holds."""
    return _NOT_XML.sub("", text)
