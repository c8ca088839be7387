"""The numbers that Word gives paragraphs (ECMA-376 part 1, section 17.9): headings and items show them, because the text refers to them.

Items that Markdown can number the same way, `1.` or `1)`, stay items of a numbered list; mammoth cannot report their number, so a bookmark
carries it. Others, such as `(a)` and `1.1`, become bullet items with the number as their first word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element, SubElement

from collections_app.parsing.html.tree import Element as HtmlElement
from collections_app.parsing.office.docx.names import WORD, find_value
from collections_app.parsing.office.docx.package import DOCUMENT, NUMBERING, STYLES
from collections_app.parsing.office.docx.styles import FORMER_STYLE, is_heading, iter_bases, read_styles
from collections_app.parsing.office.numbers import read_number, write_number

_BOOKMARK = "docsmcp-number-"

_NO_NUMBERING = "0"  # the id that removes a paragraph from the list of its style
_BULLETS, _NUMBERS = "docsmcp-bullets", "docsmcp-numbers"  # ids that no numbering has
_DEEPEST_LEVEL = 8
_MAX_LINKS = 20  # links from style to style
_MAX_LABEL_CHARACTERS = 60
# Marks of a deleted or moved end of a paragraph.
_GONE = tuple(f"{WORD}pPr/{WORD}rPr/{WORD}{mark}" for mark in ("del", "moveFrom"))
_SIGNS = {"lowerLetter": "a", "upperLetter": "A", "lowerRoman": "i", "upperRoman": "I"}
_PLACE = re.compile(r"%([1-9])")
_PLAIN_LABEL = re.compile(r"%[1-9][.)]?")


@dataclass(frozen=True, slots=True)
class _Level:
    """`text` has a placeholder for each number, such as `%1.%2`."""

    start: int
    format: str
    text: str
    style: str
    has_arabic_numbers: bool


@dataclass(frozen=True, slots=True)
class _Numbering:
    """Numberings with the same `counters` continue each other's numbers; `restarts` has the levels at which this one begins anew, once."""

    levels: Mapping[int, _Level]
    counters: dict[int, int]
    restarts: dict[int, int] = field(default_factory=dict)


def number_paragraphs(parts: Mapping[str, Element]) -> None:
    """Number the paragraphs. Heading styles must have been renamed before. Paragraphs marked as deleted or moved away do not count."""
    numberer = _Numberer(parts.get(NUMBERING), parts.get(STYLES))
    headings = {identifier for identifier, style in numberer.styles.items() if is_heading(style.name)}
    for paragraph in parts[DOCUMENT].iter(f"{WORD}p"):
        if any(paragraph.find(mark) is not None for mark in _GONE):
            continue
        style = find_value(paragraph, "pPr/pStyle") or ""
        own = paragraph.attrib.pop(FORMER_STYLE, style)
        numberer.number(paragraph, own, is_heading=style in headings or is_heading(style))


def number_items(root: HtmlElement) -> None:
    """Give items of HTML lists the numbers in their bookmarks."""
    for bookmark in root.iter("a"):
        name = bookmark.get("id", "")
        item = next(bookmark.iterancestors("li"), None) if name.startswith(_BOOKMARK) else None
        if item is not None:
            item.set("value", name.removeprefix(_BOOKMARK))
            del bookmark.attrib["id"]


class _Numberer:
    """The numberings of a document, and their current numbers."""

    def __init__(self, numbering: Element | None, styles: Element | None) -> None:
        self.styles = read_styles(styles)
        self._numberings = self._read(numbering) if numbering is not None else {}
        self._open_items: list[int] = []

    def number(self, paragraph: Element, style: str, *, is_heading: bool) -> None:
        identifier, depth = self._find_place(paragraph, style)
        numbering = self._numberings.get(identifier)
        level = numbering.levels.get(depth) if numbering else None
        if numbering is None or level is None:
            self._open_items.clear()
            return
        _count(numbering, depth, level)
        label = _make_label(numbering, level)
        is_bullet = level.format == "bullet" or (label and not _PLACE.search(level.text))
        if is_heading or not label:
            self._open_items.clear()
            if is_heading and not is_bullet:
                _begin_with(paragraph, label)
            _set_numbering(paragraph, _NO_NUMBERING, 0)
            return
        is_plain = level.format == "decimal" and _PLAIN_LABEL.fullmatch(level.text)
        _set_numbering(paragraph, _NUMBERS if is_plain else _BULLETS, self._nest(depth))
        if is_plain:
            _begin_with_bookmark(paragraph, numbering.counters[depth])
        elif not is_bullet:
            _begin_with(paragraph, label)

    def _nest(self, depth: int) -> int:
        """How many list items contain the next one. Without this, mammoth would open an empty item for each level above."""
        while self._open_items and self._open_items[-1] >= depth:
            self._open_items.pop()
        self._open_items.append(depth)
        return len(self._open_items) - 1

    def _find_place(self, paragraph: Element, style: str) -> tuple[str, int]:
        """The id and the level of the numbering that the paragraph or its style has."""
        identifier = find_value(paragraph, "pPr/numPr/numId")
        depth = find_value(paragraph, "pPr/numPr/ilvl")
        if identifier is not None:
            return identifier, read_number(depth, 0)
        for found, base in iter_bases(style, self.styles):
            if base.numbering is not None:
                depth = depth or base.numbering_level
                return base.numbering, read_number(depth, self._find_depth(base.numbering, found))
        return _NO_NUMBERING, 0

    def _find_depth(self, identifier: str, style: str) -> int:
        """The level that a numbering gives a style."""
        numbering = self._numberings.get(identifier)
        levels = numbering.levels if numbering else {}
        return next((depth for depth, level in levels.items() if level.style == style), 0)

    def _read(self, numbering: Element) -> dict[str, _Numbering]:
        abstracts = _index(numbering, "abstractNum", "abstractNumId")
        own = _index(numbering, "num", "numId")
        levels = {identifier: dict(_iter_levels(element)) for identifier, element in abstracts.items()}
        links = {identifier: find_value(element, "numStyleLink") for identifier, element in abstracts.items()}
        definitions = {identifier: find_value(element, "abstractNumId") or "" for identifier, element in own.items()}
        counters: dict[str, dict[int, int]] = {}
        numberings: dict[str, _Numbering] = {}
        for identifier, element in own.items():
            abstract = self._follow_links(definitions[identifier], links, definitions)
            if abstract not in abstracts:
                continue
            own_levels = dict(levels[abstract])
            restarts: dict[int, int] = {}
            for override in element.iter(f"{WORD}lvlOverride"):
                own_levels.update(_iter_levels(override))
                start = find_value(override, "startOverride")
                if start is not None:
                    restarts[read_number(override.get(f"{WORD}ilvl"), 0)] = read_number(start, 1)
            numberings[identifier] = _Numbering(own_levels, counters.setdefault(abstract, {}), restarts)
        _add_lists(numbering)
        return numberings

    def _follow_links(self, abstract: str, links: Mapping[str, str | None], definitions: Mapping[str, str]) -> str:
        """The definition with the levels: a definition may only name a style that has another one."""
        for _ in range(_MAX_LINKS):
            style = links.get(abstract)
            if style is None or style not in self.styles:
                break
            abstract = definitions.get(self.styles[style].numbering or "", "")
        return abstract


