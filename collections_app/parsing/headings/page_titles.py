"""Finds the title of a Markdown page: its level-1 heading, unless that is one of several equal ones; else what is underlined or in HTML at
its top, the only underlined line, or a heading that all others are below. PURE.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import unescape
from itertools import pairwise

from collections_app.parsing.headings import Heading, LineKind, iter_headings, iter_html_blocks, iter_line_kinds
from collections_app.parsing.headings.text import clean_heading

_H1 = re.compile(r"<h1(?=[\s>])[^<>]*>(.*?)</h1\s*>", re.IGNORECASE | re.DOTALL)
_TEMPLATE = re.compile(r"[{}]")  # only a build knows what it says
_TAG = re.compile(r"<[^<>]*>")
_LINE = re.compile(r" {0,3}=+[ \t]*$")
_LONG_LINE = re.compile(r"={3,}[ \t]*$")
# Not a list, a quote, a table row or code.
_WORDS = re.compile(r" {0,3}(?!\d{1,9}[.)]\s)[^\s=#>|`~<*+:-][^|]*$")
_SHOWN = re.compile(r"<(pre|script|style|textarea)(?=[\s>]).*?</\1\s*>|<!--.*?-->", re.IGNORECASE | re.DOTALL)

# Pictures, badges and links, addresses of links, notes, lines of boxes, other headings: they stand above titles too.
_NO_TEXT = re.compile(
    r"!?\[(?:!\[[^\[\]]*\](?:\([^()]*\)|\[[^\[\]]*\])?|[^\[\]!]*)\](?:\([^()]*\)|\[[^\[\]]*\]|:[^\n]*)?"
    r"|^[ ]{0,3}(?:[>#<]|:::|!!!|\?\?\?).*|^(?: {4}|\t).*",
    re.MULTILINE,
)
_VERSION = re.compile(
    r"(?:(?:version|release|v)\b[ .:(]*)?v?\d+(?:[.-]\w+)+(?!\w)|[\[(]?(?:unreleased|development version)\b",
    re.IGNORECASE,
)
_PART = re.compile(
    r"(?:about|checklist|description|getting started|install(?:ation|ing)?|intro(?:duction)?|overview|prerequisites|requirements|setup|"
    r"summary|usage)\W*",
    re.IGNORECASE,
)
_SEVERAL = 2


def find_main_heading(lines: Sequence[str], headings: Sequence[Heading]) -> str:
    """The first level-1 heading; empty if there is none, or if it is only the first of several sections: text stands before it, it has
    a name that parts of any page have, or it is a version like others, perhaps behind a name that they share (`boats 1.2.0`).
    """
    titles = [heading for heading in headings if heading.level == 1 and clean_heading(heading.text)]
    if len(titles) < _SEVERAL:
        return clean_heading(titles[0].text) if titles else ""
    words = [clean_heading(title.text) for title in titles]
    is_part = (
        _PART.fullmatch(words[0])
        or _are_versions(words)
        or re.search(r"\w", _NO_TEXT.sub("", "\n".join(lines[: titles[0].line])))
    )
    return "" if is_part else words[0]


def _are_versions(titles: Sequence[str]) -> bool:
    """Whether the first of these is a version, and others are too."""
    name, space, _ = titles[0].partition(" ")
    named = [title.removeprefix(f"{name} ") for title in titles if title.startswith(f"{name} ")] if space else []
    return any(each and _VERSION.match(each[0]) and _count_versions(each) >= _SEVERAL for each in (titles, named))


def _count_versions(titles: Sequence[str]) -> int:
    return sum(_VERSION.match(title) is not None for title in titles)


def find_page_title(content: str) -> str:
    """The title of the text, without markup; empty if there is none. Pictures may stand before it; before a page's only underlined line
    also text, such as a note or badges.
    """
    lines = content.split("\n")
    number = _skip_blank(lines, 0)
    if "<h1" in content or "<H1" in content:
        for block in iter_html_blocks(list(lines)):
            if block.start != number:
                break
            if found := _H1.search(_SHOWN.sub("", "\n".join(lines[block.start : block.end]))):
                words = unescape(_TAG.sub("", found[1])).split()
                return "" if _TEMPLATE.search(found[1]) else " ".join(words)
            number = _skip_blank(lines, block.end)
    title = _find_underlined(lines, number)
    if title and _VERSION.search(title) and _are_versions([title, *_iter_underlined(lines[number + 2 :])]):
        return ""
    return title or _find_only_underlined(lines)


def find_lone_heading(lines: Sequence[str], headings: Sequence[Heading]) -> str:
    """The heading that the text begins with, whatever its level, if all others are below it; else empty."""
    if not headings or headings[0].line != _skip_blank(lines, 0):
        return ""
    return clean_heading(headings[0].text) if all(heading.level > headings[0].level for heading in headings[1:]) else ""


def _skip_blank(lines: Sequence[str], number: int) -> int:
    return next((each for each in range(number, len(lines)) if lines[each].strip()), len(lines))


def _find_underlined(lines: Sequence[str], number: int) -> str:
    """An underlined title, perhaps with a line above it too, as in reStructuredText."""
    if number < len(lines) and _LINE.match(lines[number]):
        number += 1
    if number + 1 < len(lines) and _WORDS.match(lines[number]) and _LINE.match(lines[number + 1]):
        return clean_heading(lines[number].strip())
    return ""


def _iter_underlined(lines: Sequence[str]) -> Iterator[str]:
    """What else looks like an underlined heading."""
    for words, line in pairwise(lines):
        if _LONG_LINE.match(line) and _WORDS.match(words):
            yield clean_heading(words.strip())


def _find_only_underlined(lines: Sequence[str]) -> str:
    """The one line of the page that is a paragraph by itself and underlined, if no heading comes before it."""
    numbers = [number for number in range(2, len(lines)) if _LONG_LINE.match(lines[number])]
    if not numbers:
        return ""
    kinds = list(iter_line_kinds(lines))
    titles = [
        number - 1
        for number in numbers
        if kinds[number] is LineKind.MARKDOWN and _WORDS.match(lines[number - 1]) and not lines[number - 2].strip()
    ]
    if len(titles) != 1 or next(iter_headings(lines[: titles[0]]), None):
        return ""
    return clean_heading(lines[titles[0]].strip())
