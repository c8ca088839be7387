"""A document tree → Markdown: sections and described objects as headings, everything else as blocks. Hidden content is set aside."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from docutils import nodes, utils

from collections_app.parsing.documents import Finding, FindingKind
from collections_app.parsing.html.escaping import (
    escape_heading_end,
    escape_heading_text,
    escape_line_start,
    escape_text,
    make_code_span,
)
from collections_app.parsing.html.writer import MarkdownWriter
from collections_app.parsing.references.targets import Targets
from collections_app.parsing.rst.code_language import find_language
from collections_app.parsing.rst.directives import object_description
from collections_app.parsing.rst.inline import InlineWriter, get_anchor
from collections_app.parsing.rst.own_titles import merge_titles
from collections_app.parsing.rst.raw_html import set_aside, write_block
from collections_app.parsing.rst.tables import Table, iter_records, read_table, write_grid
from collections_app.parsing.safety.prose import make_excerpt

_MAX_LEVEL = 6
# Docutils quotes at least a title and its underline.
_OF_TITLES = ("Inconsistent title style", "Unexpected section title")
_LEAST_TITLE_LINES = 2


class TreeWriter:
    """Walks the tree once. `markdown` then has the lines, the anchors and the title; `fields` are those at the document's beginning and of
    its meta directives; `findings` are about what is not in the text, including all comments, with their lines.
    """

    def __init__(
        self, document: nodes.document, targets: Targets, title: str = "", language: str = "", *, is_part: bool = False
    ) -> None:
        """With `title`, all sections stand below it. `language` holds for code until the page names another. The fields at the beginning of
        a part of a page are text.
        """
        self.markdown = MarkdownWriter()
        self.fields: dict[str, str] = {}
        self.findings: list[Finding] = []
        self._inline = InlineWriter(document, targets, self._tell)
        self._first_line = 0
        self._level = 0
        self._language = language
        self._is_part = is_part
        merge_titles(document)
        if title:
            self._level = 1
            self._write_heading(escape_heading_text(title), "")
        self._write_children(document)

    def _write_children(self, node: nodes.Element) -> None:
        for child in node.children:
            self._write_node(child)

    def _write_node(self, node: nodes.Node) -> None:
        write = _WRITERS.get(type(node))
        if write is not None:
            write(self, node)
        elif isinstance(node, nodes.Admonition):
            self._write_admonition(node, type(node).__name__.capitalize())
        elif isinstance(node, nodes.TextElement | nodes.Inline):
            self._write_paragraph(node)
        elif isinstance(node, nodes.Element):
            self._write_children(node)

    def _tell(self, findings: Iterable[Finding]) -> None:
        """Add findings. Those in a cell have the line where its table begins."""
        line = self._first_line if self._inline.is_in_cell else self.markdown.next_line
        self.findings += (replace(each, line=line) for each in findings)

    def _write_text(self, text: str) -> None:
        if text:
            self.markdown.write([escape_line_start(text)])

    def _write_paragraph(self, node: Any) -> None:
        self._write_text(self._inline.write(node))

    def _write_section(self, node: Any) -> None:
        self._level += 1
        title, *body = node.children
        self._write_heading(self._inline.write(title), get_anchor(node))
        for child in body:
            self._write_node(child)
        self._level -= 1

    def _write_heading(self, text: str, anchor: str) -> None:
        self.markdown.write_heading(min(self._level, _MAX_LEVEL), escape_heading_end(text), anchor)

    def _write_object(self, node: Any) -> None:
        """A heading for a described object. A name without a description is a line."""
        self._level += 1
        if node.children:
            self._write_heading(make_code_span(node["heading"]), node["anchor"])
        signatures = node["signatures"]
        if not node.children or len(signatures) > 1 or not node["heading"].endswith(signatures[0]):
            self._write_text(", ".join(map(make_code_span, signatures)))
        self._write_children(node)
        if node.children:
            self.markdown.end_entry()
        self._level -= 1

    def _write_title(self, node: Any) -> None:
        """The title of a topic, a table or a sidebar; sections write their own."""
        self._write_text(self._write_bold(node))

    def _write_literal_block(self, node: Any) -> None:
        for number in node.findall(nodes.inline):
            if "ln" in number["classes"]:
                number.children = []
        code = node.astext()
        if self._inline.is_in_cell:
            self.markdown.write(make_code_span(line.strip()) for line in code.split("\n") if line.strip())
        else:
            language = node["language"] if "language" in node else find_language(code, self._language)
            self.markdown.write_code(code, language)

    def _write_math(self, node: Any) -> None:
        self.markdown.write(["$$", *node.astext().split("\n"), "$$"])

    def _write_comment(self, node: Any) -> None:
        if "highlight_language" in node:
            self._language = node["highlight_language"]
        elif text := " ".join(node.astext().split()):
            self._tell([Finding(FindingKind.COMMENT, -1, make_excerpt(text), removed=True)])

    def _write_bullets(self, node: Any) -> None:
        for number, item in enumerate(node.children):
            self._write_item("-", item, is_tight=number > 0 and _is_short(item))

    def _write_enumeration(self, node: Any) -> None:
        for number, item in enumerate(node.children, node.get("start", 1)):
            self._write_item(f"{number}.", item, is_tight=number > node.get("start", 1) and _is_short(item))

    def _write_item(self, marker: str, node: Any, *, is_tight: bool) -> None:
        self.markdown.open_item(marker, is_tight=is_tight)
        self._write_children(node)
        self.markdown.close_container()

    def _write_definitions(self, node: Any) -> None:
        """Write definitions, options or fields: each is an item with its term in bold or as code, and its definition after it."""
        for number, item in enumerate(node.children):
            self.markdown.open_item("-", is_tight=number > 0)
            *terms, definition = item.children
            label = " ".join(filter(None, map(self._write_term, terms)))
            self._write_labelled(label, definition)
            self.markdown.close_container()

    def _write_term(self, node: Any) -> str:
        match node:
            case nodes.system_message():
                return ""
            case nodes.classifier():
                return f"({self._inline.write(node)})"
            case nodes.option_group():
                return ", ".join(make_code_span(option.astext()) for option in node.children)
        text = self._inline.write(node)
        return text if text.startswith("`") else self._write_bold(node)

    def _write_bold(self, node: Any) -> str:
        """The text in bold, unless it has bold parts: Markdown has no nested bold type."""
        text = self._inline.write(node)
        return f"**{text}**" if text and next(node.findall(nodes.strong), None) is None else text

    def _write_labelled(self, label: str, body: Any) -> None:
        """`label: …` with the first paragraph of the body on its line. A label may end with a colon itself."""
        first, *rest = body.children or [None]
        told = label if label.rstrip("*").endswith(":") else f"{label}:"
        if isinstance(first, nodes.paragraph):
            self.markdown.write([f"{told} {self._inline.write(first)}"])
        else:
            self.markdown.write([told if body.children else label])
            rest = body.children
        for child in rest:
            self._write_node(child)

    def _write_fields(self, node: Any) -> None:
        """Fields before any text are the document's."""
        if len(self.markdown.lines) <= 1 and not self._is_part:
            self.fields |= dict(map(_read_field, node.children))
        else:
            self._write_definitions(node)

    def _write_meta(self, node: Any) -> None:
        self.fields.setdefault(node.get("name", ""), node.get("content", ""))

    def _write_quote(self, node: Any) -> None:
        self.markdown.open_quote()
        self._write_children(node)
        self.markdown.close_container()

    def _write_attribution(self, node: Any) -> None:
        self._write_text(f"— {self._inline.write(node)}")

    def _write_own_admonition(self, node: Any) -> None:
        """An admonition with a title of its own."""
        title, *body = node.children
        self._write_admonition(nodes.Element("", *body), self._inline.write(title))

    def _write_admonition(self, node: Any, label: str) -> None:
        self.markdown.open_quote()
        self._write_labelled(f"**{label}**", node)
        self.markdown.close_container()

    def _write_line_block(self, node: Any) -> None:
        lines = [self._inline.write(line) for line in node.findall(nodes.line)]
        end = "" if self._inline.is_in_cell else "\\"  # in cells, lines are joined by breaks anyway
        self.markdown.write([escape_line_start(line) + end for line in lines[:-1] if line] + lines[-1:])

    def _write_image(self, node: Any) -> None:
        self._write_text(self._inline.write(nodes.Element("", node.deepcopy())))

    def _write_raw(self, node: Any) -> None:
        if html := node.get("html"):
            lines, findings = write_block(html, is_cell=self._inline.is_in_cell)
            self._tell(findings)
            if lines:
                self.markdown.write(lines)

    def _write_set_aside(self, node: Any) -> None:
        self._tell(node["findings"])

    def _write_footnote(self, node: Any) -> None:
        label, *body = node.children
        self._write_labelled(f"[{label.astext()}]", nodes.Element("", *body))

    def _write_table(self, node: Any) -> None:
        for title in node.children:
            if isinstance(title, nodes.title):
                self._write_title(title)
        table = read_table(node)
        if table.has_blocks:
            self._write_records(table)
        elif rows := write_grid(table, self._write_cell):
            self.markdown.write(rows)

    def _write_records(self, table: Table) -> None:
        """Write the rows as a list, with the cells of a row below one another. Without column headings the cells are written one after the
        other.
        """
        for record in iter_records(table):
            if table.head:
                self.markdown.open_item("-", is_tight=False)
            for label, cell in record:
                self._write_field(label, cell)
            if table.head:
                self.markdown.close_container()

    def _write_field(self, label: str, cell: nodes.Element) -> None:
        if label:
            self._write_labelled(f"**{escape_text(label)}**", cell)
        else:
            self._write_children(cell)

    def _write_cell(self, node: nodes.Element) -> str:
        """The cell's blocks on one line."""
        is_within = self._inline.is_in_cell
        if not is_within:
            self._first_line = self.markdown.next_line
        outer, self.markdown = self.markdown, MarkdownWriter()
        self.markdown.open_cell()
        self._inline.is_in_cell = True
        self._write_children(node)
        self._inline.is_in_cell = is_within
        cell, self.markdown = self.markdown, outer
        return "<br>".join(filter(None, map(str.strip, cell.lines))).replace("|", "\\|")

    def _write_transition(self, node: Any) -> None:
        self.markdown.write(["---"])

    def _write_message(self, node: Any) -> None:
        """Write the author's text in a message of docutils that could not be read; docutils' own words are left out. Warnings have no such
        text.

        A title whose style skips a level becomes one of the next level, as in other programs; in a note it is a bold line.
        """
        if node["level"] < utils.Reporter.ERROR_LEVEL:
            return
        for block in node.children:
            if isinstance(block, nodes.literal_block):
                self._write_unread(node, block)

    def _write_unread(self, message: Any, block: Any) -> None:
        is_of_title = message.children[0].astext().startswith(_OF_TITLES)
        if is_of_title and (title := _find_title_alone(block)):
            self._write_title_alone(title, is_in_table=_is_in(message, nodes.table))
        elif not (is_of_title and _is_line_across(block)):
            self._write_literal_block(block)

    def _write_title_alone(self, title: Any, *, is_in_table: bool) -> None:
        if is_in_table:
            self._write_title(title)
            return
        self._level += 1
        self._write_heading(self._inline.write(title), "")
        self._level -= 1

    def _skip(self, node: Any) -> None:
        """Readers see nothing here: it is already where it is used, or it is only for programs."""


