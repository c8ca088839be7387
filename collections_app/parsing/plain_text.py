"""Plain text. Its only markup are underlined headings, as manuals have them; everything else is taken as it is, whatever it looks like.

A heading is one line with a blank line above and as many signs below as it has characters, or a few more or less:

    2.1. Global section
    -------------------

It may have a line of the same signs above it too, with the blank line above that, and be indented then. A single heading in a text may be
the head of a table.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from collections_app.parsing.decoding import decode_text
from collections_app.parsing.documents import NormalisedText, RawDocument
from collections_app.parsing.headings import Heading

FEWEST_HEADINGS = 2
MAX_HEADING_CHARACTERS = 100
# By so many characters a heading and the line below it may differ in length: people forget to change the line with the heading.
MAX_DIFFERENCE = 3
TITLE_LEVEL, FIRST_LEVEL, LAST_LEVEL = 1, 2, 6

_LINE = re.compile(r"([=\-~*^])\1{2,}")
_NUMBER = re.compile(r"^(\d+(?:\.\d+)*)[.)]?\s+")
_COLUMNS = re.compile(r"\S(?: {3,}|\t)\S")


def parse_plain_text(raw: RawDocument) -> NormalisedText:
    """The text with its underlined headings as Markdown has them; without any, its title is the file's name. Raises ParseError (encoding)
    and UnsupportedFormat (binary)."""
    content, warnings = decode_text(raw.content)
    lines = content.split("\n")
    underlined = set_levels(lines, list(iter_underlined(lines)))
    for heading in underlined:
        write_heading(lines, heading)
    return NormalisedText(format="text", content="\n".join(lines), headings=tuple(underlined), warnings=warnings)


def iter_underlined(lines: Sequence[str]) -> Iterator[Heading]:
    """The headings, in order; their levels are still to be set."""
    for number in range(1, len(lines)):
        below, text = lines[number].rstrip(), lines[number - 1]
        sign = _LINE.fullmatch(below.strip())
        if sign is None or not is_heading_text(text):
            continue
        above, before = (lines[number - back].rstrip() if number >= back else "" for back in (2, 3))
        if (not before and is_between(text, above, below)) or (not above and fits_below(text.rstrip(), below)):
            yield Heading(number - 1, FIRST_LEVEL, " ".join(text.split()))


def is_heading_text(text: str) -> bool:
    words = _NUMBER.sub("", text.strip(), count=1)
    return len(words) <= MAX_HEADING_CHARACTERS and any(map(str.isalnum, words)) and not _COLUMNS.search(words)


def is_between(text: str, above: str, below: str) -> bool:
    """Whether these are two lines as long as the text between them, or longer; shorter ones are around front matter."""
    return above == below and len(text.strip()) <= len(below.strip()) + MAX_DIFFERENCE


def fits_below(text: str, below: str) -> bool:
    """Whether the line below is that of a heading: both begin at the margin and end at nearly the same column, and it is not the end of a
    box of these signs. People count wide characters as one or as two.
    """
    lengths = len(text), len(text) + sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    is_near = any(abs(length - len(below)) <= MAX_DIFFERENCE for length in lengths)
    return is_near and not text[0].isspace() and not below[0].isspace() and text[0] != below[0]


def set_levels(lines: Sequence[str], headings: Sequence[Heading]) -> list[Heading]:
    """The headings with their levels; none if they are too few.

    A heading at the beginning of the text is its title, if no other is underlined like it. The level of a numbered heading is that of its
    number (`2.1` is below `2`). Others are below the last numbered one, if there is one before them, and among themselves on a level for
    each kind of line, in the order in which these occur.
    """
    if len(headings) < FEWEST_HEADINGS:
        return []
    levelled, numbered, styles = [], FIRST_LEVEL - 1, list[str]()
    title, *others = headings
    kinds = {get_style(lines, heading) for heading in others}
    if is_at_top(lines, title) and get_style(lines, title) not in kinds:
        levelled.append(title._replace(level=TITLE_LEVEL))
        headings = others
    for heading in headings:
        if number := _NUMBER.match(heading.text):
            level = numbered = FIRST_LEVEL + number[1].count(".")
        else:
            style = get_style(lines, heading)
            styles += [] if style in styles else [style]
            level = numbered + 1 + styles.index(style)
        levelled.append(heading._replace(level=min(level, LAST_LEVEL)))
    return levelled


def get_style(lines: Sequence[str], heading: Heading) -> str:
    """The signs of the lines above, if there is one, and below."""
    above = lines[heading.line - 1].strip()[:1] if heading.line else ""
    return above + lines[heading.line + 1].strip()[0]


def is_at_top(lines: Sequence[str], heading: Heading) -> bool:
    """Whether only blank lines, and the line that belongs to it, are above it."""
    return not any(map(str.strip, lines[: max(heading.line - 1, 0)]))


def write_heading(lines: list[str], heading: Heading) -> None:
    """Writes the heading as Markdown does, in as many lines."""
    if heading.line and lines[heading.line - 1].strip():
        lines[heading.line - 1] = ""
    lines[heading.line] = f"{'#' * heading.level} {heading.text}"
    lines[heading.line + 1] = ""
