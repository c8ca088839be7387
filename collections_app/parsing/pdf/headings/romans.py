"""Finds headings that their type does not mark, but whose Roman numerals count on (`IV. Results`): journals set them in small capitals."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from collections_app.parsing.office.numbers import write_number
from collections_app.parsing.pdf.headings.sizes import LargeText, get_size
from collections_app.parsing.pdf.pages import Line, Pages

_MAX_CHARACTERS = 100
_NUMBERED = re.compile(r"([IVXL]{1,6})\. +[A-Z–-].*[^\W\d_]{2}[^.:;,!?…]*$")

_Numbered = tuple[str, LargeText]
"""A number as written, and its line."""


def find_roman_headings(pages: Pages) -> list[LargeText]:
    """Separate lines that begin with Roman numerals counting on from I.

    Of several lines with the same number it is the last before the next number: above the first heading there may be an author's initial.
    """
    rest = list(_iter_numbered(pages))
    found: list[LargeText] = []
    while positions := _find_positions(rest, len(found) + 1):
        following = _find_positions(rest[positions[0] :], len(found) + 2)
        end = positions[0] + following[0] if following else positions[0] + 1
        chosen = max(position for position in positions if position < end)
        found.append(rest[chosen][1])
        rest = rest[chosen + 1 :]
    return found


def _find_positions(numbered: Sequence[_Numbered], number: int) -> list[int]:
    written = write_number(number, "I")
    return [position for position, (each, _) in enumerate(numbered) if each == written]


def _iter_numbered(pages: Pages) -> Iterator[_Numbered]:
    """Numbered lines that do not directly follow one another: those are a table of contents or another list."""
    for page, lines in enumerate(pages):
        matches = [_match(line) for line in lines]
        for index, (line, match) in enumerate(zip(lines, matches, strict=True)):
            if match and not any(matches[max(index - 1, 0) : index] + matches[index + 1 : index + 2]):
                yield match[1], LargeText(page, index, 1, line.text, (-get_size(line), 0))


def _match(line: Line) -> re.Match[str] | None:
    return None if len(line.text) > _MAX_CHARACTERS or line.mark.cell else _NUMBERED.match(line.text)
