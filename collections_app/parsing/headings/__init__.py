"""Finds the ATX headings of a document as CommonMark 0.31 sees them, line by line. It builds no tree and renders nothing.

Only headings at the top level count: one inside a list item or a block quote is part of that item or quote and makes
no section. Underlined (Setext) headings are text.

Beyond CommonMark, boxes and tabs of MkDocs (`!!! note`, `=== "Tab"`) hold the text that is indented below them, as list items do.
Else that would be code from its second paragraph on.

The algorithm is that of the specification (appendix "A parsing strategy", phase 1): match the open containers, then
open new blocks, then see whether the rest continues a paragraph lazily. It needs no tree, only the stack of open
containers, whether a paragraph is open, and what ends the open code fence or HTML block. Tabs are expanded first: columns
are all that block structure asks of them. Every step costs no more than the line is long, however deep it nests.

Why not markdown-it-py, which the tests compare with: its block pass takes six times as long (measured on 10 MB).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, auto
from functools import lru_cache
from typing import NamedTuple

from collections_app.parsing.headings.html_blocks import LineTest, find_html_block_end
from collections_app.parsing.headings.link_definitions import DefinitionBudget, DefinitionRun, find_definition_run


class Heading(NamedTuple):
    """An ATX heading. `line` counts from 0; `text` is without the `#`s, its inline markup still in it."""

    line: int
    level: int
    text: str


def iter_headings(lines: Iterable[str]) -> Iterator[Heading]:
    """The top-level ATX headings of a document, given as its lines without line ends."""
    blocks = _OpenBlocks()
    for number, line in enumerate(lines):
        if blocks.pass_over(line):
            continue
        if level := blocks.feed(line.expandtabs(4) if "\t" in line else line):
            yield Heading(number, level, _get_heading_text(line))


class Levels:
    """The levels of a text's headings."""

    def __init__(self, lines: Iterable[str]) -> None:
        headings = list(iter_headings(lines))
        self._lines = [heading.line for heading in headings]
        self._levels = [0, *(heading.level for heading in headings)]

    def find(self, line: int) -> int:
        """The level of the heading above this line; 0 if there is none."""
        return self._levels[bisect_left(self._lines, line)]


class LineKind(Enum):
    """What a line's signs mean: Markdown, nothing (fenced code, its fences included, and indented code), or HTML."""

    MARKDOWN = auto()
    CODE = auto()
    HTML = auto()


# A member of an enumeration takes five times as long to look up, and a line needs several.
_MARKDOWN, _CODE, _HTML = LineKind


def iter_line_kinds(lines: Iterable[str]) -> Iterator[LineKind]:
    """The kind of each line, at any depth of lists and quotes. An HTML block with a single line may count as Markdown."""
    return map(_OpenBlocks().read, lines)


def read_lines(lines: Iterable[str]) -> tuple[Sequence[LineKind], Sequence[int]]:
    """The kinds of the lines, and the numbers of those that are top-level headings, in one walk."""
    blocks = _OpenBlocks()
    kinds, headings = [], []
    for number, line in enumerate(lines):
        kinds.append(blocks.read(line))
        if blocks.level:
            headings.append(number)
    return kinds, headings


class HtmlBlock(NamedTuple):
    """An HTML block: from line `start` up to `end`, counted from 0, `end` not included; `indent` is its indentation by list items around
    it.
    """

    start: int
    end: int
    indent: int


def iter_html_blocks(lines: Sequence[str]) -> Iterator[HtmlBlock]:
    """The HTML blocks of a document, given as its lines without line ends. Left out are those in quotes and those on the first line of an
    item, and comments, scripts and the like that end in the line in which they begin.
    """
    blocks = _OpenBlocks()
    opened: HtmlBlock | None = None
    for number, line in enumerate([*lines, ""]):
        was_open = blocks.ends is not None
        if not blocks.pass_over(line):
            blocks.feed(line.expandtabs(4) if "\t" in line else line)
        is_open = blocks.inside is _HTML
        if not (is_open or opened or "<" in line):
            continue
        indent = sum(blocks.containers)
        is_indented = not line[:indent].strip(" ")
        if opened and not (is_open and is_indented and indent == opened.indent):
            is_last_line = blocks.ends is None and line.strip() and is_indented and indent == opened.indent
            yield opened._replace(end=number + bool(is_last_line))
            opened = None
        elif is_open and not was_open and is_indented and _QUOTE not in blocks.containers:
            opened = HtmlBlock(number, number, indent)
        elif (
            not (was_open or blocks.ends)
            and is_indented
            and _CODE_LINE.match(line, indent)
            and _QUOTE not in blocks.containers
        ):
            yield HtmlBlock(number, number + 1, indent)


