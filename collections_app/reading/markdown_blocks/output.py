"""What is written: blocks with a blank line behind each, and the paragraph or table that is open at the end. PURE."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from collections_app.reading.markdown_blocks.signs import HARD_BREAK, MARKER, TABLE_RULE, UNDERLINE, count_spaces

# Python-Markdown's inline patterns take quadratic time on hostile paragraphs.
MAX_PARAGRAPH_CHARACTERS = 6_000
MAX_PARAGRAPH_BRACKETS = 150


@dataclass(slots=True)
class Output:
    """`paragraph` and `brackets` count the characters of the open paragraph, 0 if none is open."""

    lines: list[str] = field(default_factory=list)
    block_start: int = 0
    paragraph: int = 0
    brackets: int = 0
    is_table: bool = False

    def add_text(self, prefix: str, text: str, following: str, hold: Callable[[str], str]) -> None:
        """Adds a line of a paragraph or table; `following` is the line behind it. `hold` makes what stands for a text that is too long."""
        begins_table = "|" in text and TABLE_RULE.match(following) is not None
        characters, brackets = len(text), text.count("[")
        grows_too_long = is_too_long(self.paragraph + characters, self.brackets + brackets)
        if self.paragraph and (begins_table or (grows_too_long and not self.is_table)):
            self.end_block()
        self.is_table = self.is_table or begins_table
        if is_too_long(characters, brackets):
            self.put_block(prefix, hold(text))
            return
        ends_heading = self.paragraph and not self.is_table and UNDERLINE.match(text)
        self.lines.append(prefix + (HARD_BREAK.sub("  ", text) if following and not self.is_table else text))
        self.paragraph += characters
        self.brackets += brackets
        if ends_heading:
            self.end_block()

    def put_block(self, prefix: str, text: str) -> None:
        """With a list's marker in the prefix, the text begins the item; otherwise it is a block of its own."""
        if not prefix.strip():
            self.end_block()
        self.lines.append(prefix + text)
        self.end_block()

    def end_block(self) -> None:
        if self.lines and self.lines[-1]:
            self.lines.append("")
            self.block_start = len(self.lines)
        self.end_paragraph()
        self.is_table = False

    def end_paragraph(self) -> None:
        """Ends the paragraph where the next item of its list begins, without a blank line."""
        self.paragraph, self.brackets = 0, 0

    def is_in_list(self, prefix: str) -> bool:
        """Whether the lines since the last blank one began with an item of the list that is open."""
        first = self.lines[self.block_start] if self.block_start < len(self.lines) else ""
        return bool(MARKER.match(first.lstrip(" "))) and count_spaces(first) <= len(prefix)

    def ends_with_item(self) -> bool:
        """Whether the last line begins an item."""
        return MARKER.match(self.lines[-1].lstrip(" ")) is not None


def is_too_long(characters: int, brackets: int) -> bool:
    """Whether inline patterns take too long for a text: from each bracket they look for the closing one."""
    return characters > MAX_PARAGRAPH_CHARACTERS or brackets > MAX_PARAGRAPH_BRACKETS
