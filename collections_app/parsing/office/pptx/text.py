"""Paragraphs of a shape → elements of HTML: lists by bullet and level, code by its type, links, emphasis, formulas."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from textwrap import dedent
from xml.etree.ElementTree import Element as Source

from collections_app.parsing.html.tree import Element, clean_text
from collections_app.parsing.office.formulas import write_formula
from collections_app.parsing.office.html import add, add_lines, add_link
from collections_app.parsing.office.names import MATH, RELATION, is_on
from collections_app.parsing.office.package import Part
from collections_app.parsing.office.pptx.levels import (
    Level,
    Levels,
    get_level_number,
    put_over,
    read_level,
    read_levels,
    read_typeface,
)
from collections_app.parsing.office.pptx.names import DRAWING, DRAWING_2010, iter_chosen, read_number

_LINE_BREAK = re.compile("_x000[BD]_|\u2028")  # ECMA-376 part 1, section 22.9.2.19
_INDENTATION = "    "


@dataclass(frozen=True, slots=True)
class _Run:
    """`tags` are the HTML tags around it, outermost first; a line feed is a line break."""

    text: str
    tags: tuple[str, ...] = ()
    address: str = ""

    @property
    def is_code(self) -> bool:
        return "code" in self.tags


def get_text(body: Source) -> str:
    """All text on one line."""
    return " ".join("".join(_iter_text(body)).split())


def _iter_text(body: Source) -> Iterator[str]:
    for paragraph in body.iter(f"{DRAWING}p"):
        yield from (run.text for run in _iter_runs(paragraph, None, Level(), ""))
        yield "\n"


class TextWriter:
    """Writes the text of shapes below `parent`, an HTML element. `links` has the targets of links."""

    def __init__(self, parent: Element, links: Part) -> None:
        self._parent = parent
        self._links = links
        self._lists: list[tuple[int, Element]] = []
        self._code: list[str] = []

    def write(self, body: Source, levels: Levels, address: str = "") -> None:
        """`levels` is what is known of the levels besides; `address` is the target of the whole shape."""
        levels = put_over(read_levels(body.find(f"{DRAWING}lstStyle")), levels)
        for paragraph in body.iter(f"{DRAWING}p"):
            self._write_paragraph(paragraph, levels, address)
        self._end_code()
        self._lists.clear()

    def _write_paragraph(self, paragraph: Source, levels: Levels, address: str) -> None:
        properties = paragraph.find(f"{DRAWING}pPr")
        number = get_level_number(properties)
        level = read_level(properties).over(levels[number])
        runs = list(_iter_runs(paragraph, self._links, level, address))
        if not any(run.text.strip() for run in runs):
            if self._code:
                self._code.append("")
        elif level.bullet:
            self._end_code()
            _add_runs(self._open_item(level.bullet, number, properties), runs)
        elif all(run.is_code or not run.text.strip() for run in runs):
            text = "".join(run.text for run in runs)
            self._code += [_INDENTATION * number + line for line in text.split("\n")]
        else:
            self._end_code()
            self._lists.clear()
            _add_runs(add(self._parent, "p"), runs)

    def _open_item(self, tag: str, number: int, properties: Source | None) -> Element:
        while self._lists and (
            self._lists[-1][0] > number or (self._lists[-1][0] == number and self._lists[-1][1].tag != tag)
        ):
            self._lists.pop()
        if not self._lists or self._lists[-1][0] < number:
            outer = self._lists[-1][1][-1] if self._lists else self._parent
            self._lists.append((number, add(outer, tag)))
            start = None if properties is None else properties.find(f"{DRAWING}buAutoNum")
            if start is not None:
                self._lists[-1][1].set("start", str(read_number(start.get("startAt"), 1)))
        return add(self._lists[-1][1], "li")

    def _end_code(self) -> None:
        if self._code:
            self._lists.clear()
            add(self._parent, "pre", dedent("\n".join(self._code)).strip("\n"))
            self._code = []


def _iter_runs(paragraph: Source, links: Part | None, level: Level, address: str) -> Iterator[_Run]:
    for child in iter_chosen(paragraph):
        match child.tag.rpartition("}")[2] if child.tag.startswith(DRAWING) else "":
            case "r":
                yield _make_run(child, links, level, address)
            case "fld" if child.get("type") != "slidenum":
                yield _make_run(child, links, level, address)
            case "br":
                yield _Run("\n", ("code",) if level.is_monospaced else ())
        if child.tag in (f"{DRAWING_2010}m", f"{MATH}oMath", f"{MATH}oMathPara"):
            yield _Run(clean_text(write_formula(child)))


def _make_run(element: Source, links: Part | None, level: Level, address: str) -> _Run:
    text = "".join(each.text or "" for each in element.findall(f"{DRAWING}t"))
    properties = element.find(f"{DRAWING}rPr")
    link = None if properties is None else properties.find(f"{DRAWING}hlinkClick")
    own_address = "" if link is None or links is None else links.find_address(link.get(f"{RELATION}id"))
    is_monospaced = read_typeface(properties)
    is_code = level.is_monospaced if is_monospaced is None else is_monospaced
    return _Run(
        clean_text(_LINE_BREAK.sub("\n", text.replace("\v", "\n"))),
        ("code",) if is_code else tuple(_iter_tags(properties)),
        own_address or address,
    )


def _iter_tags(properties: Source | None) -> Iterator[str]:
    if properties is None:
        return
    if is_on(properties.get("b")):
        yield "strong"
    if is_on(properties.get("i")):
        yield "em"
    if properties.get("strike", "noStrike") != "noStrike":
        yield "del"
    baseline = read_number(properties.get("baseline"), 0)
    if baseline:
        yield "sup" if baseline > 0 else "sub"


def _add_runs(parent: Element, runs: Iterable[_Run]) -> None:
    """Add runs. Neighbours that look alike become one."""
    for (tags, address), alike in groupby(runs, key=lambda run: (run.tags, run.address)):
        inner = parent
        if address:
            inner = add_link(inner, address)
        for tag in tags:
            inner = add(inner, tag)
        add_lines(inner, "".join(run.text for run in alike))
