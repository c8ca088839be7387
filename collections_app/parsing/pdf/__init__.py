"""PDF → Markdown: text in reading order, headings from the outline or by size, the line at which each page begins. No pictures, no OCR."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from collections_app.parsing.documents import Finding, FindingKind, NormalisedText, RawDocument
from collections_app.parsing.pdf.columns import order_lines
from collections_app.parsing.pdf.contents_lists import drop_contents_lists, drop_contents_names
from collections_app.parsing.pdf.headings.choosing import find_headings
from collections_app.parsing.pdf.hyphens import mark_hyphens
from collections_app.parsing.pdf.pages import Pages
from collections_app.parsing.pdf.reader import read_pdf
from collections_app.parsing.pdf.running_heads import drop_running_heads
from collections_app.parsing.pdf.tables import gather_tables
from collections_app.parsing.pdf.titles import find_title, read_description, read_keywords
from collections_app.parsing.pdf.writer import write_markdown

__all__ = ["parse_pdf"]

_MAX_EXCERPT_CHARACTERS = 200
_MOSTLY = 0.6  # of the characters: with more, the document is set in monospaced type, which then marks no code


def parse_pdf(raw: RawDocument) -> NormalisedText:
    """Raises ParseError (broken, encrypted, beyond a limit) and UnsupportedFormat (scanned)."""
    contents = read_pdf(raw.content)
    titles = [entry.title for entry in contents.outline]
    pages = [gather_tables(order_lines(page)) for page in drop_running_heads(_unmark_code(contents.pages), titles)]
    listless = drop_contents_lists(pages)
    outline = drop_contents_names(contents.outline, pages, listless)
    pages = mark_hyphens(listless)
    headings = find_headings(pages, outline, is_tagged=contents.is_tagged)
    content, page_lines = write_markdown(pages, headings)
    information = contents.information
    return NormalisedText(
        format="pdf",
        content=content,
        title=find_title(information, pages, headings.get(0, ()), contents.pages, raw.path),
        description=read_description(information),
        keywords=read_keywords(information),
        metadata=_make_metadata(information),
        headings=None if headings else (),
        page_lines=page_lines,
        findings=tuple(
            Finding(FindingKind.HIDDEN_TEXT, -1, text[:_MAX_EXCERPT_CHARACTERS], removed=True)
            for text in contents.hidden_text
        ),
        warnings=contents.warnings,
    )


def _unmark_code(pages: Pages) -> Pages:
    """The pages, without marks of monospaced type if nearly all of the text is set in it."""
    lines = [line for page in pages for line in page]
    monospaced = sum(len(line.text) for line in lines if line.is_monospaced)
    if monospaced < _MOSTLY * sum(len(line.text) for line in lines):
        return pages
    return [
        [replace(line, words=tuple(replace(word, is_monospaced=False) for word in line.words)) for line in page]
        for page in pages
    ]


def _make_metadata(information: Mapping[str, str]) -> dict[str, str]:
    return {"author": information["Author"]} if information.get("Author") else {}
