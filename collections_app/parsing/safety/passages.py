"""Finds the lines of passages addressed to a model, and replaces them with a note. What such text looks like is up to instructions.py."""

from __future__ import annotations

import re
from dataclasses import dataclass

from collections_app.parsing.documents import Finding, FindingKind
from collections_app.parsing.safety.instructions import iter_instructions
from collections_app.parsing.safety.places import Places
from collections_app.parsing.safety.prose import make_excerpt

NOTE = "[removed by the collection's content policy: text addressed to a model]"

_MARKERS = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?:#{1,6}[ \t]+)?")
_CONTEXT_CHARACTERS = 40


@dataclass(frozen=True, slots=True)
class Passage:
    """Lines `first` to `last`, counted from 0; `line` is where the instruction begins, and `excerpt` shows its words."""

    first: int
    last: int
    line: int
    excerpt: str
    is_quoted: bool


def find_passages(places: Places) -> list[Passage]:
    """Passages in line order, none inside another. Passages in code or quotation marks count as quoted."""
    passages: list[Passage] = []
    quoted_until = 0
    for start, end in sorted(set(iter_instructions(places.content))):
        if end <= quoted_until:  # a part of a quoted passage, found by another rule
            continue
        line = places.get_line(start)
        if passages and line <= passages[-1].last and not passages[-1].is_quoted:
            continue
        if is_quoted := places.is_code(start, end) or places.is_quoted(start, end):
            quoted_until = end
        first, last = (line, line) if is_quoted else places.find_passage(line)
        excerpt = make_excerpt(places.content[max(places.get_start(first), start - _CONTEXT_CHARACTERS) : end + 200])
        passages.append(Passage(first, last, line, excerpt, is_quoted))
    return passages


def describe_passage(passage: Passage, *, removed: bool) -> Finding:
    return Finding(FindingKind.INSTRUCTIONS, passage.line, passage.excerpt, removed)


def replace_passages(places: Places, passages: list[Passage]) -> str:
    """The text with a note in place of each passage that is not quoted; a list, quote or heading marker before it is kept."""
    replaced = [passage for passage in passages if not passage.is_quoted]
    if not replaced:
        return places.content
    lines = list(places.lines)
    for passage in replaced:
        markers = _MARKERS.match(lines[passage.first])
        blank = [""] * (passage.last - passage.first)
        lines[passage.first : passage.last + 1] = [f"{markers[0] if markers else ''}{NOTE}", *blank]
    return "\n".join(lines)
