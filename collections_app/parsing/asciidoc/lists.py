"""Lists: which lines belong to an item, and items as elements. The content of an item is parsed as blocks.

An item takes the lines below it, including lists with other markers, up to the next item with its own marker or a block that is not
attached to it (https://docs.asciidoctor.org/asciidoc/latest/lists/continuation/).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from collections_app.parsing.asciidoc.attributes import match_entry
from collections_app.parsing.asciidoc.inline.reader import get_words
from collections_app.parsing.asciidoc.lines import (
    BLOCK_TITLE,
    CONTINUATION,
    Lines,
    ListMark,
    begins_block,
    find_delimiter,
    find_list_mark,
    match_block_attributes,
    match_block_title,
)
from collections_app.parsing.html.elements import Node, add
from collections_app.parsing.html.tree import Element

if TYPE_CHECKING:
    from collections_app.parsing.asciidoc.attribute_lists import AttributeList
    from collections_app.parsing.asciidoc.blocks import BlockReader

_MAX_ATTRIBUTE_LINES = 50
_TASK = re.compile(r"\[(?P<sign>[ xX*])\][ \t]+")
_ANCHOR = re.compile(r"\[\[(?P<id>[\w:.-]{1,300})(?:,[^\]]{0,300})?\]\]")


def write_list(
    blocks: BlockReader, lines: Lines, mark: ListMark, attributes: AttributeList, parent: Element, depth: int
) -> None:
    """Write the list that begins on the next line."""
    if mark.kind == "dl":
        _write_descriptions(blocks, lines, mark, parent, depth)
        return
    ordered = mark.kind != "ul"
    start = attributes.named.get("start", "") or (mark.marker[:-1] if mark.marker[:-1].isdecimal() else "")
    element = add(parent, "ol" if ordered else "ul", start=start if ordered and start != "1" else "")
    for item in _iter_items(lines, mark):
        text, body = _take_item(lines, item, mark)
        nodes: list[Node] = []
        if mark.kind == "ul" and (task := _TASK.match(text)):
            nodes.append("[ ] " if task["sign"] == " " else "[x] ")
            text = text[task.end() :]
        child = add(element, "li")
        add(child, "p", [*nodes, *blocks.inline.read(text)])
        blocks.read(body, child, depth + 1)


def write_tabs(blocks: BlockReader, lines: Lines, mark: ListMark, parent: Element, depth: int) -> None:
    """Write a description list as tabs: each term above its description."""
    for item in _iter_items(lines, mark):
        text, body = _take_item(lines, item, mark)
        add(add(parent, "p"), "strong", blocks.inline.read(item.term.strip()))
        content = add(parent, "div")
        if text:
            add(content, "p", blocks.inline.read(text))
        blocks.read(body, content, depth + 1)


def _write_descriptions(blocks: BlockReader, lines: Lines, mark: ListMark, parent: Element, depth: int) -> None:
    """Write a description list. A term with an anchor gets that as its id, unless it is only the number of a note."""
    element = add(parent, "dl")
    for item in _iter_items(lines, mark):
        text, body = _take_item(lines, item, mark)
        anchor, nodes = _ANCHOR.match(item.term.strip()), blocks.inline.read(item.term.strip())
        names_something = anchor and any(map(str.isalpha, get_words(nodes)))
        add(element, "dt", nodes, id=anchor["id"] if anchor and names_something else "")
        if text or body:
            description = add(element, "dd")
            if text:
                add(description, "p", blocks.inline.read(text))
            blocks.read(body, description, depth + 1)


def _iter_items(lines: Lines, first: ListMark) -> Iterator[ListMark]:
    while True:
        lines.skip_blank()
        while lines and lines.peek().startswith("//") and not lines.peek().startswith("////"):
            lines.take()
            lines.skip_blank()
        mark = find_list_mark(lines.peek())
        if mark is None or mark.sign != first.sign or mark.kind != first.kind:
            return
        lines.take()
        yield mark


def _take_item(lines: Lines, item: ListMark, mark: ListMark) -> tuple[str, list[str]]:
    """The text of an item's first paragraph, and the lines of all its other blocks."""
    taken = _ItemLines(lines, mark, has_text=bool(item.text) or mark.kind != "dl").take()
    text, count = [item.text] if item.text else [], 0
    if not text:
        while count < len(taken) and not taken[count]:
            count += 1
        if count < len(taken) and taken[count][:1].isspace() and not find_list_mark(taken[count]):
            taken[count] = taken[count].lstrip()
        if 0 < count < len(taken) and match_block_title(taken[count]):
            return "", taken[count:]  # the title of a block attached by a `+` directly after the term
    while count < len(taken) and _goes_on(taken[count]):
        if not taken[count].startswith("//"):
            text.append(taken[count].strip())
        count += 1
    return "\n".join(text), taken[count:]


