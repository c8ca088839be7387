"""Names of described objects that are also the title of a section: only the title is to be seen, and the description stands below it.

Authors write a directive of their own in front of each heading (`.. config:setting:: enable-sails`, then `Enable sails`), as the place that
references lead to.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from docutils import nodes

from collections_app.parsing.rst.directives import object_description

_MAX_NAMES = 20  # before one heading
_NOT_SEEN = (nodes.target, nodes.comment)


def merge_titles(document: nodes.document) -> None:
    """Take such names out of the tree. Those without a description may also stand within their section."""
    for name, section in _Finder(document).found:
        name.parent.remove(name)
        section[1:1] = name.children


class _Finder:
    """Walks the tree once. `found` are names with the section of that title."""

    def __init__(self, document: nodes.document) -> None:
        self.found: list[tuple[Any, Any]] = []
        self._before: Sequence[Any] = ()
        """The names right before the place."""
        self._walk(document)

    def _walk(self, node: nodes.Element) -> None:
        for child in node.children:
            if isinstance(child, _NOT_SEEN):
                continue
            before, self._before = self._before, ()
            if isinstance(child, nodes.section):
                self.found += [(name, child) for name in before if _is_title(name, child)]
            if isinstance(child, nodes.Element):
                self._walk(child)
            if isinstance(child, object_description):
                self._leave(child, before)

    def _leave(self, name: Any, before: Sequence[Any]) -> None:
        if not name.children and isinstance(name.parent, nodes.section) and _is_title(name, name.parent):
            self.found.append((name, name.parent))
            self._before = before
        else:
            self._before = [*before, name][-_MAX_NAMES:]


def _is_title(name: Any, section: Any) -> bool:
    """Whether the section is called like the object, or by the words that its name is made of. One with members keeps them below it."""
    if any(isinstance(child, object_description) for child in name.children):
        return False
    title, signatures = section.children[0].astext(), name["signatures"]
    letters = _get_letters(title)
    return title in signatures or any(
        nodes.make_id(each) == each and letters and _get_letters(each) == letters for each in signatures
    )


def _get_letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))
