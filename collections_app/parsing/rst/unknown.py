"""Renders an unknown directive: its argument as a bold line, those of its options that are facts, and its content.

Inside another directive of the same name it becomes a list item: API references describe parameters this way, each with its sub-parameters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from docutils import nodes

from collections_app.parsing.rst.sphinx_directive import SphinxDirective
from collections_app.parsing.sphinx.objects import is_place

# A decorator, a prompt, a statement, the beginning of a call or an assignment, the end of a block: hardly a line of prose.
_CODE_LINE = re.compile(
    r"\s*(?:[@$]\w|\$ |>>> |\.\.\. |In \[\d|//|[\]})]+[;,]?$"
    r"|(?:def|class|for|if|elif|else|while|with|try|except)\b.*:$|import [\w.]+(?: as \w+)?$|from [\w.]+ import "
    r"|(?:await |return )?[\w.]+\((?!s\))|[\w.]+(?:\[[^\[\]]*\])? ?[:+-]?= ?\S)"
    r"|.*[;{}]$",
    re.ASCII,
)
_PROSE_LINE = re.compile(r"\s*\.\. |.*(?:`|[.!?]\s*$)")
_LANGUAGE = re.compile(r"[a-z][a-z\d+#.-]*")  # other arguments are titles
_MOST_OF_CODE = 0.5
# Options that are facts about a thing, and options that only concern the look, which are left out even if there is nothing else.
_FACTS = frozenset({
    "choices", "condition", "default", "deprecated", "format", "max", "method", "min", "path", "range", "required", "since", "type", "unit",
    "units", "url", "value", "values",
})  # fmt: skip
_LOOKS = frozenset(
    {"align", "class", "color", "columns", "filter", "height", "hidden", "icon", "id", "name", "sort", "style", "width"}
)


class Unknown(SphinxDirective):
    """The argument as a bold line above the content, or as its language if the content is code. A mere target of references gives
    nothing.
    """

    def run(self) -> Sequence[nodes.Node]:
        if is_place(self.name) and not (self.content or self.options) and len(self.get_argument().split()) == 1:
            return []
        content, is_nested = self._parse_below()
        if content and isinstance(content[0], nodes.literal_block) and _LANGUAGE.fullmatch(self.get_argument()):
            content[0]["language"] = self.get_argument()
            return content
        blocks = [*self._describe(), *content]
        if is_nested and blocks and not any(isinstance(block, nodes.section) for block in blocks):
            return [nodes.bullet_list("", nodes.list_item("", *blocks))]
        return blocks

    def _parse_below(self) -> tuple[list[nodes.Node], bool]:
        """The content, and whether the directive is within another of its name."""
        around: list[str] = self.state.document.settings.unknown_directives
        is_nested = self.name in around
        around.append(self.name)
        content = parse_unless_code(self)
        around.pop()
        return content, is_nested

    def _describe(self) -> list[nodes.Node]:
        """The line above the content: the argument or, if there are only facts, the directive's name; then the facts in parentheses."""
        facts = list(self._iter_facts())
        argument = self.parse_argument() or ([nodes.Text(_make_words(self.name).capitalize())] if facts else [])
        if not argument:
            return []
        words: list[nodes.Node] = [nodes.strong("", "", *argument)] if self.content or facts else argument
        for number, fact in enumerate(facts):
            words += [nodes.Text(", " if number else " ("), *fact]
        return [nodes.paragraph("", "", *words, *([nodes.Text(")")] if facts else []))]

    def _iter_facts(self) -> Iterator[list[nodes.Node]]:
        is_bare = not (self.content or self.get_argument())
        for name, text in self.options.items():
            value = " ".join((text or "").split())
            if name in _FACTS or (is_bare and value and name not in _LOOKS):
                yield self._write_fact(_make_words(name), value)

    def _write_fact(self, name: str, value: str) -> list[nodes.Node]:
        if not value:
            return [nodes.Text(name)]
        return [nodes.Text(f"{name}: "), *(self.parse_inline(value) if "`" in value else [nodes.literal("", value)])]


def _make_words(name: str) -> str:
    return re.sub("[-_:]+", " ", name)


def parse_unless_code(directive: SphinxDirective) -> list[nodes.Node]:
    """The content of an unknown directive, as a literal block if it looks like code."""
    text = "\n".join(directive.content)
    return [nodes.literal_block(text, text)] if is_like_code(text) else directive.parse()


def is_like_code(text: str) -> bool:
    """Whether at least half of its lines look like code. With a directive in it, it is text, which marks its code itself."""
    lines = [line for line in text.split("\n") if line.strip()]
    code = sum(_CODE_LINE.match(line) is not None and not _PROSE_LINE.match(line) for line in lines)
    return (
        code > 0 and code >= _MOST_OF_CODE * len(lines) and not any(line.lstrip().startswith(".. ") for line in lines)
    )
