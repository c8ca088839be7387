"""Slots of Vue (`<template v-slot:Linux>`, `#Linux`): their content is shown, as a tab or at a place in a component, below
their name. PURE.
"""

from __future__ import annotations

import re

from collections_app.parsing.dialects.shown_tags import write_title

SLOT_ELEMENT = "template"
SLOT = re.compile(r"(?<!\S)(?:v-slot:|#)([A-Za-z][\w.-]*)(?=[\s/>=]|$)")
BEFORE_SLOT = re.compile(r"[ \t]*\n[ \t]*<template\s(?:[^<>]*\s)?(?:v-slot:|#)[A-Za-z]")
_BEFORE_HTML = re.compile(r"[ \t]*\n[ \t]*<")
_BEFORE_TEXT = re.compile(r"[ \t]*\n(?:[ \t]*\n)+([ \t]*)(?=[^ \t\n])")
_LINE_CHARACTERS = 200


def describe_slot(content: str, start: int, end: int) -> str:
    """The name of a slot in bold, except that of the default slot. Between lines of HTML, both tags become HTML, so the lines stay one
    block.
    """
    slot, is_before_html = SLOT.search(content, start, end), _BEFORE_HTML.match(content, end)
    if slot and slot[1] != "default":
        return f"<p><strong>{slot[1]}</strong></p>" if is_before_html else write_title(slot[1], "")
    is_behind_html = content[max(0, start - _LINE_CHARACTERS) : start].rstrip(" \t").endswith(">\n")
    return "<p></p>" if is_before_html and is_behind_html else ""


def count_too_far_in(content: str, start: int, end: int) -> int:
    """How many columns a slot's tag is indented more than its text. Its name moves that far to the left, as it would become code."""
    own = content[max(0, start - _LINE_CHARACTERS) : start].rpartition("\n")[2]
    text = _BEFORE_TEXT.match(content, end)
    return max(0, len(own) - len(text[1])) if text and own.isspace() else 0
