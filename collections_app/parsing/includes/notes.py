"""Finds the part of a page that a wikilink names: what is below a heading, or a block by its id. Also prepares a page's text to be embedded
in another.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from collections_app.naming.slugs import make_slug
from collections_app.parsing.headings import LineKind, iter_headings, iter_line_kinds
from collections_app.parsing.headings.ids import find_heading_id
from collections_app.parsing.headings.text import clean_heading
from collections_app.parsing.markdown.fences import enclose
from collections_app.parsing.wikilinks import drop_marks
from collections_app.parsing.wikilinks.marks import find_block_id

_ITEM = re.compile(r"[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]")
_MAY_HAVE_HEADING = re.compile(r"^ {0,3}#", re.MULTILINE)
_HEADING = re.compile(r"[ \t>]*#{1,6}[ \t]")


def find_heading_part(lines: Sequence[str], name: str) -> Sequence[str] | None:
    """The heading, and everything up to the next heading of its level or a higher one; None if there is no such heading."""
    slug, first, level = make_slug(name), -1, 0
    for heading in iter_headings(lines):
        if first >= 0 and heading.level <= level:
            return lines[first : heading.line]
        if first < 0 and (
            make_slug(clean_heading(drop_marks(heading.text))) == slug or find_heading_id(lines, heading.line) == name
        ):
            first, level = heading.line, heading.level
    return lines[first:] if first >= 0 else None


def find_block(lines: Sequence[str], name: str) -> Sequence[str] | None:
    """The paragraph, item, quote, table or code with this id at its end or on a line below it, without the id; None if there is none."""
    wanted = f"^{name}".casefold()
    for number, line in enumerate(lines):
        if not line.rstrip().casefold().endswith(wanted):
            continue
        end, found = find_block_id(line)
        if found.casefold() != name.casefold():
            continue
        text = line[:end]
        if not text.strip(" \t>"):
            return _find_block_before(lines, number)
        first = _find_first(lines, number)
        behind = _find_end(lines, first, number + 1) if _ITEM.match(lines[first]) else number + 1
        return [*lines[first:number], text, *lines[number + 1 : behind]]
    return None


def _find_block_before(lines: Sequence[str], number: int) -> Sequence[str] | None:
    """The whole block before the id: all items of a list."""
    end = number
    while end > 0 and not lines[end - 1].strip(" \t>"):
        end -= 1
    if end == 0:
        return None
    kinds = list(iter_line_kinds(lines[:end]))
    first = end - 1
    while first > 0 and (
        kinds[first - 1] is kinds[end - 1]
        if kinds[end - 1] is LineKind.CODE
        else lines[first - 1].strip() and not _HEADING.match(lines[first - 1])
    ):
        first -= 1
    return lines[first:end]


def _find_first(lines: Sequence[str], number: int) -> int:
    """The first line of the paragraph or item that ends in this line."""
    while number > 0 and not _ITEM.match(lines[number]) and not _HEADING.match(lines[number]):
        if not lines[number - 1].strip(" \t>") or _HEADING.match(lines[number - 1]):
            break
        number -= 1
    return number


def _find_end(lines: Sequence[str], first: int, end: int) -> int:
    """The line after the items nested in the one that begins at `first`."""
    indent = _count_indent(lines[first])
    while end < len(lines) and lines[end].strip() and _count_indent(lines[end]) > indent:
        end += 1
    return end


def _count_indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t>"))


def write_note(text: str, level: int) -> str:
    """A page's text, to be placed below a heading of that level: with its headings moved down, and without the marks of its program."""
    text = drop_marks(text)
    headings = iter_headings(text.split("\n")) if _MAY_HAVE_HEADING.search(text) else ()
    highest = min((heading.level for heading in headings), default=level + 1)
    return enclose(text, below_level=max(0, level + 1 - highest))
