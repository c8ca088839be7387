"""One page of a PDF → its lines of words with positions and fonts, and its text that no reader sees. Callers hold PDFium's lock.

Every question about a character costs a call into C, so words are found in the page's whole text, and only the first and last character
of each are looked up; fonts are looked up once per text object.
"""

from __future__ import annotations

import ctypes
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import groupby, pairwise, product
from statistics import median
from typing import Any, NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium

from collections_app.parsing.pdf.characters import clean_word, restore_ligatures
from collections_app.parsing.pdf.directions import runs_right_to_left, straighten
from collections_app.parsing.pdf.drawn_tables import find_drawn_tables
from collections_app.parsing.pdf.fixed_pitch import is_fixed_pitch, is_mostly_square
from collections_app.parsing.pdf.pages import Line, Mark, Word
from collections_app.parsing.pdf.placed_texts import PlacedText
from collections_app.parsing.pdf.ruled_tables import find_ruled_tables
from collections_app.parsing.pdf.rulings import MAX_FORM_DEPTH, read_drawing
from collections_app.parsing.pdf.table_words import place_words
from collections_app.parsing.pdf.tags import read_marks

MAX_PAGE_CHARACTERS = 200_000

_LINE_HYPHEN = "\ufffe"  # PDFium's mark for a hyphen at the end of a line
_WORD = re.compile(rf"[^\s{_LINE_HYPHEN}]+")
_MONOSPACED = re.compile(
    r"mono|nimbusmon|courier|typewriter|consol|menlo|fixed|cmtt|cmsltt|lmtt|inconsolata|sourcecode|mplus-?1m|[a-z]TT\d",
    re.IGNORECASE,
)
_BOLD = re.compile(r"bold|black|heavy|semibd|cmbx|cmssbx|medi$|-bd", re.IGNORECASE)
_FLAG_MONOSPACED, _FLAG_FORCE_BOLD = 1, 1 << 18  # ISO 32000-1, table 123
_MIN_READABLE_POINTS = 1.5
_WHITE = 250  # of 255
_ALEF_LAM = re.compile("[اأإآ]ل")
_MAX_SLANT_DEGREES = 5
_UNDECODED = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ufffd]")
# Codes without characters are seldom mistaken for these.
_LETTER = re.compile("[a-z\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_UNDECODED_SHARE = 0.1  # of a page's characters; in normal text only ligatures and bullets of old fonts have none
_MIN_UNDECODED = 20
_MAX_DECODED_SHARE = 0.5  # letters, if the codes of others are missing: with more it is text all the same
_BITMAP_SAMPLE = 12  # characters
_FAR_FROM = 1.5  # times the size that a font states: then its glyphs have a scale of their own
# The heights of letters, as a share of the font's size, in Computer Modern, which most bitmap fonts are.
_LETTER_HEIGHTS = {
    **dict.fromkeys("acemnorsuvwxz", 0.44),
    **dict.fromkeys("bdfhklABCDEFGHIJKLMNOPRSTUVWXYZ0123456789", 0.69),
    **dict.fromkeys("gpy", 0.64),
}
_OTHER_LINE = 0.5  # times the font size: a larger difference means another line; superscripts differ less
_OVERPRINTED = 0.05  # times the font size: the offset of a word printed twice
_MIDDLE = 0.3  # times the font size: from the baseline up to the middle of a word
_SAME_LINE = 0.1  # times the font size: words of one superscript differ less


_NO_MARK = Mark()

_Bounds = tuple[float, float, float, float]
"""Left, bottom, right, top."""


class UnreadablePage(Exception):
    """The page cannot be loaded, or contains too much."""


class UndecodablePage(Exception):
    """The page has text, but its fonts do not say which characters it has."""


@dataclass(frozen=True, slots=True)
class PageText:
    lines: list[Line]
    hidden_text: list[str]


class _Font(NamedTuple):
    address: int = 0
    has_name: bool = True
    is_monospaced: bool = False
    is_bold: bool = False


class _Style(NamedTuple):
    """What the characters of a text object share. `quarter_turns` counts counter-clockwise, None is slanting text; `font` is an id."""

    size: float
    quarter_turns: int | None
    is_monospaced: bool
    is_bold: bool
    is_visible: bool
    mark: Mark
    font: int


class _PlacedWord(NamedTuple):
    word: Word
    y: float
    style: _Style
    is_hyphenated: bool


def read_page(document: Any, index: int, *, has_forms: bool = False, has_tags: bool = False) -> PageText:
    """The lines of a page and its hidden text. With `has_forms`, the content of form fields is read in its place; with `has_tags`, the
    marks that the file gives its text.

    Raises UnreadablePage and UndecodablePage.
    """
    try:
        page = document[index]
        if has_forms and _has_fields(page):
            page = _draw_fields(document, index, page)
    except pypdfium2.PdfiumError:
        raise UnreadablePage from None
    try:
        return _PageReader(page, read_marks(page) if has_tags else {}).read()
    except pypdfium2.PdfiumError:
        raise UnreadablePage from None
    finally:
        page.close()  # together with its text page


def _has_fields(page: Any) -> bool:
    for position in range(pdfium.FPDFPage_GetAnnotCount(page.raw)):
        annotation = pdfium.FPDFPage_GetAnnot(page.raw, position)
        subtype = pdfium.FPDFAnnot_GetSubtype(annotation)
        pdfium.FPDFPage_CloseAnnot(annotation)
        if subtype == pdfium.FPDF_ANNOT_WIDGET:
            return True
    return False


def _draw_fields(document: Any, index: int, page: Any) -> Any:
    """Draws form fields, so that they become text of the page."""
    pdfium.FPDFPage_Flatten(page.raw, pdfium.FLAT_NORMALDISPLAY)
    page.close()
    return document[index]


class _PageReader:
    def __init__(self, page: Any, marks: Mapping[int, Mark]) -> None:
        self._page = page
        self._marks = marks
        self._kept_open = page.get_textpage()  # closes the page that it wraps when it is no longer referenced
        self._text_page = self._kept_open.raw
        self._count = pdfium.FPDFText_CountChars(self._text_page)
        self._has_right_to_left = False
        self._sizes: dict[tuple[int, float], float] = {}
        self._styles: dict[int, _Style] = {}
        self._found: dict[int, _Style | None] = {}  # by indexes of characters
        self._fonts: dict[int, _Font] = {}
        self._unsaid: dict[int, Any] = {}  # fonts that do not declare themselves monospaced, by address
        # PDFium writes into these.
        self._x, self._y, self._box = ctypes.c_double(), ctypes.c_double(), pdfium.FS_RECTF()

    def read(self) -> PageText:
        placed = self._mark_fixed_pitch(_drop_overprinted(self._iter_words()))
        turns = Counter(each.style.quarter_turns for each in placed if each.style.quarter_turns is not None)
        if not turns:
            return PageText([], [])
        ((quarter_turns, _),) = turns.most_common(1)
        upright = [each for each in placed if each.style.quarter_turns == quarter_turns]
        visible = self._place_in_tables([each for each in upright if each.style.is_visible], quarter_turns)
        hidden = " ".join(each.word.text for each in upright if not each.style.is_visible)
        if self._has_right_to_left:
            words = straighten([each.word for each in visible], list(_iter_rows(visible)))
            visible = [each._replace(word=word) for each, word in zip(visible, words, strict=True)]
        return PageText(list(_iter_lines(visible)), [hidden] if hidden else [])

    def _place_in_tables(self, placed: list[_PlacedWord], quarter_turns: int) -> list[_PlacedWord]:
        """The lines with the cells of tables that the page draws, unless the file names its tables itself."""
        if any(each.word.mark.cell for each in placed):
            return placed
        drawing = read_drawing(self._page, partial(_turn, quarter_turns=quarter_turns))
        if not any((*drawing.lines, *drawing.areas)):
            return placed
        texts = [
            PlacedText(word.text, word.left, word.right, y + _MIDDLE * style.size, style.size, word.is_monospaced)
            for word, y, style, _ in placed
        ]
        drawn = find_drawn_tables(drawing)
        tables = [*drawn, *find_ruled_tables(drawing.lines.horizontal, texts, drawn)]
        return [
            each._replace(word=replace(each.word, mark=replace(each.word.mark, cell=cell))) if cell else each
            for each, cell in zip(placed, place_words(tables, texts), strict=True)
        ]

    def _iter_words(self) -> Iterator[_PlacedWord]:
        text = restore_ligatures(self._get_text())
        if _is_undecodable(text):
            raise UndecodablePage
        self._has_right_to_left = runs_right_to_left(text)
        for first, end in self._iter_spans(text):
            last = end - 1
            printed = text[first:end]
            style = self._find_style(first + _get_first_letter(printed))
            if style and self._has_right_to_left and runs_right_to_left(printed):
                printed = self._turn_ligatures(printed, first)
                first, last = last, first
            cleaned = clean_word(printed, is_code=style.is_monospaced) if style else ""
            if not style or not cleaned:
                continue
            left, y = self._get_origin(first, style.quarter_turns or 0)
            right = self._get_right(last, style.quarter_turns or 0)
            word = Word(cleaned, left, max(left, right), style.is_monospaced, style.is_bold, style.mark)
            yield _PlacedWord(word, y, style, text.startswith(_LINE_HYPHEN, end))

    def _iter_spans(self, text: str) -> Iterator[tuple[int, int]]:
        """The spans of words, without hidden letters directly before or after them: Word's converter marks headings by such letters.

        Last letters are only checked on pages where a first letter is hidden.
        """
        spans = [match.span() for match in _WORD.finditer(text)]
        has_hidden = any(self._is_hidden(first) for first, _ in spans)
        for first, end in spans:
            if not has_hidden or self._is_hidden(first) == self._is_hidden(end - 1):
                yield first, end
                continue
            for _, part in groupby(range(first, end), key=self._is_hidden):
                places = list(part)
                yield places[0], places[-1] + 1

    def _is_hidden(self, index: int) -> bool:
        style = self._find_style(index)
        return style is not None and not style.is_visible

    def _mark_fixed_pitch(self, placed: list[_PlacedWord]) -> list[_PlacedWord]:
        """The lines with monospaced type marked where only its letters show it, and unmarked where these have the same width in
        all fonts.
        """
        words: dict[int, list[tuple[str, float]]] = defaultdict(list)
        for each in placed:
            if each.style.size:
                words[each.style.font].append((each.word.text, (each.word.right - each.word.left) / each.style.size))
        width = ctypes.c_float()

        def measure(font: Any, character: str) -> float:
            has_one = pdfium.FPDFFont_GetGlyphWidth(font, ord(character), 1.0, width)
            return width.value if has_one else 0.0

        told = {
            font: font in self._unsaid and is_fixed_pitch(some, partial(measure, self._unsaid[font]))
            for font, some in words.items()
            if font in self._unsaid or is_mostly_square(text for text, _ in some)
        }
        return [
            each._replace(word=replace(each.word, is_monospaced=not each.word.is_monospaced))
            if told.get(each.style.font, each.word.is_monospaced) != each.word.is_monospaced
            else each
            for each in placed
        ]

    def _turn_ligatures(self, word: str, index: int) -> str:
        """The word with the letters of lam-alef ligatures in order: PDFium also reverses the text of a single glyph."""

        def turn(match: re.Match[str]) -> str:
            places = {self._get_origin(index + position, 0) for position in (match.start(), match.start() + 1)}
            return match[0] if len(places) > 1 else match[0][::-1]

        return _ALEF_LAM.sub(turn, word)

    def _get_text(self) -> str:
        """The page's text, one character per index of PDFium's."""
        count = self._count
        if count > MAX_PAGE_CHARACTERS:
            raise UnreadablePage
        units = (ctypes.c_ushort * (count + 1))()
        written = pdfium.FPDFText_GetText(self._text_page, 0, count, units)
        if written - 1 == count:
            return "".join(map(chr, units[:count]))
        return "".join(chr(pdfium.FPDFText_GetUnicode(self._text_page, index)) for index in range(count))

    def _find_style(self, index: int) -> _Style | None:
        """The style of a character; None if PDFium made the character up."""
        if index in self._found:
            return self._found[index]
        style = self._found[index] = self._look_up_style(index)
        return style

    def _look_up_style(self, index: int) -> _Style | None:
        text_object = pdfium.FPDFText_GetTextObject(self._text_page, index)
        if not text_object:
            return None
        address = ctypes.addressof(text_object.contents)
        style = self._styles.get(address)
        if style is None:
            style = self._styles[address] = self._read_style(text_object, index)
        return style

    def _read_style(self, text_object: Any, index: int) -> _Style:
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
        is_visible = size >= _MIN_READABLE_POINTS and self._is_visible(text_object, index)
        turns = None if slants else quarter_turns % 4
        return _Style(
            size, turns, font.is_monospaced, font.is_bold, is_visible, self._find_mark(text_object), font.address
        )

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
            )
            if not self._fonts[address].is_monospaced:
                self._unsaid[address] = font
        return self._fonts[address]

    def _is_visible(self, text_object: Any, index: int) -> bool:
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

    def _get_origin(self, index: int, quarter_turns: int) -> tuple[float, float]:
        """The position of a character, along the reading direction and upwards from zero."""
        pdfium.FPDFText_GetCharOrigin(self._text_page, index, self._x, self._y)
        return _turn(self._x.value, self._y.value, quarter_turns)

    def _get_right(self, index: int, quarter_turns: int) -> float:
        box = self._box
        pdfium.FPDFText_GetLooseCharBox(self._text_page, index, box)
        right: float = (box.right, box.top, -box.left, -box.bottom)[quarter_turns]
        return right


