"""The shapes of a slide, in PowerPoint's order for reading aloud, and which of them are not visible."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree.ElementTree import Element as Source

from collections_app.parsing.office.names import is_on
from collections_app.parsing.office.pptx.levels import TITLE_TYPES, find_placeholder
from collections_app.parsing.office.pptx.names import DRAWING, PRESENTATION, iter_chosen, read_number

_LEFT_OUT_TYPES = frozenset({"dt", "ftr", "hdr", "sldImg", "sldNum"})
_SHAPES = frozenset({f"{PRESENTATION}sp", f"{PRESENTATION}graphicFrame"})


@dataclass(frozen=True, slots=True)
class Shape:
    """`placeholder` is the layout's placeholder that it fills; None if it stands alone. Positions in a group are relative to the group."""

    element: Source
    placeholder: Source | None
    is_hidden: bool
    is_grouped: bool = False

    @property
    def is_title(self) -> bool:
        return self.placeholder is not None and self.placeholder.get("type") in TITLE_TYPES

    @property
    def body(self) -> Source | None:
        return self.element.find(f"{PRESENTATION}txBody")


def iter_shapes(slide: Source, size: tuple[int, int] | None = None) -> Iterator[Shape]:
    """The shapes of a slide and of its groups, without dates, footers and slide numbers. If the slide's size is given, shapes outside of it
    are hidden.
    """
    tree = slide.find(f"{PRESENTATION}cSld/{PRESENTATION}spTree")
    waiting = [] if tree is None else [(each, False, True) for each in reversed(list(iter_chosen(tree)))]
    while waiting:
        element, is_hidden, is_outermost = waiting.pop()
        is_hidden = is_hidden or _is_hidden(element) or (is_outermost and _is_outside(element, size))
        if element.tag == f"{PRESENTATION}grpSp":
            waiting += [(each, is_hidden, False) for each in reversed(list(iter_chosen(element)))]
        elif element.tag in _SHAPES:
            placeholder = find_placeholder(element)
            if placeholder is None or placeholder.get("type") not in _LEFT_OUT_TYPES:
                yield Shape(element, placeholder, is_hidden, not is_outermost)


def read_size(presentation: Source) -> tuple[int, int] | None:
    """Width and height of all slides, in EMUs; None if they are not given."""
    size = presentation.find(f"{PRESENTATION}sldSz")
    width, height = (0 if size is None else read_number(size.get(name), 0) for name in ("cx", "cy"))
    return (width, height) if width > 0 and height > 0 else None


def _is_hidden(element: Source) -> bool:
    properties = element.find(f"./*/{PRESENTATION}cNvPr")
    return properties is not None and is_on(properties.get("hidden"))


def _is_outside(element: Source, size: tuple[int, int] | None) -> bool:
    """Whether no part of it is on the slide."""
    edges = find_place(element)
    if size is None or edges is None:
        return False
    left, top, right, bottom = edges
    return right < 0 or bottom < 0 or left > size[0] or top > size[1]


def find_place(element: Source) -> tuple[int, int, int, int] | None:
    """Its left, upper, right and lower edge, if it has a position of its own, in EMUs from the upper left corner."""
    transform = _find_transform(element)
    if transform is None:
        return None
    place, extent = transform.find(f"{DRAWING}off"), transform.find(f"{DRAWING}ext")
    if place is None or extent is None:
        return None
    left, top = read_number(place.get("x"), 0), read_number(place.get("y"), 0)
    return left, top, left + read_number(extent.get("cx"), 0), top + read_number(extent.get("cy"), 0)


def _find_transform(element: Source) -> Source | None:
    paths = (f"{PRESENTATION}spPr/{DRAWING}xfrm", f"{PRESENTATION}grpSpPr/{DRAWING}xfrm", f"{PRESENTATION}xfrm")
    return next((found for path in paths if (found := element.find(path)) is not None), None)
