"""Bytes of an HTML page → an lxml tree, or the reason why not. It chooses nothing and converts nothing.

libxml2 parses in linear time and without recursion. Past 2,048 open elements it stops reading; a page cut there would
look whole, so it is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from lxml import etree

from collections_app.exceptions import ParseError
from collections_app.parsing.html.decoding import make_utf8

Element: TypeAlias = etree._Element
Attributes: TypeAlias = Mapping[str, str]


def parse_tree(content: bytes, media_type: str) -> tuple[Element, tuple[str, ...]]:
    """The page's root element (an empty one for a page without any) and warnings about its encoding.

    Raises ParseError for elements nested deeper than libxml2 reads.
    """
    utf8, warnings = make_utf8(content, media_type)
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_pis=True, no_network=True)
    try:
        root = etree.fromstring(utf8, parser)
    except etree.ParserError:
        root = None
    except etree.XMLSyntaxError as error:
        raise ParseError(
            f"The page cannot be read as HTML (line {error.lineno}); check that it is an HTML file."
        ) from None
    if any(error.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT for error in parser.error_log):
        raise ParseError("The page nests its elements deeper than 2,048 levels; close the elements that stay open.")
    return (etree.Element("html") if root is None else root), warnings


def remove_element(element: Element) -> None:
    """Take an element out of its tree; the text after it stays."""
    parent, before = element.getparent(), element.getprevious()
    if parent is None:
        return
    tail, element.tail = element.tail, None
    if before is not None:
        before.tail = (before.tail or "") + (tail or "")
    else:
        parent.text = (parent.text or "") + (tail or "")
    parent.remove(element)


def get_text(element: Element) -> str:
    """All text in `element` on one line."""
    return " ".join("".join(element.itertext()).split())
