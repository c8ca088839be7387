"""Opening tags of raw HTML, and whether their attributes hide the element. Tags are read as in browsers (WHATWG HTML, section 13.2.5):
names ignore case, a slash separates attributes, and only quoted values may contain a `>`.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import NamedTuple

from collections_app.parsing.safety.hiding_styles import is_hiding_style

_OPENING = re.compile(r"<([a-zA-Z][^\s/<>]*+)(?=[\s/>])")
_ATTRIBUTE = re.compile(
    r"[\s/]*+(=[^\s/>=]*+|[^\s/>=]++)(?:\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s>\"'][^\s>]*+)))?+"
)
_END = re.compile(r"[\s/]*+>")
_JSX_STYLE = re.compile(r"style\s*+=\s*+(\{\{[^{}<>]*+\})", re.IGNORECASE)
_TAB_PANEL = re.compile(r"\btab-?pan(?:el|e)\b", re.IGNORECASE)


class Attributes(NamedTuple):
    """What the attributes of a tag say, from one of them on. `end` is where the tag ends, -1 if it never does. A click opens a tab panel,
    and a component of Vue shows the content of a slot.
    """

    end: int
    hides: bool = False
    is_tab_panel: bool = False
    is_slot: bool = False


class Tag(NamedTuple):
    """An opening tag, its name in lower case."""

    name: str
    start: int
    attributes: Attributes


def iter_opening_tags(content: str, *, is_jsx: bool) -> Iterator[Tag]:
    """Opening tags in order, including those that begin inside another, since where that one ends is open to dispute. Takes linear time."""
    known: dict[int, Attributes] = {}
    for match in _OPENING.finditer(content):
        attributes = _read_attributes(content, match.end(), known, is_jsx=is_jsx)
        if attributes.end >= 0:
            yield Tag(match[1].lower(), match.start(), attributes)


def _read_attributes(content: str, position: int, known: dict[int, Attributes], *, is_jsx: bool) -> Attributes:
    """`known` has what was read from other positions: two tags that lead to the same attribute share the rest."""
    matches: list[re.Match[str]] = []
    while position not in known and (match := _ATTRIBUTE.match(content, position)):
        matches.append(match)
        position = match.end()
    if position not in known:
        end = _END.match(content, position)
        known[position] = Attributes(end.end() if end else -1)
    attributes = known[position]
    for match in reversed(matches):
        attributes = known[match.start()] = _add(match, attributes, is_jsx=is_jsx)
    return attributes


def _add(match: re.Match[str], rest: Attributes, *, is_jsx: bool) -> Attributes:
    name, value = match[1].lower(), html.unescape(match[2] or match[3] or match[4] or "")
    if name == "hidden":
        is_shown = value.lower() == "until-found" or (is_jsx and value == "{false}")
        return rest if is_shown else rest._replace(hides=True)
    if name == "style":
        jsx = _JSX_STYLE.match(match.string, match.start(1))
        return rest._replace(hides=True) if is_hiding_style(jsx[1] if jsx else value) else rest
    if (name == "role" and value.lower() == "tabpanel") or (name == "class" and _TAB_PANEL.search(value)):
        return rest._replace(is_tab_panel=True)
    return rest._replace(is_slot=True) if name.startswith(("#", "v-")) else rest
