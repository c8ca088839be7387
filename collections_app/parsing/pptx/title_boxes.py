"""Finds the box of text that stands as the title on a slide without one, as other programs than PowerPoint and hasty authors set it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from collections_app.parsing.pptx.names import DRAWING
from collections_app.parsing.pptx.shapes import Shape, find_place
from collections_app.parsing.pptx.text import get_text

_UPPER_PART = 0.25  # of the slide's height, in which the box begins
_MAX_CHARACTERS = 100
_MAX_PARAGRAPHS = 2
_WORDY = re.compile(r"[^\W\d_]{3}|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2}")


def find_title_box(shapes: Sequence[Shape], size: tuple[int, int] | None) -> Shape | None:
    """The highest text, where it is short and others stand below it."""
    if size is None:
        return None
    placed = [(place[1], shape) for shape in shapes if _says_something(shape) and (place := find_place(shape.element))]
    if not placed:
        return None
    top, shape = min(placed, key=lambda each: each[0])
    return shape if top < _UPPER_PART * size[1] and _may_be_title(shape) else None


def _says_something(shape: Shape) -> bool:
    return not shape.is_hidden and not shape.is_grouped and shape.body is not None and bool(get_text(shape.body))


def _may_be_title(shape: Shape) -> bool:
    if shape.placeholder is not None or shape.body is None:
        return False
    text = get_text(shape.body)
    paragraphs = [each for each in shape.body.iterfind(f"{DRAWING}p") if get_text(each)]
    is_sentence = text.endswith((".", ":", ";", ","))
    return (
        len(text) <= _MAX_CHARACTERS
        and len(paragraphs) <= _MAX_PARAGRAPHS
        and not is_sentence
        and bool(_WORDY.search(text))
    )
