"""The only user of PDFium: bytes of a PDF → its lines of text with their positions, its outline and its metadata.

PDFium is not thread-safe: a process reads one document at a time. Its input may be hostile, so pages, characters, outline entries and
seconds are limited.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from collections_app.exceptions import ParseError, UnsupportedFormat
from collections_app.parsing.pdf.page.reader import PageText, UndecodablePage, UnreadablePage, read_page
from collections_app.parsing.pdf.pages import Line, OutlineEntry, PdfContents
from collections_app.parsing.pdf.stream_sizes import check_stream_sizes

MAX_PAGES = 10_000
MAX_CHARACTERS = 20_000_000
MAX_SECONDS = 120
"""Seconds of processor time: other load on the machine is not the file's fault."""

MAX_OUTLINE_ENTRIES = 20_000
MAX_OUTLINE_DEPTH = 15

_MAX_TAGGED_SECONDS = (
    30  # each page searches everything that its elements have on other pages too, so that reading takes quadratic time
)
_MAX_LISTED_PAGES = 10
_MAX_HIDDEN_TEXTS = 50
_SCANNED_SHARE = 0.1  # of the pages; with text on fewer, a document counts as scanned
_VIEWS_WITH_TOP = {pdfium.PDFDEST_VIEW_XYZ: 1, pdfium.PDFDEST_VIEW_FITH: 0, pdfium.PDFDEST_VIEW_FITBH: 0}

_INFORMATION_KEYS = ("Title", "Author", "Subject", "Keywords")

_PDFIUM_LOCK = threading.Lock()

# PDFium's wrapper warns of each bookmark that it skips: a file could write any number of lines into the log.
logging.getLogger("pypdfium2").setLevel(logging.ERROR)


def read_pdf(content: bytes) -> PdfContents:
    """The pages in order, with their lines in the order in which they were written.

    Raises ParseError (broken, encrypted, beyond a limit) and UnsupportedFormat (no text: scanned).
    """
    check_stream_sizes(content)
    with _PDFIUM_LOCK:
        document = _open_document(content)
        try:
            return _read_document(document)
        finally:
            document.close()


def _open_document(content: bytes) -> Any:
    try:
        document = pypdfium2.PdfDocument(content)
    except pypdfium2.PdfiumError as error:
        if error.err_code == pdfium.FPDF_ERR_PASSWORD:
            raise ParseError("The PDF is encrypted and needs a password; upload it without one.") from None
        raise ParseError("The PDF is broken: it could not be opened. Export or print it anew.") from None
    if not 0 < len(document) <= MAX_PAGES:
        page_count = len(document)
        document.close()
        raise ParseError(f"The PDF has {page_count:,} pages; it may have 1 to {MAX_PAGES:,}.", pages=page_count)
    return document


def _read_document(document: Any) -> PdfContents:
    ends_at = time.thread_time() + MAX_SECONDS
    tags_end_at = time.thread_time() + _MAX_TAGGED_SECONDS
    pages: list[list[Line]] = []
    hidden_text: list[str] = []
    unreadable: list[int] = []
    undecodable: list[int] = []
    character_count = 0
    has_forms = document.get_formtype() != pdfium.FORMTYPE_NONE
    is_tagged = bool(pdfium.FPDFCatalog_IsTagged(document.raw))
    for index in range(len(document)):
        page = PageText([], [])
        try:
            page = read_page(document, index, has_forms=has_forms, has_tags=is_tagged)
        except UnreadablePage:
            unreadable.append(index + 1)
        except UndecodablePage:
            undecodable.append(index + 1)
        pages.append(page.lines)
        hidden_text += page.hidden_text
        character_count += sum(len(line.text) for line in page.lines)
        _check_limits(character_count, ends_at)
        is_tagged = is_tagged and time.thread_time() < tags_end_at
    _check_has_text(pages, unreadable, undecodable)
    return PdfContents(
        pages=pages,
        outline=list(_iter_outline(document, ends_at)),
        information=_read_information(document),
        is_tagged=is_tagged,
        hidden_text=tuple(hidden_text[:_MAX_HIDDEN_TEXTS]),
        warnings=(
            *_make_warnings("These pages could not be read", unreadable),
            *_make_warnings("The fonts of these pages do not say which characters they show", undecodable),
        ),
    )


def _check_limits(character_count: int, ends_at: float) -> None:
    if character_count > MAX_CHARACTERS:
        raise ParseError(f"The PDF holds more than {MAX_CHARACTERS:,} characters; cut it into several files.")
    if time.thread_time() > ends_at:
        raise ParseError(f"Reading the PDF took more than {MAX_SECONDS} seconds; cut it into several files.")


def _check_has_text(pages: list[list[Line]], unreadable: list[int], undecodable: list[int]) -> None:
    if len(unreadable) == len(pages):
        raise ParseError("The PDF is broken: none of its pages could be read. Export or print it anew.")
    with_text = sum(1 for lines in pages if lines)
    if with_text != 0 and with_text >= _SCANNED_SHARE * len(pages):
        return
    if undecodable:
        raise UnsupportedFormat(
            f"On {len(undecodable)} of the PDF's {len(pages)} pages the fonts do not say which characters they show. "
            "Export it anew, or run OCR over it (ocrmypdf --force-ocr) first.",
            pages=len(pages),
            pages_with_text=with_text,
        )
    raise UnsupportedFormat(
        f"The PDF has text on {with_text} of its {len(pages)} pages: it is scanned. Run OCR over it (ocrmypdf) first.",
        pages=len(pages),
        pages_with_text=with_text,
    )


def _make_warnings(reason: str, pages: list[int]) -> tuple[str, ...]:
    if not pages:
        return ()
    listed = ", ".join(map(str, pages[:_MAX_LISTED_PAGES]))
    more = f" and {len(pages) - _MAX_LISTED_PAGES} more" if len(pages) > _MAX_LISTED_PAGES else ""
    return (f"{reason}: {listed}{more}.",)


def _read_information(document: Any) -> dict[str, str]:
    """The file's information about itself, without values in broken UTF-16."""
    information = {}
    for key in _INFORMATION_KEYS:
        with suppress(UnicodeDecodeError):
            information[key] = _clean_text(document.get_metadata_value(key))
    return {key: value for key, value in information.items() if value}


def _clean_text(text: str) -> str:
    return "".join(char if char.isprintable() else " " for char in text).strip()


def _iter_outline(document: Any, ends_at: float) -> Iterator[OutlineEntry]:
    """The bookmarks that point into the document. PdfDocument.get_toc() passes through a circle once."""
    for bookmark in islice(document.get_toc(max_depth=MAX_OUTLINE_DEPTH), MAX_OUTLINE_ENTRIES):
        _check_limits(0, ends_at)
        title = _read_title(bookmark)
        target = bookmark.get_dest()
        page = target.get_index() if target else None
        if title and page is not None and 0 <= page < len(document):
            yield OutlineEntry(title, bookmark.level + 1, page, _find_top(target))


def _read_title(bookmark: Any) -> str:
    try:
        return " ".join(_clean_text(bookmark.get_title()).split())
    except UnicodeDecodeError:
        return ""


def _find_top(target: Any) -> float | None:
    """The height that a bookmark points to; PDFium returns 0 if it names none."""
    view, numbers = target.get_view()
    position = _VIEWS_WITH_TOP.get(view)
    return numbers[position] or None if position is not None and len(numbers) > position else None
