"""A book's metadata (EPUB 2.0.1 and 3.3): its package document, and the titles that its table of contents gives to its files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from lxml import etree

from collections_app.parsing.epub.container import Container, refuse, resolve
from collections_app.parsing.html.tree import Element as HtmlElement
from collections_app.parsing.html.tree import get_text, parse_tree

_ANY = "{*}"  # some books have files without a namespace, or with that of an older edition
_DUBLIN_CORE = "{http://purl.org/dc/elements/1.1/}"
_TEXTS = frozenset({"application/xhtml+xml", "text/html", "text/x-oeb1-document"})
_TEXT_EXTENSIONS = (".xhtml", ".html", ".htm")
_LEFT_OUT_PLACES = frozenset({"cover", "toc"})  # places in the guide (OPF 2.0.1, section 2.6)
_MAX_DEPTH = 6


@dataclass(frozen=True, slots=True)
class Entry:
    """A title of the table of contents and its level, from 1."""

    title: str
    level: int


@dataclass(frozen=True, slots=True)
class Book:
    """`texts` has the paths of its files in reading order, `entries` the first entry for each path, `titles` the titles of all entries."""

    title: str
    description: str
    keywords: tuple[str, ...]
    language: str
    author: str
    texts: Sequence[str]
    entries: Mapping[str, Entry]
    titles: Set[str]


def read_book(container: Container) -> Book:
    """The book without its cover and the pages that only repeat its table of contents."""
    path = _find_package_path(container)
    package = container.find_xml(path)
    if package is None:
        refuse(f"`{path}`, which lists its files, is not there; export or download it anew")
    items = {item.get("id", ""): item for item in package.iterfind(f"{_ANY}manifest/{_ANY}item")}
    texts = [
        resolve(path, item.get("href", ""))
        for reference in package.iterfind(f"{_ANY}spine/{_ANY}itemref")
        if (item := items.get(reference.get("idref", ""))) is not None and _is_text(item)
    ]
    if not texts:
        refuse(f"`{path}` lists no text to read, but pictures at most; export or download it anew")
    navigation = next((item for item in items.values() if "nav" in item.get("properties", "").split()), None)
    ncx = _find_ncx(package, items)
    listed = _read_navigation(container, path, navigation) or _read_ncx(container, path, ncx)
    entries = _take_first(listed)
    left_out = set(_iter_left_out(package, path))
    if navigation is not None:
        left_out.add(resolve(path, navigation.get("href", "")))
    facts = _Facts(package.find(f"{_ANY}metadata"))
    return Book(
        title=facts.get_first("title"),
        description=get_text(parse_tree(facts.get_first("description").encode(), "text/html; charset=utf-8")[0]),
        keywords=tuple(dict.fromkeys(facts.get_all("subject"))),
        language=facts.get_first("language"),
        author=", ".join(facts.get_all("creator")),
        texts=tuple(dict.fromkeys(text for text in texts if text not in left_out or text in entries)),
        entries=entries,
        titles={entry.title for _, entry in listed},
    )


def _find_ncx(package: Element, items: Mapping[str, Element]) -> Element | None:
    """The item of EPUB 2's table of contents: the one that the spine names, if it exists, else the first one of this type."""
    spine = package.find(f"{_ANY}spine")
    named = items.get("" if spine is None else spine.get("toc", ""))
    if named is not None:
        return named
    return next((item for item in items.values() if item.get("media-type") == "application/x-dtbncx+xml"), None)


def _iter_left_out(package: Element, path: str) -> Iterator[str]:
    for place in package.iterfind(f"{_ANY}guide/{_ANY}reference"):
        if place.get("type") in _LEFT_OUT_PLACES:
            yield resolve(path, place.get("href", ""))


def _is_text(item: Element) -> bool:
    """Whether an item is text by its media type, or by its name, as some books have wrong types."""
    return item.get("media-type") in _TEXTS or item.get("href", "").lower().endswith(_TEXT_EXTENSIONS)


class _Facts:
    def __init__(self, metadata: Element | None) -> None:
        self._elements = list(metadata.iter()) if metadata is not None else []

    def get_all(self, name: str) -> list[str]:
        found = (element.text or "" for element in self._elements if element.tag == f"{_DUBLIN_CORE}{name}")
        return list(filter(None, (" ".join(text.split()) for text in found)))

    def get_first(self, name: str) -> str:
        return next(iter(self.get_all(name)), "")


def _find_package_path(container: Container) -> str:
    root = container.find_xml("META-INF/container.xml")
    if root is None:
        refuse("it is a zip file, but no EPUB: it has no `META-INF/container.xml`")
    paths = (each.get("full-path", "") for each in root.iterfind(f".//{_ANY}rootfile"))
    return resolve("", next(filter(None, paths), "content.opf"))


def _read_navigation(container: Container, base: str, item: Element | None) -> list[tuple[str, Entry]]:
    """Reads the table of contents of EPUB 3 (EPUB 3.3, section 5.4)."""
    path = "" if item is None else resolve(base, item.get("href", ""))
    content = container.find(path)
    if content is None:
        return []
    root, _ = parse_tree(content, "application/xhtml+xml")
    contents = next((nav for nav in root.iter("nav") if "toc" in nav.get("epub:type", "").split()), None)
    return [] if contents is None else list(_iter_links(contents, path))


def _iter_links(contents: HtmlElement, path: str) -> Iterator[tuple[str, Entry]]:
    """The links in order; each nested list is a level."""
    level = 0
    for event, element in etree.iterwalk(contents, events=("start", "end"), tag=("ol", "a")):
        if element.tag == "ol":
            level += 1 if event == "start" else -1
        elif event == "start" and (href := element.get("href", "")):
            yield resolve(path, href), Entry(get_text(element), min(max(level, 1), _MAX_DEPTH))


def _read_ncx(container: Container, base: str, item: Element | None) -> list[tuple[str, Entry]]:
    """Reads the table of contents of EPUB 2 (OPF 2.0.1, section 2.4.1)."""
    path = "" if item is None else resolve(base, item.get("href", ""))
    root = container.find_xml(path)
    points = None if root is None else root.find(f"{_ANY}navMap")
    return [] if points is None else list(_iter_points(points, path))


def _iter_points(points: Element, path: str) -> Iterator[tuple[str, Entry]]:
    waiting = [(point, 1) for point in reversed(points.findall(f"{_ANY}navPoint"))]
    while waiting:
        point, level = waiting.pop()
        target = point.find(f"{_ANY}content")
        title = " ".join(point.findtext(f"{_ANY}navLabel/{_ANY}text", "").split())
        if target is not None:
            yield resolve(path, target.get("src", "")), Entry(title, min(level, _MAX_DEPTH))
        waiting += [(each, level + 1) for each in reversed(point.findall(f"{_ANY}navPoint"))]


def _take_first(entries: Iterable[tuple[str, Entry]]) -> dict[str, Entry]:
    found: dict[str, Entry] = {}
    for path, entry in entries:
        found.setdefault(path, entry)
    return found
