"""Finds the text box that serves as the title of a slide without one, as made by other programs than PowerPoint and by hasty authors."""

from __future__ import annotations

import re
from collections.abc import Sequence

from collections_app.parsing.office.pptx.names import DRAWING, read_number
from collections_app.parsing.office.pptx.shapes import Shape, find_place
from collections_app.parsing.office.pptx.text import get_text

_UPPER_PART = 0.25  # of the slide's height; the box must begin above
_MAX_CHARACTERS = 100
_MAX_PARAGRAPHS = 2
_TEXT_SIZE, _PLACEHOLDER_SIZE = 1800, 3200  # hundredths of points, if the text gives none
_LARGER = 1.2  # times the size of all other text
_WORDY = re.compile(r"[^\W\d_]{3}|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2}")


def find_title_box(shapes: Sequence[Shape], size: tuple[int, int] | None) -> Shape | None:
    """The highest text, if it is short and in the upper quarter; else a short text that is much larger than all others."""
    if size is None:
        return None
    told = [shape for shape in shapes if _says_something(shape)]
    placed = [(place[1], shape) for shape in told if (place := find_place(shape.element))]
    if not placed:
        return None
    top, shape = min(placed, key=lambda each: each[0])
    return shape if top < _UPPER_PART * size[1] and _may_be_title(shape) else _find_largest(told)


def _find_largest(shapes: Sequence[Shape]) -> Shape | None:
    sizes = sorted(((_find_size(shape), number) for number, shape in enumerate(shapes)), reverse=True)
    (size, number), others = sizes[0], sizes[1:]
    is_larger = size >= _LARGER * max(_TEXT_SIZE, *(other for other, _ in others), 0)
    return shapes[number] if is_larger and _may_be_title(shapes[number]) else None


def _find_size(shape: Shape) -> int:
    """The size of its largest words."""
    usual = _TEXT_SIZE if shape.placeholder is None else _PLACEHOLDER_SIZE
    sizes = [
        read_number(properties.get("sz"), usual)
        for run in (shape.body.iter(f"{DRAWING}r") if shape.body is not None else ())
        if "".join(run.itertext()).strip() and (properties := run.find(f"{DRAWING}rPr")) is not None
    ]
    return max(sizes, default=usual)


def _says_something(shape: Shape) -> bool:
    return not shape.is_hidden and not shape.is_grouped and shape.body is not None and bool(get_text(shape.body))


def _may_be_title(shape: Shape) -> bool:
    if shape.placeholder is not None or shape.body is None:
        return False
    text = get_text(shape.body)
    paragraphs = [each for each in shape.body.iterfind(f"{DRAWING}p") if get_text(each)]
    is_sentence = text.endswith((".", ":", ";", ",")) and not text.endswith("...")
    return (
        len(text) <= _MAX_CHARACTERS
        and len(paragraphs) <= _MAX_PARAGRAPHS
        and not is_sentence
        and bool(_WORDY.search(text))
    )
