"""Links and references in a text, as nodes of its tree."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from collections_app.parsing.asciidoc.addresses import find_address, find_place
from collections_app.parsing.html.elements import Node, make_element

if TYPE_CHECKING:
    from collections_app.parsing.asciidoc.inline.reader import InlineReader

_UNKNOWN = re.compile(r"\{\w[\w-]*\}")


def make_link(target: str, words: Sequence[Node]) -> Sequence[Node]:
    """A link. Without words it shows its address; if the address begins with an unknown attribute, only the words remain."""
    is_blank = all(isinstance(word, str) and not word.strip() for word in words)
    if _UNKNOWN.match(target) and not is_blank:
        return words
    return [target.removeprefix("mailto:")] if is_blank else [make_element("a", words, href=target)]


def make_reference(reader: InlineReader, target: str, words: Sequence[Node], *, is_macro: bool) -> Sequence[Node]:
    """The words of a reference, as a link."""
    address, name = find_address(target, reader.path, is_macro=is_macro)
    if not address:
        return list(words) or [name]
    place = find_place(address, reader.path)
    shown = list(words) or [reader.references.make(place, name)]
    return [reader.references.make_link(place, shown)] if address.startswith("#") else make_link(address, shown)
