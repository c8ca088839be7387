"""Decides what block each line begins or continues, and writes it as Python-Markdown wants it. PURE."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from collections_app.parsing.headings.html_blocks import find_html_block_end
from collections_app.reading.markdown_blocks.containers import Container, OpenContainers
from collections_app.reading.markdown_blocks.output import Output
from collections_app.reading.markdown_blocks.pieces import (
    find_end_of_indented,
    read_fence,
    read_html,
    read_indented_code,
)
from collections_app.reading.markdown_blocks.signs import (
    FENCE,
    HEADING,
    LIST_STARTS,
    MARKER,
    THEMATIC_BREAK,
    begins_block,
    count_spaces,
    get_marker,
)
from collections_app.text.markdown.boxes import (
    MAX_OPTIONS,
    Box,
    apply_options,
    count_options,
    read_callout,
    read_container,
    read_directive,
    read_indented,
)

MAX_LIST_DEPTH = 10
MAX_QUOTE_DEPTH = 5

INDENT = " " * 4


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


@dataclass(slots=True)
class _Rewriter:
    """`items` are the open list items, from the outside in. A `prefix` is what a line begins with, perhaps with the markers of lists."""

    lines: Sequence[str]
    holders: Holders
    depth: int
    position: int = 0
    items: list[_Item] = field(default_factory=list)
    containers: OpenContainers = field(default_factory=OpenContainers)
    out: Output = field(default_factory=Output)

    def run(self) -> list[str]:
        while self.position < len(self.lines):
            line = self.lines[self.position]
            if line.strip():
                self.take(line, count_spaces(line))
            else:
                self.position += 1
                self.out.end_block()
        return _drop_blank_end(self.out.lines)

    @property
    def margin(self) -> int:
        return self.items[-1].column if self.items else 0

    @property
    def prefix(self) -> str:
        return INDENT * len(self.items)

    def take(self, line: str, indent: int) -> None:
        text = line.strip(" ")
        kept = sum(item.column <= indent for item in self.items)
        kept = self.containers.find_level(text, indent, kept, [item.column for item in self.items])
        if kept < len(self.items):
            left = self.items[kept]
            if self.out.paragraph and not begins_block(text, left.kind) and not self.is_of_box(text, kept):
                self.add_text(line.lstrip(" "))
                return
            del self.items[kept:]
            self.containers.leave(kept)
            # Only an item of the same kind continues the list; anything else would be taken for part of the item.
            if (marker := MARKER.match(text)) and marker[1][-1] == left.kind and self.out.is_in_list(self.prefix):
                self.out.end_paragraph()
            else:
                self.out.end_block()
        self.open_block(self.prefix, line, text, indent - self.margin)

    def open_block(self, prefix: str, line: str, text: str, indent: int) -> None:
        """Takes the block that begins with this line, `indent` columns from its margin. `prefix` may contain a list's marker."""
        # A list nested deeper than is shown continues at the deepest level.
        if indent >= 4 and len(self.items) < MAX_LIST_DEPTH:
            if self.out.paragraph:
                self.add_text(line.lstrip(" "), prefix)
            else:
                self.take_indented_code(prefix)
        elif fence := FENCE.match(text):
            self.take_fence(prefix, fence, self.margin + indent)
        elif text.startswith(">"):
            self.take_quote(prefix)
        elif self.is_of_box(text, len(self.items)) and self.take_box(prefix, text, indent):
            pass
        elif THEMATIC_BREAK.match(text) and not (self.out.paragraph and text[0] == "-"):
            self.out.put_block(prefix, text)
            self.position += 1
        elif marker := self.match_marker(text):
            self.take_item(prefix, marker, text, indent)
        elif text[0] == "<" and (ends := find_html_block_end(text, interrupts_paragraph=bool(self.out.paragraph))):
            self.take_html(prefix, text, ends)
        elif HEADING.match(text):
            self.out.put_block(prefix, text)
            self.position += 1
        else:
            self.add_text(line.lstrip(" "), prefix)

    def match_marker(self, text: str) -> re.Match[str] | None:
        """A list's marker; within a paragraph outside lists, only one that may begin a list."""
        marker = MARKER.match(text)
        if (
            marker
            and self.out.paragraph
            and not self.items
            and (marker.end() == len(text) or marker[1] not in LIST_STARTS)
        ):
            return None
        return marker

    def take_item(self, prefix: str, marker: re.Match[str], text: str, indent: int) -> None:
        if self.out.paragraph and not (self.items and self.out.ends_with_item()):
            self.out.end_block()
        content = marker.end() if marker.end() - marker.end(1) <= 4 and marker.end() < len(text) else marker.end(1) + 1
        column = self.margin + indent + content
        rest = text[content:].lstrip(" ")
        bullet = f"{marker[1].replace(')', '.')} ".ljust(4)
        self.out.end_paragraph()
        if len(self.items) < MAX_LIST_DEPTH:
            self.items.append(_Item(column, marker[1][-1]))
        if not rest:
            self.out.lines.append(prefix + bullet)
            self.position += 1
        elif FENCE.match(rest) or rest[0] == "<":
            self.open_block(prefix + bullet, text, rest, 0)
        elif MARKER.match(rest) and len(self.items) < MAX_LIST_DEPTH and not THEMATIC_BREAK.match(rest):
            self.take_item(prefix + bullet, get_marker(rest), rest, 0)
        else:
            self.add_text(rest, prefix + bullet)

    def take_fence(self, prefix: str, fence: re.Match[str], column: int) -> None:
        mark = fence[1] or fence[3]
        code, self.position, is_closed = read_fence(self.lines, self.position + 1, mark, column, self.margin)
        info = (fence[2] or fence[4] or "").strip()
        box = read_directive(info) if is_closed and self.depth < MAX_QUOTE_DEPTH else None
        if box:
            options = count_options(code)
            self.put_box(prefix, apply_options(box, code[:options]), self.rewrite(code[options:]))
        else:
            self.out.put_block(prefix, self.holders.code("\n".join(code), info))

    def take_indented_code(self, prefix: str) -> None:
        code, self.position = read_indented_code(self.lines, self.position, self.margin)
        self.out.put_block(prefix, self.holders.code(code, ""))

    def take_quote(self, prefix: str) -> None:
        quoted: list[str] = []
        while self.position < len(self.lines):
            text = self.lines[self.position].strip(" ")
            is_lazy = text and not begins_block(text) and not self.is_of_box(text, len(self.items))
            goes_on = text.startswith(">") or (is_lazy and quoted[-1].strip())
            if not goes_on:
                break
            quoted.append(re.sub("^> ?", "", text))
            self.position += 1
        self.out.end_block()
        if self.depth >= MAX_QUOTE_DEPTH:
            self.out.put_block(prefix, self.holders.text("\n".join(quoted)))
        elif box := read_callout(quoted[0].strip(" ")):
            self.take_callout(prefix, box, quoted[1:])
        else:
            self.out.lines += [f"{prefix}> {line}" for line in self.rewrite(quoted)]
            self.out.end_block()

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
            return bool(self.containers.find_closed(text, items) or read_container(text))
        return text[:1] in {"!", "?", "="} and read_indented(text) is not None

    def take_box(self, prefix: str, text: str, indent: int) -> bool:
        """Whether the line began or ended a box. A box nested too deeply, or one that never ends, stays as written."""
        if self.depth >= MAX_QUOTE_DEPTH:
            return False
        if closed := self.containers.find_closed(text, len(self.items)):
            return self.close_container(prefix, closed)
        if found := read_container(text):
            return self.open_container(prefix, text, *found)
        box = read_indented(text)
        return box is not None and self.take_indented_box(prefix, box, self.margin + indent + 4)

    def open_container(self, prefix: str, text: str, colons: int, box: Box | None) -> bool:
        """Whether it is a box. If more are open than may be nested, the outermost is given up."""
        self.containers.make_room(MAX_QUOTE_DEPTH - self.depth)
        if box is None:
            self.containers.add(Container(None, colons, len(self.items), 0, 0))
            return False
        self.out.end_block()
        following = [line.strip(" ") for line in self.lines[self.position + 1 : self.position + 1 + MAX_OPTIONS]]
        options = following[: count_options(following)]
        start, own = len(self.out.lines), [text, *options]
        self.out.lines += [prefix + line for line in own]
        self.position += len(own)
        self.out.end_block()
        self.containers.add(Container(apply_options(box, options), colons, len(self.items), start, len(self.out.lines)))
        return True

    def close_container(self, prefix: str, container: Container) -> bool:
        """Whether it was a box."""
        self.containers.close(container)
        if container.box is None:
            return False
        self.out.end_block()
        body = [line[len(prefix) :] for line in self.out.lines[container.body :]]
        del self.out.lines[container.start :]
        self.position += 1
        self.put_box(prefix, container.box, body)
        return True

    def take_indented_box(self, prefix: str, box: Box, column: int) -> bool:
        """False if it is empty."""
        first = self.position + 1
        end = find_end_of_indented(self.lines, first, column)
        if end == first:
            return False
        self.position = end
        self.put_box(prefix, box, self.rewrite([line[column:] for line in self.lines[first:end]]))
        return True

    def put_box(self, prefix: str, box: Box, body: Sequence[str]) -> None:
        """`body` is rewritten already. After a list's marker in the prefix, Python-Markdown does not look for a quote of several lines, and
        takes a marker alone for an underline; so the box is put below something that is not shown."""
        if prefix.strip():
            self.out.lines.append(prefix + self.holders.html("<!-- -->"))
        self.out.end_block()
        lines = _drop_blank_end(list(body))
        if not box.is_group:
            lines = [f"> {line}" for line in [f"{self.holders.box(box.style)}{box.heading}", "", *lines]]
        self.out.lines += [self.prefix + line if line else "" for line in lines]
        self.out.end_block()

    def take_html(self, prefix: str, text: str, ends: Callable[[str], object]) -> None:
        html, self.position = read_html(self.lines, self.position, text, self.margin, ends)
        self.out.put_block(prefix, self.holders.html(html))

    def add_text(self, text: str, prefix: str | None = None) -> None:
        """Adds a line of a paragraph or table."""
        self.position += 1
        following = self.lines[self.position].strip(" ") if self.position < len(self.lines) else ""
        self.out.add_text(self.prefix if prefix is None else prefix, text, following, self.holders.text)


def _drop_blank_end(lines: list[str]) -> list[str]:
    while lines and not lines[-1]:
        lines.pop()
    return lines
