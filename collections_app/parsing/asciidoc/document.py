"""An AsciiDoc file → NormalisedText: its lines, tree, Markdown and metadata."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from lxml import etree

from collections_app.exceptions import ParseError
from collections_app.parsing.asciidoc.antora import get_attributes
from collections_app.parsing.asciidoc.attributes import Attributes
from collections_app.parsing.asciidoc.blocks import BlockReader
from collections_app.parsing.asciidoc.conditions import iter_kept_lines
from collections_app.parsing.asciidoc.footnotes import Footnotes
from collections_app.parsing.asciidoc.header import take_header
from collections_app.parsing.asciidoc.inline.reader import InlineReader, get_words
from collections_app.parsing.asciidoc.lines import Lines
from collections_app.parsing.asciidoc.references import References
from collections_app.parsing.asciidoc.signs import clean_text, unprotect
from collections_app.parsing.decoding import decode_text
from collections_app.parsing.documents import Finding, NormalisedText, RawDocument
from collections_app.parsing.headings.text import clean_heading
from collections_app.parsing.html.links import LinkResolver
from collections_app.parsing.html.to_markdown import convert_to_markdown
from collections_app.parsing.html.tree import Element, get_text
from collections_app.parsing.html.visibility import find_comments
from collections_app.parsing.includes.asciidoc import MAX_CHARACTERS
from collections_app.parsing.references.targets import Targets, split_targets

_KEYWORDS = re.compile("[,;]")
_METADATA = ("author", "email", "revnumber", "revdate", "lang")


def parse_asciidoc(raw: RawDocument) -> NormalisedText:
    """The title is that of the header, else the heading that the text begins with.

    Raises ParseError (encoding, nesting, size) and UnsupportedFormat (binary).
    """
    text, warnings = decode_text(raw.content)
    if len(text) > MAX_CHARACTERS:
        raise ParseError(f"The file has more than {MAX_CHARACTERS:,} characters; cut it into several files.")
    text, targets = split_targets(clean_text(text))
    reading = _read(text, raw.path, targets)
    comments = {**reading.comments, **find_comments(reading.root)}  # those in AsciiDoc, and those in its raw HTML
    converted = convert_to_markdown([reading.root], LinkResolver(""), comments, links_within=True)
    lines = converted.writer.lines
    return NormalisedText(
        format="asciidoc",
        content="\n".join([*lines, ""]) if lines else "",
        title=clean_heading(converted.writer.title) or reading.title,
        description=reading.get("description"),
        keywords=tuple(filter(None, map(str.strip, _KEYWORDS.split(reading.get("keywords"))))),
        category=reading.get("category"),
        metadata={name: value for name in _METADATA if (value := reading.get(name))},
        anchors=converted.writer.anchors,
        findings=converted.list_findings(),
        warnings=warnings,
    )


@dataclass(frozen=True, slots=True)
class _Reading:
    """The tree of a document, the words of its first heading, and its attributes."""

    root: Element
    title: str
    attributes: Attributes
    comments: Mapping[Element, Finding]

    def get(self, name: str) -> str:
        """The value of an attribute; empty if it is not set."""
        return " ".join(unprotect(self.attributes.get(name) or "").split())


def _read(text: str, path: str, targets: Targets) -> _Reading:
    given = get_attributes(path)
    kept = iter_kept_lines([line.rstrip() for line in text.split("\n")], Attributes(given))
    lines, attributes = Lines(list(kept)), Attributes(given)
    references, footnotes = References(attributes), Footnotes()
    inline = InlineReader(attributes, references, footnotes, path)
    blocks = BlockReader(attributes, inline)
    root = etree.Element("div")
    title, facts = take_header(lines, attributes)
    if title:
        blocks.write_document_title(title, facts, root)
    blocks.read(lines.take_rest(), root, is_document=True)
    footnotes.write(root)
    # Titles of other documents may contain anchors and notes, which do not belong to this one.
    titles = InlineReader(attributes, References(attributes), Footnotes(), path)
    for target in targets.values():
        references.add(target.name, get_words(titles.read(target.title)))
    references.finish()
    first = blocks.first_heading
    return _Reading(root, get_text(first) if first is not None else "", attributes, blocks.comments.found)
