"""Writes declarations on generated reference pages as code, which the pages do not mark as such. If the page has no heading for what is
declared, its name becomes a heading, so that it is a section of its own, like terms in entries.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from types import MappingProxyType

from lxml import etree

from collections_app.parsing.html.anchors import get_id
from collections_app.parsing.html.classes import ClassFacts
from collections_app.parsing.html.converter import Converter, Leave, leave_out
from collections_app.parsing.html.escaping import make_code_span
from collections_app.parsing.html.handlers.code import get_code_text
from collections_app.parsing.html.handlers.entries import get_level
from collections_app.parsing.html.handlers.flow import enter_admonition, enter_block, write_code
from collections_app.parsing.html.tree import (
    Attributes,
    Element,
    clean_text,
    empty_element,
    find_elements,
    get_text,
    remove_element,
)
from collections_app.parsing.html.visibility import get_visible_text, is_unread_within

_HASKELL = "src"
_MAX_NAME_CHARACTERS = 200
SOURCES_OF_MKDOCSTRINGS = frozenset({"mkdocstrings-source", "quote"})
"""The classes of its details with code; any quote may have the second."""

_SOURCE, _CHILDREN = "Source code in ", "doc-children"
_MAX_BEFORE = 3  # anchors before a declaration
_HEADED_BY = frozenset({"memtitle"})  # Doxygen has written a heading since 1.8.13


def _find(test: str) -> etree.XPath:
    return etree.XPath(f"descendant::{test}")


_SOURCES = _find("a[@class='link']")  # Haddock's links to the source


_FEATURES = etree.XPath(".//div[@class='features']")
_PARAMETERS = etree.XPath(".//ol[contains(@class, 'parameter-list')]/li")
_PARTS = frozenset({"name", "parameter-list"})
_MAX_PARTS = 50  # parts of a signature, before its name
_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class _Kind:
    """`boxes` are tags and classes, one of which the element around a declaration must have; `names` finds the declared names."""

    language: str
    names: etree.XPath
    boxes: frozenset[str] = frozenset()


_KINDS: Mapping[str, _Kind] = MappingProxyType(
    {
        "attr": _Kind("python", _find("span[@class='name']"), frozenset({"classattr", "section"})),  # pdoc
        "functionheader": _Kind("python", _find("span[@class='py-defname']")),  # pydoctor
        "memproto": _Kind("cpp", _find("td[@class='memname']")),  # Doxygen
        "method-heading": _Kind(
            "ruby", _find("span[@class='method-name']"), frozenset({"method-detail", "method-header"})
        ),  # RDoc
        "signature": _Kind("crystal", _find("strong"), frozenset({"entry-detail"})),
        _HASKELL: _Kind("haskell", _find("a[@class='def']"), frozenset({"top"})),  # Haddock
    }
)


def enter_declaration(
    converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts
) -> Leave | None:
    kind = _KINDS[facts.declaration]
    box = element.getparent()
    is_boxed = box is not None and not kind.boxes.isdisjoint([box.tag, *box.get("class", "").split()])
    names = find_elements(kind.names, element) if is_boxed or not kind.boxes else []
    if (kind.boxes and not names) or (names and is_unread_within(names[0], element)):
        return enter_block(converter, element, attributes, facts)
    for source in find_elements(_SOURCES, element) if facts.declaration == _HASKELL else ():
        empty_element(source)
    for name in names[:1]:
        _write_heading(converter, element, name)
    write_code(converter, get_declaration(element), kind.language)
    return leave_out


def enter_signature(converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts) -> Leave | None:
    """A declaration below a heading of its own."""
    write_code(converter, get_declaration(element), facts.signature_language)
    return leave_out


def enter_dart_signature(
    converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts
) -> Leave | None:
    """dartdoc's declaration, below a heading of its own: each annotation and parameter is a list item, and gets a line. Its features follow
    as text.
    """
    parts = islice(element.iterchildren("span", "ol"), _MAX_PARTS)
    if element.tag != "section" or all(_PARTS.isdisjoint(each.get("class", "").split()) for each in parts):
        return enter_block(converter, element, attributes, facts)
    features = find_elements(_FEATURES, element)
    told = [get_visible_text(each) for each in features]
    for each in features:
        remove_element(each)
    for each in element.iter("*"):
        each.text, each.tail = _join_blanks(each.text), _join_blanks(each.tail)
    for item in find_elements(_PARAMETERS, element):
        item.text = f"\N{NO-BREAK SPACE}{item.text}"
    lines = filter(None, (line.strip(" ") for line in get_code_text(element).split("\n")))
    write_code(converter, "\n".join(lines).replace("\N{NO-BREAK SPACE}", "  "), facts.signature_language)
    for text in filter(None, told):
        converter.add_text(text)
        converter.flush()
    return leave_out


def _join_blanks(text: str | None) -> str:
    return _BLANKS.sub(" ", clean_text(text))


def enter_specification(
    converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts
) -> Leave | None:
    """odoc's declaration. Cases and fields of a type are described inside it, so its text stays as it is. Its id is like `val-name`; an
    argument of a functor has only a number.
    """
    kind, _, name = attributes.get("id", "").partition("-")
    if name and kind != "argument" and not converter.writer.is_nested:
        converter.flush()
        converter.writer.write_heading(get_level(converter), make_code_span(name), f"{kind}-{name}")
    return enter_block(converter, element, attributes, facts)


def enter_binding(converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts) -> Leave | None:
    """Documenter's name above a docstring. The kind of thing follows."""
    name = get_visible_text(element)[:_MAX_NAME_CHARACTERS]
    if not name or converter.writer.is_nested:
        return None
    converter.flush()
    anchor = get_id(element) or attributes.get("href", "").removeprefix("#")
    converter.writer.write_heading(get_level(converter), make_code_span(name), anchor)
    element.tail = (element.tail or "").lstrip(" \n—")
    return leave_out


