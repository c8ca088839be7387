"""What a paragraph is, by its style, the styles that this is based on, or its outline level: the same is given the same name.

A style of one's own is worth what it is based on: `Chapter`, based on `heading 1`, makes headings. Body text has outline level 9.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from xml.etree.ElementTree import Element, SubElement

from collections_app.parsing.docx.names import WORD, find_value, get_text, is_on

MAX_HEADING_CHARACTERS = 300
"""Of a paragraph that only its outline makes a heading: contracts give levels to whole clauses."""

_MAX_BASES = 20
_DEEPEST = 6
_HEADING = re.compile(r"heading ?([1-9])", re.IGNORECASE)
_KNOWN = re.compile(
    r"title|code|code block|source code|html preformatted|preformatted text|quote|intense quote|toc [1-9]|table of figures",
    re.IGNORECASE,
)


def is_heading(name: str | None) -> bool:
    """Whether a style is a heading by its name, or by its id if that is `Heading2`."""
    return name is not None and _HEADING.fullmatch(name) is not None


def name_paragraphs(parts: Mapping[str, Element]) -> str:
    """Give each paragraph a style by whose name it can be told; the text of the first title in the document."""
    styles = parts.get("word/styles.xml")
    by_id = (
        {style.get(f"{WORD}styleId", ""): style for style in styles.iter(f"{WORD}style")} if styles is not None else {}
    )
    own_headings = {identifier for identifier, style in by_id.items() if _HEADING.fullmatch(_get_name(style))}
    names = {identifier: _find_name(style, by_id) for identifier, style in by_id.items()}
    for style in by_id.values():
        style.attrib.setdefault(f"{WORD}type", "paragraph")  # the defaults, which mammoth asks for
        style.attrib.setdefault(f"{WORD}styleId", "")
    for identifier, name in names.items():
        element = by_id[identifier].find(f"{WORD}name")
        if name and element is not None:
            element.set(f"{WORD}val", name)
    for paragraph in _iter_paragraphs(parts):
        _name_paragraph(paragraph, names, own_headings)
    return _find_title(parts["word/document.xml"].iter(f"{WORD}p"), names)


def find_hidden_styles(styles: Element | None) -> frozenset[str]:
    """The ids of the styles whose text is hidden, by themselves or by what they are based on."""
    elements = styles.iter(f"{WORD}style") if styles is not None else ()
    by_id = {style.get(f"{WORD}styleId", ""): style for style in elements}
    return frozenset(identifier for identifier, style in by_id.items() if _is_hidden(style, by_id))


def _is_hidden(style: Element, by_id: Mapping[str, Element]) -> bool:
    found: Element | None = style
    for _ in range(_MAX_BASES):
        if found is None:
            break
        value = find_value(found, "rPr/vanish")
        if value is not None:
            return is_on(value)
        found = by_id.get(find_value(found, "basedOn") or "")
    return False


def _find_name(style: Element, by_id: Mapping[str, Element]) -> str:
    """The first name that says what a paragraph is, of the style itself and those below it; empty for plain text."""
    found: Element | None = style
    for _ in range(_MAX_BASES):
        if found is None:
            break
        name = _get_name(found)
        if heading := _HEADING.fullmatch(name):
            return _make_heading(int(heading[1]))
        if _KNOWN.fullmatch(name):
            return name
        level = find_value(found, "pPr/outlineLvl")
        if level is not None:
            return _read_level(level)
        found = by_id.get(find_value(found, "basedOn") or "")
    return ""


def _get_name(style: Element) -> str:
    return find_value(style, "name") or ""


def _read_level(outline: str) -> str:
    return _make_heading(int(outline) + 1) if outline in set("012345678") else ""


def _make_heading(level: int) -> str:
    return f"heading {min(level, _DEEPEST)}"


def _iter_paragraphs(parts: Mapping[str, Element]) -> Iterator[Element]:
    for name, part in parts.items():
        if name.startswith("word/"):
            yield from part.iter(f"{WORD}p")


def _name_paragraph(paragraph: Element, names: Mapping[str, str], own_headings: Iterable[str]) -> None:
    """By its own outline level, if its style says nothing; one that is too long for a heading is none."""
    identifier = find_value(paragraph, "pPr/pStyle") or ""
    name = names.get(identifier, "")
    level = "" if name else _read_level(find_value(paragraph, "pPr/outlineLvl") or "")
    if not level and (identifier in own_headings or not _HEADING.fullmatch(name)):
        return
    is_heading = len(get_text(paragraph)) <= MAX_HEADING_CHARACTERS
    if level and is_heading:
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
