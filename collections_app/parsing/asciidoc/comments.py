"""Comments in a document, which readers never see: what to report about them, and where they were in the tree. It parses no lines."""

from __future__ import annotations

from lxml import etree

from collections_app.parsing.documents import Finding, FindingKind
from collections_app.parsing.html.tree import Element
from collections_app.parsing.safety.instructions import iter_instructions
from collections_app.parsing.safety.prose import is_telling_comment, make_excerpt

_MAX_FINDINGS = 100
_JUDGED_CHARACTERS = 10_000


class Comments:
    """Comments of one document. `found` has a comment without words in the tree for each that is long or addressed to a model."""

    def __init__(self) -> None:
        self.found: dict[Element, Finding] = {}

    def add(self, text: str, parent: Element) -> None:
        """Add a comment that comes after the element's current content."""
        if len(self.found) >= _MAX_FINDINGS:
            return
        first = min((start for start, _ in iter_instructions(text[:_JUDGED_CHARACTERS])), default=None)
        if first is not None or is_telling_comment(text):
            place = etree.Comment()
            parent.append(place)
            self.found[place] = Finding(FindingKind.COMMENT, -1, make_excerpt(text[first or 0 :]), removed=True)
