"""One page of a PDF → its lines of words with positions and fonts, and its text that no reader sees. Callers hold PDFium's lock.

Every question about a character costs a call into C, so words are found in the page's whole text, and only the first and last character
of each are looked up; fonts are looked up once per text object.
"""

from __future__ import annotations

import ctypes
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from collections_app.parsing.pdf.page.characters import clean_word, restore_ligatures
from collections_app.parsing.pdf.page.directions import runs_right_to_left, straighten
from collections_app.parsing.pdf.page.drawn_tables import find_drawn_tables
from collections_app.parsing.pdf.page.fixed_pitch import is_fixed_pitch, is_mostly_square
from collections_app.parsing.pdf.page.placed_texts import PlacedText
from collections_app.parsing.pdf.page.placed_words import PlacedWord, drop_overprinted, iter_lines, iter_rows
from collections_app.parsing.pdf.page.ruled_tables import find_ruled_tables
from collections_app.parsing.pdf.page.rulings import read_drawing
from collections_app.parsing.pdf.page.styles import Styles
from collections_app.parsing.pdf.page.table_words import place_words
from collections_app.parsing.pdf.page.tags import read_marks
from collections_app.parsing.pdf.pages import Line, Mark, Word

MAX_PAGE_CHARACTERS = 200_000
_LINE_HYPHEN = "\ufffe"  # PDFium's mark for a hyphen at the end of a line
_WORD = re.compile(rf"[^\s{_LINE_HYPHEN}]+")
_ALEF_LAM = re.compile("[اأإآ]ل")
_UNDECODED = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ufffd]")
# Codes without characters are seldom mistaken for these.
_LETTER = re.compile("[a-z\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_UNDECODED_SHARE = 0.1  # of a page's characters; in normal text only ligatures and bullets of old fonts have none
_MIN_UNDECODED = 20
_MAX_DECODED_SHARE = 0.5  # letters, if the codes of others are missing: with more it is text all the same
_MIDDLE = 0.3  # times the font size: from the baseline up to the middle of a word


class UnreadablePage(Exception):
    """The page cannot be loaded, or contains too much."""


class UndecodablePage(Exception):
    """The page has text, but its fonts do not say which characters it has."""


@dataclass(frozen=True, slots=True)
class PageText:
    lines: list[Line]
    hidden_text: list[str]


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
        self._kept_open = page.get_textpage()  # closes the page that it wraps when it is no longer referenced
        self._text_page = self._kept_open.raw
        self._count = pdfium.FPDFText_CountChars(self._text_page)
        self._styles = Styles(page, self._text_page, self._count, marks)
        self._has_right_to_left = False
        # PDFium writes into these.
        self._x, self._y, self._box = ctypes.c_double(), ctypes.c_double(), pdfium.FS_RECTF()

    def read(self) -> PageText:
        placed = self._mark_fixed_pitch(drop_overprinted(self._iter_words()))
        turns = Counter(each.style.quarter_turns for each in placed if each.style.quarter_turns is not None)
        if not turns:
            return PageText([], [])
        ((quarter_turns, _),) = turns.most_common(1)
        upright = [each for each in placed if each.style.quarter_turns == quarter_turns]
        visible = self._place_in_tables([each for each in upright if each.style.is_visible], quarter_turns)
        hidden = " ".join(each.word.text for each in upright if not each.style.is_visible)
        if self._has_right_to_left:
            words = straighten([each.word for each in visible], list(iter_rows(visible)))
            visible = [each._replace(word=word) for each, word in zip(visible, words, strict=True)]
        return PageText(list(iter_lines(visible)), [hidden] if hidden else [])

    def _place_in_tables(self, placed: list[PlacedWord], quarter_turns: int) -> list[PlacedWord]:
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

    def _iter_words(self) -> Iterator[PlacedWord]:
        text = restore_ligatures(self._get_text())
        if _is_undecodable(text):
            raise UndecodablePage
        self._has_right_to_left = runs_right_to_left(text)
        for first, end in self._iter_spans(text):
            last = end - 1
            printed = text[first:end]
            style = self._styles.find(first + _get_first_letter(printed))
            if style and self._has_right_to_left and runs_right_to_left(printed):
                printed = self._turn_ligatures(printed, first)
                first, last = last, first
            cleaned = clean_word(printed, is_code=style.is_monospaced) if style and not style.is_drawing else ""
            if not style or not cleaned:
                continue
            left, y = self._get_origin(first, style.quarter_turns or 0)
            right = self._get_right(last, style.quarter_turns or 0)
            word = Word(cleaned, left, max(left, right), style.is_monospaced, style.is_bold, style.mark)
            yield PlacedWord(word, y, style, text.startswith(_LINE_HYPHEN, end))

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
        style = self._styles.find(index)
        return style is not None and not style.is_visible

    def _mark_fixed_pitch(self, placed: list[PlacedWord]) -> list[PlacedWord]:
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
            font: font in self._styles.unsaid and is_fixed_pitch(some, partial(measure, self._styles.unsaid[font]))
            for font, some in words.items()
            if font in self._styles.unsaid or is_mostly_square(text for text, _ in some)
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
