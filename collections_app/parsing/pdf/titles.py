"""What a PDF is called: by its information, unless a program wrote that or its first page says something else in large type."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from pathlib import PurePosixPath

from collections_app.parsing.file_names import get_title_from_path
from collections_app.parsing.pdf.columns import order_lines
from collections_app.parsing.pdf.heading_sizes import LargeText, find_largest_text
from collections_app.parsing.pdf.pages import Pages, fold_text, join_texts

_EMPTY = re.compile(
    r"untitled.*|(?:new )?document\d*|title|none|(?:proceedings )?template(?: - word)?|slide \d*|[\d.\s]*|\W*|gnuplot plot"
    r"|.*\.(?:docx?|docm|dotx?|odt|odp|ods|pdf|tex|dvi|ps|eps|ai|indd|qxd|qxp|rtf|wpd|html?|xlsx?|pptx?|pages|key|md|rst|txt|fm)"
    # what PowerPoint calls a presentation in some of its languages
    r"|powerpoint[ -]?(?:presentation|präsentation|プレゼンテーション|演示文稿|簡報|프레젠테이션)"
    r"|(?:présentation|presentación de|presentazione(?: standard)? di|apresentação do|презентация|prezentacja programu) powerpoint",
    re.IGNORECASE,
)
_PRODUCER_PREFIX = re.compile(r"microsoft (?:word|powerpoint|excel) - ", re.IGNORECASE)
_ADDRESS = re.compile(r"https?://|\bwww\.\w", re.IGNORECASE)
_WORD = re.compile(r"\w{2,}")
_FIRST_PAGES = 2
_MIN_PRINTED_WORDS = 2
_ALIKE = 0.5  # of the words of the shorter one


def find_title(information: Mapping[str, str], pages: Pages, printed: Pages, path: str) -> str:
    """`pages` are in reading order, without running heads; `printed` has all that is on them."""
    largest = find_largest_text(pages)
    told = _find_told_title(information.get("Title", ""), path)
    if told and largest and _is_title(largest, pages) and not _is_printed(told, largest, printed):
        return largest.text
    return told or (largest.text if largest else get_title_from_path(path))


def read_description(information: Mapping[str, str]) -> str:
    said = information.get("Subject", "")
    return "" if _EMPTY.fullmatch(said) else said


def read_keywords(information: Mapping[str, str]) -> tuple[str, ...]:
    """None where an address stands among them: converters advertise themselves there."""
    said = information.get("Keywords", "")
    return () if _ADDRESS.search(said) else tuple(filter(None, map(str.strip, re.split(r"[,;]", said))))


def _find_told_title(title: str, path: str) -> str:
    """Nothing where a program made it up of nothing or of a file's name."""
    title = _PRODUCER_PREFIX.sub("", title)
    is_file_name = fold_text(title) == fold_text(PurePosixPath(path).stem)
    return "" if is_file_name or _EMPTY.fullmatch(title) else title


def _is_title(text: LargeText, pages: Pages) -> bool:
    """Words in the upper half of what the first page says."""
    heights = [line.y for line in pages[0]]
    is_above = pages[0][text.index].y >= (max(heights) + min(heights)) / 2
    return is_above and len(_WORD.findall(text.text)) >= _MIN_PRINTED_WORDS


def _is_printed(title: str, largest: LargeText, pages: Pages) -> bool:
    """Whether the title stands on the first pages, or has much in common with what is set largest there."""
    words, printed = _list_words(title), _list_words(largest.text)
    if len(words & printed) >= _ALIKE * min(len(words), len(printed)):
        return True
    return any(_fold(title) in _fold(join_texts(order_lines(page))) for page in pages[:_FIRST_PAGES])


def _list_words(text: str) -> set[str]:
    return {_fold(word) for word in _WORD.findall(text)}


def _fold(text: str) -> str:
    """Without accents, ligatures, blanks, hyphens and the like."""
    return fold_text(unicodedata.normalize("NFKD", text))
