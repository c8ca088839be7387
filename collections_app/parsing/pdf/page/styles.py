"""What the characters of a page look like: size, direction, font, mark, and whether they are seen. Callers hold PDFium's lock.

Each question about a character costs a call into C, so a style is read once per text object, and a font once.
"""

from __future__ import annotations

import ctypes
import math
import re
from collections.abc import Mapping
from statistics import median
from typing import Any, NamedTuple

import pypdfium2.raw as pdfium

from collections_app.parsing.pdf.page.visibility import Visibility
from collections_app.parsing.pdf.pages import Mark

_MONOSPACED = re.compile(
    r"mono|nimbusmon|courier|typewriter|consol|menlo|fixed|cmtt|cmsltt|lmtt|inconsolata|sourcecode|mplus-?1m|[a-z]TT\d",
    re.IGNORECASE,
)
_BOLD = re.compile(r"bold|black|heavy|semibd|cmbx|cmssbx|medi$|-bd", re.IGNORECASE)
# LaTeX's fonts of lines and rounded corners, with which it draws frames: their letters are parts of these.
_DRAWING = re.compile(r"(?:^|\+)(?:LCIRCLEW?|LINEW?)\d", re.IGNORECASE)
_FLAG_MONOSPACED, _FLAG_FORCE_BOLD = 1, 1 << 18  # ISO 32000-1, table 123
_MIN_READABLE_POINTS = 1.5
_MAX_SLANT_DEGREES = 5
_BITMAP_SAMPLE = 12  # characters
_FAR_FROM = 1.5  # times the size that a font states: then its glyphs have a scale of their own
# The heights of letters, as a share of the font's size, in Computer Modern, which most bitmap fonts are.
_LETTER_HEIGHTS = {
    **dict.fromkeys("acemnorsuvwxz", 0.44),
    **dict.fromkeys("bdfhklABCDEFGHIJKLMNOPRSTUVWXYZ0123456789", 0.69),
    **dict.fromkeys("gpy", 0.64),
}
_NO_MARK = Mark()


class _Font(NamedTuple):
    address: int = 0
    has_name: bool = True
    is_monospaced: bool = False
    is_bold: bool = False
    is_drawing: bool = False


class Style(NamedTuple):
    """What the characters of a text object share. `quarter_turns` counts counter-clockwise, None is slanting text; `font` is an id.
    `is_drawing`: they are parts of lines.
    """

    size: float
    quarter_turns: int | None
    is_monospaced: bool
    is_bold: bool
    is_visible: bool
    mark: Mark
    font: int
    is_drawing: bool = False


class Styles:
    """The styles of a page's characters. `marks`: see tags.py."""

    def __init__(self, page: Any, text_page: Any, count: int, marks: Mapping[int, Mark]) -> None:
        self.unsaid: dict[int, Any] = {}
        """Fonts that do not declare themselves monospaced, by address."""
        self._text_page = text_page
        self._count = count
        self._marks = marks
        self._visibility = Visibility(page, text_page)
        self._sizes: dict[tuple[int, float], float] = {}
        self._styles: dict[int, Style] = {}
        self._found: dict[int, Style | None] = {}  # by indexes of characters
        self._fonts: dict[int, _Font] = {}

    def find(self, index: int) -> Style | None:
        """The style of a character; None if PDFium made the character up."""
        if index in self._found:
            return self._found[index]
        style = self._found[index] = self._look_up_style(index)
        return style

    def _look_up_style(self, index: int) -> Style | None:
        text_object = pdfium.FPDFText_GetTextObject(self._text_page, index)
        if not text_object:
            return None
        address = ctypes.addressof(text_object.contents)
        style = self._styles.get(address)
        if style is None:
            style = self._styles[address] = self._read_style(text_object, index)
        return style

    def _read_style(self, text_object: Any, index: int) -> Style:
        matrix = pdfium.FS_MATRIX()
        pdfium.FPDFText_GetMatrix(self._text_page, index, matrix)
        size = pdfium.FPDFText_GetFontSize(self._text_page, index) * math.hypot(matrix.c, matrix.d)
        # A negative size reverses the direction.
        degrees = math.degrees(math.atan2(matrix.b, matrix.a)) + (180 if size < 0 else 0)
        size = abs(size)
        quarter_turns = round(degrees / 90)
        font = self._get_font(text_object)
        if not font.has_name:
            size = self._correct_size(font, index, size, is_sideways=quarter_turns % 2 == 1)
        slants = abs(degrees - 90 * quarter_turns) > _MAX_SLANT_DEGREES
        is_visible = size >= _MIN_READABLE_POINTS and self._visibility.sees(text_object, index)
        turns = None if slants else quarter_turns % 4
        mark = self._find_mark(text_object)
        return Style(size, turns, font.is_monospaced, font.is_bold, is_visible, mark, font.address, font.is_drawing)

    def _find_mark(self, text_object: Any) -> Mark:
        number = pdfium.FPDFPageObj_GetMarkedContentID(text_object) if self._marks else -1
        return self._marks.get(number, _NO_MARK)

    def _correct_size(self, font: _Font, index: int, named: float, *, is_sideways: bool) -> float:
        """The size of text in a font without a name, which the page may draw itself (Type 3) in its own units: estimated by its letters."""
        key = font.address, named
        if key in self._sizes:
            return self._sizes[key]
        heights = []
        for position in range(index, min(index + _BITMAP_SAMPLE, self._count)):
            share = _LETTER_HEIGHTS.get(chr(pdfium.FPDFText_GetUnicode(self._text_page, position)))
            if share:
                heights.append(self._get_height(position, is_sideways=is_sideways) / share)
        measured = median(heights or [self._get_height(index, is_sideways=is_sideways)])
        size = measured if max(measured, named) > _FAR_FROM * min(measured, named) else named
        if heights:
            self._sizes[key] = size
        return size

    def _get_height(self, index: int, *, is_sideways: bool) -> float:
        left, right, bottom, top = (ctypes.c_double() for _ in range(4))
        pdfium.FPDFText_GetCharBox(self._text_page, index, left, right, bottom, top)
        return abs(right.value - left.value) if is_sideways else abs(top.value - bottom.value)

    def _get_font(self, text_object: Any) -> _Font:
        font = pdfium.FPDFTextObj_GetFont(text_object)
        if not font:
            return _Font()
        address = ctypes.addressof(font.contents)
        if address not in self._fonts:
            name_buffer = ctypes.create_string_buffer(128)
            pdfium.FPDFFont_GetBaseFontName(font, name_buffer, len(name_buffer))
            name = name_buffer.value.decode("utf-8", "replace")
            flags = max(pdfium.FPDFFont_GetFlags(font), 0)
            self._fonts[address] = _Font(
                address,
                bool(name),
                bool(flags & _FLAG_MONOSPACED or _MONOSPACED.search(name)),
                bool(flags & _FLAG_FORCE_BOLD or _BOLD.search(name)),
                bool(_DRAWING.search(name)),
            )
            if not self._fonts[address].is_monospaced:
                self.unsaid[address] = font
        return self._fonts[address]
