"""Whether HTML can do anything but be read."""

from __future__ import annotations

from html.parser import HTMLParser

from collections_app.reading.markup import ATTRIBUTES, TAGS

VOID = {"br", "hr", "img", "col"}


class Inspection(HTMLParser):
    """The elements of a piece of HTML, their attributes, and how deep they stand in each other."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[tuple[str, str]] = set()
        self.addresses: list[str] = []
        self.depth = self.deepest = 0
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {(tag, name) for name, _ in attrs}
        self.addresses += [value or "" for name, value in attrs if name in {"href", "src"}]
        self.depth += tag not in VOID
        self.deepest = max(self.deepest, self.depth)

    def handle_endtag(self, tag: str) -> None:
        self.depth -= 1


def assert_inert(html: str) -> Inspection:
    found = Inspection(html)
    allowed = {(tag, name) for tag, names in ATTRIBUTES.items() for name in names}
    allowed |= {(tag, name) for tag in TAGS for name in ("class",)} | {("a", "rel")}
    assert found.tags <= TAGS
    assert found.attributes <= allowed
    assert not [
        address
        for address in found.addresses
        if address.partition(":")[0].lower() in {"javascript", "data", "vbscript"}
    ]
    return found
