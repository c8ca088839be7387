"""Removes what only decorates the words of a heading and would be part of its title: icons and logos (`# ![Boat icon](boat.svg) Boats`),
links without words (`## [](https://boats.example/#sails)Sails`). A heading that has nothing but a picture of HTML gets its words. PURE.
"""

from __future__ import annotations

import re

from collections_app.parsing.headings import iter_headings
from collections_app.parsing.headings.text import clean_heading
from collections_app.parsing.safety.places import replace_outside_spans

_SIGNS = ("con](", "ogo](", "[](", "<img")
_DECORATION = re.compile(
    r"!\[(?:[^\[\]]*[ -])?(?:icon|logo)\]\([^()]*\)[ \t]*+|(?<!!)\[\]\([^()\s]+\)[ \t]*+"
    r"|<img(?=\s)(?:(?![^<>]*\salt=)|(?=[^<>]*\salt=[\"'](?:[^\"']*[ -])?(?:icon|logo)?[\"']))[^<>]*+>(?:[ \t]|&nbsp;)*+",
    re.IGNORECASE,
)
_PICTURE = re.compile(r"<img(?=\s)[^<>]*?\salt=(?:\"([^\"<>]+)\"|'([^'<>]+)')[^<>]*+>", re.IGNORECASE)
_MAX_LINE_CHARACTERS = 1_000


def drop_heading_decorations(content: str) -> str:
    """The text without what decorates headings that have words besides, and the words of a picture that is all of one. No line moves."""
    if not _may_have_any(content):
        return content
    lines = content.split("\n")
    concerned = {
        number
        for number, line in enumerate(lines)
        if len(line) <= _MAX_LINE_CHARACTERS and "#" in line[:4] and _may_have_any(line)
    }
    for heading in list(iter_headings(lines)) if concerned else ():
        if heading.line in concerned:
            line = lines[heading.line]
            plain = replace_outside_spans(_DECORATION, lambda _: "", line)
            if not clean_heading(plain.strip(" \t#")):
                plain = replace_outside_spans(_PICTURE, lambda found: found[1] or found[2], line)
            lines[heading.line] = plain if clean_heading(plain.strip(" \t#")) else line
    return "\n".join(lines)


def _may_have_any(text: str) -> bool:
    return any(sign in text for sign in _SIGNS)
