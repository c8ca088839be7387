"""Finds headings by the tags of a tagged PDF: programs that write tags know the styles of what they export."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from collections_app.parsing.pdf.headings.sizes import LargeText, get_size
from collections_app.parsing.pdf.pages import Line, Pages, join_texts

_MAX_CHARACTERS = 200
_MAX_SHARE = 0.3  # of the document's characters: with more, text has been given heading styles
_WORD = re.compile(r"\w")


def iter_tagged_headings(pages: Pages) -> Iterator[tuple[LargeText, int]]:
    """The headings with their levels, the highest being 1; none if too much of the text is tagged as headings."""
    texts = list(_iter_texts(pages))
    characters = sum(len(line.text) for lines in pages for line in lines)
    if sum(len(text.text) for text, _ in texts) > _MAX_SHARE * characters:
        return
    highest = min((level for _, level in texts), default=1)
    for text, level in texts:
        yield text, level - highest + 1


def _iter_texts(pages: Pages) -> Iterator[tuple[LargeText, int]]:
    for page, lines in enumerate(pages):
        index = 0
        for (level, _), part in groupby(lines, key=_get_key):
            heading = list(part)
            text = join_texts(heading)
            if level and not _is_item(heading[0]) and len(text) <= _MAX_CHARACTERS and _WORD.search(text):
                yield LargeText(page, index, len(heading), text, (-get_size(heading[0]), 0)), level
            index += len(heading)


def _get_key(line: Line) -> tuple[int, int]:
    """The level, 0 for what is no heading, and the heading's number on the page."""
    return (line.mark.heading, line.mark.block) if line.mark.heading else (0, 0)


def _is_item(line: Line) -> bool:
    """Whether it is a list item in a heading style. A heading with a number is not."""
    return line.words[0].is_sign and not any(map(str.isalnum, line.words[0].text))
