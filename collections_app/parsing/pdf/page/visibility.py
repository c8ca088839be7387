"""Whether a reader sees a page's text: whether it is on the page, and has ink or a background. Callers hold PDFium's lock."""

from __future__ import annotations

import ctypes
from functools import cached_property
from typing import Any

import pypdfium2.raw as pdfium

from collections_app.parsing.pdf.page.rulings import MAX_FORM_DEPTH

_WHITE = 250  # of 255

_Bounds = tuple[float, float, float, float]
"""Left, bottom, right, top."""


class Visibility:
    """Tells it of one page."""

    def __init__(self, page: Any, text_page: Any) -> None:
        self._page = page
        self._text_page = text_page
        self._box = pdfium.FS_RECTF()  # PDFium writes into it

    def sees(self, text_object: Any, index: int) -> bool:
        """Whether a reader sees the text: it is on the page, and has ink, or a background that shows it.

        A picture with invisible text over it is an OCRed scan; white text on a coloured box is a heading.
        """
        bounds = self._get_character_bounds(index)
        if not _do_overlap(bounds, self._page_box):
            return False
        return not _is_inkless(text_object) or any(_do_overlap(bounds, each) for each in self._backgrounds)

    def _get_character_bounds(self, index: int) -> _Bounds:
        box = self._box
        pdfium.FPDFText_GetLooseCharBox(self._text_page, index, box)
        return box.left, box.bottom, box.right, box.top

    @cached_property
    def _page_box(self) -> _Bounds:
        box: _Bounds = self._page.get_bbox()
        return box

    @cached_property
    def _backgrounds(self) -> list[_Bounds]:
        """The positions of pictures, shadings and areas that are not white."""
        objects = self._page.get_objects(max_depth=MAX_FORM_DEPTH)
        return [_get_bounds(each) for each in objects if _may_be_background(each) and not _is_white(each.raw)]


def _may_be_background(page_object: Any) -> bool:
    """Whether an object may be a background: it is no text, and no group, whose objects follow it unless they are nested too deeply."""
    is_open_group = page_object.type == pdfium.FPDF_PAGEOBJ_FORM and page_object.level < MAX_FORM_DEPTH - 1
    return page_object.type != pdfium.FPDF_PAGEOBJ_TEXT and not is_open_group


def _get_bounds(page_object: Any) -> _Bounds:
    """The bounds on the page: an object in a form has its position in that form."""
    left, bottom, right, top = ctypes.c_float(), ctypes.c_float(), ctypes.c_float(), ctypes.c_float()
    pdfium.FPDFPageObj_GetBounds(page_object.raw, left, bottom, right, top)
    bounds: _Bounds = (left.value, bottom.value, right.value, top.value)
    form = page_object.container
    while form:
        bounds = form.get_matrix().on_rect(*bounds)
        form = form.container
    return bounds


def _do_overlap(one: _Bounds, other: _Bounds) -> bool:
    return one[0] <= other[2] and other[0] <= one[2] and one[1] <= other[3] and other[1] <= one[3]


def _is_inkless(text_object: Any) -> bool:
    mode = pdfium.FPDFTextObj_GetTextRenderMode(text_object)
    return mode == pdfium.FPDF_TEXTRENDERMODE_INVISIBLE or _is_white(text_object)


def _is_white(page_object: Any) -> bool:
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    if not pdfium.FPDFPageObj_GetFillColor(page_object, red, green, blue, alpha):
        return False
    return alpha.value == 0 or min(red.value, green.value, blue.value) >= _WHITE
