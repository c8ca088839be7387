"""Writes the blocks of a page: headings, paragraphs, code, quotes, admonitions, details."""

from __future__ import annotations

from functools import partial
from itertools import islice

from collections_app.parsing.html.anchors import find_anchor
from collections_app.parsing.html.classes import ClassFacts, read_class
from collections_app.parsing.html.converter import Converter, Leave, leave_out
from collections_app.parsing.html.escaping import escape_heading_end, escape_text, make_code_span
from collections_app.parsing.html.handlers.code import find_code_language, get_code_text
from collections_app.parsing.html.handlers.inline import make_strong
from collections_app.parsing.html.paragraph import LINE_BREAK, wrap_keeping_blanks
from collections_app.parsing.html.tree import Attributes, Element, get_raw_text, get_text_start, remove_element
from collections_app.parsing.html.visibility import get_visible_text
from collections_app.parsing.html.vocabulary import BLOCK_TAGS, HEADING_TAGS

_TITLE_TAGS = frozenset([*HEADING_TAGS, "summary", "th"])
_LINE = "line"
_TITLE_DEPTH = 8  # elements of an admonition that are checked, in document order
_MAX_TITLE_CHARACTERS = 100
_TOLD_CHARACTERS = 200  # in the paragraphs of a form with content of its own


def enter_block(converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts) -> Leave | None:
    converter.flush_unless_run_in()
    return converter.flush_unless_run_in


def enter_heading(converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts) -> Leave | None:
    _end_heading(converter, "")  # in case one was never closed
    converter.flush()
    converter.heading_level = int(element.tag[1])
    return partial(_end_heading, converter, find_anchor(element))


def _end_heading(converter: Converter, anchor: str) -> None:
    level, converter.heading_level = converter.heading_level, 0
    if not level:
        converter.flush()
        return
    text = " ".join(" ".join(converter.paragraph.take_lines()).split())
    if text:
        converter.writer.write_heading(level, escape_heading_end(text), anchor)
        converter.section_level = converter.section_level if converter.writer.is_nested else level


def enter_rubric(converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts) -> Leave | None:
    """A title that makes no section (Sphinx), in bold."""
    converter.flush()
    close = converter.open_inline("strong", wrap_keeping_blanks(make_strong))

    def leave() -> None:
        if close:
            close()
        converter.flush()

    return leave


def enter_code_block(converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts) -> Leave | None:
    write_code(converter, get_code_text(element), find_code_language(element))
    return leave_out


def enter_code_lines(converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts) -> Leave | None:
    """Code with a block for each of its lines (Doxygen), or as the text of a box that names its language (Writerside)."""
    first = next(element.iterchildren("*"), None)
    has_lines = first is not None and _LINE in first.get("class", "").split()
    if has_lines:
        _join_lines(element)
    if has_lines or (
        "data-lang" in attributes and next(element.iterdescendants("pre", "code", *BLOCK_TAGS), None) is None
    ):
        return enter_code_block(converter, element, attributes, facts)
    return enter_block(converter, element, attributes, facts)


def _join_lines(block: Element) -> None:
    """Remove line ends between the lines and before parts that can be folded: they belong to the page's source, not to the code."""
    for each in block.iter("div"):
        if _LINE not in each.get("class", "").split() and each.text and each.text.isspace():
            each.text = None
        if each is not block and each.tail and each.tail.isspace():
            each.tail = None


def write_code(converter: Converter, code: str, language: str) -> None:
    """A code block or, where no block is possible, a code span for each line."""
    if converter.is_cell or converter.heading_level:
        lines = filter(None, map(str.strip, code.split("\n")))
        converter.paragraph.add(LINE_BREAK.join(["", *map(make_code_span, lines), ""]))
    elif code:
        converter.flush()
        converter.writer.write_code(code, language)


def enter_markdown(converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts) -> Leave | None:
    """Content that is Markdown already."""
    converter.add_markdown(get_raw_text(element).split("\n"))
    return leave_out


def enter_quote(converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts) -> Leave | None:
    converter.flush()
    converter.writer.open_quote()
    return partial(_leave_container, converter)


def enter_admonition(converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts) -> Leave | None:
    """A quote that begins with a title in bold: its own, or its kind, unless the text begins with that."""
    converter.flush()
    converter.writer.open_quote()
    own_title = _take_title(element)
    if own_title or not get_text_start(element, _MAX_TITLE_CHARACTERS).startswith(f"{facts.admonition}:"):
        title = escape_text(own_title).rstrip(":") or facts.admonition
        converter.run_in(f"**{title[:1].upper()}{title[1:]}:** ")
    return partial(_leave_admonition, converter, bool(own_title))


def _take_title(admonition: Element) -> str:
    """Take the title out of the admonition and return it; empty if there is none."""
    for element in islice(
        admonition.iterdescendants(*_TITLE_TAGS, "div", "header", "p", "span", "strong"), _TITLE_DEPTH
    ):
        if element.tag in _TITLE_TAGS or read_class(element.get("class", "")).is_admonition_title:
            is_short = len(get_text_start(element, _MAX_TITLE_CHARACTERS)) <= _MAX_TITLE_CHARACTERS
            title = get_visible_text(element) if is_short else ""
            if title:
                remove_element(element)
                return title
    return ""


def _leave_admonition(converter: Converter, has_own_title: bool) -> None:
    """An empty admonition gets no title."""
    if not has_own_title:
        converter.take_back_title()
    _leave_container(converter)


def _leave_container(converter: Converter) -> None:
    converter.flush()
    converter.writer.close_container()


def enter_summary(converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts) -> Leave | None:
    """The summary of details, in bold above them, unless it contains a heading."""
    converter.flush()
    if element not in converter.headed:
        if len(get_text_start(element, _MAX_TITLE_CHARACTERS)) > _MAX_TITLE_CHARACTERS:
            return converter.flush
        text = get_visible_text(element)
        if text and text != "Expand description":  # rustdoc's control
            converter.writer.write([f"**{escape_text(text)}**"])
        return leave_out
    return converter.flush


def enter_header(converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts) -> Leave | None:
    """An article's header has its heading; without one it is only a date and a name."""
    if element not in converter.headed:
        return leave_out
    return enter_block(converter, element, attributes, facts)


def enter_form(converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts) -> Leave | None:
    """Old sites put the whole page into a form, and API descriptions their parameters. Other forms are for people to fill in."""
    told = sum(len(get_text_start(each, _TOLD_CHARACTERS)) for each in islice(element.iter("p"), _TOLD_CHARACTERS))
    if told < _TOLD_CHARACTERS and next(element.iter(*HEADING_TAGS, "pre"), None) is None:
        return leave_out
    return enter_block(converter, element, attributes, facts)
