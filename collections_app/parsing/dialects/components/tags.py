"""Finds component tags, each with the text that replaces it: what readers see of it (descriptions.py, slots.py), and tables and lists of
the arrays in its attributes (rows.py). PURE.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lxml.html import defs

from collections_app.parsing.dialects.components.descriptions import describe_component, find_target, read_attributes
from collections_app.parsing.dialects.components.markup_values import write_markup_values
from collections_app.parsing.dialects.components.rows import write_arrays
from collections_app.parsing.dialects.components.slots import SLOT_ELEMENT, count_too_far_in, describe_slot
from collections_app.parsing.dialects.mdx_code import MAX_TAG_CHARACTERS, MAX_UNCLOSED, MdxPlaces

HTML_TAGS = defs.tags | {"dialog", "main", "template", "xmp"}
# In MDX also empty elements that HTML does not know, which only a site's style shows, as space, and empty labels, which it cannot show.
_TAG_START = re.compile(
    r"(?<!\\)<(/?)([A-Z][\w.]*(?=[\s/>])|(?=>)|(?!(?:"
    + "|".join(sorted(HTML_TAGS))
    + r")\b)[a-z][a-z0-9]*+(?=[ \t]*+/>)|label(?=\s[^<>{}\n]*+(?<=/)>))"
)
# In Markdown also custom elements of HTML, whose names have a hyphen; the tags of Hugo (`{{<name>}}`) are none.
TAG_OR_CUSTOM_START = re.compile(
    r"(?<!\\)(?<!\{\{)<(/?)([A-Z][\w.]*(?=[\s/>])|[a-z][a-z0-9.]*+(?:-[a-z0-9._]++)++(?=[\s/>])|template(?=[\s>])|(?=>))"
)
_PART = re.compile(r"\"[^\"]*\"|'(?<!\w')[^']*'|`[^`]*`|[{}]|/?>")
_LINK_TEXT = re.compile(r"[^<>\[\]\n]{1,300}(?=</(?:[A-Z]|[a-z][a-z0-9.]*-))")


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag from `start` to `end`; `depth` is the change of nesting depth, `text` what replaces the tag."""

    start: int
    end: int
    depth: int
    text: str
    name: str
    attributes: str


def iter_tags(content: str, places: MdxPlaces, start: re.Pattern[str] = _TAG_START) -> Iterator[Tag]:
    """The tags in order, opening and closing ones alike, except those in code."""
    position, unclosed, closing_text = 0, 0, ""
    while unclosed < MAX_UNCLOSED and (opening := start.search(content, position)):
        position = opening.end()
        if places.is_code_at(opening.start()):
            continue
        end = _find_end(content, opening.end())
        if end is None:
            unclosed += 1
            continue
        position = end
        is_empty = content[end - 2] == "/"
        depth = 0 if is_empty else -1 if opening[1] else 1
        attributes = content[opening.end() : end]
        text, closing_text, rows = closing_text, "", ""
        if not opening[1]:
            rows, others = write_arrays(opening[2], attributes)
            others = write_markup_values(others)
            text = describe_component(opening[2], others, in_heading=places.is_in_heading(opening.start()))
            target = "" if text or is_empty else find_target(read_attributes(others))
            if target and _LINK_TEXT.match(content, end):
                text, closing_text = "[", f"]({target})"
        begin = opening.start() - (count_too_far_in(content, opening.start(), end) if opening[2] == SLOT_ELEMENT else 0)
        text = describe_slot(content, opening.start(), end) if opening[2] == SLOT_ELEMENT else text
        if rows:
            text = _add_rows(text, rows, content.count("\n", begin, end))
        yield Tag(begin, end, depth, text, opening[2], attributes)


def _add_rows(text: str, rows: str, lines: int) -> str:
    """The table below the text of the tag, if the tag has enough lines for it: no line may move."""
    told = f"{text.rstrip()}\n\n{rows}" if text.strip() else rows
    return told if told.count("\n") <= lines else text


def _find_end(content: str, start: int) -> int | None:
    depth = 0
    for part in _PART.finditer(content, start, start + MAX_TAG_CHARACTERS):
        if part[0] in "{}":
            depth += 1 if part[0] == "{" else -1
        elif part[0].endswith(">") and depth == 0:
            return part.end()
    return None
