"""Blocks → a tree of HTML: sections, paragraphs, delimited blocks and the lines above them that describe them. Lists and tables have their
own modules.

Follows https://docs.asciidoctor.org/asciidoc/latest/. An unknown block is read as a paragraph.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from collections_app.exceptions import ParseError
from collections_app.parsing.asciidoc import code
from collections_app.parsing.asciidoc.attribute_lists import read_attribute_list
from collections_app.parsing.asciidoc.attributes import Attributes, match_entry, read_entry_value, read_number
from collections_app.parsing.asciidoc.comments import Comments
from collections_app.parsing.asciidoc.examples import MACRO, name_example
from collections_app.parsing.asciidoc.facts import BlockFacts
from collections_app.parsing.asciidoc.inline.reader import InlineReader, get_words
from collections_app.parsing.asciidoc.lines import (
    ADMONITION,
    BREAK,
    CONTINUATION,
    FENCE,
    Lines,
    find_delimiter,
    find_list_mark,
    find_title,
    match_block_attributes,
    match_block_macro,
    match_block_title,
)
from collections_app.parsing.asciidoc.lists import write_list, write_tabs
from collections_app.parsing.asciidoc.signs import unprotect
from collections_app.parsing.asciidoc.styles import WRITERS, fits, open_admonition, write_diagram
from collections_app.parsing.asciidoc.tables import write_table
from collections_app.parsing.html.elements import Node, add, make_element
from collections_app.parsing.html.tree import Element

MAX_DEPTH = 50

_KINDS = {
    "=": "example",
    "*": "sidebar",
    "_": "quote",
    "-": "listing",
    ".": "literal",
    "+": "pass",
    "~": "open",
}
# fmt: off
_SPECIAL_SECTIONS = frozenset([
    "abstract", "acknowledgments", "appendix", "bibliography", "colophon", "dedication", "glossary", "index", "preface",
])
# fmt: on
_QUOTED = re.compile(r'"(?P<text>.*)"\n-- (?P<source>[^\n]+)$', re.DOTALL)


class BlockReader:
    """Reads the blocks of one document. `comments` has what nobody sees, `first_heading` is the heading of the first section, and
    `repeated_characters` counts the characters of repeated table cells so far.
    """

    def __init__(self, attributes: Attributes, inline: InlineReader) -> None:
        self.attributes = attributes
        self.inline = inline
        self.comments = Comments()
        self.first_heading: Element | None = None
        self.repeated_characters = 0
        self._section_id = ""

    def read(self, lines: Sequence[str], parent: Element, depth: int = 0, *, is_document: bool = False) -> None:
        """Write the blocks into the element. `is_document` is true where sections are allowed. Raises ParseError if they are nested too
        deeply.
        """
        if depth > MAX_DEPTH:
            raise ParseError("The text is nested too deeply; take a few levels of lists or blocks out.")
        rest = Lines(lines)
        while self._skip_to_block(rest):
            facts = self._take_facts(rest, parent)
            if rest:
                self._read_block(rest, facts, parent, depth, is_document=is_document)

    def _skip_to_block(self, lines: Lines) -> bool:
        while lines and lines.peek() in ("", CONTINUATION):
            lines.take()
        return bool(lines)

    def _take_facts(self, lines: Lines, parent: Element) -> BlockFacts:
        facts = BlockFacts()
        while lines:
            line = lines.peek()
            if not line:
                lines.take()
            elif line.startswith("//"):
                if not self._take_comment(lines, parent):
                    return facts
            elif entry := match_entry(line):
                value, count = read_entry_value(entry, lines.get_following())
                self.attributes.take_entry(entry, value)
                lines.take(1 + count)
            elif title := match_block_title(line):
                facts.title = title["title"]
                lines.take()
            elif match_block_attributes(line):
                facts.take_line(unprotect(self.attributes.replace_references(lines.take())))
            else:
                return facts
        return facts

    def _take_comment(self, lines: Lines, parent: Element) -> bool:
        """Take a comment; returns whether there was one."""
        line = lines.peek()
        if line.startswith("///"):
            if not find_delimiter(line):
                return False
            lines.take()
            self.comments.add("\n".join(lines.take_block(line)), parent)
            return True
        comment = lines.take_while(lambda each: each.startswith("//") and not each.startswith("///"))
        self.comments.add("\n".join(each[2:] for each in comment), parent)
        return True

    def _read_block(self, lines: Lines, facts: BlockFacts, parent: Element, depth: int, *, is_document: bool) -> None:
        if (is_document or facts.attributes.style in ("discrete", "float")) and self._take_section(
            lines, facts, parent
        ):
            return
        if facts.id:
            self.inline.references.add(facts.id, self._read_words(facts.id_text or facts.title))
            add(parent, "a", id=facts.id)
        line = lines.peek()
        if delimiter := find_delimiter(line):
            lines.take()
            self._read_delimited(lines.take_block(delimiter), line, facts, parent, depth)
        elif (
            (BREAK.match(line) and not facts.attributes.style)
            or line == "<<<"
            or ((macro := match_block_macro(line)) and self._read_macro(macro, facts, parent))
        ):
            lines.take()
        elif mark := find_list_mark(line):
            self.write_title(facts, parent)
            if facts.attributes.style == "tabs" and mark.kind == "dl":
                write_tabs(self, lines, mark, parent, depth)
            else:
                write_list(self, lines, mark, facts.attributes, parent, depth)
        else:
            self._read_paragraph(lines, facts, parent, depth)

    def write_document_title(self, title: str, facts: BlockFacts, root: Element) -> None:
        """Write the title. Unlike those of sections, it gets no id made from its words."""
        nodes = self.inline.read(title)
        self.inline.references.add(facts.id, self._read_words(facts.id_text) or get_words(nodes))
        add(root, "h1", nodes, id=facts.id)

    def _take_section(self, lines: Lines, facts: BlockFacts, parent: Element) -> bool:
        """Take the title of a section; returns whether there was one."""
        title, level, count = find_title(lines.peek(), lines.peek(1))
        if not level:
            return False
        lines.take(count)
        self._write_section(title, level, facts, parent)
        return True

    def _write_section(self, title: str, level: int, facts: BlockFacts, parent: Element) -> None:
        nodes = self.inline.read(facts.take_anchor(title))
        words = get_words(nodes)
        id = facts.id or self.inline.references.make_section_id(words)
        self._section_id = id
        self.inline.references.add_section(id, self._read_words(facts.id_text) or words, words)
        self.inline.footnotes.write(parent)
        level = max(1, min(6, level + read_number(self.attributes.get("leveloffset") or "0")))
        if level == 1 and facts.attributes.style in _SPECIAL_SECTIONS:
            level = 2
        heading = add(parent, f"h{level}", nodes, id=id)
        self.first_heading = heading if self.first_heading is None else self.first_heading

    def _read_delimited(self, body: list[str], line: str, facts: BlockFacts, parent: Element, depth: int) -> None:
        sign, style = line[0], facts.attributes.style
        if sign == "/" or style == "comment":
            self.comments.add("\n".join(body), parent)
            return
        if line.endswith("==="[: len(line) - 1]) and sign in "|,:!" and line != "====":
            self.write_title(facts, parent)
            write_table(self, body, line, facts.attributes, parent, depth)
            return
        if sign == "`":
            language = FENCE.match(line)
            self.write_title(facts, parent)
            self.write_listing(body, language["language"] if language else "", facts, parent)
            return
        kind = "open" if line == "--" else _KINDS[sign]
        self._read_styled(body, style if fits(style, kind) else kind, kind, facts, parent, depth)

    def _read_styled(
        self, body: list[str], style: str, kind: str, facts: BlockFacts, parent: Element, depth: int
    ) -> None:
        write = WRITERS.get(style) or (write_diagram if code.is_diagram(style) else WRITERS[kind])
        write(self, body, facts, parent, depth)

    def _read_words(self, text: str) -> str:
        return get_words(self.inline.read(text))

    def write_title(self, facts: BlockFacts, parent: Element) -> None:
        if facts.title:
            add(add(parent, "p"), "strong", self.inline.read(facts.title))

    def write_listing(self, body: list[str], language: str, facts: BlockFacts, parent: Element) -> None:
        substitutions = code.read_substitutions(facts.attributes)
        body = code.reset_indent(body, facts.attributes.named.get("indent", ""))
        if code.replaces_attributes(substitutions):
            body = [self.attributes.replace_references(line) for line in body]
        body = code.drop_markup(code.write_callouts(body), substitutions, self.inline)
        code.write_code(parent, body, language)

    def _read_macro(self, macro: re.Match[str], facts: BlockFacts, parent: Element) -> bool:
        """Write a block macro; returns whether it was one."""
        name, attributes = (
            macro["name"],
            read_attribute_list(unprotect(self.attributes.replace_references(macro["attributes"]))),
        )
        if name in ("image", "video", "audio"):
            self.write_title(facts, parent)
            if alt := attributes.get(0, "alt") if name == "image" else "":
                add(add(parent, "p"), "img", alt=alt)
            return True
        if name == "toc":
            return True
        if name == MACRO and macro["target"]:
            self.write_title(facts, parent)
            named = name_example(self.attributes.replace_references(macro["target"]), self._section_id)
            add(parent, "p", ["Example code: ", make_element("code", [named])])
            return True
        if name == "include":
            add(parent, "p", [macro[0]])
            return True
        return False

    def _read_paragraph(self, lines: Lines, facts: BlockFacts, parent: Element, depth: int) -> None:
        style = facts.attributes.style
        if lines.peek()[0].isspace() and style in ("", "source", "listing", "literal"):
            body = code.reset_indent(lines.take_paragraph(), "0")
            self.write_title(facts, parent)
            self.write_listing(body, code.find_language(facts.attributes, self.attributes), facts, parent)
            return
        first = lines.take()
        body = [first, *lines.take_paragraph()]
        if style in WRITERS and style not in ("open", "example", "sidebar", "tabs"):
            self._read_styled(
                body, style, "literal" if style in ("source", "listing") else "open", facts, parent, depth
            )
            return
        if code.is_diagram(style):
            write_diagram(self, body, facts, parent, depth)
            return
        if (admonition := ADMONITION.match(first)) and not style:
            box = open_admonition(self, admonition["kind"], facts, parent)
            add(box, "p", self.read_text([admonition["text"], *body[1:]], facts, box))
            return
        self.write_title(facts, parent)
        if first.startswith("> ") or first == ">":
            quoted = [line.removeprefix(">").removeprefix(" ") for line in body]
            self.read(quoted, add(parent, "blockquote"), depth + 1)
        elif first.startswith('"') and (quotation := _QUOTED.match("\n".join(body))):
            quote = add(parent, "blockquote")
            add(quote, "p", self.inline.read(quotation["text"]))
            add(quote, "p", ["— ", *self.inline.read(quotation["source"])])
        else:
            add(parent, "p", self.read_text(body, facts, parent))

    def read_text(self, body: Sequence[str], facts: BlockFacts, parent: Element) -> list[Node]:
        """The text of a paragraph to be written into the element, without the comments in it."""
        lines = []
        for line in body:
            if line.startswith("//") and not line.startswith("///"):
                self.comments.add(line[2:], parent)
            else:
                lines.append(line)
        if "hardbreaks" in facts.attributes.options or "hardbreaks-option" in self.attributes:
            lines = [*(f"{line} +" if not line.endswith(" +") else line for line in lines[:-1]), *lines[-1:]]
        return self.inline.read("\n".join(lines))
