"""What all Sphinx directives have in common: they accept any options, and their content may contain markup."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.parsers.rst import directives as options
from docutils.statemachine import StringList

# Directly below another directive: it is content, which docutils takes for an argument.
_DIRECTIVE = re.compile(r"\.\. +[\w:+.-]+::")


class AnyOption(dict[str, Callable[[str], Any]]):
    """Accepts options of any name, unchanged: an unknown directive's options are not known either."""

    def __missing__(self, name: str) -> Callable[[str], Any]:
        return options.unchanged


class Facts(AnyOption):
    """Options that readers see, as of settings: people give them names of several words (`:Data type: int`), which are joined."""

    _NAME = re.compile(r":([^\s:`][^:`]{0,60}):(?=\s|$)")

    def join_names(self, line: str) -> str:
        match = self._NAME.match(line)
        return f":{'-'.join(match[1].split())}:{line[match.end() :]}" if match else line


class SphinxDirective(Directive):
    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar[Any] = AnyOption(name=options.unchanged)

    def __init__(self, name: str, *arguments: Any) -> None:
        # Docutils finds names in any case, but passes on the name as written.
        super().__init__(name.lower(), *arguments)
        if _DIRECTIVE.match(self.get_argument()):
            lines = StringList([*self.arguments.pop().split("\n"), ""], source="")
            self.content = lines + self.content

    def get_argument(self) -> str:
        return self.arguments[0] if self.arguments else ""

    def parse(self, lines: Any = None) -> list[nodes.Node]:
        """The content, or other lines, as nodes. Sections in it have their own levels, below the directive's position."""
        container = nodes.Element()
        memo = self.state.memo
        around, memo.title_styles = memo.title_styles, []
        self.state.nested_parse(
            self.content if lines is None else lines, self.content_offset, container, match_titles=True
        )
        memo.title_styles = around
        return container.children

    def parse_argument(self) -> list[nodes.Node]:
        """The argument's inline nodes."""
        return self.parse_inline(self.get_argument())

    def parse_with_argument(self) -> list[nodes.Node]:
        """The argument as a paragraph, then the content."""
        argument = self.parse_argument()
        return [*([nodes.paragraph("", "", *argument)] if argument else []), *self.parse()]

    def parse_inline(self, text: str) -> list[nodes.Node]:
        found, messages = self.state.inline_text(text, self.lineno)
        return [*found, *messages]
