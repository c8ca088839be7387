"""The id that an author gave a heading, by which links name it: in its attributes, or by an anchor in it or right before it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from collections_app.parsing.heading_text import ATTRIBUTES

_MAX_LINE_CHARACTERS = 1000
_ID = re.compile(r"(?<![^\s{:])#([^\s{}\"]+)|\bid=\"([^\"{}]+)\"")
_TAG = r"<(?:a|span)[ \t]+(?:id|name)=[\"']([^\"'<>]+)[\"']"
_ANCHOR = re.compile(_TAG)
# As in kramdown, on the line after the heading.
_ATTRIBUTE_LINE = re.compile(r"\{:? *[#.][^{}]*\}[ \t]*$")
# `(id)=` is a target of MyST.
_ANCHOR_LINE = re.compile(rf"(?:{_TAG}[ \t]*/?>(?:</(?:a|span)>)?|\(([^\s()]+)\)=)[ \t]*$")


def find_heading_id(lines: Sequence[str], line: int) -> str:
    """Of the heading in this line; empty where its author gave it none."""
    heading = lines[line][:_MAX_LINE_CHARACTERS].rstrip(" \t#")
    following = lines[line + 1][:_MAX_LINE_CHARACTERS] if line + 1 < len(lines) else ""
    for attributes in ("{" in heading and ATTRIBUTES.search(heading), _ATTRIBUTE_LINE.match(following)):
        if attributes and (given := _ID.search(attributes[0])):
            return str(given[1] or given[2])
    if anchor := ("<" in heading and _ANCHOR.search(heading)) or _ANCHOR_LINE.match(_find_text_above(lines, line)):
        return str(next(filter(None, anchor.groups())))
    return ""


def _find_text_above(lines: Sequence[str], line: int) -> str:
    above = next((each for each in reversed(lines[max(0, line - 3) : line]) if each.strip()), "")
    return above[:_MAX_LINE_CHARACTERS]
