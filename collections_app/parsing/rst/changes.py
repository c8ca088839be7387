"""Directives that describe changes: the version something changed in, and changelogs as in SQLAlchemy and related projects."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any

from docutils import nodes

from collections_app.parsing.rst.sphinx_directive import SphinxDirective
from collections_app.parsing.sphinx.markup import describe_change

_FIELD = re.compile(r"\s*+:([\w-]++):(?!`)(.*)")
_WORD = re.compile(r"[^\s:]\S*")


class VersionChange(SphinxDirective):
    """`Changed in version 3.2`, and what changed."""

    def run(self) -> Sequence[nodes.Node]:
        change, words = describe_change(self.name, self.get_argument())
        text = self.parse_inline(words)
        body = [nodes.paragraph("", "", *text)] if text else []
        return [nodes.admonition("", nodes.title("", change), *body, *self.parse())]


class _WithFields(SphinxDirective):
    """Reads fields like SQLAlchemy's extension: lines `:name: value` before the text, in any column; of a name given twice the last counts.
    A word before the fields is only for the authors.
    """

    optional_arguments = 0
    option_spec = None

    def take_fields(self) -> Mapping[str, str]:
        """The values of the fields by name; what follows them becomes the content."""
        start = 1 if _WORD.fullmatch("".join(self.content[:1])) and _FIELD.fullmatch("".join(self.content[1:2])) else 0
        fields = [field for field in takewhile(bool, map(_FIELD.fullmatch, self.content[start:])) if field]
        end = start + len(fields)
        self.content, self.content_offset = self.content[end:], self.content_offset + end
        return {field[1]: field[2].strip() for field in fields}


class Changelog(_WithFields):
    """A version as a section: its release date, then its changes."""

    def run(self) -> Sequence[nodes.Node]:
        fields = self.take_fields()
        version, released = fields.get("version", ""), fields.get("released", "")
        content = self.parse()
        if not version:
            return content
        date = nodes.paragraph("", "", *self.parse_inline(f"Released: {released}")) if released else None
        body = [*filter(None, [date]), *content]
        return [nodes.section("", nodes.title("", version), *body, ids=[f"change-{version}"])]


class Change(_WithFields):
    """A change as a list item: its tags, its description, its tickets."""

    def run(self) -> Sequence[nodes.Node]:
        fields = self.take_fields()
        tags, tickets = fields.get("tags", ""), fields.get("tickets", "")
        content: list[Any] = self.parse()
        if not (content and isinstance(content[0], nodes.paragraph)):
            content.insert(0, nodes.paragraph())
        if tags:
            content[0].insert(0, nodes.Text(f"[{tags}] "))
        references = [nodes.paragraph("", f"References: {tickets}")] if tickets else []
        return [nodes.bullet_list("", nodes.list_item("", *content, *references))]