def _index(part: Element | None, name: str, key: str) -> dict[str, Element]:
    elements: Iterable[Element] = part.iter(f"{WORD}{name}") if part is not None else ()
    return {element.get(f"{WORD}{key}", ""): element for element in elements}


def _iter_levels(holder: Element) -> Iterable[tuple[int, _Level]]:
    for level in holder.findall(f"{WORD}lvl"):
        depth = read_number(level.get(f"{WORD}ilvl"), 0)
        if depth > _DEEPEST_LEVEL:
            continue
        yield (
            depth,
            _Level(
                start=read_number(find_value(level, "start"), 0),
                format=find_value(level, "numFmt") or "decimal",
                text=(find_value(level, "lvlText") or "")[:_MAX_LABEL_CHARACTERS],
                style=find_value(level, "pStyle") or "",
                has_arabic_numbers=level.find(f"{WORD}isLgl") is not None,
            ),
        )


def _count(numbering: _Numbering, depth: int, level: _Level) -> None:
    counters = numbering.counters
    restart = numbering.restarts.pop(depth, None)
    if restart is not None:
        counters[depth] = restart
    else:
        counters[depth] = counters[depth] + 1 if depth in counters else level.start
    for above in range(depth):
        counters.setdefault(above, numbering.levels[above].start if above in numbering.levels else 1)
    for below in range(depth + 1, _DEEPEST_LEVEL + 1):
        counters.pop(below, None)


def _make_label(numbering: _Numbering, level: _Level) -> str:
    def write(match: re.Match[str]) -> str:
        depth = int(match[1]) - 1
        format = numbering.levels[depth].format if depth in numbering.levels else "decimal"
        return _write_number(numbering.counters.get(depth, 1), "decimal" if level.has_arabic_numbers else format)

    return _PLACE.sub(write, level.text).strip()


def _write_number(number: int, format: str) -> str:
    match format:
        case "none" | "bullet":
            return ""
        case "decimalZero":
            return f"{number:02}"
    return write_number(number, _SIGNS.get(format, "1"))


def _set_numbering(paragraph: Element, identifier: str, depth: int) -> None:
    properties = paragraph.find(f"{WORD}pPr")
    if properties is None:
        return  # it has neither a style nor a number
    for old in properties.findall(f"{WORD}numPr"):
        properties.remove(old)
    numbering = SubElement(properties, f"{WORD}numPr")
    SubElement(numbering, f"{WORD}ilvl").set(f"{WORD}val", str(depth))
    SubElement(numbering, f"{WORD}numId").set(f"{WORD}val", identifier)


def _begin_with(paragraph: Element, label: str) -> None:
    if label:
        run = Element(f"{WORD}r")
        SubElement(run, f"{WORD}t").text = f"{label} "
        paragraph.insert(1, run)  # behind its properties


def _begin_with_bookmark(paragraph: Element, number: int) -> None:
    paragraph.insert(1, Element(f"{WORD}bookmarkStart", {f"{WORD}name": f"{_BOOKMARK}{number}"}))


def _add_lists(numbering: Element) -> None:
    """Add a bulleted and a numbered list for the items that stay list items."""
    for identifier, format in ((_BULLETS, "bullet"), (_NUMBERS, "decimal")):
        abstract = SubElement(numbering, f"{WORD}abstractNum", {f"{WORD}abstractNumId": identifier})
        for depth in range(_DEEPEST_LEVEL + 1):
            level = SubElement(abstract, f"{WORD}lvl", {f"{WORD}ilvl": str(depth)})
            SubElement(level, f"{WORD}numFmt", {f"{WORD}val": format})
        own = SubElement(numbering, f"{WORD}num", {f"{WORD}numId": identifier})
        SubElement(own, f"{WORD}abstractNumId", {f"{WORD}val": identifier})
