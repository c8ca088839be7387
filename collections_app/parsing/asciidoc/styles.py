"""Renders the lines of a block by its style: boxes, quotes, listings, formulas, tabs. blocks.py finds these lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from collections_app.parsing.asciidoc import code
from collections_app.parsing.asciidoc.facts import BlockFacts
from collections_app.parsing.asciidoc.inline.reader import get_lines
from collections_app.parsing.asciidoc.raw_html import read_raw_html
from collections_app.parsing.html.elements import add
from collections_app.parsing.html.tree import Element

if TYPE_CHECKING:
    from collections_app.parsing.asciidoc.blocks import BlockReader

_BOXES = {"NOTE": "note", "TIP": "tip", "IMPORTANT": "important", "WARNING": "warning", "CAUTION": "caution"}
_STEMS = frozenset({"stem", "latexmath", "asciimath"})
_TABS = frozenset({"tabs", "{tabs}"})


_Write = Callable[["BlockReader", list[str], BlockFacts, Element, int], None]


def _write_example(reader: BlockReader, body: list[str], facts: BlockFacts, parent: Element, depth: int) -> None:
    """Write an example, a sidebar or an open block: its title and its content."""
    if facts.attributes.style in _BOXES:
        reader.read(body, open_admonition(reader, facts.attributes.style, facts, parent), depth + 1)
        return
    if facts.attributes.style in _TABS:
        _write_tabs(reader, body, facts, parent, depth)
        return
    reader.write_title(facts, parent)
    if label := next((role for role in sorted(facts.attributes.roles) if role.startswith("include-with-")), ""):
        add(add(parent, "p"), "strong", [label.removeprefix("include-with-").replace("-", " ")])
    reader.read(body, add(parent, "div"), depth + 1)


def _write_tabs(reader: BlockReader, body: list[str], facts: BlockFacts, parent: Element, depth: int) -> None:
    reader.write_title(facts, parent)
    reader.read(["[tabs]", *body], add(parent, "div"), depth + 1)


def open_admonition(reader: BlockReader, kind: str, facts: BlockFacts, parent: Element) -> Element:
    box = add(parent, "div", class_=f"admonition {_BOXES[kind]}")
    reader.write_title(facts, box)
    return box


def _write_admonition(reader: BlockReader, body: list[str], facts: BlockFacts, parent: Element, depth: int) -> None:
    reader.read(body, open_admonition(reader, facts.attributes.style, facts, parent), depth + 1)


def _write_quote(reader: BlockReader, body: list[str], facts: BlockFacts, parent: Element, depth: int) -> None:
    reader.write_title(facts, parent)
    quote = add(parent, "blockquote")
    reader.read(body, quote, depth + 1)
    _write_source(reader, facts, quote)


def _write_verse(reader: BlockReader, body: list[str], facts: BlockFacts, parent: Element, depth: int) -> None:
    """Write text whose lines are kept: verses, and the synopses of Git's manual."""
    reader.write_title(facts, parent)
    code.write_code(parent, get_lines(reader.inline.read("\n".join(body))))
    _write_source(reader, facts, parent)


def _write_source(reader: BlockReader, facts: BlockFacts, quote: Element) -> None:
    """Write the author of a quote, and its source."""
    words = [facts.attributes.get(1, "attribution"), facts.attributes.get(2, "citetitle")]
    if any(words):
        add(quote, "p", ["— ", *reader.inline.read(", ".join(filter(None, words)))])


def _write_listing(reader: BlockReader, body: list[str], facts: BlockFacts, parent: Element, depth: int) -> None:
    reader.write_title(facts, parent)
    reader.write_listing(body, code.find_language(facts.attributes, reader.attributes), facts, parent)


def write_diagram(reader: BlockReader, body: list[str], facts: BlockFacts, parent: Element, depth: int) -> None:
    reader.write_title(facts, parent)
    code.write_code(parent, body, facts.attributes.style)


def _write_pass(reader: BlockReader, body: list[str], facts: BlockFacts, parent: Element, depth: int) -> None:
    """Write raw HTML as the text that a page shows."""
    if facts.attributes.style in _STEMS:
        _write_formula(reader, body, facts, parent, depth)
        return
    substitutions = code.read_substitutions(facts.attributes)
    text = "\n".join(body)
    if code.replaces_attributes(substitutions):
        text = reader.attributes.replace_references(text)
    add(parent, "div", read_raw_html(text))


def _write_formula(reader: BlockReader, body: list[str], facts: BlockFacts, parent: Element, depth: int) -> None:
    reader.write_title(facts, parent)
    formula = " ".join("\n".join(body).split())
    add(add(parent, "p"), "math", alttext=f"${formula}$")


def _write_comment(reader: BlockReader, body: list[str], facts: BlockFacts, parent: Element, depth: int) -> None:
    reader.comments.add("\n".join(body), parent)


WRITERS: Mapping[str, _Write] = {
    **dict.fromkeys(("example", "sidebar", "open"), _write_example),
    **dict.fromkeys(_BOXES, _write_admonition),
    **dict.fromkeys(("listing", "literal", "source"), _write_listing),
    **dict.fromkeys(_STEMS, _write_formula),
    "quote": _write_quote,
    **dict.fromkeys(("verse", "synopsis"), _write_verse),
    "pass": _write_pass,
    "comment": _write_comment,
}

_FITTING: Mapping[str, frozenset[str]] = {
    "example": frozenset(_BOXES),
    "sidebar": frozenset(),
    "quote": frozenset({"verse"}),
    "listing": frozenset({"source", "literal"}),
    "literal": frozenset({"source", "listing", "verse"}),
    "pass": _STEMS,
    "open": frozenset(
        {*_BOXES, "source", "listing", "literal", "quote", "verse", "pass", "example", "sidebar", *_STEMS}
    ),
}


def fits(style: str, kind: str) -> bool:
    """Whether the style is allowed for a block with delimiters of this kind."""
    return style in _FITTING[kind] or (code.is_diagram(style) and kind in ("listing", "literal", "open", "pass"))
