"""What raw HTML hides in Markdown: comments and elements that are not shown. Code hides nothing.

Comments as CommonMark 0.31 sees them (sections 4.6 and 6.6): at the beginning of a line up to `-->`, or to the end of the text; within a
paragraph, up to `-->` in the same one. A line `[//]: # (text)`, a link definition that nothing refers to, is a comment too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from collections_app.parsing.documents import Finding, FindingKind
from collections_app.parsing.hiding_styles import is_hiding_style
from collections_app.parsing.safety.instructions import has_instructions
from collections_app.parsing.safety.places import Places
from collections_app.parsing.safety.prose import is_prose, is_telling_comment, make_excerpt

_BEFORE_BLOCK = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_DEFINITION_COMMENT = re.compile(
    r"^ {0,3}\[(?://|comment|_)\]: ?(?:#|<>) ?(?:\"(.*)\"|'(.*)'|\((.*)\))[ \t]*$", re.MULTILINE
)
_OPENING_TAG = re.compile(r"<([a-zA-Z][a-zA-Z0-9-]*)(\s[^<>]*)>")
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*+(?:-++[a-zA-Z0-9]++)*+)(?!\w)[^<>]*?(/?)>")
_ANY_TAG = re.compile(r"<[^<>]*>")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_HIDDEN_ATTRIBUTE = re.compile(r"\shidden(?![\w-])(?!\s*=\s*(?:\{false\}|\"until-found\"))")
_STYLE = re.compile(r"\sstyle\s*=\s*(\"[^\"]*\"|'[^']*'|\{[^<>}]*(?:\}\}?|$))", re.IGNORECASE)
_MIN_INSTRUCTION_CHARACTERS = 6  # “<|user|>” has 8
_HEADING = re.compile(r"([ \t]*)(?=#)")
_VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
)


@dataclass(frozen=True, slots=True)
class Hidden:
    """From `start` up to `end` of the text; `text` is what it says, without tags, on one line."""

    start: int
    end: int
    text: str
    is_comment: bool


def find_hidden(places: Places) -> list[Hidden]:
    """In order, none inside of another. Takes linear time."""
    found = [*_iter_comments(places), *_iter_definition_comments(places), *_iter_hidden_elements(places)]
    outermost: list[Hidden] = []
    for each in sorted(found, key=lambda hidden: (hidden.start, -hidden.end)):
        if not outermost or each.start >= outermost[-1].end:
            outermost.append(each)
    return outermost


def cut_hidden(places: Places, hidden: Sequence[Hidden]) -> str:
    """The text without what is hidden, each of its lines still on its place. What was no heading becomes none."""
    content = places.content
    pieces, position = [], 0
    for each in hidden:
        line_ends = "\n" * content.count("\n", each.start, each.end)
        pieces += [content[position : each.start], line_ends]
        position = each.end
        begins_line = line_ends or not places.get_text_before(each.start).strip()
        if begins_line and (heading := _HEADING.match(content, position)):
            pieces.append(f"{heading[1]}\\")
            position = heading.end()
    return "".join([*pieces, content[position:]])


def iter_hidden_findings(hidden: Sequence[Hidden], places: Places, *, removed: bool) -> Iterator[Finding]:
    """What an editor should hear of: hidden prose, long comments, and whatever speaks to a model."""
    for each in hidden:
        if kind := _find_kind(each):
            yield Finding(kind, places.get_line(each.start), make_excerpt(each.text), removed)


def _find_kind(hidden: Hidden) -> FindingKind | None:
    if len(hidden.text) >= _MIN_INSTRUCTION_CHARACTERS and has_instructions(hidden.text):
        return FindingKind.INSTRUCTIONS
    if hidden.is_comment:
        return FindingKind.COMMENT if is_telling_comment(hidden.text) else None
    return FindingKind.HIDDEN_TEXT if is_prose(hidden.text) else None


def _iter_comments(places: Places) -> Iterator[Hidden]:
    content, position, closing, blank = places.content, 0, -1, -1
    while (start := content.find("<!--", position)) >= 0:
        position = start + 4
        if closing < start + 2:
            closing = content.find("-->", start + 2)
            closing = len(content) if closing < 0 else closing
        if blank < start:
            blank = _find_blank_line(content, start)
        if places.is_code(start, position) or content[start - 1 : start] == "\\":
            continue
        if _ends_within_its_block(places, start, closing, blank):
            position = min(closing + 3, len(content))
            yield Hidden(start, position, " ".join(content[start + 4 : closing].split()), is_comment=True)


def _ends_within_its_block(places: Places, start: int, closing: int, blank: int) -> bool:
    before = places.get_text_before(start)
    is_closed = closing < len(places.content)
    if _BEFORE_BLOCK.fullmatch(before):
        return is_closed or before.strip() == ""
    return is_closed and closing < blank


def _find_blank_line(content: str, start: int) -> int:
    blank = _BLANK_LINE.search(content, start)
    return blank.start() if blank else len(content)


def _iter_definition_comments(places: Places) -> Iterator[Hidden]:
    if "]:" not in places.content:
        return
    for match in _DEFINITION_COMMENT.finditer(places.content):
        if not places.is_code(*match.span()):
            yield Hidden(*match.span(), text=match[1] or match[2] or match[3] or "", is_comment=True)


def _iter_hidden_elements(places: Places) -> Iterator[Hidden]:
    content, position = places.content, 0
    if "hidden" not in content and "style" not in content:
        return
    openings = [
        match for match in _OPENING_TAG.finditer(content) if _hides(match) and not places.is_code(*match.span())
    ]
    ends = _find_ends(content, openings)
    for opening in openings:
        if opening.start() < position:
            continue
        # A forgotten closing tag is not to cost a document: then the paragraph is the element.
        position = ends.get(opening.start()) or _find_blank_line(content, opening.end())
        text = " ".join(_ANY_TAG.sub(" ", content[opening.end() : position]).split())
        yield Hidden(opening.start(), position, text, is_comment=False)


def _hides(opening: re.Match[str]) -> bool:
    name, attributes = opening[1].lower(), opening[2]
    return _is_hiding(attributes) and name not in _VOID and not attributes.endswith("/")


def _is_hiding(attributes: str) -> bool:
    if "tabpanel" in attributes:  # a click opens it
        return False
    style = _STYLE.search(attributes)
    if style and is_hiding_style(style[1].strip("\"'{}")):
        return True
    return "hidden" in attributes and _HIDDEN_ATTRIBUTE.search(_QUOTED.sub('""', attributes)) is not None


def _find_ends(content: str, openings: Sequence[re.Match[str]]) -> dict[int, int]:
    """By where an element begins, where its closing tag ends; nothing for one that has none."""
    starts = {opening.start() for opening in openings}
    open_tags: dict[str, list[int]] = {opening[1].lower(): [] for opening in openings}
    ends = {}
    for tag in _TAG.finditer(content) if openings else ():
        same = open_tags.get(tag[2].lower())
        if same is None or tag[3]:
            continue
        if not tag[1]:
            same.append(tag.start())
        elif same and (start := same.pop()) in starts:
            ends[start] = tag.end()
    return ends
