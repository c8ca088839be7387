"""A PDF's title: from its metadata, unless a program wrote that or the first page shows something else in large type."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from collections_app.parsing.file_names import get_title_from_path
from collections_app.parsing.pdf.columns import order_lines
from collections_app.parsing.pdf.headings.bold import find_bold_headings
from collections_app.parsing.pdf.headings.choosing import PlacedHeading
from collections_app.parsing.pdf.headings.numbers import find_number
from collections_app.parsing.pdf.headings.sizes import LargeText, find_largest_text, get_size
from collections_app.parsing.pdf.pages import Line, Pages, drop_icons, fold_text, join_texts

_EMPTY = re.compile(
    r"untitled.*|(?:new )?document\d*|title|none|(?:proceedings )?template(?: - word)?|slide (?:number )?\d*|[\d.\s]*|\W*|gnuplot plot"
    r"|.*\.(?:docx?|docm|dotx?|odt|odp|ods|pdf|tex|dvi|ps|eps|ai|indd|qxd|qxp|rtf|wpd|html?|xlsx?|pptx?|pages|key|md|rst|txt|fm)"
    # what PowerPoint calls a presentation in some of its languages
    r"|powerpoint[ -]?(?:presentation|präsentation|プレゼンテーション|演示文稿|簡報|프레젠테이션)"
    r"|(?:présentation|presentación de|presentazione(?: standard)? di|apresentação do|презентация|prezentacja programu) powerpoint",
    re.IGNORECASE,
)
_PRODUCER_PREFIX = re.compile(r"microsoft (?:word|powerpoint|excel) - ", re.IGNORECASE)
_ADDRESS = re.compile(r"https?://|\bwww\.\w", re.IGNORECASE)
_NO_NAME = re.compile(r"@|^(?:table of )?contents$", re.IGNORECASE)
_WORD = re.compile(r"\w{2,}")
_FIRST_PAGES = 2
_MIN_PRINTED_WORDS = 2
_ALIKE = 0.5  # of the words of the shorter one


def find_title(
    information: Mapping[str, str], pages: Pages, headings: Sequence[PlacedHeading], printed: Pages, path: str
) -> str:
    """`pages` are in reading order, without running heads, `headings` are those of the first page; `printed` has everything on the
    pages.
    """
    largest = find_largest_text(pages)
    told = _find_told_title(information.get("Title", ""), path)
    first = _find_heading(pages[0], headings)
    other = largest.text if largest and _is_title(largest, pages) else first
    if told and other and not _is_printed(told, other, printed):
        return drop_icons(other)
    shown = (largest.text if largest else "") or first or _find_bold(pages)
    return told or drop_icons(shown) or get_title_from_path(path)


def read_description(information: Mapping[str, str]) -> str:
    said = information.get("Subject", "")
    return "" if _EMPTY.fullmatch(said) else said


def read_keywords(information: Mapping[str, str]) -> tuple[str, ...]:
    """No keywords if they include an address: converters advertise themselves there."""
    said = information.get("Keywords", "")
    return () if _ADDRESS.search(said) else tuple(filter(None, map(str.strip, re.split(r"[,;]", said))))


def _find_told_title(title: str, path: str) -> str:
    """The title in the metadata; empty if a program made it up from nothing or from a file name."""
    title = _PRODUCER_PREFIX.sub("", title)
    is_file_name = fold_text(title) == fold_text(PurePosixPath(path).stem)
    return "" if is_file_name or _EMPTY.fullmatch(title) else title


def _find_heading(lines: Sequence[Line], headings: Sequence[PlacedHeading]) -> str:
    """The first page's first heading, if nothing on the page is larger; on slides, others may be as large on later pages."""
    heading = next((heading for heading in headings if heading.line_count), None)
    if heading is None or find_number(heading.text) or _EMPTY.fullmatch(heading.text):
        return ""
    is_largest = get_size(lines[heading.index]) >= max(map(get_size, lines))
    return heading.text if is_largest and _is_above(heading.index, lines) and _has_words(heading.text) else ""


def _find_bold(pages: Pages) -> str:
    """A bold text above all others on the first page, if few lines are bold; not a person, a number or a table of contents."""
    text = next((text for text in find_bold_headings(pages) if text.page == 0), None)
    if text is None or not _has_words(text.text) or find_number(text.text) or _NO_NAME.search(text.text):
        return ""
    return text.text if pages[0][text.index].y >= max(line.y for line in pages[0]) else ""


def _is_title(text: LargeText, pages: Pages) -> bool:
    """Whether the words are in the upper half of the first page's text."""
    return _is_above(text.index, pages[0]) and _has_words(text.text)


def _is_above(index: int, lines: Sequence[Line]) -> bool:
    heights = [line.y for line in lines]
    return lines[index].y >= (max(heights) + min(heights)) / 2


def _has_words(text: str) -> bool:
    return len(_WORD.findall(text)) >= _MIN_PRINTED_WORDS


def _is_printed(title: str, largest: str, pages: Pages) -> bool:
    """Whether the title is printed on the first pages, or has much in common with what is set largest there."""
    words, printed = _list_words(title), _list_words(largest)
    if len(words & printed) >= _ALIKE * min(len(words), len(printed)):
        return True
    return any(_fold(title) in _fold(join_texts(order_lines(page))) for page in pages[:_FIRST_PAGES])


def _list_words(text: str) -> set[str]:
    return {_fold(word) for word in _WORD.findall(text)}


def _fold(text: str) -> str:
    """The text without accents, ligatures, blanks, hyphens and the like."""
    return fold_text(unicodedata.normalize("NFKD", text))