def iter_fences(lines: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Where fenced code at the top level is: the number of its first line, counted from 0, and of the one behind its last."""
    blocks = _OpenBlocks()
    start, end = -1, 0
    for end, line in enumerate(lines, 1):
        blocks.read(line)
        is_open = blocks.inside is _CODE and not blocks.containers
        if is_open and start < 0:
            start = end - 1
        elif start >= 0 and not is_open:
            yield start, end
            start = -1
    if start >= 0:
        yield start, end


def leaves_block_open(lines: Iterable[str]) -> bool:
    """Whether lines after these and a blank one would still belong to their last fence or HTML block."""
    blocks = _OpenBlocks()
    for line in (*lines, ""):
        if not blocks.pass_over(line):
            blocks.feed(line.expandtabs(4) if "\t" in line else line)
    return blocks.ends is not None and not blocks.containers


def _get_heading_text(line: str) -> str:
    text = line.strip(" \t").lstrip("#").strip(" \t")
    without_closing = text.rstrip("#")
    if without_closing == "" or without_closing[-1] in " \t":
        return without_closing.rstrip(" \t")
    return text


# What begins with none of these opens no block.
_OPENERS = frozenset(">#`~<=-+*_0123456789!?")
# A line that begins with none of these is text at the margin: it opens no block, and ends no open paragraph.
_NO_TEXT = _OPENERS | frozenset(" \t[")

_CODE_LINE = re.compile(" {0,3}<pre[ >].*</pre>", re.IGNORECASE)
_ATX_HEADING = re.compile("(#{1,6})(?: |$)")
_FENCE = re.compile("(?:(`{3,}+)[^`]*+|(~{3,}+).*+)$")
_ENDS_FENCE = re.compile(r"(?:(?<!`)`{3,}+|(?<!~)~{3,}+)[ \t]*+$")
_SETEXT_UNDERLINE = re.compile("(?:=+|-+) *$")
_THEMATIC_BREAK = re.compile(r"([-*_])(?: *+\1){2,}+ *+$")
_LIST_MARKER = re.compile("(?:[-+*]|([0-9]{1,9})[.)])(?= |$)")

# Of MkDocs, with its extensions for admonitions, details and tabs.
_BOX = re.compile(
    r"(?:(?:!!!|\?{3}\+?) *+[\w-]++(?: ++[\w-]++)*+(?: ++\".*\")?|===[!+]*+ *+(?P<quote>[\"']).+(?P=quote)) *+$"
)
_BOX_SIGNS = frozenset("!?=")
_BOX_INDENT = 4

_QUOTE = 0
_MAX_DEPTH = 50  # containers; deeper markers are text, which bounds the work on hostile input


class _OpenBlocks:
    """The blocks that are open after a line.

    `containers` holds, from the outside in, 0 for a block quote and the width of the indentation for a list item or a box. `ends` tests for
    the last line of the open fence or HTML block; None if neither is open. `inside` is the kind of the lines in it; Markdown if neither is
    open. `is_indented_code` and `level` are about the last line read.
    """

    __slots__ = (
        "budget",
        "containers",
        "definitions",
        "ends",
        "inside",
        "is_indented_code",
        "item_is_empty",
        "level",
        "paragraph",
    )

    def __init__(self) -> None:
        self.containers: list[int] = []
        self.paragraph = False
        self.definitions: DefinitionRun | None = None
        self.budget = DefinitionBudget()
        self.ends: LineTest | None = None
        self.inside = _MARKDOWN
        self.is_indented_code = False
        self.level = 0
        self.item_is_empty = False

    def read(self, line: str) -> LineKind:
        """Process a line, and return its kind; `level` is then its level if it is a top-level heading, else 0."""
        before, self.level = self.inside, 0
        if self.pass_over(line):
            return before
        self.is_indented_code = False
        self.level = self.feed(line.expandtabs(4) if "\t" in line else line)
        inside = self.inside
        if inside is _CODE or self.is_indented_code or (before is _CODE and _ENDS_FENCE.search(line)):
            return _CODE
        return _HTML if before is _HTML or inside is _HTML else _MARKDOWN

    def pass_over(self, line: str) -> bool:
        """Handle a line that needs no parsing, as most lines do not; returns False if it must be given to feed()."""
        if self.ends is not None:
            if self.containers:
                return False
            if self.ends(line):
                self.ends, self.inside = None, _MARKDOWN
            return True
        if line == "":
            if self.containers:
                return False
            self.paragraph, self.definitions = False, None
            return True
        if line[0] in _NO_TEXT or self.definitions is not None:
            return False
        if not self.paragraph:
            self.containers.clear()
            self.item_is_empty = False
            self.paragraph = True
        return True

    def feed(self, line: str) -> int:
        """Process a line with its tabs expanded; returns its level if it is a top-level heading, else 0."""
        may_be_inside = self.containers or line.startswith(" ")
        depth, start, text = self._match_containers(line) if may_be_inside else (0, 0, 0)
        self.item_is_empty = False
        if self.ends is not None and depth == len(self.containers):
            if self.ends(line[start:]):
                self.ends, self.inside = None, _MARKDOWN
            return 0
        if text == len(line):
            self._close_to(depth)
            return 0
        if self.definitions is not None and self.definitions.ends_before(line[text:]):
            self.paragraph, self.definitions = False, None
        return self._open_blocks(line, depth, start, text)

    def _match_containers(self, line: str) -> tuple[int, int, int]:
        """How many containers continue in this line, where their content begins, and where its first non-space is."""
        start, text = 0, _skip_spaces(line, 0)
        for depth, width in enumerate(self.containers):
            if width == _QUOTE:
                if text == len(line) or line[text] != ">" or text - start > 3:
                    return depth, start, text
                start = text + 1 + line.startswith(" ", text + 1)
                text = _skip_spaces(line, start)
            elif text == len(line):
                if self.item_is_empty and depth == len(self.containers) - 1:
                    return depth, start, text
            elif text - start >= width:
                start += width
            else:
                return depth, start, text
        return len(self.containers), start, text

    def _open_blocks(self, line: str, depth: int, start: int, text: int) -> int:
        while text < len(line) and text - start < 4 and line[text] in _OPENERS:
            level = self._open_leaf(line, depth, text)
            if level is not None:
                return level
            if line[text] in _BOX_SIGNS and self._open_box(line, depth, start, text):
                return 0
            content = self._open_container(line, depth, start, text)
            if content is None:
                break
            depth, start, text = len(self.containers), content, _skip_spaces(line, content)
        if text == len(line):
            self.item_is_empty = self.containers[-1] != _QUOTE
        elif not self.paragraph and text - start >= 4:
            self._close_to(depth)
            self.is_indented_code = True
        else:
            self._take_text(line[text:], depth)
        return 0

    def _open_leaf(self, line: str, depth: int, text: int) -> int | None:
        """Open a block that holds no blocks, if one begins at `text`. Returns the level of a top-level heading, otherwise 0."""
        match line[text]:
            case "#" if heading := _ATX_HEADING.match(line, text):
                self._close_to(depth)
                return 0 if self.containers else len(heading[1])
            case "`" | "~" if fence := _FENCE.match(line, text):
                self._close_to(depth)
                self.ends, self.inside = _make_fence_end(line[text], len(fence[1] or fence[2])), _CODE
                return 0
            case "<" if ends := find_html_block_end(line[text:], interrupts_paragraph=self.paragraph):
                self._close_to(depth)
                if not ends(line[text:]):
                    self.ends, self.inside = ends, _HTML
                return 0
            case "=" | "-" if self._is_interrupting(depth) and _SETEXT_UNDERLINE.match(line, text):
                self._close_to(depth)
                return 0
            case "-" | "*" | "_" if _THEMATIC_BREAK.match(line, text):
                self._close_to(depth)
                return 0
        return None

    def _open_container(self, line: str, depth: int, start: int, text: int) -> int | None:
        """Open a block quote or list item, if one begins at `text`. Returns where its content begins."""
        if depth >= _MAX_DEPTH:
            return None
        if line[text] == ">":
            self._close_to(depth)
            self.containers.append(_QUOTE)
            return text + 1 + line.startswith(" ", text + 1)
        marker = _LIST_MARKER.match(line, text)
        if marker is None:
            return None
        content = _skip_spaces(line, marker.end())
        if self._is_interrupting(depth) and (content == len(line) or int(marker[1] or 1) != 1):
            self.definitions = None  # no definition continues in a line that looks like a list item
            return None
        if content == len(line) or content - marker.end() > 4:
            content = marker.end() + 1
        self._close_to(depth)
        self.containers.append(content - start)
        return min(content, len(line))

    def _open_box(self, line: str, depth: int, start: int, text: int) -> bool:
        """Open a box or a tab of MkDocs, if one begins at `text`: its title is all that the line has."""
        if depth >= _MAX_DEPTH or not _BOX.match(line, text):
            return False
        self._close_to(depth)
        self.containers.append(text - start + _BOX_INDENT)
        return True

    def _take_text(self, text: str, depth: int) -> None:
        if not self.paragraph:
            self._close_to(depth)
            self.paragraph = True
            self.definitions = find_definition_run(text, self.budget) if text[0] == "[" else None
        elif self.definitions is not None:
            self.definitions.add(text)

    def _is_interrupting(self, depth: int) -> bool:
        """Whether the line belongs to the open paragraph without continuing it lazily."""
        return self.paragraph and depth == len(self.containers)

    def _close_to(self, depth: int) -> None:
        """Close the open paragraph, fence or HTML block, and the containers deeper than `depth`."""
        del self.containers[depth:]
        self.paragraph, self.definitions = False, None
        self.ends, self.inside = None, _MARKDOWN


def _skip_spaces(line: str, position: int) -> int:
    return len(line) - len(line[position:].lstrip(" ")) if line.startswith(" ", position) else position


@lru_cache(maxsize=64)
def _make_fence_end(char: str, length: int) -> LineTest:
    return re.compile(f" {{0,3}}{char}{{{length},}}[ \\t]*$").match
