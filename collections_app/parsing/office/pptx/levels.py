"""Classifies a paragraph by its level: a bullet, a number or neither, and whether its type is monospaced.

What a placeholder does not specify, it inherits from the layout's placeholder, then from the master's, then from the master's styles
(ECMA-376 part 1, section 19.3.1.36). The text of the layout and the master is not read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from collections_app.parsing.office.package import Package, Part
from collections_app.parsing.office.pptx.names import DRAWING, PRESENTATION, read_number

LEVEL_COUNT = 9
TITLE_TYPES = frozenset({"title", "ctrTitle"})

_MONOSPACED = re.compile(
    r"\bmono|mono\b|courier|consol|menlo|monaco|fira ?code|source ?code|inconsolata|typewriter", re.IGNORECASE
)
_BULLETS = {f"{DRAWING}buNone": "", f"{DRAWING}buChar": "ul", f"{DRAWING}buBlip": "ul", f"{DRAWING}buAutoNum": "ol"}


@dataclass(frozen=True, slots=True)
class Level:
    """What is known of a level. `bullet` is `ul`, `ol` or empty; None means that nothing is set."""

    bullet: str | None = None
    is_monospaced: bool | None = None

    def over(self, other: Level) -> Level:
        return Level(
            other.bullet if self.bullet is None else self.bullet,
            other.is_monospaced if self.is_monospaced is None else self.is_monospaced,
        )


Levels = tuple[Level, ...]
NO_LEVELS: Levels = (Level(),) * LEVEL_COUNT


def read_level(properties: Element | None) -> Level:
    """The level that a paragraph's `pPr`, or a level of a style, sets."""
    bullet: str | None = None
    is_monospaced: bool | None = None
    for child in () if properties is None else properties:
        if child.tag in _BULLETS:
            bullet = _BULLETS[child.tag]
        elif child.tag == f"{DRAWING}defRPr":
            is_monospaced = read_typeface(child)
    return Level(bullet, is_monospaced)


def read_typeface(properties: Element | None) -> bool | None:
    """Whether the type is monospaced; None if none is named."""
    latin = None if properties is None else properties.find(f"{DRAWING}latin")
    return None if latin is None else _MONOSPACED.search(latin.get("typeface", "")[:100]) is not None


def get_level_number(properties: Element | None) -> int:
    """The paragraph's level, counted from 0."""
    level = 0 if properties is None else read_number(properties.get("lvl"), 0)
    return min(max(level, 0), LEVEL_COUNT - 1)


def read_levels(style: Element | None) -> Levels:
    """What a `lstStyle`, or a style of the master, sets for each level."""
    if style is None:
        return NO_LEVELS
    found = {child.tag: child for child in style}
    return tuple(read_level(found.get(f"{DRAWING}lvl{number}pPr")) for number in range(1, LEVEL_COUNT + 1))


def put_over(levels: Levels, others: Levels) -> Levels:
    return tuple(level.over(other) for level, other in zip(levels, others, strict=True))


def find_placeholder(shape: Element) -> Element | None:
    """The element that makes a shape a placeholder of the layout; None for other shapes."""
    return shape.find(f"./*/{PRESENTATION}nvPr/{PRESENTATION}ph")


class Placeholders:
    """What layouts and masters set for the text in their placeholders."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._by_part: dict[str, Mapping[str, Levels]] = {}
        self._styles: dict[tuple[str, str], Levels] = {}
        self._found: dict[tuple[str, str, str], Levels] = {}

    def find_levels(self, slide: Part, placeholder: Element | None) -> Levels:
        if placeholder is None:
            return NO_LEVELS
        layout = self._package.find_by_kind(slide, "slideLayout")
        kind, index = placeholder.get("type", "obj")[:20], placeholder.get("idx", "0")[:20]
        key = (layout.name if layout else "", kind, index)
        if key not in self._found:
            self._found[key] = self._read(layout, kind, index)
        return self._found[key]

    def _read(self, layout: Part | None, kind: str, index: str) -> Levels:
        master = layout and self._package.find_by_kind(layout, "slideMaster")
        name = "title" if kind in TITLE_TYPES else "body"
        levels = NO_LEVELS
        if layout:
            places = self._get_places(layout)
            levels = places.get(f"#{index}") or places.get(kind) or NO_LEVELS
        if master:
            levels = put_over(
                levels, put_over(self._get_places(master).get(name, NO_LEVELS), self._get_style(master, name))
            )
        return levels

    def _get_style(self, master: Part, name: str) -> Levels:
        """The master's style for all titles, or for all other text."""
        key = master.name, name
        if key not in self._styles:
            style = master.element.find(f"{PRESENTATION}txStyles/{PRESENTATION}{name}Style")
            self._styles[key] = read_levels(style)
        return self._styles[key]

    def _get_places(self, part: Part) -> Mapping[str, Levels]:
        """The placeholders of a layout by `#` and index, and the first of each type by its type."""
        if part.name not in self._by_part:
            places: dict[str, Levels] = {}
            for shape in part.element.iter(f"{PRESENTATION}sp"):
                placeholder = find_placeholder(shape)
                if placeholder is not None:
                    levels = read_levels(shape.find(f"{PRESENTATION}txBody/{DRAWING}lstStyle"))
                    places.setdefault(f"#{placeholder.get('idx', '0')}", levels)
                    places.setdefault(placeholder.get("type", "obj"), levels)
            self._by_part[part.name] = places
        return self._by_part[part.name]
