"""Julia's Documenter in Markdown: heading ids and references (`# [Title](@id name)`, `[words](@ref)`), and blocks that a build runs or
fills (fences with `@example`, `@docs` and others). PURE.

https://documenter.juliadocs.org/stable/man/syntax/
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from collections_app.parsing.headings import iter_fences, iter_headings
from collections_app.parsing.html.escaping import make_code_span
from collections_app.parsing.safety.places import replace_outside_code
from collections_app.text.markdown.code_blocks import ends_code
from collections_app.text.markdown.heading_lines import is_heading_line
from collections_app.text.pages.absent_text import DOCSTRINGS, begin_note

_HEADING = re.compile(r"(?P<signs> {0,3}#{1,6}[ \t]++)\[(?P<title>.+)\]\(@id[ \t]++(?P<id>[^\s()]++)\)[ \t]*$")
# The words and the target may go on in the next line.
_REFERENCE = re.compile(
    r"\[(?P<words>(?:``(?!`)(?:[^`]++|`(?!`))++``(?!`)|`(?!`)[^`]++`|[^\[\]`])++)\]"
    r"\(@(?:ext)?ref(?P<target>\s[^()]*+(?:\([^()]*+\)[^()]*+)*+)?\)"
)
_BLANK_LINE = re.compile(r"\n[ \t]*+\n")
_MAX_LINE_CHARACTERS = 1000

_BLOCK = re.compile(
    r" {0,3}(?P<fence>`{3,}+|~{3,}+)"
    r"@(?P<kind>docs|autodocs|example|repl|setup|meta|index|contents|eval|raw)(?![^\s;])(?P<rest>[^`]*+)$"
)
_CODE = frozenset({"example", "repl"})
_IS_HIDDEN = re.compile(r"#[ \t]*+hide[ \t]*+$")


def write_documenter_signs(content: str) -> str:
    """The text with its heading ids as attributes, with references replaced by their words, because only a build knows where they lead, and
    with blocks as code, as HTML or as notes, or without them. No line behind a block moves.
    """
    if "```@" in content or "~~~@" in content:
        content = "\n".join(_write_blocks(content.split("\n")))
    if "(@id" not in content and "(@ref" not in content and "(@extref" not in content:
        return content
    lines = content.split("\n")
    for heading in list(iter_headings(lines)):
        line = lines[heading.line]
        if len(line) <= _MAX_LINE_CHARACTERS and (found := _HEADING.match(line)):
            lines[heading.line] = f"{found['signs']}{found['title']} {{#{found['id']}}}"
    return replace_outside_code(_REFERENCE, _write_words, "\n".join(lines))


def split_title_of_filled_page(content: str) -> tuple[str, str]:
    """The text without the heading that names the page, and the title in it, if only a build fills the page with text: if there are nothing
    but headings and blocks that become no text. Else the text, and no title.
    """
    if "```@" not in content and "~~~@" not in content:
        return content, ""
    lines = _write_blocks(content.split("\n"))
    if any(line.strip() and not is_heading_line(line) for line in lines):
        return content, ""
    heading = next(filter(is_heading_line, lines), "")
    named = _HEADING.match(heading[:_MAX_LINE_CHARACTERS])
    return "", named["title"] if named else heading.strip("# \t")


def _write_words(reference: re.Match[str]) -> str:
    """The words, with the line break of the target between them."""
    words, target = reference["words"], reference["target"] or ""
    if _BLANK_LINE.search(words) or target.count("\n") > 1:
        return reference[0]
    if "\n" not in target:
        return words
    before, _, last = words.rpartition(" ")
    return f"{before}\n{last}" if before.strip() else f"{words}\n"


def _write_blocks(lines: list[str]) -> list[str]:
    for start, end in list(iter_fences(lines)):
        if block := _BLOCK.match(lines[start]):
            lines[start:end] = _write_block(block, lines[start:end])
    return lines


def _write_block(block: re.Match[str], lines: Sequence[str]) -> list[str]:
    """As many lines as the block has."""
    inside = lines[1:-1] if ends_code(lines[-1], block["fence"]) else lines[1:]
    written: Sequence[str] = ()
    if block["kind"] in _CODE:
        written = _write_code(block["fence"], inside)
    elif block["kind"] == "docs":
        written = _write_note(inside)
    elif block["kind"] == "raw" and block["rest"].split()[:1] == ["html"]:
        written = ["", *filter(str.strip, inside)]
    return [*written, *("" for _ in lines[len(written) :])]


def _write_code(fence: str, lines: Sequence[str]) -> Sequence[str]:
    """Julia's code, without the lines that readers do not see."""
    shown = [line for line in lines if not _IS_HIDDEN.search(line)]
    return [f"{fence}julia", *shown, fence] if any(map(str.strip, shown)) else ()


def _write_note(names: Sequence[str]) -> Sequence[str]:
    """What is missing, whose names stand one on a line."""
    named = ", ".join(make_code_span(name.strip()) for name in names if name.strip() and not name.startswith("#"))
    return [f"*{begin_note(DOCSTRINGS)}* {named}"] if named else ()
