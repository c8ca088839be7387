"""Gives monospaced text a code style: most authors of Word documents know no other way to mark code.

It looks at fonts, which unwrap_text() drops. If most of the text is monospaced, the font says nothing and is ignored.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple
from xml.etree.ElementTree import Element, SubElement

from collections_app.parsing.office.docx.names import WORD, find_value, is_on
from collections_app.parsing.office.docx.package import DOCUMENT, STYLES
from collections_app.parsing.office.docx.styles import find_hidden_styles, find_names, iter_bases, read_styles
from collections_app.parsing.office.fonts import is_monospaced

CODE_STYLE = "MonospacedCode"
"""The id of a style for paragraphs and runs that no document has."""

_MOSTLY = 0.6  # of all characters
_PARAGRAPH, _RUN, _TABLE = f"{WORD}p", f"{WORD}r", f"{WORD}tbl"


class _Run(NamedTuple):
    """A run with text."""

    element: Element
    text: str


@dataclass(slots=True)
class _Paragraph:
    element: Element
    is_in_table: bool
    runs: list[_Run] = field(default_factory=list)
    monospaced: list[_Run] = field(default_factory=list)


class _Styles:
    """What the document's styles say about paragraphs and runs. The font of a run is its own, its style's, or its paragraph's."""

    def __init__(self, part: Element | None) -> None:
        self._styles = read_styles(part)
        self._names = find_names(self._styles)
        self._hidden = find_hidden_styles(part)
        elements = [] if part is None else list(part.iter(f"{WORD}style"))
        self._by_style = {element.get(f"{WORD}styleId", ""): _read_font(element) for element in elements}
        defaults = None if part is None else part.find(f"{WORD}docDefaults/{WORD}rPrDefault")
        self._default = "" if defaults is None else _read_font(defaults)
        self._is_monospaced: dict[tuple[str, str], bool] = {}

    def is_monospaced(self, run: Element, paragraph_style: str) -> bool:
        if font := _read_font(run):
            return is_monospaced(font)
        key = find_value(run, "rPr/rStyle") or "", paragraph_style
        if key not in self._is_monospaced:
            font = next(filter(None, map(self._find_font, key)), self._default)
            self._is_monospaced[key] = is_monospaced(font)
        return self._is_monospaced[key]

    def is_named(self, style: str) -> bool:
        """Whether the style, be it Word's or the author's, says what its paragraphs are."""
        return bool(self._names.get(style))

    def is_hidden(self, style: str | None) -> bool:
        """Whether the style hides text; such styles are left alone, so that hidden text is removed."""
        return style in self._hidden

    def is_numbered(self, style: str) -> bool:
        """Whether the style makes paragraphs list items."""
        return any(base.numbering is not None for _, base in iter_bases(style, self._styles))

    def _find_font(self, style: str) -> str:
        fonts = (self._by_style.get(identifier, "") for identifier, _ in iter_bases(style, self._styles))
        return next(filter(None, fonts), "")


def mark_monospaced(parts: Mapping[str, Element]) -> None:
    """Give monospaced text the style. Whole paragraphs become code blocks; in lists and tables, only words become code."""
    styles = _Styles(parts.get(STYLES))
    paragraphs = list(_iter_paragraphs(parts[DOCUMENT]))
    for paragraph in paragraphs:
        style = _get_style(paragraph)
        paragraph.monospaced = [run for run in paragraph.runs if styles.is_monospaced(run.element, style)]
    if _is_most_monospaced(paragraphs):
        return
    is_code = [_is_code(paragraph, styles) for paragraph in paragraphs]
    for number, paragraph in enumerate(paragraphs):
        if is_code[number]:
            _set_style(paragraph.element, "pPr", "pStyle")
        elif _is_blank_within(is_code, paragraphs, number):
            _set_style(paragraph.element, "pPr", "pStyle")
            SubElement(SubElement(paragraph.element, _RUN), f"{WORD}t").text = " "  # mammoth drops empty paragraphs
        elif not styles.is_named(_get_style(paragraph)):
            _mark_words(paragraph, styles)