def _goes_on(line: str) -> bool:
    """Whether the line continues the text of an item."""
    return (
        bool(line)
        and line != CONTINUATION
        and not begins_block(line)
        and find_list_mark(line) is None
        and not _is_macro(line)
    )


def _is_macro(line: str) -> bool:
    return "::" in line and re.match(r"(?:image|video|audio|toc)::\S*\[.*\]$", line) is not None


class _ItemLines:
    """Finds where an item ends."""

    def __init__(self, lines: Lines, mark: ListMark, *, has_text: bool) -> None:
        self._lines = lines
        self._mark = mark
        self._taken: list[str] = []
        self._has_text = has_text
        self._has_list = False
        self._detached: int | None = None

    def take(self) -> list[str]:
        lines = self._lines
        while lines:
            line = lines.peek()
            if line == CONTINUATION:
                self._take_continuation()
            elif not line:
                if not self._take_blank():
                    break
            elif (
                self._is_sibling(line)
                or find_delimiter(line)
                or (self._mark.kind == "dl" and match_block_attributes(line) and self._ends_at_attributes())
            ):
                break
            else:
                self._take_line()
        if self._detached is not None:
            del self._taken[self._detached]
        while self._taken and self._taken[-1] in ("", CONTINUATION):
            self._taken.pop()
        return self._taken

    def _is_sibling(self, line: str) -> bool:
        found = find_list_mark(line)
        return found is not None and found.kind == self._mark.kind and found.sign == self._mark.sign

    def _take_line(self) -> None:
        line = self._lines.take()
        self._taken.append(line)
        found = find_list_mark(line)
        if found is not None:
            self._has_list = True
            self._has_text = found.kind != "dl" or bool(found.text)
        else:
            self._has_text = True

    def _take_blank(self) -> bool:
        """Take blank lines as one, if the item continues after them; returns whether it does."""
        lines = self._lines
        ahead = 0
        while not lines.peek(ahead) and ahead < 1000:
            ahead += 1
        line = lines.peek(ahead)
        if not line or self._is_sibling(line):
            lines.skip_blank()
            return False
        if line == CONTINUATION:
            lines.skip_blank()
            lines.take()
            self._taken.append("")
            self._detached = len(self._taken)
            self._taken.append(CONTINUATION)
            self._take_attached()
            return True
        if find_list_mark(line) is not None:
            lines.skip_blank()
            self._taken.append("")
            return True
        if not self._has_text and not find_delimiter(line) and not match_block_attributes(line):
            lines.skip_blank()
            if self._has_list:
                self._taken.append("")
            return True
        if line[0].isspace():
            lines.skip_blank()
            self._taken.append("")
            self._take_indented()
            return True
        return False

    def _take_indented(self) -> None:
        """Take a paragraph that belongs to the item because it is indented."""
        while self._lines and (line := self._lines.peek()) and line != CONTINUATION and not self._is_sibling(line):
            self._taken.append(self._lines.take())
        self._has_text = True

    def _take_continuation(self) -> None:
        self._lines.take()
        self._taken.append(CONTINUATION if self._has_list else "")
        self._take_attached()

    def _take_attached(self) -> None:
        """Take the block after a continuation, with the lines above that describe it."""
        lines = self._lines
        lines.skip_blank()
        while lines:
            line = lines.peek()
            if delimiter := find_delimiter(line):
                self._taken.append(lines.take())
                self._taken += [*lines.take_block(delimiter), delimiter]
                break
            if not (
                BLOCK_TITLE.match(line) or match_block_attributes(line) or match_entry(line) or line.startswith("//")
            ):
                if line[0].isspace() and find_list_mark(line) is None:
                    self._take_indented()
                elif line != CONTINUATION and not self._is_sibling(line):
                    self._take_line()
                break
            self._taken.append(lines.take())
            lines.skip_blank()
        self._has_text = True

    def _ends_at_attributes(self) -> bool:
        """Whether block attributes end a description list. Those of a list inside it do not."""
        ahead = 0
        while (line := self._lines.peek(ahead)) and match_block_attributes(line) and ahead < _MAX_ATTRIBUTE_LINES:
            ahead += 1
        return find_list_mark(line) is None or self._is_sibling(line)
