"""Encloses a text that becomes part of a larger one: as code in a fence, or as Markdown that does not affect what follows."""

from __future__ import annotations

from collections_app.parsing.headings import Heading, iter_headings, leaves_block_open
from collections_app.parsing.headings.text import clean_heading
from collections_app.parsing.html.escaping import make_fence
from collections_app.text.markdown.code_blocks import FENCE


def fence_code(text: str, language: str = "") -> str:
    """The text in a fence of its own; only blank lines at its end are removed."""
    fence = make_fence(text)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def fence_with_tildes(line: str) -> str:
    """The line of Markdown; a fence of backticks in it becomes one of tildes, which closes no box of backticks around it."""
    fence = FENCE.match(line) if "```" in line else None
    return f"{line[: fence.start('fence')]}{fence['fence'].replace('`', '~')}{fence['info']}" if fence else line


def enclose(markdown: str, *, below_level: int = 0, makes_sections: bool = True) -> str:
    """Markdown with its headings moved down by `below_level` levels, or in bold if they are to make no sections. It becomes code if it
    would otherwise take what follows for a part of itself.
    """
    lines = markdown.split("\n")
    if leaves_block_open(lines):
        return fence_code(markdown)
    for heading in iter_headings(tuple(lines)) if below_level or not makes_sections else ():
        lines[heading.line] = _write_deeper(heading, below_level) if makes_sections else _write_in_bold(heading)
    return "\n".join(lines)


def _write_deeper(heading: Heading, levels: int) -> str:
    return f"{'#' * min(6, heading.level + levels)} {heading.text}".rstrip()


def _write_in_bold(heading: Heading) -> str:
    """The heading in bold; emphasis inside is dropped, since it would end the bold type."""
    words = clean_heading(heading.text) if "*" in heading.text else heading.text
    return f"**{words}**" if words else ""
