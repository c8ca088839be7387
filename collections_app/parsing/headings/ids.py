"""Finds the id that an author gave a heading, for links: in its attributes, or in an anchor in it or directly before it. Readers do not see
these ids: take_heading_ids() removes them from the text and moves no line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from collections_app.parsing.headings import Heading, iter_headings
from collections_app.parsing.headings.text import ATTRIBUTE_LIST, ATTRIBUTES
from collections_app.parsing.safety.places import find_code_spans
from collections_app.text.spans import is_in_span

_MAX_LINE_CHARACTERS = 1000
_MAX_LINES_BETWEEN = 3
_ID = re.compile(r"(?<![^\s{:])#([^\s{}\"]+)|(?<=[\s{:])id=[\"']?([^\s\"'{}]+)")
_TAG = r"<(?:a|span)(?=[^<>]*?[ \t](?:id|name)=(?:\"([^\"<>]+)\"|'([^'<>]+)'))[^<>]*"
_ANCHOR = re.compile(_TAG)
_EMPTY_ANCHOR = re.compile(rf"{_TAG}(?:/>|>[ \t]*+</(?:a|span)>)")
# On the line after the heading, as in kramdown.
_ATTRIBUTE_LINE = re.compile(rf"{ATTRIBUTE_LIST}[ \t]*$")
# MyST's targets: `(id)=`.
_TARGET_LINE = r" {0,3}\(([^\s()]+)\)=[ \t]*$"
_ANCHOR_LINE = re.compile(rf" {{0,3}}(?:{_TAG}>(?:</(?:a|span)>)?[ \t]*+)++$|{_TARGET_LINE}")
_EMPTY_ANCHOR_LINE = re.compile(rf" {{0,3}}(?:{_EMPTY_ANCHOR.pattern}[ \t]*+)++$|{_TARGET_LINE}")
# GitBook's: `## Options [#options]`.
_BRACKETED = re.compile(r"(?<=[^\s#])[ \t]+\[#([A-Za-z][\w.-]*)\][ \t]*$")
# `## Options %{#options}%` in Vue and related frameworks, in which a single brace would be code.
_PERCENT = re.compile(r"(?<=\S)[ \t]*%(\{#[\w.-]+\})%[ \t]*$")
_SIGNS = (")=", "[#", "%{#")
# Where attributes begin in a line, and where a line ends that may have them: each is looked for once a line, whatever else it has.
_FIRST_ATTRIBUTE = re.compile(r"\{:?[ \t]*+(?:[#.-]|[\w:-]++=)")
_LAST_BRACE = re.compile(r"\}[ \t#]*$", re.MULTILINE)


def take_heading_ids(content: str) -> tuple[str, Mapping[int, str]]:
    """The text without attributes and empty anchors of its headings, and their ids by the headings' lines."""
    if not _may_have_ids(content):
        return content, {}
    lines = content.split("\n")
    ids = {}
    for heading in list(iter_headings(lines)):
        line = lines[heading.line]
        if ("[#" in line or "%{#" in line) and len(line) <= _MAX_LINE_CHARACTERS:
            lines[heading.line] = _PERCENT.sub(r" \1", _BRACKETED.sub(r" {#\1}", line))
        if found := find_heading_id(lines, heading.line):
            ids[heading.line] = found
        _drop_ids(lines, heading.line)
    return "\n".join(lines), ids


def list_heading_ids(content: str, headings: Iterable[Heading]) -> Mapping[int, str]:
    """The ids of these headings of the text, by their lines; empty for headings that have none."""
    if not _may_have_ids(content):
        return {}
    lines = content.split("\n")
    return {heading.line: find_heading_id(lines, heading.line) for heading in headings}


def _may_have_ids(content: str) -> bool:
    """Whether it has a sign of any of their forms; most texts have none, and need not be looked through for headings."""
    has_anchors = ("<a" in content or "<span" in content) and ("id=" in content or "name=" in content)
    return has_anchors or any(sign in content for sign in _SIGNS) or _has_line_with_attributes(content)


def _has_line_with_attributes(content: str) -> bool:
    first = _FIRST_ATTRIBUTE.search(content)
    return first is not None and any(
        _FIRST_ATTRIBUTE.search(content, content.rfind("\n", 0, brace.start()) + 1, brace.start())
        for brace in _LAST_BRACE.finditer(content, first.end())
    )


def find_heading_id(lines: Sequence[str], line: int) -> str:
    """The id that the author gave to the heading in this line; empty if there is none."""
    heading = lines[line][:_MAX_LINE_CHARACTERS].strip(" \t#")
    following = lines[line + 1][:_MAX_LINE_CHARACTERS] if line + 1 < len(lines) else ""
    for attributes in (
        "{" in heading and ATTRIBUTES.search(heading),
        "{" in following and _ATTRIBUTE_LINE.match(following),
    ):
        if attributes and (given := _ID.search(attributes[0])):
            return str(given[1] or given[2])
    above = _find_text_above(lines, line)
    may_be_anchor = "<" in above or ")=" in above
    if anchor := ("<" in heading and _ANCHOR.search(heading)) or (may_be_anchor and _ANCHOR_LINE.match(above)):
        return str(next(filter(None, anchor.groups())))
    return ""


def _find_text_above(lines: Sequence[str], line: int) -> str:
    for above in reversed(lines[max(0, line - _MAX_LINES_BETWEEN) : line]):
        if above.strip():
            return above[:_MAX_LINE_CHARACTERS]
    return ""


def _drop_ids(lines: list[str], line: int) -> None:
    if len(lines[line]) <= _MAX_LINE_CHARACTERS:
        lines[line] = _drop_attributes(_drop_anchors(lines[line]))
    following = lines[line + 1][:_MAX_LINE_CHARACTERS] if line + 1 < len(lines) else ""
    if "{" in following and _ATTRIBUTE_LINE.match(following):
        lines[line + 1] = ""
    above = line - 1
    while above >= max(0, line - _MAX_LINES_BETWEEN):
        text = lines[above]
        may_be_anchor = ("<" in text or ")=" in text) and len(text) <= _MAX_LINE_CHARACTERS
        if may_be_anchor and _EMPTY_ANCHOR_LINE.match(text):
            lines[above], line = "", above
        elif text.strip():
            break
        above -= 1


def _drop_attributes(heading: str) -> str:
    words = heading.rstrip(" \t#")
    found = "}" in words[-1:] and ATTRIBUTES.search(words)
    return words[: found.start()] if found and words[: found.start()].strip(" \t#") else heading


def _drop_anchors(heading: str) -> str:
    if "<" not in heading:
        return heading
    code = find_code_spans(heading)
    return _EMPTY_ANCHOR.sub(lambda found: found[0] if is_in_span(code, *found.span()) else "", heading).rstrip(" \t")
