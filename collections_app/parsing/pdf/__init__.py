"""PDF → Markdown: text in reading order, headings of the outline or by size, the line at which each page begins. No pictures, no OCR."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePosixPath

from collections_app.parsing.documents import Finding, FindingKind, NormalisedText, RawDocument
from collections_app.parsing.file_names import get_title_from_path
from collections_app.parsing.pdf.columns import order_lines
from collections_app.parsing.pdf.heading_sizes import find_largest_text
from collections_app.parsing.pdf.headings import find_headings
from collections_app.parsing.pdf.pages import Pages, fold_text
from collections_app.parsing.pdf.reader import read_pdf
from collections_app.parsing.pdf.running_heads import drop_running_heads
from collections_app.parsing.pdf.writer import write_markdown

__all__ = ["parse_pdf"]

_EMPTY_TITLE = re.compile(
    r"untitled.*|(?:new )?document\d*|title|none|(?:proceedings )?template(?: - word)?|slide \d*|[\d.\s]*|\W*"
    r"|.*\.(?:docx?|docm|dotx?|odt|odp|ods|pdf|tex|dvi|ps|eps|ai|indd|qxd|qxp|rtf|wpd|html?|xlsx?|pptx?|pages|key|md|rst|txt|fm)"
    # what PowerPoint calls a presentation in some of its languages
    r"|powerpoint[ -]?(?:presentation|präsentation|プレゼンテーション|演示文稿|簡報|프레젠테이션)"
    r"|(?:présentation|presentación de|presentazione(?: standard)? di|apresentação do|презентация|prezentacja programu) powerpoint",
    re.IGNORECASE,
)
_PRODUCER_PREFIX = re.compile(r"microsoft (?:word|powerpoint|excel) - ", re.IGNORECASE)
_MAX_EXCERPT_CHARACTERS = 200
_MOSTLY = 0.6  # of the characters: then monospaced type is how the document is set, and marks no code


def parse_pdf(raw: RawDocument) -> NormalisedText:
    """Raises ParseError (broken, encrypted, beyond a limit) and UnsupportedFormat (scanned)."""
    contents = read_pdf(raw.content)
    pages = [order_lines(page) for page in drop_running_heads(_unmark_code(contents.pages))]
    headings = find_headings(pages, contents.outline)
    content, page_lines = write_markdown(pages, headings)
    information = contents.information
    return NormalisedText(
        format="pdf",
        content=content,
        title=_find_title(information.get("Title", ""), raw.path)
        or find_largest_text(pages)
        or get_title_from_path(raw.path),
        description=information.get("Subject", ""),
        keywords=tuple(filter(None, map(str.strip, re.split(r"[,;]", information.get("Keywords", ""))))),
        metadata=_make_metadata(information),
        has_headings=bool(headings),
        page_lines=page_lines,
        findings=tuple(
            Finding(FindingKind.HIDDEN_TEXT, -1, text[:_MAX_EXCERPT_CHARACTERS], removed=True)
            for text in contents.hidden_text
        ),
        warnings=contents.warnings,
    )


def _unmark_code(pages: Pages) -> Pages:
    """The pages, without marks of monospaced type where nearly all of the text is set in it."""
    lines = [line for page in pages for line in page]
    monospaced = sum(len(line.text) for line in lines if line.is_monospaced)
    if monospaced < _MOSTLY * sum(len(line.text) for line in lines):
        return pages
    return [
        [replace(line, words=tuple(replace(word, is_monospaced=False) for word in line.words)) for line in page]
        for page in pages
    ]


def _find_title(title: str, path: str) -> str:
    """The title of the file's information, unless a program made it up of nothing or of a file's name."""
    title = _PRODUCER_PREFIX.sub("", title)
    is_file_name = fold_text(title) == fold_text(PurePosixPath(path).stem)
    return "" if is_file_name or _EMPTY_TITLE.fullmatch(title) else title


def _make_metadata(information: Mapping[str, str]) -> dict[str, str]:
    return {"author": information["Author"]} if information.get("Author") else {}
