"""Walks a page's tree and gives each element to the handler of its tag or class. It decides what is left out, not how a thing is written.

The walk is a loop over libxml2's own, so no depth of nesting can exhaust the stack. A handler is called where an element begins. It returns
what to call where the element ends, `leave_out` to skip its content, or None.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from lxml import etree

from collections_app.parsing.documents import Finding
from collections_app.parsing.html.anchors import get_id
from collections_app.parsing.html.chrome import is_chrome, is_mostly_links
from collections_app.parsing.html.classes import NO_CLASS, ClassFacts, read_class
from collections_app.parsing.html.escaping import begins_paragraph, escape_heading_text, escape_line_start, escape_text
from collections_app.parsing.html.links import LinkResolver
from collections_app.parsing.html.paragraph import Paragraph, Wrap
from collections_app.parsing.html.places import Places, split_mark
from collections_app.parsing.html.tree import Attributes, Element, read_attributes
from collections_app.parsing.html.visibility import MAX_FINDINGS, find_hidden_text, is_hidden
from collections_app.parsing.html.vocabulary import CHROME_IDS, CONTENTS_IDS, DROPPED_ROLES, DROPPED_TAGS
from collections_app.parsing.html.writer import MarkdownWriter

Leave: TypeAlias = Callable[[], None]
Handler: TypeAlias = Callable[["Converter", Element, Attributes, ClassFacts], Leave | None]

_NO_ATTRIBUTES: Attributes = {}
_SEPARATOR = "·"  # all that remains of a line of links without text


@dataclass(slots=True)
class OpenList:
    """A list being read. `next_number` is None if it has no numbers; `is_layout` says that its items contain headings.

    In a definition list, `has_open_item` and `is_entry` say how the last term was written, and `is_described` whether its description has
    begun.
    """

    next_number: int | None = None
    is_layout: bool = False
    is_contents: bool = False
    has_item: bool = False
    has_open_item: bool = False
    is_entry: bool = False
    is_described: bool = False


@dataclass(slots=True)
class TabSet:
    """The labels of tabs whose panels are being read, in order and by the ids of tabs and panels."""

    labels: list[str] = field(default_factory=list)
    labels_by_id: dict[str, str] = field(default_factory=dict)
    panel_count: int = 0

    def take_label(self, panel: Attributes) -> str:
        """The label of the next panel, or an empty text."""
        keys = (panel.get("id", ""), panel.get("aria-labelledby", ""))
        named = next(filter(None, map(self.labels_by_id.get, keys)), "") or panel.get("data-title", "")
        nth = self.labels[self.panel_count : self.panel_count + 1]
        self.panel_count += 1
        return named or "".join(nth)


def leave_out() -> None:
    """What a handler returns for an element that is finished or must not be read."""


class Converter:
    """One conversion. `handlers` are by tag; for elements with attributes, `find_special_handler` is asked first.

    `section_level` is the level of the page's last own heading, `entry_depth` the number of descriptions (of functions, options) around the
    current element. `headed` are the elements that contain headings. `tab_sets` has the last tab set of each open panel. `comments` are the
    findings about comments; those that were passed have a line. `places` are the targets of links within the page; None if these links
    become words.
    """

    def __init__(
        self,
        handlers: Mapping[str, Handler],
        find_special_handler: Callable[[str, Attributes, ClassFacts], Handler | None],
        links: LinkResolver,
        headed: Set[Element],
    ) -> None:
        self._handlers = handlers
        self._find_special_handler = find_special_handler
        self.links = links
        self.headed = headed
        self.writer = MarkdownWriter()
        self.paragraph = Paragraph()
        self.findings: list[Finding] = []
        self.lists: list[OpenList] = []
        self.tab_sets: list[TabSet] = [TabSet()]
        self.heading_level = 0
        self.section_level = 1
        self.entry_depth = 0
        self.is_cell = False
        self.comments: dict[Element, Finding] = {}
        self.places: Places | None = None
        self._first_line = 0
        self._is_run_in = False

    @property
    def line(self) -> int:
        """The line of the text, from 0, where the next output will begin. In a cell it is the line where the table begins."""
        return self._first_line if self.is_cell else self.writer.next_line

    def convert(self, root: Element) -> None:
        """Write the content of `root`."""
        leaves: list[Leave | None] = []
        walk = etree.iterwalk(root, events=("start", "end", "comment"))
        for event, element in walk:
            if event == "start":
                leave = self._enter(element)
                leaves.append(leave)
                if leave is leave_out:
                    walk.skip_subtree()
                elif text := element.text:
                    self.add_text(text)
                continue
            if event == "comment":
                if element in self.comments:
                    self.comments[element] = replace(self.comments[element], line=self.line)
            elif leave := leaves.pop():
                leave()
            if element is not root and (tail := element.tail):
                self.add_text(tail)
        self.flush()

    def list_findings(self) -> tuple[Finding, ...]:
        """Findings about hidden text, then about comments. A line after the last one becomes the last one; in an empty text it is -1."""
        last = len(self.writer.lines) - 1
        return tuple(replace(each, line=min(each.line, last)) for each in (*self.findings, *self.comments.values()))

    def make_cell_converter(self) -> Converter:
        """A converter for the content of a table cell, in which nothing is a heading or a code block."""
        cell = Converter(self._handlers, self._find_special_handler, self.links, self.headed)
        cell.is_cell, cell.findings, cell.comments, cell.places = True, self.findings, self.comments, self.places
        cell._first_line = self.line
        cell.writer.open_cell()
        return cell

    def add_text(self, text: str) -> None:
        """Add text of the page, in which nothing is Markdown."""
        if self._is_run_in and text.isspace():
            return
        self.add_inline(escape_heading_text(text) if self.heading_level else escape_text(text))

    def add_inline(self, markdown: str) -> None:
        self.paragraph.add(markdown)
        self._is_run_in = False

    def open_inline(self, kind: str, wrap: Wrap) -> Leave | None:
        """Begin an inline element. In headings, and inside another of its kind, it is just text."""
        paragraph = self.paragraph
        if self.heading_level or paragraph.is_open(kind):
            return None
        paragraph.open(kind, wrap)
        return paragraph.close

    def flush(self) -> None:
        """End the paragraph, if one is open. In a cell, no line of it needs escaping as the beginning of a line."""
        if self.heading_level:
            self.paragraph.add(" ")
            return
        self._is_run_in = False
        block: list[str] = []
        for line in [*self.paragraph.take_lines(), ""]:
            if line:
                mark, words = split_mark(line)
                block.append(line if self.is_cell else f"{mark}{escape_line_start(words)}")
            elif block == [_SEPARATOR] and not self.writer.is_nested:
                block = []
            elif block:
                self.writer.write([*(f"{each}  " for each in block[:-1]), block[-1]])
                block = []

    def flush_unless_run_in(self) -> None:
        """End the paragraph, unless it is only a title so far, which the next paragraph continues."""
        if not self._is_run_in:
            self.flush()

    def run_in(self, title: str) -> None:
        """Begin the next paragraph with `title`."""
        self.paragraph.add(title)
        self._is_run_in = True

    def take_back_title(self) -> None:
        """Drop the title given to run_in(), if nothing has followed it."""
        if self._is_run_in:
            self._is_run_in = False
            self.paragraph.take_lines()

    def add_markdown(self, lines: Sequence[str]) -> None:
        """Add a block that is Markdown already. If it begins with a paragraph, that continues the title before it."""
        if self.paragraph.is_open("term"):
            self.add_inline(" ".join(lines))
        elif self._is_run_in and begins_paragraph(lines):
            title = " ".join(self.paragraph.take_lines())
            self._is_run_in = False
            self.writer.write([f"{title} {lines[0]}".lstrip(), *lines[1:]])
        else:
            self.flush()
            self.writer.write(lines)

    def _leave_out_hidden(self, element: Element) -> Leave:
        if len(self.findings) < MAX_FINDINGS and (finding := find_hidden_text(element, self.line)):
            self.findings.append(finding)
        return leave_out

    def _enter(self, element: Element) -> Leave | None:
        tag: str = element.tag
        attributes: Attributes = read_attributes(element) if element.attrib else _NO_ATTRIBUTES
        if attributes:
            classes = attributes.get("class")
            facts = read_class(classes) if classes else NO_CLASS
            if (
                attributes.get("role") in DROPPED_ROLES
                or (attributes.get("id") in CHROME_IDS and next(element.iter("h1"), None) is None)
                or is_chrome(element, facts)
                or self._is_contents(element, facts)
            ):
                return leave_out
            if tag not in DROPPED_TAGS and is_hidden(attributes, facts):
                return self._leave_out_hidden(element)
            if self.places and (id := get_id(element)):
                self.places.add(id, self.line)
            if handler := self._find_special_handler(tag, attributes, facts):
                return handler(self, element, attributes, facts)
        else:
            facts = NO_CLASS
        found = self._handlers.get(tag)
        return found(self, element, attributes, facts) if found else None

    def _is_contents(self, element: Element, facts: ClassFacts) -> bool:
        """Whether it is the page's own table of contents. A list of other pages says what they are about, and stays."""
        if not (facts.is_contents or element.get("id", "").lower() in CONTENTS_IDS):
            return False
        href = next((link.get("href", "") for link in element.iter("a")), "")
        return "#" in href and not self.links.find_target(href) and is_mostly_links(element)
