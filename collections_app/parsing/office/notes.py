"""Footnotes and endnotes: mammoth writes them below the whole document; each is moved to the end of the section that refers to it."""

from __future__ import annotations

from collections.abc import Iterable

from lxml import etree

from collections_app.parsing.html.tree import Element
from collections_app.parsing.html.vocabulary import HEADING_TAGS

_KINDS = ("footnote-", "endnote-")


def place_notes(root: Element) -> None:
    """Move the notes, which keep their numbers, to the end of their sections."""
    body = root.find("body")
    notes = _take_notes(body) if body is not None else {}
    if body is None or not notes:
        return
    due: list[Element] = []
    for block in list(body):
        if block.tag in HEADING_TAGS:
            _put_before(block, due)
        due += (notes.pop(name) for name in _iter_referred(block) if name in notes)
    _append(body, [*due, *notes.values()])


def _take_notes(body: Element) -> dict[str, Element]:
    """The items of the last list by id, if it is the list of notes; else nothing."""
    last = body[-1] if len(body) else None
    if last is None or last.tag != "ol":
        return {}
    items = {item.get("id", ""): item for item in last}
    if not all(name.startswith(_KINDS) for name in items):
        return {}
    for number, item in enumerate(items.values(), 1):
        item.set("value", str(number))
    body.remove(last)
    return items


def _iter_referred(block: Element) -> Iterable[str]:
    return (link.get("href", "")[1:] for link in block.iter("a") if "-ref-" in link.get("id", ""))


def _put_before(heading: Element, notes: list[Element]) -> None:
    if notes:
        heading.addprevious(_make_list(notes))
        notes.clear()


def _append(body: Element, notes: list[Element]) -> None:
    if notes:
        body.append(_make_list(notes))


def _make_list(notes: list[Element]) -> Element:
    made = etree.Element("ol")
    made.extend(notes)
    return made
