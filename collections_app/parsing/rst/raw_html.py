"""HTML that an author passes through with `raw` or a role based on it: what readers do not see is set aside, the rest becomes Markdown.

HTML of several directives may belong together: an element that one opens and another closes hides everything in between. So all the HTML
of one place in the tree is examined as one text, by the rules for HTML in Markdown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import unescape
from itertools import pairwise
from typing import Any

from docutils import nodes

from collections_app.exceptions import ParseError
from collections_app.parsing.documents import Finding, FindingKind
from collections_app.parsing.html.escaping import escape_line_start, escape_text
from collections_app.parsing.html.to_markdown import convert_fragment
from collections_app.parsing.html.tree import parse_fragment
from collections_app.parsing.safety.hidden_html import Hidden, find_hidden, iter_hidden_findings
from collections_app.parsing.safety.places import Places
from collections_app.parsing.safety.prose import is_prose, make_excerpt

_BLANK_LINE = re.compile(r"\n[ \t]*(?=\n)")
_TAG = re.compile(r"<[^<>]*>")
_NO_BLANK_LINE = "\f"
"""Replaces blank lines, and text in the same paragraph: a blank line would end elements without a closing tag."""

_BREAK = re.compile(r"<br[ \t]*/?>", re.IGNORECASE)


class set_aside(nodes.Invisible, nodes.Inline, nodes.Element):  # noqa: N801  docutils names nodes so
    """Marks the position of something that readers do not see; `findings` describe it."""


def make_raw_html(html: str) -> nodes.raw:
    return nodes.raw("", html, format="html")


def set_hidden_aside(document: nodes.document) -> None:
    """Give each piece of HTML the attribute `html` with what readers see of it, and its words as text. Everything in hidden elements, also
    the document's own text, is replaced with findings.
    """
    for parent in dict.fromkeys(raw.parent for raw in document.findall(nodes.raw) if raw.get("format") == "html"):
        _set_aside_within(parent)


def _set_aside_within(parent: Any) -> None:
    """Takes linear time, even if an element is open over many pieces."""
    other = _NO_BLANK_LINE if isinstance(parent, nodes.TextElement) else ""
    pieces = [
        _BLANK_LINE.sub(f"\n{_NO_BLANK_LINE}", child.astext()) if _is_html(child) else other
        for child in parent.children
    ]
    text = _Text.join(pieces)
    children: list[nodes.Node] = []
    for child, (start, end) in zip(list(parent.children), pairwise(text.starts), strict=True):
        children += text.iter_findings(start, end)
        if _is_html(child):
            child["html"] = text.cut(start, end)
            child.children = [nodes.Text(unescape(_TAG.sub("", child["html"])))]
            children.append(child)
        elif not text.is_hidden(start):
            children.append(child)
        elif is_prose(words := child.astext()):
            children.append(_tell(Finding(FindingKind.HIDDEN_TEXT, -1, make_excerpt(words), removed=True)))
    parent.children = []
    parent.extend(children)


def _is_html(node: nodes.Node) -> bool:
    return isinstance(node, nodes.raw) and node.get("format") == "html"


def _tell(*findings: Finding) -> set_aside:
    return set_aside("", findings=findings)


@dataclass(slots=True)
class _Text:
    """Pieces of HTML as one text, each on its own lines: `starts` are their beginnings, `hidden` is in order. Pieces must be asked for in
    order.
    """

    content: str
    starts: Sequence[int]
    hidden: Sequence[Hidden]
    places: Places
    _next: int = 0

    @classmethod
    def join(cls, pieces: Sequence[str]) -> _Text:
        starts = [0]
        for piece in pieces:
            starts.append(starts[-1] + len(piece) + 1)
        content = "".join(f"{piece}\n" for piece in pieces)
        places = Places(content, has_markup=False)
        return cls(content, starts, find_hidden(places) if "<" in content else [], places)

    def is_hidden(self, start: int) -> bool:
        self._pass_by(start)
        return self._next < len(self.hidden) and self.hidden[self._next].start < start

    def cut(self, start: int, end: int) -> str:
        """The piece without what is hidden in it, including what an earlier piece began to hide."""
        seen = []
        for each in self._iter_between(start, end):
            seen.append(self.content[start : max(start, each.start)])
            start = max(start, each.end)
        return "".join([*seen, self.content[start:end]]).replace(_NO_BLANK_LINE, "").strip("\n")

    def iter_findings(self, start: int, end: int) -> Iterator[set_aside]:
        """The findings about hidden parts that begin in a piece."""
        begun = [each for each in self._iter_between(start, end) if each.start >= start]
        if findings := tuple(iter_hidden_findings(begun, self.places, removed=True)):
            yield _tell(*(replace(each, line=-1) for each in findings))

    def _pass_by(self, start: int) -> None:
        while self._next < len(self.hidden) and self.hidden[self._next].end <= start:
            self._next += 1

    def _iter_between(self, start: int, end: int) -> Iterator[Hidden]:
        self._pass_by(start)
        place = self._next
        while place < len(self.hidden) and self.hidden[place].start < end:
            yield self.hidden[place]
            place += 1


def write_block(html: str, *, is_cell: bool) -> tuple[Sequence[str], Iterable[Finding]]:
    """The lines that show a piece, and findings about what is not seen of it; the HTML as text if it cannot be parsed."""
    try:
        converted = convert_fragment(parse_fragment(html), is_cell=is_cell)
    except ParseError:
        return [escape_line_start(escape_text(line)) for line in html.split("\n")], ()
    return converted.writer.lines, converted.findings


def write_inline(html: str, *, is_cell: bool) -> tuple[str, Iterable[Finding]]:
    """The same within a line: a line break stays one in a cell, and becomes a space elsewhere."""
    if _BREAK.fullmatch(html.strip()):
        return "<br>" if is_cell else " ", ()
    lines, findings = write_block(html, is_cell=True)
    return ("<br>" if is_cell else " ").join(filter(None, map(str.strip, lines))), findings
