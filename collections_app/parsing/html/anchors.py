"""Finds the fragment that leads to a heading: that of its permalink, its own id, that of an anchor in or before it, or its section's id."""

from __future__ import annotations

from itertools import islice
from urllib.parse import unquote

from collections_app.parsing.html.tree import Element

# How many links and spans in a heading are checked: a heading that was never closed contains the rest of the page.
_MAX_WITHIN = 200
_MAX_ANCESTORS = 5  # DocBook: section > div.titlepage > div > div > heading


def find_anchor(heading: Element) -> str:
    return _find_permalink(heading) or get_id(heading) or _find_inner(heading) or _find_outer(heading)


def get_id(element: Element) -> str:
    """The element's id, or the name of an old-style anchor."""
    return element.get("id") or (element.get("name") if element.tag == "a" else "") or ""


def _find_permalink(heading: Element) -> str:
    for link in islice(heading.iter("a"), _MAX_WITHIN):
        href = link.get("href", "")
        if href.startswith("#") and len(href) > 1:
            return unquote(href[1:])
    return ""


def _find_inner(heading: Element) -> str:
    return next(filter(None, map(get_id, islice(heading.iter("a", "span"), _MAX_WITHIN))), "")


def _find_outer(heading: Element) -> str:
    """The id of an empty anchor directly before the heading, or of an element that begins with the heading."""
    element = heading
    for _ in range(_MAX_ANCESTORS):
        before = _find_before(element)
        if before is not None:
            return get_id(before) if _is_empty_anchor(before) else ""
        parent = element.getparent()
        if parent is None or (parent.text or "").strip() or parent.tag == "body":
            return ""
        if parent.get("id"):
            return parent.get("id", "")
        element = parent
    return ""


def _find_before(element: Element) -> Element | None:
    """The element before it. Comments are skipped, unless text follows them: they cannot be asked for their text."""
    before = element.getprevious()
    while before is not None and not isinstance(before.tag, str) and not (before.tail or "").strip():
        before = before.getprevious()
    return before


def _is_empty_anchor(element: Element) -> bool:
    if element.tag not in ("a", "span"):
        return False
    return not any(text.strip() for text in islice(element.itertext(), 1)) and not (element.tail or "").strip()
