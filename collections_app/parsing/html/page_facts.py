"""What a crawler needs to know of a page before anybody reads it: its own address, where it leads, and whether it may be kept.

It reads any page that libxml2 reads. It only reports: whether to obey `nofollow` is up to the crawler.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import cast
from urllib.parse import urldefrag, urlsplit

from lxml import etree

from collections_app.parsing.detection.templates import RUSTDOC, is_rustdocs_name
from collections_app.parsing.html.head import find_canonical_url, find_language, find_title_text, read_meta
from collections_app.parsing.html.links import find_base_href, join_url
from collections_app.parsing.html.tree import Element, empty_element, get_text_start, parse_tree
from collections_app.parsing.html.vocabulary import DROPPED_TAGS, HEADING_TAGS

# A page that redirects within this time is not meant to be read; one that reloads itself now and then is.
MAX_REFRESH_SECONDS = 5
_NO_MENU_TAGS = (*HEADING_TAGS, "img", "p", "script")
_MENU_PAGES = frozenset({"docfx:navrel", "docfx:tocrel"})
_DOXYGEN_PAGES = (
    "annotated.html",
    "examples.html",
    "files.html",
    "modules.html",
    "namespaces.html",
    "pages.html",
    "topics.html",
)
_REFRESH = re.compile(  # WHATWG HTML, section 4.2.5.3, "refresh state"
    r"""\s*+(?P<seconds>\d{1,9})?(?:\.[\d.]*)?\s*+(?:[;,]\s*+|(?<=\s))(?:url\s*+=\s*+)?(?:'(?P<single>[^']*)|"(?P<double>[^"]*)|(?P<bare>.+))""",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Alternate:
    """The same page in another language or format, from `<link rel="alternate">`; attributes that are not given are empty."""

    url: str
    language: str
    media_type: str


@dataclass(frozen=True, slots=True)
class PageFacts:
    """`links` are absolute http(s) addresses in document order, each once, without fragments, including those of frames. `canonical_url`
    may be empty, and so may `refresh_url`, to which the page redirects. `is_frameset` and `is_menu` say that it only shows, or only lists,
    others, as rustdoc's list of everything in a crate does.
    """

    title: str
    language: str
    canonical_url: str
    refresh_url: str
    is_frameset: bool
    is_menu: bool
    is_noindex: bool
    is_nofollow: bool
    links: tuple[str, ...]
    alternates: tuple[Alternate, ...]


def read_page(content: bytes, media_type: str, url: str) -> PageFacts:
    """The facts of the page at `url`, which was sent as `media_type` (with its charset).

    Raises ParseError if no tree can be built, like parse_html.
    """
    root, _ = parse_tree(content, media_type)
    base_url = join_url(url, find_base_href(root))
    meta = read_meta(root)
    robots = {word.strip() for word in meta.get("robots", "").lower().split(",")}
    return PageFacts(
        title=find_title_text(root),
        language=find_language(root, meta),
        canonical_url=find_canonical_url(root, base_url),
        refresh_url=_find_refresh_url(root, base_url, url),
        is_frameset=next(root.iter("frameset"), None) is not None,
        is_menu=(meta.get("generator") == RUSTDOC and is_rustdocs_name(urlsplit(url).path)) or _is_menu(root),
        is_noindex=not robots.isdisjoint({"noindex", "none"}),
        is_nofollow=not robots.isdisjoint({"nofollow", "none"}),
        links=tuple(dict.fromkeys(_iter_links(root, base_url))),
        alternates=tuple(_iter_alternates(root, base_url)),
    )


def read_text(content: bytes, media_type: str) -> str:
    """All text for readers without scripts, including the title and everything around the content, with a blank between elements. Raises
    ParseError like read_page().
    """
    root, _ = parse_tree(content, media_type)
    for element in list(root.iter("script", "style", "template")):
        empty_element(element)
    return " ".join(cast("Iterable[str]", root.itertext()))


def _iter_links(root: Element, base_url: str) -> Iterator[str]:
    for element in root.iter("a", "area", "frame", "iframe", "meta", "script"):
        for href in filter(None, _iter_addresses(element, base_url)):
            yield from _iter_web_address(base_url, href)


def _iter_addresses(element: Element, base_url: str) -> Iterator[str | None]:
    """The addresses that an element leads to, as written or absolute. Menus that scripts write can be the only links to some pages: DocFX
    names their files, and in Doxygen they are in one of a few pages.
    """
    if element.tag == "script":
        script = join_url(base_url, element.get("src", ""))
        is_menu = script.partition("?")[0].endswith("/menudata.js")
        yield from (join_url(script, page) for page in _DOXYGEN_PAGES if is_menu)
    elif element.tag == "meta":
        yield element.get("content") if (element.get("property") or element.get("name")) in _MENU_PAGES else None
    else:
        yield element.get("href") or element.get("src")


def _is_menu(root: Element) -> bool:
    """Whether the page has links and no words beside them: not even a title (DocFX), or no words in the links either (Doxygen's page for
    crawlers). Pages written by scripts, and links that are pictures or whole paragraphs, do not count.
    """
    if next(root.iter(*_NO_MENU_TAGS), None) is not None:
        return False
    links: list[Element] = []
    walk = etree.iterwalk(root, events=("start", "end", "comment"))
    for event, each in walk:
        text = each.text if event == "start" else each.tail
        if event == "start" and (each.tag == "a" or each.tag in DROPPED_TAGS):
            links += [each] if each.tag == "a" and not each.get("href", "#").startswith("#") else []
            walk.skip_subtree()
        elif text and not text.isspace():
            return False
    if find_title_text(root):
        return len(links) > 1 and not any(len(link) or get_text_start(link, 1) for link in links)
    return bool(links)


def _find_refresh_url(root: Element, base_url: str, url: str) -> str:
    """The address to which the page redirects; empty if it stays or reloads itself. A redirect only for browsers without scripts is
    ignored.
    """
    target = find_refresh_target(root)
    target_url = next(_iter_web_address(base_url, target), "") if target else ""
    return "" if target_url == urldefrag(url).url else target_url


def find_refresh_target(root: Element, *, for_all: bool = True) -> str:
    """The target to which the page redirects at once, as written; without `for_all`, also the one for browsers without scripts."""
    for meta in root.iter("meta"):
        if meta.get("http-equiv", "").strip().lower() == "refresh" and not (for_all and _is_for_few(meta)):
            found = _REFRESH.match(meta.get("content", ""))
            is_soon = found and int(found["seconds"] or 0) <= MAX_REFRESH_SECONDS
            return (found["single"] or found["double"] or found["bare"] or "") if found and is_soon else ""
    return ""


def find_main_frame(root: Element) -> str:
    """The address of the page in the last frame, as written: menus come before it. Empty without frames."""
    frames = (frame.get("src", "") for frame in root.iter("frame"))
    return next(filter(None, reversed(list(frames))), "")


def _is_for_few(element: Element) -> bool:
    return next(element.iterancestors("noscript", "template"), None) is not None


def _iter_alternates(root: Element, base_url: str) -> Iterator[Alternate]:
    for link in root.iter("link"):
        if "alternate" in link.get("rel", "").lower().split():
            for url in _iter_web_address(base_url, link.get("href", "")):
                yield Alternate(url, link.get("hreflang", ""), link.get("type", "").strip().lower())


def _iter_web_address(base_url: str, href: str) -> Iterator[str]:
    url = urldefrag(join_url(base_url, href)).url
    if url.startswith(("http://", "https://")):
        yield url