def _is_most_monospaced(paragraphs: Sequence[_Paragraph]) -> bool:
    monospaced = sum(len(run.text) for paragraph in paragraphs for run in paragraph.monospaced)
    return monospaced >= _MOSTLY * sum(len(run.text) for paragraph in paragraphs for run in paragraph.runs)


def _is_code(paragraph: _Paragraph, styles: _Styles) -> bool:
    style = _get_style(paragraph)
    is_free = not (styles.is_named(style) or styles.is_hidden(style) or styles.is_numbered(style))
    is_whole = bool(paragraph.runs) and len(paragraph.monospaced) == len(paragraph.runs)
    return is_free and is_whole and _may_be_block(paragraph)


def _mark_words(paragraph: _Paragraph, styles: _Styles) -> None:
    for run in paragraph.monospaced:
        style = find_value(run.element, "rPr/rStyle")
        if run.text.strip() and not _is_struck(run.element) and not styles.is_hidden(style):
            _set_style(run.element, "rPr", "rStyle")


def _iter_paragraphs(part: Element) -> Iterator[_Paragraph]:
    """The paragraphs with their runs. A run belongs to the innermost paragraph, as text boxes have paragraphs inside paragraphs."""
    open_elements: list[tuple[Element, _Paragraph | None, bool]] = [(part, None, False)]
    while open_elements:
        element, around, is_in_table = open_elements.pop()
        if element.tag == _PARAGRAPH:
            around = _Paragraph(element, is_in_table)
            yield around
        elif element.tag == _RUN and around:
            text = "".join(each.text or "" for each in element.iterfind(f"{WORD}t"))
            around.runs += [_Run(element, text)] if text else []
        is_in_table = is_in_table or element.tag == _TABLE
        open_elements += ((child, around, is_in_table) for child in reversed(element))


def _read_font(element: Element) -> str:
    fonts = element.find(f"{WORD}rPr/{WORD}rFonts")
    return "" if fonts is None else fonts.get(f"{WORD}ascii") or fonts.get(f"{WORD}hAnsi") or ""


def _get_style(paragraph: _Paragraph) -> str:
    return find_value(paragraph.element, "pPr/pStyle") or ""


def _is_struck(run: Element) -> bool:
    values = (find_value(run, f"rPr/{name}") for name in ("strike", "dstrike"))
    return any(value is not None and is_on(value) for value in values)


def _may_be_block(paragraph: _Paragraph) -> bool:
    """Whether nothing would be lost in a code block: it is no item or table cell, and has no link or struck-through text."""
    if next(paragraph.element.iter(f"{WORD}hyperlink"), None) is not None or any(
        _is_struck(run.element) for run in paragraph.runs
    ):
        return False
    is_item = paragraph.element.find(f"{WORD}pPr/{WORD}numPr") is not None
    return not paragraph.is_in_table and not is_item and any(run.text.strip() for run in paragraph.runs)


def _is_blank_within(is_code: Sequence[bool], paragraphs: Sequence[_Paragraph], number: int) -> bool:
    """Whether it is a blank line between two lines of code."""
    if not 0 < number < len(paragraphs) - 1 or paragraphs[number].runs:
        return False
    return is_code[number - 1] and is_code[number + 1] and not paragraphs[number].is_in_table


def _set_style(element: Element, properties_name: str, style_name: str) -> None:
    properties = element.find(f"{WORD}{properties_name}")
    if properties is None:
        properties = Element(f"{WORD}{properties_name}")
        element.insert(0, properties)
    style = properties.find(f"{WORD}{style_name}")
    if style is None:
        style = SubElement(properties, f"{WORD}{style_name}")
    style.set(f"{WORD}val", CODE_STYLE)
