"""Replaces character references in Markdown (`&#x26;`, `&rsquo;`, `&lt;`), as site editors write them, with the characters themselves,
where these are text and create no new markup. PURE.

CommonMark 0.31, section 2.5. References in code, tags and addresses stay. In headings, whose words make ids, they stay too, except for
blanks at the ends. So do references to characters that have a meaning in Markdown.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from html import unescape

from collections_app.parsing.headings import LineKind, iter_line_kinds
from collections_app.parsing.safety.places import find_code_spans
from collections_app.text.spans import is_in_span

_MAX_LINE_CHARACTERS = 5_000
_REFERENCE = r"&(?:\#\d{1,7}|\#[xX][\da-fA-F]{1,6}|[a-zA-Z][a-zA-Z\d]{1,31});"
_BLANK = r"&\#(?:[xX]20|32);"
_MAY_HAVE_REFERENCES = re.compile(_REFERENCE)
_PIECE = re.compile(
    rf"(?P<kept>\\.|<[A-Za-z/!?][^<>]*+>|(?<=\]\()[^()]*+\))|(?P<blanks>[ \t]*+(?:{_BLANK}[ \t]*+)+)|(?P<reference>{_REFERENCE})"
)
_OPEN = re.compile(r"<[A-Za-z/!?][^<>]*+$|\]\([^()]*+(?:$|\()")  # or a link, whose title may be anywhere behind
_ODD_TAG = re.compile(r"<[A-Za-z/!?][^<>\"]*+\"(?:[^<>\"]*+\"[^<>\"]*+\")*+[^<>\"]*+>")
_DEFINITION = re.compile(r" {0,3}\[[^\[\]]++\]:")
_HEADING = re.compile(r"[ \t>]*+#{1,6}[ \t]")
# Not behind what would then become attributes or closing `#`s.
_LAST_BLANKS = re.compile(rf"(?<=[^\s#;}}\\])[ \t]*+(?:{_BLANK}[ \t]*+)++$")
# In these, a backslash would be text.
_HTML = re.compile(r"<(?:[!?]|pre|script|style|svg|template|textarea)", re.IGNORECASE)
_MARKERS = re.compile(r"[ \t>]*+(?:(?:[-*+]|\d{1,9}[.)]|#{1,6})(?:[ \t]+|$))*+")
# A paragraph of such blanks only separates others.
_SPACER = re.compile(r"[ \t]*+(?:&(?:nbsp|ensp|emsp|\#160|\#[xX][aA]0);[ \t]*+)+$")
_NONE = "\ufffd"  # replaces invalid characters
_SIGN_CHARACTERS = frozenset("*_~")
_SIGNS = re.compile(r"[*_~]+")
_WOULD_REFER = re.compile(r"#?\w+;")
_BEGINS_TAG = re.compile(r"[A-Za-z/!?&]|$")
_PLAIN = frozenset("\"'&<>+%")


def write_characters(content: str) -> str:
    """The text of a document with its references replaced; no line moves."""
    if not _MAY_HAVE_REFERENCES.search(content):
        return content
    lines = content.split("\n")
    concerned = lines[: content.count("\n", 0, content.rfind("&")) + 1]
    is_open = False  # whether a code span, a tag or a link continues in the next line
    for number, (line, kind) in enumerate(zip(concerned, list(iter_line_kinds(concerned)), strict=True)):
        if kind is not LineKind.MARKDOWN or not line.strip():
            is_open = False
            continue
        spans = find_code_spans(line) if "`" in line else []
        outside = _cut_spans(line, spans)
        is_open = is_open or "`" in outside or _OPEN.search(outside) is not None
        if is_open or "&" not in line or len(line) > _MAX_LINE_CHARACTERS or _is_left(outside):
            continue
        if _SPACER.match(line) and _is_paragraph(lines, number):
            lines[number] = ""
            continue
        is_heading = _HEADING.match(line)
        lines[number] = _LAST_BLANKS.sub("", line) if is_heading else _PIECE.sub(_Line(line, spans).write, line)
    return "\n".join(lines)


def _is_paragraph(lines: list[str], number: int) -> bool:
    """Whether the line is a paragraph by itself."""
    around = lines[max(0, number - 1) : number] + lines[number + 1 : number + 2]
    return not any(map(str.strip, around))


def _cut_spans(line: str, spans: list[tuple[int, int]]) -> str:
    pieces, position = list[str](), 0
    for start, end in spans:
        pieces.append(line[position:start])
        position = end
    return " ".join([*pieces, line[position:]])


def _is_left(line: str) -> bool:
    """Whether it defines a link, is HTML, or has a tag whose attributes could be ended by one more quotation mark."""
    return any((_DEFINITION.match(line), _HTML.search(line), _ODD_TAG.search(line)))


class _Line:
    """A line with references: its code spans, and where its text begins behind list and quote markers."""

    def __init__(self, text: str, spans: Sequence[tuple[int, int]]) -> None:
        self._text = text
        self._spans = spans
        self._start: int = _MARKERS.match(text).end()  # type: ignore[union-attr]  # it matches everywhere

    @cached_property
    def _signs(self) -> Sequence[int]:
        return [sign.start() for sign in _SIGNS.finditer(self._text, self._start)]

    def write(self, found: re.Match[str]) -> str:
        if found["kept"] or is_in_span(self._spans, *found.span()):
            return found[0]
        is_first = found.start() <= self._start
        return self._write_blank(found, is_first) if found["blanks"] else self._write_character(found, is_first)

    def _write_blank(self, found: re.Match[str], is_first: bool) -> str:
        """Replace blanks with one, or with nothing at the end of a line. They stay at the beginning of a line, and inside emphasis, which a
        blank would end.
        """
        if is_first:
            return found[0]
        if found.end() == len(self._text):
            return ""
        is_within = self._is_at_sign(found) and bisect_left(self._signs, found.start()) % 2
        return found[0] if is_within else " "

    def _write_character(self, found: re.Match[str], is_first: bool) -> str:
        character = unescape(found[0])
        is_text = character in _PLAIN or (not character.isascii() and character.isprintable() and character != _NONE)
        if len(character) != 1 or not is_text or self._is_at_sign(found) or (is_first and character in ">+"):
            return found[0]
        if character == "&" and _WOULD_REFER.match(self._text, found.end()):
            return found[0]
        return "\\<" if character == "<" and _BEGINS_TAG.match(self._text, found.end()) else character

    def _is_at_sign(self, found: re.Match[str]) -> bool:
        before, behind = self._text[found.start() - 1 : found.start()], self._text[found.end() : found.end() + 1]
        return (found.start() > self._start and before in _SIGN_CHARACTERS) or behind in _SIGN_CHARACTERS
