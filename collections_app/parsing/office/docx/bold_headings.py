"""Headings that are not marked by a style: in a document without any heading styles, short lines in bold type larger than the body text.

A line is a heading only if it meets all these conditions, so that documents that merely emphasise words in bold get no sections for them:

- it is a paragraph of the body, not a cell, list item, code or quote, and contains no text box;
- all of its words are bold, and larger than most of the document's characters;
- it contains a letter, has at most 120 characters and no line break, and does not end like a sentence;
- text or a smaller heading follows: of several similar lines in a row, as on a cover, only the last is a heading.

Its type size determines its level: the largest size is level one.

So are, of any size, the items of a numbered list if it is one of headings: at least three at its first level, all of them such bold lines,
and text behind each. Their level is below those.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from xml.etree.ElementTree import Element, SubElement

from collections_app.parsing.office.docx.names import WORD, find_value, get_text, is_on
from collections_app.parsing.office.docx.package import DOCUMENT, STYLES
from collections_app.parsing.office.docx.styles import Style, find_names, is_heading, iter_bases, read_styles

MAX_CHARACTERS = 120

_DEEPEST = 6
_FEWEST_ITEMS = 3
_USUAL_SIZE = 20  # half points, if the document gives none (ECMA-376 part 1, section 17.3.2.38)
_SENTENCE_ENDS = (".", "!", "?", ";", ",", "…", "。", "！", "？", "；", "、", "，")
_BREAKS = frozenset({f"{WORD}{name}" for name in ("br", "cr", "p", "tbl")})


def mark_bold_headings(parts: Mapping[str, Element]) -> None:
    """Give such lines an outline level, as their author could have done."""
    body = parts[DOCUMENT].find(f"{WORD}body")
    type_ = _Type(parts.get(STYLES))
    if body is None or any(map(type_.is_styled_heading, body.iter(f"{WORD}p"))):
        return
    usual = type_.find_usual_size(body)
    blocks = [block for block in body if block.tag in (f"{WORD}p", f"{WORD}tbl") and get_text(block).strip()]
    sizes = [type_.find_heading_size(block, usual) for block in blocks]
    found = {
        number: size
        for number, (size, following) in enumerate(pairwise([*sizes, None]))
        if size and number + 1 < len(blocks) and (following is None or following < size)
    }
    levels = {size: min(level, _DEEPEST - 1) for level, size in enumerate(sorted(set(found.values()), reverse=True))}
    for number, size in found.items():
        _set_outline_level(blocks[number], levels[size])
    for block in _find_numbered(blocks, type_):
        _set_outline_level(block, min(len(levels), _DEEPEST - 1))


def _find_numbered(blocks: Sequence[Element], type_: _Type) -> Sequence[Element]:
    """The items of lists whose items are headings."""
    lists = defaultdict[str, list[int]](list)
    for number, block in enumerate(blocks):
        if block.tag == f"{WORD}p" and (name := _find_list(block)):
            lists[name].append(number)
    last = len(blocks) - 1
    return [
        blocks[number]
        for name, items in lists.items()
        if len(items) >= _FEWEST_ITEMS
        and all(number < last and type_.is_bold_line(blocks[number]) for number in items)
        and not any(_find_number(blocks[number + 1]) == name for number in items)
        for number in items
    ]


@dataclass(slots=True)
class _Type:
    """The size and boldness of text: from the run itself, its style, the paragraph's style, or the document's defaults."""

    styles_part: Element | None
    _styles: Mapping[str, Style] = field(init=False)
    _names: Mapping[str, str] = field(init=False)
    _usual_style: str = ""
    _usual_size: int = _USUAL_SIZE
    _by_style: dict[str, tuple[int | None, bool | None]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._styles = read_styles(self.styles_part)
        self._names = find_names(self._styles)
        if self.styles_part is None:
            return
        defaults = find_value(self.styles_part, "docDefaults/rPrDefault/rPr/sz")
        self._usual_size = _read_size(defaults) or _USUAL_SIZE
        for style in self.styles_part.iter(f"{WORD}style"):
            if style.get(f"{WORD}type") == "paragraph" and is_on(style.get(f"{WORD}default", "0")):
                self._usual_style = style.get(f"{WORD}styleId", "")

    def is_styled_heading(self, paragraph: Element) -> bool:
        style = find_value(paragraph, "pPr/pStyle") or ""
        name = self._names.get(style, "")
        level = find_value(paragraph, "pPr/outlineLvl") or ""
        is_one = is_heading(style) or is_heading(name) or name.lower() == "title" or level in tuple("012345678")
        return is_one and bool(get_text(paragraph).strip())

    def find_usual_size(self, body: Element) -> int:
        """The type size of most characters."""
        counts: Counter[int] = Counter({self._usual_size: 0})
        style = ""
        for element in body.iter():
            if element.tag == f"{WORD}p":
                style = find_value(element, "pPr/pStyle") or ""
            elif element.tag == f"{WORD}r":
                counts[self._find_type(element, style)[0]] += len(get_text(element))
        return counts.most_common(1)[0][0]

    def find_heading_size(self, block: Element, usual: int) -> int | None:
        """The size of its smallest words; None if it is not a heading."""
        style = find_value(block, "pPr/pStyle") or ""
        if block.tag != f"{WORD}p" or self._is_item(block, style):
            return None
        size = self._find_bold_size(block, style)
        return size if size > usual else None

    def is_bold_line(self, paragraph: Element) -> bool:
        return self._find_bold_size(paragraph, find_value(paragraph, "pPr/pStyle") or "") > 0

    def _find_bold_size(self, paragraph: Element, style: str) -> int:
        """The size of the smallest words of a short line that is wholly bold; 0 for any other paragraph."""
        text = get_text(paragraph).strip()
        if self._names.get(style) or len(text) > MAX_CHARACTERS or text.endswith(_SENTENCE_ENDS):
            return 0
        if not any(map(str.isalpha, text)):
            return 0
        if any(element.tag in _BREAKS for child in paragraph for element in child.iter()):
            return 0
        types = [self._find_type(run, style) for run in paragraph.iter(f"{WORD}r") if get_text(run).strip()]
        return min((size for size, _ in types), default=0) if all(is_bold for _, is_bold in types) else 0

    def _is_item(self, paragraph: Element, style: str) -> bool:
        own = find_value(paragraph, "pPr/numPr/numId")
        by_style = (base.numbering for _, base in iter_bases(style, self._styles))
        return own is not None or any(by_style)

    def _find_type(self, run: Element, paragraph_style: str) -> tuple[int, bool]:
        """The size in half points, and whether it is bold."""
        size, bold = _read_size(find_value(run, "rPr/sz")), find_value(run, "rPr/b")
        is_bold = None if bold is None else is_on(bold)
        for style in (find_value(run, "rPr/rStyle"), paragraph_style or self._usual_style):
            style_size, style_is_bold = self._read_style(style or "")
            size = style_size if size is None else size
            is_bold = style_is_bold if is_bold is None else is_bold
        return size or self._usual_size, bool(is_bold)

    def _read_style(self, identifier: str) -> tuple[int | None, bool | None]:
        if identifier not in self._by_style:
            styles = [style for _, style in iter_bases(identifier, self._styles)]
            size = next((style.size for style in styles if style.size is not None), None)
            bold = next((style.bold for style in styles if style.bold is not None), None)
            self._by_style[identifier] = _read_size(size), None if bold is None else is_on(bold)
        return self._by_style[identifier]


def _find_list(paragraph: Element) -> str:
    """The list that the paragraph is an item of, at its first level; empty if it is none."""
    is_first = (find_value(paragraph, "pPr/numPr/ilvl") or "0") == "0"
    return _find_number(paragraph) if is_first else ""


def _find_number(block: Element) -> str:
    return find_value(block, "pPr/numPr/numId") or ""


def _read_size(value: str | None) -> int | None:
    return int(value) if value is not None and value.isascii() and value.isdigit() and len(value) <= 4 else None


def _set_outline_level(paragraph: Element, level: int) -> None:
    """Set the outline level, counted from 0."""
    properties = paragraph.find(f"{WORD}pPr")
    if properties is None:
        properties = Element(f"{WORD}pPr")
        paragraph.insert(0, properties)
    for old in properties.findall(f"{WORD}outlineLvl"):
        properties.remove(old)
    SubElement(properties, f"{WORD}outlineLvl", {f"{WORD}val": str(level)})
