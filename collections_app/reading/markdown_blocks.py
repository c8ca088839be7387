"""Rewrites Markdown with CommonMark's rules for blocks into Markdown with Python-Markdown's. PURE: lines in, lines out.

Python-Markdown wants four columns for each level of a list, knows no fences inside lists and quotes, and needs blank lines where
CommonMark does not. Code and HTML blocks do not pass through it: they are handed out, and a placeholder takes their place in the text.
Boxes and tabs, in any syntax (text/markdown/boxes.py), become quotes that begin with a mark and their title.
Nesting and paragraphs are limited in size, so that hostile text costs a bounded amount of work. Nothing is refused: anything else is text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import NamedTuple

from collections_app.parsing.headings.html_blocks import find_html_block_end
from collections_app.text.markdown.boxes import (
    MAX_OPTIONS,
    Box,
    apply_options,
    count_closing,
    count_options,
    read_callout,
    read_container,
    read_directive,
    read_indented,
)

MAX_LIST_DEPTH = 10
MAX_QUOTE_DEPTH = 5
# Python-Markdown's inline patterns take quadratic time on hostile paragraphs.
MAX_PARAGRAPH_CHARACTERS = 6_000
MAX_PARAGRAPH_BRACKETS = 150

INDENT = " " * 4
FENCE = re.compile(r"(`{3,}+)([^`]*+)$|(~{3,}+)(.*+)$")
MARKER = re.compile(r"([-+*]|[0-9]{1,9}[.)])(?: +|$)")
LIST_STARTS = {"-", "+", "*", "1.", "1)"}
THEMATIC_BREAK = re.compile(r"([-*_])(?: *+\1){2,}+ *+$")
UNDERLINE = re.compile("(?:=+|-+) *$")
HARD_BREAK = re.compile(r"(?<!\\)\\$")
HEADING = re.compile(r"#{1,6}(?: |$)")
TABLE_RULE = re.compile(r"\|?(?: *:?-+:? *\|)+(?: *:?-+:? *)?$")


@dataclass(frozen=True, slots=True)
class Holders:
    """What to put into the text in place of code (given its text and language), of an HTML block, and of plain text that is too long to be
    parsed; and before the title of a box, by its style."""

    code: Callable[[str, str], str]
    html: Callable[[str], str]
    text: Callable[[str], str]
    box: Callable[[str], str]


def rewrite_blocks(lines: Sequence[str], holders: Holders, depth: int = 0) -> list[str]:
    """`depth` is that of the block quotes around the lines."""
    return _Rewriter([line.expandtabs(4) for line in lines], holders, depth).run()


class _Item(NamedTuple):
    """A list item. `column` is where its content begins, `kind` the last character of its marker."""

    column: int
    kind: str


class _Container(NamedTuple):
    """A box that a line with as many `colons` ends, in the list item that it began in; `items` is the depth of that item. In the output,
    its own lines are those from `start` to `body`: if it never ends, they stay as written. `box` is None for a container that is no box."""

    box: Box | None
    colons: int
    items: int
    start: int
    body: int


@dataclass(slots=True)
class _Rewriter:
    """`items` are the open list items, from the outside in, `containers` the open boxes; `paragraph` and `brackets` count the characters of
    the open paragraph."""

    lines: Sequence[str]
    holders: Holders
    depth: int
    position: int = 0
    paragraph: int = 0
    brackets: int = 0
    block_start: int = 0
    is_table: bool = False
    items: list[_Item] = field(default_factory=list)
    containers: list[_Container] = field(default_factory=list)
    out: list[str] = field(default_factory=list)

    def run(self) -> list[str]:
        while self.position < len(self.lines):
            line = self.lines[self.position]
            if line.strip():
                self.take(line, _count_spaces(line))
            else:
                self.position += 1
                self.end_block()
        while self.out and not self.out[-1]:
            self.out.pop()
        return self.out

    @property
    def margin(self) -> int:
        return self.items[-1].column if self.items else 0

    @property
    def prefix(self) -> str:
        return INDENT * len(self.items)

    def take(self, line: str, indent: int) -> None:
        text = line.strip(" ")
        kept = sum(item.column <= indent for item in self.items)
        if self.containers and text[0] == ":":
            kept = self.find_level(text, indent, kept)
        if kept < len(self.items):
            left = self.items[kept]
            if self.paragraph and not _begins_block(text, left.kind) and not self.is_of_box(text, kept):
                self.add_text(line.lstrip(" "))
                return
            del self.items[kept:]
            self.containers = [container for container in self.containers if container.items <= kept]
            # Only an item of the same kind continues the list; anything else would be taken for part of the item.
            if (marker := MARKER.match(text)) and marker[1][-1] == left.kind and self.is_in_list():
                self.paragraph, self.brackets = 0, 0
            else:
                self.end_block()
        self.open_block(self.prefix, line, text, indent - self.margin)

    def is_in_list(self) -> bool:
        """Whether the lines since the last blank one began with an item of the open list."""
        first = self.out[self.block_start] if self.block_start < len(self.out) else ""
        return bool(MARKER.match(first.lstrip(" "))) and _count_spaces(first) <= len(self.prefix)

    def open_block(self, prefix: str, line: str, text: str, indent: int) -> None:
        """Takes the block that begins with this line, `indent` columns from its margin. `prefix` may contain a list's marker."""
        # A list nested deeper than is shown continues at the deepest level.
        if indent >= 4 and len(self.items) < MAX_LIST_DEPTH:
            if self.paragraph:
                self.add_text(line.lstrip(" "), prefix)
            else:
                self.take_indented_code(prefix)
        elif fence := FENCE.match(text):
            self.take_fence(prefix, fence, self.margin + indent)
        elif text.startswith(">"):
            self.take_quote(prefix)
        elif self.is_of_box(text, len(self.items)) and self.take_box(prefix, text, indent):
            pass
        elif THEMATIC_BREAK.match(text) and not (self.paragraph and text[0] == "-"):
            self.put_block(prefix, text)
            self.position += 1
        elif marker := self.match_marker(text):
            self.take_item(prefix, marker, text, indent)
        elif text[0] == "<" and (ends := find_html_block_end(text, interrupts_paragraph=bool(self.paragraph))):
            self.take_html(prefix, text, ends)
        elif HEADING.match(text):
            self.put_block(prefix, text)
            self.position += 1
        else:
            self.add_text(line.lstrip(" "), prefix)

    def match_marker(self, text: str) -> re.Match[str] | None:
        """A list's marker; within a paragraph outside lists, only one that may begin a list."""
        marker = MARKER.match(text)
        if marker and self.paragraph and not self.items and (marker.end() == len(text) or marker[1] not in LIST_STARTS):
            return None
        return marker

    def take_item(self, prefix: str, marker: re.Match[str], text: str, indent: int) -> None:
        if self.paragraph and not (self.items and MARKER.match(self.out[-1].lstrip(" "))):
            self.end_block()
        content = marker.end() if marker.end() - marker.end(1) <= 4 and marker.end() < len(text) else marker.end(1) + 1
        column = self.margin + indent + content
        rest = text[content:].lstrip(" ")
        bullet = f"{marker[1].replace(')', '.')} ".ljust(4)
        self.paragraph, self.brackets = 0, 0
        if len(self.items) < MAX_LIST_DEPTH:
            self.items.append(_Item(column, marker[1][-1]))
        if not rest:
            self.out.append(prefix + bullet)
            self.position += 1
        elif FENCE.match(rest) or rest[0] == "<":
            self.open_block(prefix + bullet, text, rest, 0)
        elif MARKER.match(rest) and len(self.items) < MAX_LIST_DEPTH and not THEMATIC_BREAK.match(rest):
            self.take_item(prefix + bullet, _get_marker(rest), rest, 0)
        else:
            self.add_text(rest, prefix + bullet)

    def take_fence(self, prefix: str, fence: re.Match[str], column: int) -> None:
        mark = fence[1] or fence[3]
        ends = re.compile(f" *{re.escape(mark[0])}{{{len(mark)},}} *$").match
        code: list[str] = []
        is_closed = False
        self.position += 1
        while self.position < len(self.lines) and not is_closed:
            line = self.lines[self.position]
            if line.strip() and _count_spaces(line) < self.margin:
                break
            self.position += 1
            is_closed = bool(ends(line))
            if not is_closed:
                code.append(line[min(column, _count_spaces(line)) :])
        info = (fence[2] or fence[4] or "").strip()
        box = read_directive(info) if is_closed and self.depth < MAX_QUOTE_DEPTH else None
        if box:
            options = count_options(code)
            self.put_box(prefix, apply_options(box, code[:options]), self.rewrite(code[options:]))
        else:
            self.put_block(prefix, self.holders.code("\n".join(code), info))

    def take_indented_code(self, prefix: str) -> None:
        column = self.margin + 4
        code: list[str] = []
        while self.position < len(self.lines):
            line = self.lines[self.position]
            if line.strip() and _count_spaces(line) < column:
                break
            code.append(line[column:])
            self.position += 1
        self.put_block(prefix, self.holders.code("\n".join(code).strip("\n"), ""))

    def take_quote(self, prefix: str) -> None:
        quoted: list[str] = []
        while self.position < len(self.lines):
            text = self.lines[self.position].strip(" ")
            is_lazy = text and not _begins_block(text) and not self.is_of_box(text, len(self.items))
            goes_on = text.startswith(">") or (is_lazy and quoted[-1].strip())
            if not goes_on:
                break
            quoted.append(re.sub("^> ?", "", text))
            self.position += 1
        self.end_block()
        if self.depth >= MAX_QUOTE_DEPTH:
            self.put_block(prefix, self.holders.text("\n".join(quoted)))
        elif box := read_callout(quoted[0].strip(" ")):
            self.take_callout(prefix, box, quoted[1:])
        else:
            self.out += [f"{prefix}> {line}" for line in self.rewrite(quoted)]
            self.end_block()

    def rewrite(self, lines: Sequence[str]) -> list[str]:
        """Rewrites the lines in a quote or a box."""
        return rewrite_blocks(lines, self.holders, self.depth + 1)

    def take_callout(self, prefix: str, box: Box, lines: Sequence[str]) -> None:
        """A title without text below is the text: what follows GitHub's mark on its line is no title there."""
        if box.title and not any(line.strip() for line in lines):
            lines, box = [box.title], box._replace(title=None)
        self.put_box(prefix, box, self.rewrite(lines))

    def is_of_box(self, text: str, items: int) -> bool:
        """Whether a line at this depth of list items may begin or end a box."""
        if text[:1] == ":":
            return bool(self.find_closed(text, items) or read_container(text))
        return text[:1] in {"!", "?", "="} and read_indented(text) is not None

    def take_box(self, prefix: str, text: str, indent: int) -> bool:
        """Whether the line began or ended a box. A box nested too deeply, or one that never ends, stays as written."""
        if self.depth >= MAX_QUOTE_DEPTH:
            return False
        if closed := self.find_closed(text, len(self.items)):
            return self.close_container(prefix, closed)
        if found := read_container(text):
            return self.open_container(prefix, text, *found)
        box = read_indented(text)
        return box is not None and self.take_indented_box(prefix, box, self.margin + indent + 4)

    def find_closed(self, text: str, items: int) -> _Container | None:
        """The open container with as many colons, else the one with most below that; the innermost of these."""
        colons = count_closing(text) if self.containers else 0
        fitting = [each for each in reversed(self.containers) if each.items == items and each.colons <= colons]
        return max(fitting, key=attrgetter("colons"), default=None)

    def find_level(self, text: str, indent: int, kept: int) -> int:
        """The depth in items of the container that a line ends, since formatters of Markdown indent such a line like the list above it;
        otherwise `kept`."""
        columns = [0, *(item.column for item in self.items)]
        levels = (
            level for level in range(kept, -1, -1) if indent - columns[level] < 4 and self.find_closed(text, level)
        )
        return next(levels, kept)

    def open_container(self, prefix: str, text: str, colons: int, box: Box | None) -> bool:
        """Whether it is a box. If more are open than may be nested, the outermost is given up."""
        del self.containers[: max(0, len(self.containers) + 1 - (MAX_QUOTE_DEPTH - self.depth))]
        if box is None:
            self.containers.append(_Container(None, colons, len(self.items), 0, 0))
            return False
        self.end_block()
        following = [line.strip(" ") for line in self.lines[self.position + 1 : self.position + 1 + MAX_OPTIONS]]
        options = following[: count_options(following)]
        start, own = len(self.out), [text, *options]
        self.out += [prefix + line for line in own]
        self.position += len(own)
        self.end_block()
        self.containers.append(_Container(apply_options(box, options), colons, len(self.items), start, len(self.out)))
        return True

    def close_container(self, prefix: str, container: _Container) -> bool:
        """Whether it was a box."""
        while self.containers.pop() is not container:  # those inside it never ended
            pass
        if container.box is None:
            return False
        self.end_block()
        body = [line[len(prefix) :] for line in self.out[container.body :]]
        del self.out[container.start :]
        self.position += 1
        self.put_box(prefix, container.box, body)
        return True

    def take_indented_box(self, prefix: str, box: Box, column: int) -> bool:
        """False if it is empty."""
        end = first = self.position + 1
        for position in range(first, len(self.lines)):
            if self.lines[position].strip():
                if _count_spaces(self.lines[position]) < column:
                    break
                end = position + 1
        if end == first:
            return False
        self.position = end
        self.put_box(prefix, box, self.rewrite([line[column:] for line in self.lines[first:end]]))
        return True

    def put_box(self, prefix: str, box: Box, body: Sequence[str]) -> None:
        """`body` is rewritten already. After a list's marker in the prefix, Python-Markdown does not look for a quote of several lines, and
        takes a marker alone for an underline; so the box is put below something that is not shown."""
        if prefix.strip():
            self.out.append(prefix + self.holders.html("<!-- -->"))
        self.end_block()
        lines = list(body)
        while lines and not lines[-1]:
            lines.pop()
        if not box.is_group:
            lines = [f"> {line}" for line in [f"{self.holders.box(box.style)}{box.heading}", "", *lines]]
        self.out += [self.prefix + line if line else "" for line in lines]
        self.end_block()

    def take_html(self, prefix: str, text: str, ends: Callable[[str], object]) -> None:
        html = [text]
        self.position += 1
        while self.position < len(self.lines) and not ends(html[-1]):
            line = self.lines[self.position]
            if _count_spaces(line) < self.margin if line.strip() else ends(""):
                break
            html.append(line[self.margin :])
            self.position += 1
        self.put_block(prefix, self.holders.html("\n".join(html)))

    def add_text(self, text: str, prefix: str | None = None) -> None:
        """Adds a line of a paragraph or table."""
        prefix = self.prefix if prefix is None else prefix
        following = self.lines[self.position + 1].strip(" ") if self.position + 1 < len(self.lines) else ""
        begins_table = "|" in text and TABLE_RULE.match(following) is not None
        characters, brackets = len(text), text.count("[")
        grows_too_long = is_too_long(self.paragraph + characters, self.brackets + brackets)
        if self.paragraph and (begins_table or (grows_too_long and not self.is_table)):
            self.end_block()
        self.is_table = self.is_table or begins_table
        self.position += 1
        if is_too_long(characters, brackets):
            self.put_block(prefix, self.holders.text(text))
            return
        ends_heading = self.paragraph and not self.is_table and UNDERLINE.match(text)
        self.out.append(prefix + (HARD_BREAK.sub("  ", text) if following and not self.is_table else text))
        self.paragraph += characters
        self.brackets += brackets
        if ends_heading:
            self.end_block()

    def put_block(self, prefix: str, text: str) -> None:
        """With a list's marker in the prefix, the text begins the item; otherwise it is a block of its own."""
        if not prefix.strip():
            self.end_block()
        self.out.append(prefix + text)
        self.end_block()

    def end_block(self) -> None:
        if self.out and self.out[-1]:
            self.out.append("")
            self.block_start = len(self.out)
        self.paragraph, self.brackets, self.is_table = 0, 0, False


def is_too_long(characters: int, brackets: int) -> bool:
    """Whether inline patterns take too long for a text: from each bracket they look for the closing one."""
    return characters > MAX_PARAGRAPH_CHARACTERS or brackets > MAX_PARAGRAPH_BRACKETS


def _begins_block(text: str, kind: str = "") -> bool:
    """Whether a line ends the paragraph before it instead of continuing it; `kind` is that of the list around the paragraph."""
    if marker := MARKER.match(text):
        return marker[1][-1] == kind or marker.end() < len(text)
    return bool(text[:1] == ">" or FENCE.match(text) or HEADING.match(text) or THEMATIC_BREAK.match(text))


def _get_marker(text: str) -> re.Match[str]:
    marker = MARKER.match(text)
    assert marker
    return marker


def _count_spaces(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
