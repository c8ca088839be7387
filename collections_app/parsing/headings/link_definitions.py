"""Decides whether a paragraph consists of link reference definitions, while its lines arrive. It keeps no definition.

It matters to block structure because a definition is no paragraph: what may not interrupt a paragraph (an empty or late-numbered list item,
a whole HTML tag, indented code) may follow a definition, and nothing continues one lazily.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt

_MAY_BEGIN_DEFINITION = re.compile(r"\[(?:[^\[\]\\]|\\.)*+(?:\]:|\\?$)")
# Schemes that markdown-it refuses, also with character references in them.
_REFUSED = r"(?i:vbscript|javascript|file|data):|[\w-]*&"
_ONE_LINE_DEFINITION = re.compile(
    rf"""\[ *+[^\[\]\\ ][^\[\]\\]*+\]: *(?!{_REFUSED})[\w./#][^ <>()\\]*(?: +"[^"\\]*")? *$"""
)
_TITLE_OPENERS = "\"'("

# Beyond these limits, which bound the work on hostile input, a paragraph that begins like a definition is taken for text.
_MAX_CHECKS = 20
_MAX_CHARACTERS = 20_000
_MAX_CHARACTERS_OF_DOCUMENT = 500_000
"""Characters checked in total, each as often as it is checked: about two seconds. Definitions in one line do not count."""
_CHARACTERS_OF_CHECK = 20
"""The fixed cost of a check, in characters that take as long."""

_definitions_only = MarkdownIt("zero").enable("reference")


class DefinitionBudget:
    """What the checks of one document may still cost."""

    __slots__ = ("characters",)

    def __init__(self) -> None:
        self.characters = _MAX_CHARACTERS_OF_DOCUMENT


class DefinitionRun:
    """The lines so far of a paragraph that may turn out to be nothing but link reference definitions."""

    __slots__ = ("budget", "characters", "checks_left", "has_label", "lines")

    def __init__(self, first_line: str, budget: DefinitionBudget) -> None:
        self.lines: list[str] = []
        self.characters = 0
        self.has_label = False
        self.checks_left = _MAX_CHECKS
        self.budget = budget
        self.add(first_line)

    def add(self, line: str) -> None:
        self.lines.append(line)
        self.characters += len(line)
        self.has_label = self.has_label or "]:" in line

    def ends_before(self, line: str) -> bool:
        """Whether the lines so far are whole definitions, and `line` (without indentation) continues none of them."""
        if line[0] in _TITLE_OPENERS or not self.has_label:
            return False
        if len(self.lines) == 1 and _ONE_LINE_DEFINITION.match(self.lines[0]):
            return True
        if self.checks_left == 0 or self.characters > min(_MAX_CHARACTERS, self.budget.characters):
            return False
        self.checks_left -= 1
        self.budget.characters -= self.characters + _CHARACTERS_OF_CHECK
        return not _definitions_only.parse("\n".join(self.lines))


def find_definition_run(line: str, budget: DefinitionBudget) -> DefinitionRun | None:
    """A run that begins with this first line of a paragraph (without indentation), if a definition can begin so."""
    return DefinitionRun(line, budget) if _MAY_BEGIN_DEFINITION.match(line) else None
