"""Reads the navigation of an Antora module (`modules/ROOT/nav.adoc`) for the group of each page. It knows no more AsciiDoc than that takes.

https://docs.antora.org/antora/latest/navigation/list-structures/. What a file includes or takes from attributes is not looked up.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from collections_app.parsing.asciidoc.antora import find_page
from collections_app.parsing.heading_text import shorten_heading

_MAX_LINE_CHARACTERS = 2000
_IN_MODULE = re.compile(r"(?:.*/)?modules/[^/]+/")
_TITLE = re.compile(r"\.(?![.\s])(?P<words>.+)|=+ (?P<heading>.+)")
_ITEM = re.compile(r"\s*(?P<marks>\*{1,9}) +(?P<text>.+)")
_REFERENCE = re.compile(r"xref:(?P<page>[^\[\]#\s]+)(?:#[^\[\]\s]*)?\[(?P<words>[^\]]*)\]")
_LINK = re.compile(r"(?:link:|https?://)[^\[\]\s]*\[(?P<words>[^\]]*)\]")
_FORMATTING = re.compile(r"[*_`#]+(?=\S)|(?<=\S)[*_`#]+")


def parse_antora_navigation(path: str, text: str) -> dict[str, str]:
    """Page path → group, for the pages that stand under one; nothing for a file outside of a module.

    The group is the title of the list; without one, the top-level item that the page is nested in, or that it is itself, if others are
    nested in it. The first mention of a page counts.
    """
    found = _IN_MODULE.match(path)
    groups: dict[str, str] = {}
    for target, group in _iter_pages(text) if found else ():
        target = target if posixpath.splitext(target)[1] else f"{target}.adoc"
        page = find_page(target, f"{found[0]}pages/") if found else None
        if page and group:
            groups.setdefault(page, group)
    return groups


def _iter_pages(text: str) -> Iterator[tuple[str, str]]:
    """Each page with its group; empty where it stands under none."""
    title, item = "", ""
    waiting: list[str] = []  # the page that a top-level item is, until it is known whether others are nested in it
    for line in text.splitlines():
        if len(line) > _MAX_LINE_CHARACTERS:
            continue
        if named := _TITLE.fullmatch(line.rstrip()):
            yield from ((page, title) for page in waiting)
            title, item, waiting = _read_words(named["words"] or named["heading"]), "", []
        elif listed := _ITEM.fullmatch(line.rstrip()):
            pages = [reference["page"] for reference in _REFERENCE.finditer(listed["text"])]
            if len(listed["marks"]) == 1:
                yield from ((page, title) for page in waiting)
                item, waiting = _read_words(listed["text"]), pages
            else:
                yield from ((page, title or item) for page in [*waiting, *pages])
                waiting = []
    yield from ((page, title) for page in waiting)


def _read_words(text: str) -> str:
    """As readers see it; empty where an attribute would have to be known."""
    for macro in (_REFERENCE, _LINK):
        text = macro.sub(lambda found: found["words"], text)
    return "" if "{" in text else shorten_heading(_FORMATTING.sub("", text)).rstrip(": ")