def _turn(x: float, y: float, quarter_turns: int) -> tuple[float, float]:
    """A point of the page, along the reading direction and upwards."""
    return ((x, y), (y, -x), (-x, -y), (-y, x))[quarter_turns]


def _drop_overprinted(placed: Iterable[_PlacedWord]) -> list[_PlacedWord]:
    """The words without those that are printed again slightly beside themselves, for bold type or a shadow."""
    kept: list[_PlacedWord] = []
    printed: dict[tuple[str, float, bool], set[tuple[int, int]]] = {}
    for each in placed:
        step = _OVERPRINTED * max(each.style.size, 1.0)
        column, row = round(each.word.left / step), round(each.y / step)
        places = printed.setdefault((each.word.text, round(each.style.size, 1), each.style.is_visible), set())
        near = product((column, column - 1, column + 1), (row, row - 1, row + 1)) if len(each.word.text) > 1 else ()
        if not places or places.isdisjoint(near):
            kept.append(each)
            places.add((column, row))
    return kept


def _is_undecodable(text: str) -> bool:
    undecoded = len(_UNDECODED.findall(text))
    if undecoded < _MIN_UNDECODED:
        return False
    characters = "".join(text.split())
    letters = len(_LETTER.findall(characters))
    return undecoded >= _UNDECODED_SHARE * len(characters) and letters < _MAX_DECODED_SHARE * len(characters)


