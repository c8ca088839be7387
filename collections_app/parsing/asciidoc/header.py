"""The start of a document: its title, its author and revision lines, and the attributes directly below them."""

from __future__ import annotations

import re

from collections_app.parsing.asciidoc.attributes import Attributes, match_entry, read_entry_value
from collections_app.parsing.asciidoc.facts import BlockFacts
from collections_app.parsing.asciidoc.lines import (
    Lines,
    find_section_title,
    is_underlined,
    match_block_attributes,
    match_block_macro,
)

# At most three names, as in Asciidoctor, and more only before an address.
_NAME = r"\w[\w.'\u2019-]*"
_AUTHOR = re.compile(
    rf"(?P<names>{_NAME}(?: +{_NAME}){{0,2}}|{_NAME}(?: +{_NAME}){{0,9}}(?= +<))(?: +<(?P<email>[^<>\s]+)>)?"
)
_SENTENCE_END = re.compile(r"(?<=\w\w)(?<!\bJr)(?<!\bSr)\.$")
_REVISION = re.compile(
    r"(?=[\w{])(?=.*[\d{])(?:v(?P<number>\d[^,:\s]*)|(?P<plain>\d[\w.-]*)(?=,))?,?[ \t]*"
    r"(?P<date>(?:[^:\s]+(?:[ \t]+|(?=:|$))){0,4})(?::[ \t]+(?P<remark>.+))?$"
)
_MAX_LINE_CHARACTERS = 500


def take_header(lines: Lines, attributes: Attributes) -> tuple[str, BlockFacts]:
    """Take the title, the attributes around it and the author lines. Returns the title with its markup, and what lines above say about it;
    the title is empty if the document has none, and then nothing is taken.
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
    """The title, and how many lines it takes."""
    title, level = find_section_title(line)
    if level:
        return (title, 1) if level == 1 else ("", 0)
    return (line, 2) if next_line.startswith("=") and is_underlined(line, next_line) else ("", 0)


def _take_entries(lines: Lines, count: int, attributes: Attributes, *, stops_at_blank: bool = False) -> None:
    """Take attribute entries and comments."""
    taken = 0
    while taken < count and lines:
        line = lines.peek()
        if entry := match_entry(line):
            value, more = read_entry_value(entry, lines.get_following())
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
    """Take a line of names, and below it one with a version and a date. Asciidoctor takes any two lines; here sentences stay text."""
    while lines.peek().startswith("//") and not lines.peek().startswith("////"):
        lines.take()
    line, following = lines.peek(), lines.peek(1)
    # A counter must be read only once.
    authors = _find_authors(line if ":" in line else attributes.replace_references(line))
    revision = _REVISION.match(following) if len(following) < _MAX_LINE_CHARACTERS else None
    is_text = revision is None and following[:1].isalnum() and not match_block_macro(following)
    if not authors or is_text:
        return
    lines.take(2 if revision else 1)
    found = {"author": "; ".join(" ".join(each["names"].replace("_", " ").split()) for each in authors)}
    found["email"] = next((each["email"] for each in authors if each["email"]), "")
    if revision:
        found["revnumber"] = revision["number"] or revision["plain"]
        found |= {"revdate": revision["date"], "revremark": revision["remark"]}
    for name, value in found.items():
        if value:
            attributes.set(name, value.strip())


def _find_authors(line: str) -> list[re.Match[str]]:
    """The authors that a line names; none if it looks like a sentence."""
    if len(line) >= _MAX_LINE_CHARACTERS or _SENTENCE_END.search(line):
        return []
    named = [_AUTHOR.fullmatch(part.strip()) for part in line.rstrip("; ").split(";")]
    authors = [author for author in named if author]
    return authors if len(authors) == len(named) else []
