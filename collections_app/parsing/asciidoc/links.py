"""Where links and references of a text lead, as they are written; files of Antora as paths from the page. It follows none."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from collections_app.parsing.asciidoc.antora import find_page, is_elsewhere, is_in_module
from collections_app.parsing.asciidoc.tree import Node, make_element

if TYPE_CHECKING:
    from collections_app.parsing.asciidoc.inline import InlineReader

_UNKNOWN = re.compile(r"\{\w[\w-]*\}")
_EXTENSIONS = (".adoc", ".asciidoc", ".asc", ".ad")


def make_link(target: str, words: Sequence[Node]) -> Sequence[Node]:
    """A link; one without words shows its address, and one whose address begins with an attribute that is not known is its words."""
    is_blank = all(isinstance(word, str) and not word.strip() for word in words)
    if _UNKNOWN.match(target) and not is_blank:
        return words
    return [target.removeprefix("mailto:")] if is_blank else [make_element("a", words, href=target)]


def make_reference(reader: InlineReader, target: str, words: Sequence[Node], *, is_macro: bool) -> Sequence[Node]:
    """To a place in this document its words alone, to another document a link."""
    page, sign, fragment = target.partition("#")
    is_page = bool(page) and (bool(sign) or page.endswith(_EXTENSIONS) or (is_macro and ("/" in page or "$" in page)))
    if not is_page:
        place = fragment or page
        return list(words) or [reader.references.make(place)]
    if is_in_module(reader.path):
        return _make_antora_link(reader.path, page, fragment, words)
    if not posixpath.splitext(page)[1]:
        page = f"{page}.adoc"
    return make_link(f"{page}#{fragment}" if fragment else page, list(words) or [fragment or page])


def _make_antora_link(path: str, page: str, fragment: str, words: Sequence[Node]) -> Sequence[Node]:
    shown = list(words) or [fragment or page.rpartition(":")[2].rpartition("$")[2]]
    if "$" not in page and not posixpath.splitext(page)[1]:
        page = f"{page}.adoc"
    found = find_page(page, path)
    if found is None:
        return shown if is_elsewhere(page) else make_link(page, shown)
    target = posixpath.relpath(found, posixpath.dirname(path) or ".")
    return make_link(f"{target}#{fragment}" if fragment else target, shown)
