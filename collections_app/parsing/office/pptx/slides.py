"""One slide → an HTML element: its title as a heading, the text of its shapes, the speaker's notes as a quote."""

from __future__ import annotations

from dataclasses import dataclass, field
from xml.etree.ElementTree import Element as Source

from lxml import etree

from collections_app.parsing.html.tree import Element
from collections_app.parsing.office.html import add
from collections_app.parsing.office.names import RELATION
from collections_app.parsing.office.package import Package, Part
from collections_app.parsing.office.pptx.graphics import write_chart, write_diagram
from collections_app.parsing.office.pptx.levels import NO_LEVELS, Placeholders
from collections_app.parsing.office.pptx.names import DIAGRAM, DRAWING, PRESENTATION
from collections_app.parsing.office.pptx.shapes import Shape, iter_shapes
from collections_app.parsing.office.pptx.tables import write_table
from collections_app.parsing.office.pptx.text import TextWriter, get_text
from collections_app.parsing.office.pptx.title_boxes import find_title_box

_NOTES = "Speaker notes:"


@dataclass(frozen=True, slots=True)
class Slide:
    """`title` is empty if there is none; `body` has no child if there is no other text. `hidden` has the texts that nobody sees."""

    title: str
    body: Element
    hidden: tuple[str, ...]


@dataclass(slots=True)
class SlideReader:
    """Reads slides of one presentation. A part shown by several slides is only read with the first one."""

    package: Package
    size: tuple[int, int] | None
    _placeholders: Placeholders = field(init=False)
    _shown: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._placeholders = Placeholders(self.package)

    def read(self, slide: Part) -> Slide:
        body = etree.Element("body")
        title = ""
        hidden: list[str] = []
        shapes = list(iter_shapes(slide.element, self.size))
        box = (
            None
            if any(shape.is_title and get_text(shape.element) for shape in shapes)
            else find_title_box(shapes, self.size)
        )
        for shape in shapes:
            if shape.is_hidden:
                hidden.append(get_text(shape.element))
            elif (shape.is_title or shape is box) and not title:
                title = get_text(shape.element)
            else:
                self._write_shape(body, shape, slide)
        self._write_notes(body, slide)
        return Slide(title, body, tuple(hidden))

    def read_text(self, slide: Part) -> str:
        """The text of a slide on one line."""
        return " ".join(get_text(shape.element) for shape in iter_shapes(slide.element)).strip()

    def _write_shape(self, body: Element, shape: Shape, slide: Part) -> None:
        if shape.body is not None:
            levels = self._placeholders.find_levels(slide, shape.placeholder)
            TextWriter(body, slide).write(shape.body, levels, _find_address(shape.element, slide))
        for data in shape.element.iterfind(f"{DRAWING}graphic/{DRAWING}graphicData/*"):
            if data.tag == f"{DRAWING}tbl":
                write_table(body, data, slide)
            elif data.tag == f"{DIAGRAM}relIds":
                self._write_part(body, slide, data.get(f"{RELATION}dm"))
            elif data.tag.endswith("}chart"):
                self._write_part(body, slide, data.get(f"{RELATION}id"))

    def _write_part(self, body: Element, slide: Part, identifier: str | None) -> None:
        part = self.package.find_related(slide, identifier)
        if part is None or part.name in self._shown:
            return
        self._shown.add(part.name)
        if part.element.tag == f"{DIAGRAM}dataModel":
            write_diagram(body, part.element)
        elif part.element.tag.endswith("}chartSpace"):
            write_chart(body, part.element)

    def _write_notes(self, body: Element, slide: Part) -> None:
        notes = self.package.find_by_kind(slide, "notesSlide")
        if notes is None or notes.name in self._shown:
            return
        self._shown.add(notes.name)
        bodies = [shape.body for shape in iter_shapes(notes.element) if shape.body is not None and not shape.is_hidden]
        if any(map(get_text, bodies)):
            quote = add(body, "blockquote")
            add(add(quote, "p"), "strong", _NOTES)
            for each in bodies:
                TextWriter(quote, notes).write(each, NO_LEVELS)


def _find_address(shape: Source, slide: Part) -> str:
    link = shape.find(f"./*/{PRESENTATION}cNvPr/{DRAWING}hlinkClick")
    return "" if link is None else slide.find_address(link.get(f"{RELATION}id"))
