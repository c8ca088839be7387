"""One file of a book → a tree for the HTML converter: its body, without navigation through the book."""

from __future__ import annotations

import re
from collections.abc import Set
from itertools import islice
from urllib.parse import urlsplit

from lxml import etree

from collections_app.parsing.html.chrome import is_mostly_links
from collections_app.parsing.html.prefixes import drop_prefixes
from collections_app.parsing.html.tree import Element, empty_element, get_text_start, parse_tree
from collections_app.parsing.html.vocabulary import HEADING_TAGS

# In XHTML any element may be closed in its opening tag, in HTML only these.
_VOID = frozenset(b"area base br col embed hr img input link meta param source track wbr".split())
_CLOSED_TAG = re.compile(rb"<([a-zA-Z][\w:-]*)((?:\s[^<>]*)?)/>")
_CDATA = b"<![CDATA["
_LEFT_OUT_TYPES = frozenset({"cover", "landmarks", "page-list", "pagebreak", "toc"})
_SECTIONS = ("article", "section")
_MIN_LINKS = 3
_JUDGED_LINKS = 500
_JUDGED_CHARACTERS = 200
_FRAMES = ("footer", "header", "main")  # the frame of a page; here they are parts of the text


def read_text(content: bytes) -> tuple[Element, tuple[str, ...]]:
    """The body, and warnings about its encoding. Raises ParseError like parse_tree()."""
    closed = _CLOSED_TAG.sub(_open_and_close, drop_prefixes(_unwrap_cdata(content)))
    root, warnings = parse_tree(closed, "application/xhtml+xml")
    body = root.find("body")
    body = root if body is None else body
    for element in list(body.iter("*")):
        if not _LEFT_OUT_TYPES.isdisjoint(element.get("epub:type", "").split()):
            empty_element(element)
        elif element.tag in _FRAMES:
            element.tag = "div"
    _lower_headings(body)
    for link in list(body.iter("a")):
        _keep_within(link)
    return body, warnings


def repeats_contents(body: Element, titles: Set[str]) -> bool:
    """Whether it is a list of links with titles of the table of contents."""
    links = [get_text_start(link, _JUDGED_CHARACTERS) for link in islice(body.iter("a"), _JUDGED_LINKS)]
    known = sum(text in titles for text in links)
    return known >= _MIN_LINKS and 2 * known > len(links) and is_mostly_links(body)


def _lower_headings(body: Element) -> None:
    """If all headings have the same tag, give them levels by the sections around them (HTML 5.0, section 4.3.10)."""
    depths: dict[Element, int] = {}
    depth = 0
    for event, element in etree.iterwalk(body, events=("start", "end"), tag=(*_SECTIONS, *HEADING_TAGS)):
        if element.tag in _SECTIONS:
            depth += 1 if event == "start" else -1
        elif event == "start":
            depths[element] = depth
    if len({heading.tag for heading in depths}) == 1:
        outermost = min(depths.values(), default=0)
        for heading, inner in depths.items():
            heading.tag = f"h{min(int(heading.tag[1]) + inner - outermost, 6)}"


def _unwrap_cdata(content: bytes) -> bytes:
    """Write CDATA sections, in which XML knows no markup, as escaped text: HTML would take them for comments."""
    before, *others = content.split(_CDATA)
    pieces = (other.partition(b"]]>") for other in others)
    return b"".join([before, *(_escape(text) + after for text, _, after in pieces)])


def _escape(text: bytes) -> bytes:
    return text.replace(b"&", b"&amp;").replace(b"<", b"&lt;").replace(b">", b"&gt;")


def _open_and_close(tag: re.Match[bytes]) -> bytes:
    return tag[0] if tag[1].lower() in _VOID else b"<%b%b></%b>" % (tag[1], tag[2], tag[1])


def _keep_within(link: Element) -> None:
    """Keep the fragment of a link to a file of the book, as all files become one text; a link without one, or in a heading,
    becomes text.
    """
    href = link.get("href", "").strip()
    if not href or _get_scheme(href) or href.startswith("//"):
        return
    parent = link.getparent()
    fragment = href.partition("#")[2]
    if fragment and (parent is None or parent.tag not in HEADING_TAGS):
        link.set("href", f"#{fragment}")
    else:
        del link.attrib["href"]


def _get_scheme(href: str) -> str:
    try:
        return urlsplit(href).scheme
    except ValueError:
        return ""