def enter_docstring(converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts) -> Leave | None:
    """The text below a declaration (pdoc, pydoctor). Headings in it say nothing about the level of what is declared next."""
    leave_block, level = enter_block(converter, element, attributes, facts), converter.section_level

    def leave() -> None:
        if leave_block:
            leave_block()
        converter.section_level = level

    return leave


def enter_json(converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts) -> Leave | None:
    """An example in Redoc, a nested list that can be folded: one line for each item. Only a style sheet has the indentation."""
    lines = map(str.strip, get_code_text(element).split("\n"))
    write_code(converter, "\n".join(filter(None, lines)), "json")
    return leave_out


def enter_source(converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts) -> Leave | None:
    """pdoc's source of a module or a function behind a checkbox, which repeats the page. Other code on its pages has no checkbox."""
    before = element.getprevious()
    for _ in range(_MAX_BEFORE):
        if before is None:
            break
        if before.get("class") == "view-source-toggle-state":
            return leave_out
        before = before.getprevious()
    return enter_block(converter, element, attributes, facts)


def enter_source_of_members(
    converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts
) -> Leave | None:
    """mkdocstrings' source of a class or a module, unless its members below, which show theirs, would say it again."""
    below = element.getnext()
    is_above_members = below is not None and _CHILDREN in below.get("class", "").split()
    others = below.iter("details") if below is not None and is_above_members else ()
    if _is_source(element) and any(map(_is_source, others)):
        return leave_out
    return (enter_admonition if facts.admonition else enter_block)(converter, element, attributes, facts)


def _is_source(details: Element) -> bool:
    summary = next(iter(details), None)
    return (
        details.get("class") in SOURCES_OF_MKDOCSTRINGS
        and summary is not None
        and get_text(summary).startswith(_SOURCE)
    )


def get_declaration(element: Element) -> str:
    """The declaration on one line, or on several if breaks or blocks divide it; below pdoc's decorators, each on its own."""
    decorators = [each for each in element.iterchildren("div") if "decorator" in each.get("class", "").split()]
    if decorators:
        told = [get_visible_text(each) for each in decorators]
        for each in decorators:
            remove_element(each)
        return "\n".join([*told, get_declaration(element)])
    if next(element.iter("br"), None) is None and next(element.iterchildren("div"), None) is None:
        return get_visible_text(element)
    lines = get_code_text(element).replace("\xa0", " ").split("\n")
    return "\n".join(line.rstrip() for line in lines if line.strip())


def _write_heading(converter: Converter, element: Element, name: Element) -> None:
    """Write the name as a heading. With parameters in an element of their own (Doxygen), its type comes first: the last word is the name.
    The fragment may have the full name.
    """
    words = get_visible_text(name)[:_MAX_NAME_CHARACTERS].split()
    if not words or converter.writer.is_nested or _is_headed(element):
        return
    converter.flush()
    anchor = get_id(name) or _find_anchor(element)
    shown = words[-1].lstrip("*&")
    full = anchor if anchor.endswith(f".{shown}") else shown
    converter.writer.write_heading(get_level(converter), make_code_span(full), anchor)


def _is_headed(element: Element) -> bool:
    box = element.getparent()
    before = None if box is None else box.getprevious()
    return before is not None and not _HEADED_BY.isdisjoint(before.get("class", "").split())


def _find_anchor(element: Element) -> str:
    """The id of the declaration or of an anchor directly before it, else the same for its box."""
    box = element.getparent()
    places = [element] if box is None else [element, box]
    return next(
        filter(None, chain.from_iterable((get_id(place), *_iter_anchors_before(place)) for place in places)), ""
    )


def _iter_anchors_before(element: Element) -> Iterator[str]:
    before = element.getprevious()
    for _ in range(_MAX_BEFORE):
        if before is None or before.tag != "a":
            return
        yield get_id(before)
        before = before.getprevious()
