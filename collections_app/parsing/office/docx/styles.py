"""Classifies a paragraph by its style, the styles that one is based on, or its outline level, and gives each kind one style name.

A custom style counts as the style it is based on: `Chapter`, based on `heading 1`, makes headings. Body text has outline level 9.
Styles in publishers' templates are based on nothing and have no level, but their names tell (`HeadA`, `B-head`, `H2`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from xml.etree.ElementTree import Element, SubElement

from collections_app.parsing.office.docx.names import WORD, find_value, get_text, is_on

MAX_HEADING_CHARACTERS = 300
"""Of a paragraph that is a heading only by its outline level: contracts give levels to whole clauses."""

FORMER_STYLE = "docsmcp-style"
"""An attribute for a paragraph that its outline level made a heading: the id of its own style, which determines its numbering."""

_MAX_BASES = 20
_DEEPEST = 6
_HEADING = re.compile(r"heading ?([1-9])", re.IGNORECASE)
_PUBLISHERS_HEADING = re.compile(
    r"(?:head(?:ing)?[ _-]?(?P<letter>[a-e])|(?P<first>[a-e])[ _-]?head(?:ing)?|h(?:ead)?[ _-]?(?P<digit>[1-6]))(?:[ _-]?number)?",
    re.IGNORECASE,
)
_PUBLISHERS_TITLE = re.compile(r"(?:appendix|book|chapter|document|main)[ _-]?title", re.IGNORECASE)
_KNOWN = re.compile(
    r"title|code|code block|source code|html preformatted|preformatted text|quote|intense quote|toc [1-9]|table of figures",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Style:
    """The properties of a style itself, without those that it inherits; None for a property that is not set. Each style is read once,
    however many are based on it.
    """

    name: str
    base: str
    outline_level: str | None
    vanish: str | None
    size: str | None
    bold: str | None
    numbering: str | None
    numbering_level: str | None


def read_styles(part: Element | None) -> dict[str, Style]:
    """The styles of a part by their ids; none where there is no part."""
    return {identifier: _read_style(element) for identifier, element in _index_styles(part).items()}


def iter_bases(identifier: str, styles: Mapping[str, Style]) -> Iterator[tuple[str, Style]]:
    """A style and the styles it is based on, with their ids, nearest first."""
    for _ in range(_MAX_BASES):
        style = styles.get(identifier)
        if style is None:
            break
        yield identifier, style
        identifier = style.base


def _index_styles(part: Element | None) -> dict[str, Element]:
    elements: Iterable[Element] = part.iter(f"{WORD}style") if part is not None else ()
    return {element.get(f"{WORD}styleId", ""): element for element in elements}


def _read_style(element: Element) -> Style:
    return Style(
        name=find_value(element, "name") or "",
        base=find_value(element, "basedOn") or "",
        outline_level=find_value(element, "pPr/outlineLvl"),
        vanish=find_value(element, "rPr/vanish"),
        size=find_value(element, "rPr/sz"),
        bold=find_value(element, "rPr/b"),
        numbering=find_value(element, "pPr/numPr/numId"),
        numbering_level=find_value(element, "pPr/numPr/ilvl"),
    )


def is_heading(name: str | None) -> bool:
    """Whether this name of a style, or an id such as `Heading2`, is that of a heading."""
    return name is not None and _HEADING.fullmatch(name) is not None


def name_paragraphs(parts: Mapping[str, Element]) -> str:
    """Rename styles after what their paragraphs are, and give paragraphs with an outline level of their own a heading style. Returns the
    text of the document's first title.
    """
    by_id = _index_styles(parts.get("word/styles.xml"))
    styles = {identifier: _read_style(element) for identifier, element in by_id.items()}
    own_headings = {identifier for identifier, style in styles.items() if _HEADING.fullmatch(style.name)}
    names = find_names(styles)
    for style in by_id.values():
        style.attrib.setdefault(f"{WORD}type", "paragraph")  # the defaults, which mammoth expects
        style.attrib.setdefault(f"{WORD}styleId", "")
    for identifier, name in names.items():
        element = by_id[identifier].find(f"{WORD}name")
        if name and element is not None:
            element.set(f"{WORD}val", name)
    for paragraph in _iter_paragraphs(parts):
        _name_paragraph(paragraph, names, own_headings)
    return _find_title(parts["word/document.xml"].iter(f"{WORD}p"), names)


def find_hidden_styles(part: Element | None) -> frozenset[str]:
    """The ids of the styles whose text is hidden, by themselves or by what they are based on."""
    styles = read_styles(part)
    return frozenset(identifier for identifier in styles if _is_hidden(identifier, styles))


def _is_hidden(identifier: str, styles: Mapping[str, Style]) -> bool:
    said = (style.vanish for _, style in iter_bases(identifier, styles) if style.vanish is not None)
    value = next(said, None)
    return value is not None and is_on(value)


def find_names(styles: Mapping[str, Style]) -> dict[str, str]:
    """What the paragraphs of each style are, as a style name such as `heading 2` or `Title`; empty for plain text."""
    return {identifier: _find_name(identifier, styles) for identifier in styles}


def _find_name(identifier: str, styles: Mapping[str, Style]) -> str:
    """The first name, of the style itself or of those it is based on, that says what a paragraph is; empty for plain text."""
    for _, style in iter_bases(identifier, styles):
        if heading := _HEADING.fullmatch(style.name):
            return _make_heading(int(heading[1]))
        if _KNOWN.fullmatch(style.name):
            return style.name
        if style.outline_level is not None:
            return _read_level(style.outline_level)
        if heading := _PUBLISHERS_HEADING.fullmatch(style.name):
            return _make_heading(_read_publishers_level(heading))
        if _PUBLISHERS_TITLE.fullmatch(style.name):
            return "Title"
    return ""


def _read_publishers_level(heading: re.Match[str]) -> int:
    digit = heading["digit"]
    return int(digit) if digit else ord((heading["letter"] or heading["first"]).lower()) - ord("a") + 1


def _read_level(outline: str) -> str:
    return _make_heading(int(outline) + 1) if outline in set("012345678") else ""


def _make_heading(level: int) -> str:
    return f"heading {min(level, _DEEPEST)}"


def _iter_paragraphs(parts: Mapping[str, Element]) -> Iterator[Element]:
    for name, part in parts.items():
        if name.startswith("word/"):
            yield from part.iter(f"{WORD}p")


def _name_paragraph(paragraph: Element, names: Mapping[str, str], own_headings: Iterable[str]) -> None:
    """Use the paragraph's own outline level if its style says nothing. A paragraph too long for a heading gets no heading style."""
    identifier = find_value(paragraph, "pPr/pStyle") or ""
    name = names.get(identifier, "")
    level = "" if name else _read_level(find_value(paragraph, "pPr/outlineLvl") or "")
    if not level and (identifier in own_headings or not _HEADING.fullmatch(name)):
        return
    is_heading = len(get_text(paragraph)) <= MAX_HEADING_CHARACTERS
    if level and is_heading:
        paragraph.set(FORMER_STYLE, identifier)
        _set_style(paragraph, level.title().replace(" ", ""))
    elif not level and not is_heading:
        _set_style(paragraph, "")


def _set_style(paragraph: Element, identifier: str) -> None:
    properties = paragraph.find(f"{WORD}pPr")
    if properties is None:
        return
    style = properties.find(f"{WORD}pStyle")
    if style is None:
        style = SubElement(properties, f"{WORD}pStyle")
    style.set(f"{WORD}val", identifier)


def _find_title(paragraphs: Iterable[Element], names: Mapping[str, str]) -> str:
    titles = (
        " ".join(get_text(paragraph).split())
        for paragraph in paragraphs
        if names.get(find_value(paragraph, "pPr/pStyle") or "", "").lower() == "title"
    )
    return next(filter(None, titles), "")
