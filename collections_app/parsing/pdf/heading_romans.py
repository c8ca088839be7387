"""Finds headings that are none by their type, but count on in Roman numbers (`IV. Results`), as journals set them in small capitals."""

from __future__ import annotations

import re

from collections_app.parsing.office.numbers import write_number
from collections_app.parsing.pdf.heading_sizes import LargeText, get_size
from collections_app.parsing.pdf.pages import Pages

_MAX_CHARACTERS = 100
_NUMBERED = re.compile(r"([IVXL]{1,6})\. +[A-Z–-].*[^\W\d_]{2}[^.:;,!?…]*$")


def find_roman_headings(pages: Pages) -> list[LargeText]:
    """Lines of their own that begin with the numbers from I on, each the next after the one before."""
    found: list[LargeText] = []
    for page, lines in enumerate(pages):
        for index, line in enumerate(lines):
            match = None if len(line.text) > _MAX_CHARACTERS or line.mark.cell else _NUMBERED.match(line.text)
            if match and match[1] == write_number(len(found) + 1, "I"):
                found.append(LargeText(page, index, 1, line.text, (-get_size(line), 0)))
    return found
