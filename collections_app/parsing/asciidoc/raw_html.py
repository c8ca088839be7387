"""HTML passed through by the author: what readers see of it becomes part of the tree, in which it may be hidden like any other part."""

from __future__ import annotations

from collections.abc import Sequence

from collections_app.exceptions import ParseError
from collections_app.parsing.asciidoc.signs import unprotect
from collections_app.parsing.html.elements import Node
from collections_app.parsing.html.tree import parse_fragment


def read_raw_html(text: str) -> Sequence[Node]:
    """The content that a page would show; the text as it is written, if it cannot be read."""
    text = unprotect(text)
    try:
        body = parse_fragment(text)
    except ParseError:
        return [text]
    nodes: list[Node] = [body.text or ""]
    for child in list(body):
        tail, child.tail = child.tail, None
        nodes += [child, tail or ""]
    return nodes