def _get_first_letter(word: str) -> int:
    """The character by which a word's font is determined: quotes and brackets around a word are often in another font."""
    return next((position for position, char in enumerate(word) if char.isalnum()), 0)


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


def _iter_rows(placed: Sequence[_PlacedWord]) -> Iterator[int]:
    """The numbers of the words' baselines, in sequence."""
    row = 0
    for before, each in pairwise([*placed[:1], *placed]):
        row += abs(each.y - before.y) > _OTHER_LINE * max(each.style.size, before.style.size)
        yield row


def _iter_lines(placed: list[_PlacedWord]) -> Iterator[Line]:
    """Lines of words that follow each other to the right on nearly the same baseline."""
    run: list[_PlacedWord] = []
    for each in placed:
        if run and not _continues_line(run, each):
            yield _make_line(run)
            run = []
        run.append(each)
    if run:
        yield _make_line(run)


def _continues_line(run: list[_PlacedWord], word: _PlacedWord) -> bool:
    if word.word.mark.cell != run[-1].word.mark.cell:
        return False
    size = max(run[-1].style.size, word.style.size)
    is_near = abs(word.y - run[0].y) < _OTHER_LINE * size or abs(word.y - run[-1].y) < _SAME_LINE * size
    return is_near and word.word.left >= run[-1].word.left and not run[-1].is_hyphenated


def _make_line(run: list[_PlacedWord]) -> Line:
    """A line with the baseline and the size of most of its text, by printed width."""
    weights: dict[tuple[float, float], float] = defaultdict(float)
    for each in run:
        weights[each.y, each.style.size] += len(each.word.text) * each.style.size
    y, size = max(weights, key=lambda key: weights[key])
    return Line(tuple(each.word for each in run), y, size, run[-1].is_hyphenated)
