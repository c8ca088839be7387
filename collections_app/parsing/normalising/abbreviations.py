"""Writes HTML's abbreviations in Markdown, also in tables and other blocks of HTML, as their words, with what they stand for at their first
place. In headings, whose words make ids, they stay as they are written. PURE.
"""

from __future__ import annotations

import re
from html import unescape

from collections_app.parsing.markdown.abbreviations import Abbreviations
from collections_app.parsing.safety.places import Places

_ABBREVIATION = re.compile(
    r"<(?<!\\<)(?P<tag>abbr|acronym)(?:[ \t\n]+(?:class|lang)=(?:\"[^\"<>]*+\"|'[^'<>]*+'))*+"
    r"[ \t\n]+title=(?:\"(?P<double>[^\"<>]*+)\"|'(?P<single>[^'<>]*+)')[ \t]*+>(?P<words>[^<>`]{1,100})</(?P=tag)>(?P<ending>[^\W_]*+)",
    re.IGNORECASE,
)
_HEADING = re.compile(r"[ \t>]*+#{1,6}[ \t]|(?s:.*)<h[1-6][\s>](?!(?s:.*)</h)", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*(?:>|\Z)")
_CHARACTERS_AROUND = 200


def write_abbreviations(content: str) -> str:
    """The text of a document; no line moves."""
    if not _ABBREVIATION.search(content):
        return content
    places, abbreviations = Places(content, has_markup=True), Abbreviations()

    def write(found: re.Match[str]) -> str:
        before, behind = places.get_text_before(found.start()), content[found.end() : found.end() + _CHARACTERS_AROUND]
        if _HEADING.match(before):
            return found[0]
        around = _TAG.sub("", f"{before} {behind}")
        told = abbreviations.tell(found["words"], unescape(found["double"] or found["single"] or ""), around)
        written = f"{found['words']}{found['ending']}{told}"
        return written + "\n" * (found[0].count("\n") - written.count("\n"))

    return places.replace_outside_code(_ABBREVIATION, write)
