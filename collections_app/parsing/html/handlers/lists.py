"""Writes lists with bullets, numbers and terms. Terms that become headings are left to entries.py."""

from __future__ import annotations

from functools import partial

from collections_app.parsing.html.classes import ClassFacts
from collections_app.parsing.html.converter import Converter, Leave, OpenList, leave_out
from collections_app.parsing.html.escaping import make_code_span
from collections_app.parsing.html.handlers.entries import enter_entry, is_entry, is_signature
from collections_app.parsing.html.handlers.inline import make_strong
from collections_app.parsing.html.tree import Attributes, Element
from collections_app.parsing.html.visibility import get_visible_text

_COLON = ": "
_MAX_NUMBER_DIGITS = 9  # CommonMark 0.31, section 5.2


def enter_list(converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts) -> Leave | None:
    converter.flush()
    start = _read_number(attributes.get("start"), 1)
    number = start if element.tag == "ol" else None
    is_contents = facts.is_contents or (bool(converter.lists) and converter.lists[-1].is_contents)
    is_layout = element in converter.headed or facts.is_layout_list or element.find("li/section") is not None
    converter.lists.append(OpenList(next_number=number, is_layout=is_layout, is_contents=is_contents))
    return partial(_leave_list, converter)


def enter_item(converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts) -> Leave | None:
    converter.flush()
    open_list = converter.lists[-1] if converter.lists else OpenList()
    if open_list.is_layout:
        return converter.flush
    if open_list.next_number is None:
        _open_item(converter, open_list, "-")
    else:
        number = _read_number(attributes.get("value"), open_list.next_number)
        open_list.next_number = number + 1
        _open_item(converter, open_list, f"{number}.")
    return partial(_leave_item, converter)


def enter_term(converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts) -> Leave | None:
    """Terms that share a description are written in one line before it."""
    converter.flush_unless_run_in()
    open_list = converter.lists[-1] if converter.lists else OpenList()
    is_within_term = converter.paragraph.is_open("term")  # in case one was never closed
    if open_list.is_described or open_list.is_contents or is_within_term:
        _close_item(converter, open_list)
        open_list.is_entry = open_list.is_described = False
    if open_list.is_entry or is_entry(converter, element):
        return enter_entry(converter, element, open_list)
    if open_list.has_open_item:
        converter.paragraph.add(", ")
    else:
        _open_item(converter, open_list, "-")
        open_list.has_open_item = True
    if open_list.is_contents or is_within_term:
        return None
    if is_signature(element):
        converter.run_in(make_code_span(get_visible_text(element)))
        return leave_out
    converter.paragraph.open("term", _make_term)
    return partial(_leave_term, converter)


def enter_classifier(converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts) -> Leave | None:
    """What kind of thing a term is, mostly its type: `**x** (int)`. It extends to the end of the term."""
    paragraph = converter.paragraph
    if paragraph.is_innermost("term"):
        paragraph.close()
        paragraph.open("term", _make_classifier)
        return None
    if paragraph.is_open("classifier"):
        return None
    paragraph.open("classifier", _make_classifier)
    return paragraph.close


def enter_description(
    converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts
) -> Leave | None:
    open_list = converter.lists[-1] if converter.lists else OpenList()
    is_first, open_list.is_described = not open_list.is_described, True
    if open_list.is_entry:
        converter.flush()
        converter.entry_depth += 1
        return partial(_leave_entry_description, converter)
    if is_first and open_list.has_open_item and not open_list.is_contents:
        converter.run_in(_COLON)
    else:
        converter.flush()
    return partial(_leave_description, converter)


def _open_item(converter: Converter, open_list: OpenList, marker: str) -> None:
    # A list below the paragraph of an item needs no blank line, except a numbered one that does not begin with 1.
    is_tight = open_list.has_item or (converter.writer.is_in_item and marker in ("-", "1."))
    open_list.has_item = True
    converter.writer.open_item(marker, is_tight=is_tight)


def _close_item(converter: Converter, open_list: OpenList) -> None:
    converter.flush()
    if open_list.has_open_item:
        converter.writer.close_container()
        open_list.has_open_item = False


def _leave_list(converter: Converter) -> None:
    open_list = converter.lists.pop()
    _close_item(converter, open_list)
    if open_list.is_entry:
        converter.writer.end_entry()


def _leave_item(converter: Converter) -> None:
    converter.flush()
    converter.writer.close_container()


def _make_term(words: str) -> str:
    return make_strong(words.strip().rstrip(": "))


def _make_classifier(words: str) -> str:
    return f" ({words.strip()})"


def _leave_term(converter: Converter) -> None:
    converter.paragraph.close()
    converter.run_in("")


def _leave_description(converter: Converter) -> None:
    """An empty description leaves no colon."""
    converter.paragraph.drop_end(_COLON)
    converter.flush()


def _leave_entry_description(converter: Converter) -> None:
    converter.flush()
    converter.entry_depth -= 1


def _read_number(value: str | None, default: int) -> int:
    is_number = value is not None and value.isascii() and value.isdigit() and len(value) <= _MAX_NUMBER_DIGITS
    return int(value) if value is not None and is_number else default
