"""How directives with code, grammars and formulas are rendered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from docutils import nodes

from collections_app.parsing.rst.sphinx_directive import SphinxDirective
from collections_app.parsing.rst.unknown import Unknown


class Code(SphinxDirective):
    """A literal block with its language, below its caption. Lines directly below the directive are code, too."""

    language: ClassVar[str] = ""

    def run(self) -> Sequence[nodes.Node]:
        argument, *lines = self.get_argument().split("\n")
        language = argument.partition(" ")[0]  # the sign of a prompt follows
        text = "\n".join([*lines, *self.content])
        named = self.language or language
        block = nodes.literal_block(text, text, **({"language": named} if named else {})) if text.strip() else None
        caption = self.parse_inline(self.options.get("caption", ""))
        title = nodes.caption("", "", *caption) if caption else None
        if title:
            self.add_name(title)
        return list(filter(None, [title, block]))


class PythonCode(Code):
    language = "python"


class PlainCode(Code):
    language = "text"


class ConsoleCode(Code):
    language = "console"


class CodeTab(SphinxDirective):
    """Code below the title of its tab; without a title, its language is used."""

    def run(self) -> Sequence[nodes.Node]:
        language, _, title = self.get_argument().partition(" ")
        text = "\n".join(self.content)
        label = nodes.paragraph("", "", nodes.strong("", "", *self.parse_inline(title.strip() or language)))
        return [label, nodes.literal_block(text, text, language=language)]


class CodePart(Unknown):
    """Code or its output, which MongoDB's documentation puts side by side; an option names the language. The argument may only be the file
    with the code; with any other it is an unknown directive.
    """

    def run(self) -> Sequence[nodes.Node]:
        if (argument := self.get_argument()) and not argument.startswith("/"):
            return super().run()
        text, language = "\n".join(self.content), self.options.get("language", "")
        return (
            [nodes.literal_block(text, text, language="" if language == "none" else language)] if text.strip() else []
        )


class Grammar(SphinxDirective):
    """Rules of a grammar, below the name of their group."""

    def run(self) -> Sequence[nodes.Node]:
        lines = [
            line for line in [*self.get_argument().split("\n"), *self.content] if ":" in line or line.startswith(" ")
        ]
        text = "\n".join(lines).replace("`", "")
        return [nodes.literal_block(text, text, language="text")] if text else []


class Highlight(SphinxDirective):
    """The language of the literal blocks after it, as a comment that the writer reads."""

    def run(self) -> Sequence[nodes.Node]:
        return [nodes.comment("", "", highlight_language=self.get_argument())]


class Math(SphinxDirective):
    """Formulas, each after a blank line."""

    def run(self) -> Sequence[nodes.Node]:
        formulas = "\n".join([self.get_argument(), "", *self.content]).split("\n\n")
        return [nodes.math_block(formula, formula) for formula in map(str.strip, formulas) if formula]
