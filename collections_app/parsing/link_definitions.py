"""Tells a paragraph from link reference definitions while its lines arrive. It keeps no definition.

It matters to block structure because a definition is no paragraph: what may not interrupt a paragraph (an empty or
late-numbered list item, a whole HTML tag, indented code) may follow a definition, and nothing continues one lazily.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt

_MAY_BEGIN_DEFINITION = re.compile(r"\[(?:[^\[\]\\]|\\.)*+(?:\]:|\\?$)")
_ONE_LINE_DEFINITION = re.compile(
    r"""\[[^\[\]\\]*[^\[\]\\ ][^\[\]\\]*\]: *(?:https?:/|[./#])[^ <>()\\]*(?: +"[^"\\]*")? *$"""
)
_TITLE_OPENERS = "\"'("

# Beyond this a paragraph that begins like a definition is taken for text: it bounds the work on hostile input.
_MAX_CHECKS = 20
_MAX_CHARACTERS = 20_000

_definitions_only = MarkdownIt("zero").enable("reference")


class DefinitionRun:
    """The lines so far of a paragraph that may turn out to be nothing but link reference definitions."""

    __slots__ = ("checks_left", "lines")

    def __init__(self, first_line: str) -> None:
        self.lines = [first_line]
        self.checks_left = _MAX_CHECKS

    def ends_before(self, line: str) -> bool:
        """Whether the lines so far are whole definitions, and `line` (without indentation) continues none of them."""
        if line[0] in _TITLE_OPENERS:
            return False
        if len(self.lines) == 1 and _ONE_LINE_DEFINITION.match(self.lines[0]):
            return True
        if self.checks_left == 0 or sum(map(len, self.lines)) > _MAX_CHARACTERS:
            return False
        self.checks_left -= 1
        return not _definitions_only.parse("\n".join(self.lines))


def find_definition_run(line: str) -> DefinitionRun | None:
    """A run that begins with this first line of a paragraph (without indentation), if a definition can begin so."""
    return DefinitionRun(line) if _MAY_BEGIN_DEFINITION.match(line) else None
