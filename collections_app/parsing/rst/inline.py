"""Inline nodes of a document tree → Markdown on one line: code, emphasis, links; of all other nodes, only the text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from itertools import takewhile
from typing import Any

from docutils import nodes

from collections_app.parsing.documents import Finding
from collections_app.parsing.html.escaping import escape_text, make_code_span, make_link
from collections_app.parsing.markdown.raised_text import is_short, write_raised
from collections_app.parsing.references.targets import Kind, Target, Targets
from collections_app.parsing.rst.raw_html import set_aside, write_inline
from collections_app.parsing.sphinx.markup import make_words

_MAX_TITLE_CHARACTERS = 1000
_MAX_SUBSTITUTED_CHARACTERS = 100
_SUBSTITUTION = re.compile(r"\|([^|\s][^|]{0,99})\|")
_NUMBER = re.compile(r"(?:%s|\{number\})(?:[^\w(]{0,3}(?:\{name\}|\(\{name\}\)))?|\{name\}")
_BLANKS = re.compile(r"\s+")
_SAFE_SCHEMES = re.compile(r"(?:https?|ftp|mailto):|(?![a-z][a-z0-9+.-]*:)", re.IGNORECASE)


class InlineWriter:
    """Writes inline nodes. Knows the document and the pages it refers to, so that a reference gets the title of its target."""

    def __init__(self, document: nodes.document, targets: Targets, tell: Callable[[Iterable[Finding]], None]) -> None:
        """`tell` is called with findings about what no reader sees."""
        self.is_in_cell = False
        self._document = document
        self._targets = targets
        self._tell = tell

    def write(self, node: nodes.Element) -> str:
        """The children of a node, on one line."""
        return _BLANKS.sub(" ", self._join(node)).strip()

    def _join(self, node: nodes.Element) -> str:
        return "".join(map(self._write_node, node.children))

    def _write_node(self, node: nodes.Node) -> str:
        write = _WRITERS.get(type(node))
        if write is not None:
            return write(self, node)
        return self._join(node) if isinstance(node, nodes.Element) else ""

    def _write_text(self, node: Any) -> str:
        return escape_text(node.astext())

    def _write_code(self, node: Any) -> str:
        text = _BLANKS.sub(" ", node.astext()).strip()
        return make_code_span(text) if text else ""

    def _write_math(self, node: Any) -> str:
        return f"${node.astext()}$"

    def _write_emphasis(self, node: Any) -> str:
        return _wrap("*", self._join(node))

    def _write_strong(self, node: Any) -> str:
        return _wrap("**", self._join(node))

    def _write_raised(self, node: Any) -> str:
        text = node.astext().strip()
        return escape_text(write_raised(text, _get_text_before(node))) if is_short(text) else self._join(node)

    def _write_lowered(self, node: Any) -> str:
        return f"_{self._join(node)}"

    def _write_note_mark(self, node: Any) -> str:
        return f"[{node.astext()}]"

    def _write_inline(self, node: Any) -> str:
        """A reference to a label, or a part of the text with a class."""
        if "pep_page" in node:
            return self._write_pep(node)
        return self._write_reference(node) if "reftarget" in node else self._join(node)

    def _write_pep(self, node: Any) -> str:
        page, sign, place = node["pep_page"].partition("#")
        target = self._targets.get((Kind.PAGE, page))
        return _make_link(escape_text(node["title"]), f"{target.address}{sign}{place}") if target else self._join(node)

    def _write_reference(self, node: Any) -> str:
        """A link with the title given, else with the section's title, which also stands for numbers that only a build knows."""
        label = node["reftarget"]
        given = self._join(node) if node["is_titled"] else ""
        target = self._find_own(label) or self._targets.get((Kind.LABEL, label))
        title = self._substitute(target.title) if target else ""
        words = escape_text(title or make_words(label if given else node.astext()))
        text = _NUMBER.sub(lambda _: words, given) if node.get("is_numbered") else given
        return _make_link(text or words, target.address if target else "")

    def _write_raw(self, node: Any) -> str:
        if not node.get("html"):
            return ""
        text, findings = write_inline(node["html"], is_cell=self.is_in_cell)
        self._tell(findings)
        return text

    def _write_set_aside(self, node: Any) -> str:
        self._tell(node["findings"])
        return ""

    def _skip(self, node: Any) -> str:
        """Docutils' messages and comments are not part of the text."""
        return ""

    def _write_link(self, node: Any) -> str:
        text, uri = self._join(node), node.get("refuri", "")
        if target := self._targets.get((Kind.PAGE, uri)) if node.get("names_page") else None:
            text, uri = (
                text if node["is_titled"] else escape_text(self._substitute(target.title)) or text,
                target.address,
            )
        if not uri and (own := self._find_own(node.get("refname", ""), node.get("refid", ""))):
            uri = own.address
        if not uri or not _SAFE_SCHEMES.match(uri):
            return text
        if node.astext() in {uri, uri.removeprefix("mailto:")} and not node.get("names_page"):
            return f"<{uri}>" if ":" in uri else uri
        return _make_link(text, uri)

    def _substitute(self, title: str) -> str:
        """Another page's title with the substitutions that this page defines too: all pages of a site have the same ones."""
        if "|" not in title:
            return title
        written = _SUBSTITUTION.sub(lambda match: self._substitutions.get(match[1], match[0]), title)
        return written[:_MAX_TITLE_CHARACTERS]

    @cached_property
    def _substitutions(self) -> Mapping[str, str]:
        """Short texts that substitutions stand for, by name."""
        texts = {name: each.astext() for name, each in self._document.substitution_defs.items()}
        return {name: text for name, text in texts.items() if 0 < len(text) <= _MAX_SUBSTITUTED_CHARACTERS}

    def _write_image(self, node: Any) -> str:
        """A picture with its description; empty if it has none."""
        return f"![{node['alt']}]({node['uri']})" if node.get("alt") and node["alt"] != node.get("uri") else ""

    def _find_own(self, label: str, id: str = "") -> Target | None:
        """The section of this document, or what has a caption, after a label; only sections have an address."""
        found = self._document.ids.get(id or self._document.nameids.get(label) or "")
        if isinstance(found, nodes.image):
            found = found.parent  # docutils gives the name of a figure to its picture
        places = [found, *found.children] if isinstance(found, nodes.Element) else []
        title = next((place.astext() for place in places if isinstance(place, nodes.title | nodes.caption)), "")
        anchor = get_anchor(found) if isinstance(found, nodes.section) else ""
        address = f"#{anchor}" if anchor else ""
        return Target(Kind.LABEL, label, address, title[:_MAX_TITLE_CHARACTERS]) if title else None


