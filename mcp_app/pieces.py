"""Cuts Markdown into pieces, between its paragraphs if possible. Each is valid Markdown: code fences are closed and reopened, and a table's
head is repeated. PURE.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from collections_app.text.markdown.code_blocks import find_opening
from collections_app.text.tokens import estimate_tokens
from mcp_app.rendering import Cost, find_longest, fits

# A seam may take up at most this fraction of a piece's budget: 1/4.
SEAM_SHARE = 4
MAX_FENCE_CHARACTERS = 20
# At most this many headings without text are moved from the end of a piece to the next piece.
MAX_LONE_HEADINGS = 6
HEADING = re.compile(r" {0,3}#{1,6}(?=[ \t\n]|\Z)")

_DELIMITER_ROW = re.compile(r"[ \t]*+(?:\|[ \t]*+)?:?-[-|: \t]*+")


def cut_text(text: str, max_tokens: int, cost: Cost = estimate_tokens) -> str:
    """The beginning of a text that fits the budget. It ends after a paragraph, or after a line or word if one paragraph is too long."""
    if fits(text, max_tokens, cost):
        return text
    longest = find_longest(text, max_tokens, cost)
    for edge in ("\n\n", "\n", " "):
        end = text.rfind(edge, 1, longest)
        if end > longest // 4 and not is_heading_only(text[:end]):
            return text[: find_body_end(text, end + len(edge), longest // 4)]
    return text[:longest]


def find_body_end(text: str, end: int, least: int) -> int:
    """Moves the end of a piece up, so that it does not end in headings without text below them, but not to `least` or less."""
    for _ in range(MAX_LONE_HEADINGS):
        last = end
        while last and text[last - 1].isspace():
            last -= 1
        start = text.rfind("\n", 0, last) + 1
        if start <= least or not HEADING.match(text, start, last):
            break
        end = start
    return end


def is_heading_only(text: str) -> bool:
    """Whether a section has no text of its own."""
    stripped = text.strip()
    return "\n" not in stripped and HEADING.match(stripped) is not None


@dataclass(frozen=True, slots=True)
class Seam:
    """What is added where a cut goes through code or a table: `closing` ends the piece before, `opening` begins the next."""

    closing: str = ""
    opening: str = ""


def cut_markdown(text: str, max_tokens: int, cost: Cost = estimate_tokens, before: str = "") -> tuple[str, str]:
    """The piece that fits, as cut_text() makes it, and what closes the code in it; both fit the budget together. `before` is the part of
    the section in front of the text."""
    piece = cut_text(text, max_tokens, cost)
    closing = find_seam(before + piece, text[len(piece) :], max_tokens).closing
    if cost(piece + closing) <= max_tokens:
        return piece, closing
    piece = cut_text(text, max_tokens - cost(closing) - 1, cost)
    closing = find_seam(before + piece, text[len(piece) :], max_tokens).closing
    return piece, closing if cost(piece + closing) <= max_tokens else ""


def find_seam(before: str, after: str, max_tokens: int) -> Seam:
    """The seam between two adjacent pieces; an empty one if it would take up too much of a piece."""
    seam = Seam()
    if after and (opening := find_opening(before)):
        fence = opening["fence"]
        indent = re.sub(r"[^\s>]", " ", opening.string[: opening.start("fence")])
        language = (opening["info"].split() or [""])[0]
        if len(fence) <= MAX_FENCE_CHARACTERS:
            seam = Seam(f"\n{indent}{fence}", f"{indent}{fence}{language}\n")
    elif after.lstrip(" \t").startswith("|"):
        seam = Seam(opening=find_table_head(before))
    return seam if estimate_tokens(seam.closing + seam.opening) <= max_tokens // SEAM_SHARE else Seam()


def find_table_head(before: str) -> str:
    """The first two rows of the table that a text ends in, if it ends after a whole row; else empty."""
    lines = before.split("\n")
    if lines.pop():
        return ""
    first = len(lines)
    while first and lines[first - 1].lstrip().startswith("|"):
        first -= 1
    head = lines[first : first + 2]
    is_table = len(lines) - first > 1 and _DELIMITER_ROW.fullmatch(head[1].rstrip("\r"))
    return "".join(f"{row}\n" for row in head) if is_table else ""
