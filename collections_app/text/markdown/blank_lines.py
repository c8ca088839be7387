"""Blank lines that say nothing: they keep the lines of a stored text where its file has them, below HTML that became shorter. PURE."""

from __future__ import annotations

import re

from collections_app.text.markdown.code_blocks import iter_fenced_code

# More than three of them, and what may be code by its indentation behind them.
_RUN = re.compile(r"\n(?:[ \t]*+\n){4,}+(?P<indent> {4}|\t)?")
_RAW = re.compile(r"<(?:pre|textarea|script|style)(?=[\s>])", re.IGNORECASE)


def drop_filler_lines(text: str) -> str:
    """The text with one blank line in place of more than three, outside of code."""
    if not _RUN.search(text) or _RAW.search(text):
        return text
    if "```" not in text and "~~~" not in text:
        return _RUN.sub(_write_run, text)
    lines = text.split("\n")
    pieces, position = list[str](), 0
    for block in iter_fenced_code(lines):
        pieces += [_drop("\n".join([*lines[position : block.start], ""])), "\n".join(lines[block.start : block.end])]
        pieces += ["\n"] if block.end < len(lines) else []
        position = block.end
    return "".join([*pieces, _drop("\n".join(lines[position:]))])


def _drop(text: str) -> str:
    """The text between two pieces of code; the line end before it belongs to it."""
    return _RUN.sub(_write_run, f"\n{text}")[1:]


def _write_run(run: re.Match[str]) -> str:
    return run[0] if run["indent"] else "\n\n"