def get_anchor(section: Any) -> str:
    """The label before the section, else the id derived from its title."""
    ids = section["ids"]
    return ids[-1] if ids else ""


def _get_text_before(node: Any) -> str:
    """At least two characters of the line before the node, if it has as many."""
    text = ""
    for each in reversed(list(takewhile(lambda each: each is not node, node.parent.children))):
        text = f"{each.astext()}{text}"
        if len(text) > 1:
            break
    return text


def _make_link(text: str, address: str) -> str:
    """A link; only its text if the address must not be followed."""
    return make_link(text, address) if address and _SAFE_SCHEMES.match(address) else text


def _wrap(mark: str, text: str) -> str:
    """Adds emphasis, which must begin and end at a word, else the text stays plain."""
    return f"{mark}{text}{mark}" if text and text == text.strip() else text


_WRITERS: Mapping[type[nodes.Node], Callable[[InlineWriter, Any], str]] = {
    nodes.Text: InlineWriter._write_text,
    nodes.literal: InlineWriter._write_code,
    nodes.math: InlineWriter._write_math,
    nodes.emphasis: InlineWriter._write_emphasis,
    nodes.title_reference: InlineWriter._write_emphasis,
    nodes.strong: InlineWriter._write_strong,
    nodes.superscript: InlineWriter._write_raised,
    nodes.subscript: InlineWriter._write_lowered,
    nodes.footnote_reference: InlineWriter._write_note_mark,
    nodes.citation_reference: InlineWriter._write_note_mark,
    nodes.image: InlineWriter._write_image,
    nodes.reference: InlineWriter._write_link,
    nodes.inline: InlineWriter._write_inline,
    **dict.fromkeys([nodes.system_message, nodes.comment], InlineWriter._skip),
    nodes.raw: InlineWriter._write_raw,
    set_aside: InlineWriter._write_set_aside,
}
