"""Buttons are controls and are left out, except those whose text belongs to the page: a button with all the words of a heading, which opens
what is below, and blocks such as Redoc's responses (a number and its meaning) and addresses.
"""

from __future__ import annotations

from itertools import islice

from collections_app.parsing.html.classes import ClassFacts
from collections_app.parsing.html.converter import Converter, Leave, leave_out
from collections_app.parsing.html.handlers.flow import enter_block
from collections_app.parsing.html.tree import Attributes, Element, get_text_start
from collections_app.parsing.html.visibility import is_hidden
from collections_app.parsing.html.vocabulary import HEADING_TAGS

_MAX_CHILDREN = 10
_MAX_DEPTH = 3  # levels from a button up to its heading
_MAX_CHARACTERS = 300


def enter_button(converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts) -> Leave | None:
    if is_hidden(attributes, facts):
        return leave_out
    if converter.heading_level:
        return None if _is_heading(element) else leave_out
    return enter_block(converter, element, attributes, facts) if _holds_text(element) else leave_out


def _is_heading(button: Element) -> bool:
    if button.getprevious() is not None:
        return False
    heading = next((each for each in islice(button.iterancestors(), _MAX_DEPTH) if each.tag in HEADING_TAGS), None)
    return heading is not None and get_text_start(heading, _MAX_CHARACTERS) == get_text_start(button, _MAX_CHARACTERS)


def _holds_text(button: Element) -> bool:
    parts = list(islice(button.iter("p", "span"), _MAX_CHILDREN))
    verbs = [part for part in parts if "http-verb" in part.get("class", "").split()]
    for verb in verbs:
        verb.tail = f" {verb.tail or ''}"  # only a style sheet separates it from the path
    is_answer = any(part.tag == "p" for part in parts) and next(button.iter("strong"), None) is not None
    return bool(verbs) or is_answer
