"""Cards and buttons of sphinx-design, of which start pages are made: their titles and words as links, without the lines between parts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from docutils import nodes

from collections_app.parsing.rst.roles import make_page_reference, make_reference
from collections_app.parsing.rst.sphinx_directive import SphinxDirective

_BELOW_HEADER = re.compile(r"\^{3,}\s*")
_ABOVE_FOOTER = re.compile(r"\+{3,}\s*")


class Card(SphinxDirective):
    """The title, which may be the only line of the header, then the rest of the header, the content and the footer."""

    def run(self) -> Sequence[nodes.Node]:
        header, content, footer = self._split()
        title, header_blocks = self.parse_argument(), self.parse(header)
        if not title and len(header_blocks) == 1 and isinstance(header_blocks[0], nodes.paragraph):
            title, header_blocks = header_blocks[0].children, []
        return [*self._write_title(title), *header_blocks, *self.parse(content), *self.parse(footer)]

    def _split(self) -> tuple[Any, Any, Any]:
        lines = self.content
        begin = next((number for number, line in enumerate(lines) if _BELOW_HEADER.fullmatch(line)), -1)
        end = next((number for number, line in enumerate(lines) if _ABOVE_FOOTER.fullmatch(line)), len(lines))
        return lines[: max(0, begin)], lines[begin + 1 : end], lines[end + 1 :]

    def _write_title(self, title: Sequence[nodes.Node]) -> Sequence[nodes.Node]:
        if not title:
            return []
        words = "".join(node.astext() for node in title)
        if link := self.options.get("link", ""):
            title = [_make_link(words, link, self.options.get("link-type", "url"))]
        is_bold = len(title) == 1 and isinstance(title[0], nodes.strong)
        return [nodes.paragraph("", "", *(title if is_bold else [nodes.strong("", "", *title)]))]


class Button(SphinxDirective):
    """A link to an address (`button-link`) or to a page or a label (`button-ref`), in the words of the content."""

    def run(self) -> Sequence[nodes.Node]:
        target, kind = self.get_argument(), "url"
        if self.name == "button-ref":
            kind = self.options.get("ref-type", "any")
        return [nodes.paragraph("", "", _make_link(" ".join(filter(None, self.content)), target, kind))]


def _make_link(words: str, target: str, kind: str) -> nodes.Node:
    if kind == "url":
        return nodes.reference("", words or target, refuri=target)
    if kind == "doc" or (kind == "any" and "/" in target):
        return make_page_reference(words, target)
    return make_reference("ref", f"{words} <{target}>" if words else target)
