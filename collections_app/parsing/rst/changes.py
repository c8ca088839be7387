"""Directives that tell what changed: in which version, and the lists of changes of SQLAlchemy and its kin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from docutils import nodes

from collections_app.parsing.rst.sphinx_directive import SphinxDirective


class VersionChange(SphinxDirective):
    """`Changed in version 3.2`, and what changed."""

    labels: ClassVar[Mapping[str, str]] = {
        "versionadded": "Added in version {}",
        "versionchanged": "Changed in version {}",
        "deprecated": "Deprecated since version {}",
        "versionremoved": "Removed in version {}",
        "deprecated-removed": "Deprecated since version {}, will be removed in version {}",
        "version-added": "Added in version {}",
        "version-changed": "Changed in version {}",
        "version-deprecated": "Deprecated since version {}",
        "version-removed": "Removed in version {}",
    }

    def run(self) -> Sequence[nodes.Node]:
        label = self.labels[self.name]
        count = label.count("{}")
        words = [*self.get_argument().split(None, count), "", ""]
        text = self.parse_inline(" ".join(words[count:]).strip())
        body = [nodes.paragraph("", "", *text)] if text else []
        return [nodes.admonition("", nodes.title("", label.format(*words[:count])), *body, *self.parse())]


class Changelog(SphinxDirective):
    """A version as a section: when it was released, then its changes."""

    def run(self) -> Sequence[nodes.Node]:
        version, released = self.options.get("version", ""), self.options.get("released", "")
        content = self.parse()
        if not version:
            return content
        date = nodes.paragraph("", "", *self.parse_inline(f"Released: {released}")) if released else None
        body = [*filter(None, [date]), *content]
        return [nodes.section("", nodes.title("", version), *body, ids=[f"change-{version}"])]


class Change(SphinxDirective):
    """A change as an item of a list: its tags, what is to say of it, its tickets."""

    def run(self) -> Sequence[nodes.Node]:
        tags, tickets = (self.options.get(name, "").strip() for name in ("tags", "tickets"))
        content: list[Any] = self.parse_with_argument()
        if not (content and isinstance(content[0], nodes.paragraph)):
            content.insert(0, nodes.paragraph())
        if tags:
            content[0].insert(0, nodes.Text(f"[{tags}] "))
        references = [nodes.paragraph("", f"References: {tickets}")] if tickets else []
        return [nodes.bullet_list("", nodes.list_item("", *content, *references))]
