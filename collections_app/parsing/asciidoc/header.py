"""The beginning of a document: its title, the lines of its author and revision, and the attributes right below them."""

from __future__ import annotations

import re

from collections_app.parsing.asciidoc.attributes import Attributes, match_entry, read_entry_value
from collections_app.parsing.asciidoc.lines import Lines, find_section_title, is_underlined, match_block_attributes
from collections_app.parsing.asciidoc.styles import BlockFacts

_REVISION = re.compile(
    r"(?:v(?P<number>\d[^,:\s]*)|(?P<plain>\d[\w.-]*)(?=,))?,?[ \t]*(?P<date>[^:]*?)(?::[ \t]+(?P<remark>.+))?$"
)
_MAX_LINE_CHARACTERS = 500
_EMAIL = re.compile(r"<([^<>\s]+)>")


def take_header(lines: Lines, attributes: Attributes) -> tuple[str, BlockFacts]:
    """The title, with its markup, and what lines above say of it; empty where the document has none.

    Its lines are taken, attributes before it are known then.
    """
    facts, ahead = BlockFacts(), 0
    while (line := lines.peek(ahead)) or ahead < 200:
        if match_entry(line):
            _, count = read_entry_value(match_entry(line), [lines.peek(ahead + 1 + n) for n in range(50)])  # type: ignore[arg-type]
            ahead += count
        elif line.startswith("////"):
            ahead += 1
            while (inner := lines.peek(ahead)) != line and (inner or ahead < 1000):
                ahead += 1
        elif match_block_attributes(line):
            facts.take_line(line)
        elif line and not line.startswith("//"):
            break
        ahead += 1
    title, count = _find_title(lines.peek(ahead), lines.peek(ahead + 1))
    if not count:
        return "", facts
    _take_entries(lines, ahead, attributes)
    lines.take(count)
    if count > 1:
        attributes.set("compat-mode", "")
    _take_author(lines, attributes)
    _take_entries(lines, 10_000, attributes, stops_at_blank=True)
    return title, facts


def _find_title(line: str, next_line: str) -> tuple[str, int]:
    """The title and how many lines it takes."""
    title, level = find_section_title(line)
    if level:
        return (title, 1) if level == 1 else ("", 0)
    return (line, 2) if next_line.startswith("=") and is_underlined(line, next_line) else ("", 0)


def _take_entries(lines: Lines, count: int, attributes: Attributes, *, stops_at_blank: bool = False) -> None:
    """Attributes and comments."""
    taken = 0
    while taken < count and lines:
        line = lines.peek()
        if entry := match_entry(line):
            value, more = read_entry_value(entry, lines.get_following(50))
            attributes.take_entry(entry, value)
            lines.take(1 + more)
            taken += 1 + more
        elif stops_at_blank and not line.startswith("//"):
            return
        elif line.startswith("////"):
            lines.take()
            taken += 2 + len(lines.take_block(line))
        else:
            lines.take()
            taken += 1


def _take_author(lines: Lines, attributes: Attributes) -> None:
    """A line of names, and below it one of a version and a date."""
    while lines.peek().startswith("//") and not lines.peek().startswith("////"):
        lines.take()
    line = lines.peek()
    if not line or match_entry(line) or line.startswith(("include::", "//", "[", "==")):
        return
    names = _EMAIL.sub("", attributes.replace_references(lines.take())).replace("_", " ")
    attributes.set("author", " ".join(names.split()).replace(" ;", ";"))
    if email := _EMAIL.search(line):
        attributes.set("email", email[1])
    line = lines.peek()
    revision = _REVISION.match(line) if 0 < len(line) < _MAX_LINE_CHARACTERS and not match_entry(line) else None
    if revision and not line.startswith(("//", "include::", "[")):
        lines.take()
        for name, value in (
            ("revnumber", revision["number"] or revision["plain"]),
            ("revdate", revision["date"]),
            ("revremark", revision["remark"]),
        ):
            if value:
                attributes.set(name, value.strip())
