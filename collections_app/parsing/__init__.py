"""The only door to parsing: RawDocument in, ParsedDocument out. PURE: no rows, no network, no Django.

    detection.py   which format it has, by content, then by name
    the table      the format's parser: RawDocument → NormalisedText, the text as Markdown
    safety/        what readers do not see, and what speaks to models, by the collection's policy
    sections.py    the text cut at its headings

A format is one function in one module, one line in the table below and one in detection.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from collections_app.parsing.detection import SUPPORTED_EXTENSIONS, Format, detect_format, is_document_name
from collections_app.parsing.documents import ContentPolicy, NormalisedText, ParsedDocument, ParsedSection, RawDocument
from collections_app.parsing.docx import parse_docx
from collections_app.parsing.file_names import get_title_from_path
from collections_app.parsing.heading_text import clean_heading
from collections_app.parsing.headings import Heading
from collections_app.parsing.html import parse_html
from collections_app.parsing.markdown import parse_markdown
from collections_app.parsing.mdx import parse_mdx
from collections_app.parsing.notebook import parse_notebook
from collections_app.parsing.openapi import parse_openapi
from collections_app.parsing.pdf import parse_pdf
from collections_app.parsing.plain_text import parse_plain_text
from collections_app.parsing.rst import parse_restructured_text
from collections_app.parsing.safety import apply_policy
from collections_app.parsing.sections import DEEPEST_LEVEL, MAX_SECTIONS, find_section_headings, split_into_sections
from collections_app.parsing.tokens import estimate_tokens

__all__ = [
    "SUPPORTED_EXTENSIONS",
    "ContentPolicy",
    "ParsedDocument",
    "ParsedSection",
    "RawDocument",
    "estimate_tokens",
    "is_document_name",
    "parse",
]

_PARSERS: Mapping[Format, Callable[[RawDocument], NormalisedText]] = {
    Format.MARKDOWN: parse_markdown,
    Format.MDX: parse_mdx,
    Format.TEXT: parse_plain_text,
    Format.HTML: parse_html,
    Format.RESTRUCTURED_TEXT: parse_restructured_text,
    Format.PDF: parse_pdf,
    Format.DOCX: parse_docx,
    Format.NOTEBOOK: parse_notebook,
    Format.OPENAPI: parse_openapi,
}


def parse(raw: RawDocument, policy: ContentPolicy = ContentPolicy.STRIP) -> ParsedDocument:
    """What the document says; its content is empty if that is blank.

    Raises UnsupportedFormat (no parser, binary content) and ParseError (encoding, front matter, broken files).
    """
    text, is_suspicious = apply_policy(_PARSERS[detect_format(raw)](raw), policy)
    return _make_document(raw, text, is_quarantined=is_suspicious and policy is ContentPolicy.QUARANTINE)


def _make_document(raw: RawDocument, text: NormalisedText, *, is_quarantined: bool) -> ParsedDocument:
    content = text.content if text.content.strip() else ""
    lines = content.split("\n")
    headings, deepest = find_section_headings(lines) if text.has_headings else ([], DEEPEST_LEVEL)
    title = text.title or _find_first_title(headings) or get_title_from_path(raw.path)
    sections = split_into_sections(
        lines, headings, title, first_line=text.first_line, anchors=text.anchors, page_lines=text.page_lines
    )
    is_folded = deepest < DEEPEST_LEVEL
    folded = f"over {MAX_SECTIONS:,} headings: {f'those below level {deepest}' if deepest else 'they'} make no sections"
    return ParsedDocument(
        title=title,
        format=text.format,
        content=content,
        sections=sections if content else (),
        description=text.description,
        keywords=text.keywords,
        category=text.category,
        metadata=text.metadata,
        page_count=len(text.page_lines) or None,
        findings=text.findings,
        is_quarantined=is_quarantined,
        warnings=(*text.warnings, folded) if is_folded else text.warnings,
    )


def _find_first_title(headings: Iterable[Heading]) -> str:
    """The first level-1 heading that says something, or an empty text."""
    titles = (clean_heading(heading.text) for heading in headings if heading.level == 1)
    return next(filter(None, titles), "")
