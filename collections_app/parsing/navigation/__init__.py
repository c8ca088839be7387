"""Reads a collection's own table of contents (GitBook's and mdBook's SUMMARY.md, docsify's _sidebar.md, Antora's nav.adoc) for the group of
each page, and for its title there.

It follows no link and does not ask whether a page exists. Of files that such a file is put together from, sites.py reads those
in the source.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token

from collections_app.parsing.headings.text import get_words, shorten_heading
from collections_app.parsing.navigation.antora import is_antora_navigation, parse_antora_navigation
from collections_app.parsing.navigation.sites import is_site_file, parse_site_file
from collections_app.parsing.source_paths import Read

NAMES = ("SUMMARY.md", "_sidebar.md", "sidebar.md")

# A hostile megabyte of Markdown takes 15 s and half a gigabyte, and it is read in the worker itself.
MAX_NAVIGATION_BYTES = 256 * 1024
MAX_NAVIGATIONS_BYTES = 2 * 1024 * 1024
"""The limit for all files together."""

# Words of a first heading that names the file, not a group.
_FILE_TITLES = frozenset({"summary", "contents", "table of contents", "toc", "sidebar", "navigation", "documentation"})

# The fragment in an address.
_PART = frozenset("#?")

# Without quotes, which no table of contents has: if a paragraph in a quote continues as a link definition, each line is searched
# together with all lines after it. Quoted lines are text here.
_markdown = MarkdownIt("commonmark").disable("blockquote")


@dataclass(slots=True)
class _Link:
    """A link, its words and its group, which is empty if it has none."""

    target: str
    words: str
    heading: str
    bullet: str


def is_navigation(path: str) -> bool:
    """Whether a file has the name of a table of contents."""
    return path.rpartition("/")[2] in NAMES or is_antora_navigation(path) or is_site_file(path)


def parse_navigation(path: str, text: str, read: Read = lambda path: None) -> dict[str, str]:
    """Page path → group, for the pages that have one; `text` has no byte order mark.

    The group is the nearest heading above the link. Without one it is the top-level bullet that contains the link, or the link's own if
    that contains others. A first heading that names the file is no group. The first mention of a page counts. Links are relative to the
    folder of `path`; those that leave the collection are ignored.
    `read` returns other files of the source.
    """
    if is_site_file(path):
        return parse_site_file(path, text, read)
    if path.endswith(".adoc"):
        return parse_antora_navigation(path, text)
    folder = posixpath.dirname(path)
    groups: dict[str, str] = {}
    for link in _iter_links(_markdown.parse(text)):
        page = _find_page(folder, link.target)
        group = link.heading or link.bullet
        if page and group:
            groups.setdefault(page, group)
    return groups


@lru_cache(maxsize=16)
def parse_titles(path: str, text: str) -> Mapping[str, str]:
    """Page path → the words of the first link to the whole page, with links as in parse_navigation(); not for Antora's files.

    Cached, because finding the parts of pages and reading these ask for the same tables, one after the other.
    """
    folder = posixpath.dirname(path)
    titles: dict[str, str] = {}
    for link in _iter_links(_markdown.parse(text)):
        page = _find_page(folder, link.target) if link.words and _PART.isdisjoint(link.target) else None
        if page:
            titles.setdefault(page, link.words)
    return titles


def _iter_links(tokens: list[Token]) -> Iterator[_Link]:
    file_title = _find_file_title(tokens)
    heading, depth = "", 0
    item: list[tuple[int, str, str]] = []
    bullet = ""
    for index, token in enumerate(tokens):
        if token.type == "list_item_open":
            depth += 1
            if depth == 1:
                item, bullet = [], ""
        elif token.type == "list_item_close":
            depth -= 1
            if depth == 0:
                has_nested = any(link_depth > 1 for link_depth, *_ in item)
                group = bullet if has_nested else ""
                yield from (_Link(target, called, heading, group) for _, target, called in item)
        elif token.type == "inline":
            words = shorten_heading(get_words([token])).rstrip(": ")
            if tokens[index - 1].type == "heading_open" and token.level == 1:
                heading = "" if index == file_title else words
            links = _iter_targets(token)
            if depth == 0:
                yield from (_Link(target, called, heading, "") for target, called in links)
            else:
                bullet = bullet or words
                item += [(depth, target, called) for target, called in links]


def _find_file_title(tokens: list[Token]) -> int | None:
    """The index of a first heading's text, if the heading names the file: by its words, or because it is above all other headings."""
    headings = [index for index, token in enumerate(tokens) if token.type == "heading_open" and token.level == 0]
    if not headings or tokens[headings[0]].tag != "h1":
        return None
    is_above_all = all(tokens[index].tag != "h1" for index in headings[1:])
    text = headings[0] + 1
    return text if is_above_all or get_words([tokens[text]]).strip().lower() in _FILE_TITLES else None


def _iter_targets(inline: Token) -> Iterator[tuple[str, str]]:
    """The target of each link, and its words."""
    children = inline.children or []
    closings = iter([number for number, child in enumerate(children) if child.type == "link_close"])
    for number, child in enumerate(children):
        if child.type == "link_open":  # links are not nested
            words = get_words(children[number : next(closings)])
            yield str(child.attrs.get("href", "")), shorten_heading(words)


def _find_page(folder: str, target: str) -> str | None:
    """The page that a link means: `guide/` is guide/README.md and `guide` is guide.md, as in docsify."""
    try:
        url = urlsplit(target)
    except ValueError:
        return None
    if url.scheme or url.netloc or not url.path:
        return None
    linked = unquote(url.path)
    path = posixpath.normpath(posixpath.join(folder, linked.lstrip("/")))
    if path == ".." or path.startswith("../"):
        return None
    if linked.endswith("/") or path == ".":
        return posixpath.normpath(posixpath.join(path, "README.md"))
    return path if posixpath.splitext(path)[1] else f"{path}.md"
