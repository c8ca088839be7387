"""Resolves where a page's references lead, as written; Antora files become paths relative to the page. It opens no file and builds no tree.

A place is the target of a reference: `path#id` for another file, with its path from the root; only the id for the page itself.
"""

from __future__ import annotations

import posixpath
import re

from collections_app.parsing.asciidoc.antora import find_page, is_elsewhere, is_in_module

_EXTENSIONS = (".adoc", ".asciidoc", ".asc", ".ad")
_NO_LETTER = re.compile(r"[\W_]+")


def find_address(target: str, path: str, *, is_macro: bool) -> tuple[str, str]:
    """The address of a reference in the page at `path`, and its name, in case no title is known. The address of a target on the page itself
    is `#id`; that of a page in another component is empty.
    """
    page, sign, fragment = target.partition("#")
    is_page = bool(page) and (bool(sign) or page.endswith(_EXTENSIONS) or (is_macro and ("/" in page or "$" in page)))
    if not is_page:
        return f"#{fragment or page}", fragment or page
    if is_in_module(path):
        return _find_antora_address(page, fragment, path)
    if not posixpath.splitext(page)[1]:
        page = f"{page}.adoc"
    return _join(page, fragment), fragment or page


def _find_antora_address(page: str, fragment: str, path: str) -> tuple[str, str]:
    name = fragment or page.rpartition(":")[2].rpartition("$")[2]
    if "$" not in page and not posixpath.splitext(page)[1]:
        page = f"{page}.adoc"
    found = find_page(page, path)
    if found is None:
        return "" if is_elsewhere(page) else page, name
    return _join(posixpath.relpath(found, posixpath.dirname(path) or "."), fragment), name


def _join(page: str, fragment: str) -> str:
    return f"{page}#{fragment}" if fragment else page


def find_place(address: str, path: str) -> str:
    """The target that an address in the page at `path` leads to."""
    page, _, id = address.partition("#")
    page = posixpath.normpath(posixpath.join(posixpath.dirname(path), page)) if page else path
    return id if page == path else f"{page}#{id}"


def normalise_place(place: str) -> str:
    """The letters and digits of an id. Only a site's configuration may know with which prefix and separator ids are made from titles."""
    page, sign, id = place.partition("#") if "#" in place else ("", "", place)
    return f"{page}{sign}{_NO_LETTER.sub('', id.lower())}"