def _is_short(item: Any) -> bool:
    return len(item.children) <= 1


def _find_title_alone(source: nodes.Element) -> nodes.title | None:
    """A title that is out of order or place, from its source lines. Of its markup only code is interpreted."""
    lines = source.astext().split("\n")
    if len(lines) < _LEAST_TITLE_LINES:
        return None
    parts = re.split("``(.+?)``", lines[-2].strip())
    return nodes.title(
        "", "", *(nodes.literal("", part) if n % 2 else nodes.Text(part) for n, part in enumerate(parts))
    )


def _is_line_across(source: nodes.Element) -> bool:
    """Whether it is a line of punctuation, above a title that follows."""
    return not any(map(str.isalnum, source.astext()))


def _is_in(node: nodes.Element, kind: type[nodes.Element]) -> bool:
    while (parent := node.parent) is not None:
        if isinstance(parent, kind):
            return True
        node = parent
    return False


def _read_field(field: Any) -> tuple[str, str]:
    """The name and the value of a field, as written: docutils takes the value `A. Author` for a list."""
    name, body = field.children
    return name.astext().strip().lower(), " ".join(body.rawsource.split())


_WRITERS: Mapping[type[nodes.Node], Callable[[TreeWriter, Any], None]] = {
    nodes.section: TreeWriter._write_section,
    object_description: TreeWriter._write_object,
    nodes.title: TreeWriter._write_title,
    nodes.rubric: TreeWriter._write_title,
    nodes.caption: TreeWriter._write_title,
    nodes.literal_block: TreeWriter._write_literal_block,
    nodes.doctest_block: TreeWriter._write_literal_block,
    nodes.math_block: TreeWriter._write_math,
    nodes.comment: TreeWriter._write_comment,
    nodes.bullet_list: TreeWriter._write_bullets,
    nodes.enumerated_list: TreeWriter._write_enumeration,
    nodes.definition_list: TreeWriter._write_definitions,
    nodes.option_list: TreeWriter._write_definitions,
    nodes.field_list: TreeWriter._write_fields,
    nodes.meta: TreeWriter._write_meta,
    nodes.block_quote: TreeWriter._write_quote,
    nodes.attribution: TreeWriter._write_attribution,
    nodes.admonition: TreeWriter._write_own_admonition,
    nodes.line_block: TreeWriter._write_line_block,
    nodes.image: TreeWriter._write_image,
    nodes.raw: TreeWriter._write_raw,
    set_aside: TreeWriter._write_set_aside,
    nodes.footnote: TreeWriter._write_footnote,
    nodes.citation: TreeWriter._write_footnote,
    nodes.table: TreeWriter._write_table,
    nodes.transition: TreeWriter._write_transition,
    nodes.system_message: TreeWriter._write_message,
    **dict.fromkeys([nodes.substitution_definition, nodes.target, nodes.pending, nodes.decoration], TreeWriter._skip),
}
