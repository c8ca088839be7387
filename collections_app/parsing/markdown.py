"""Markdown of every flavour, read as CommonMark: front matter, title, sections. It renders nothing.

MDX (`import` lines, JSX) and MyST (`:::` fences, directives, targets, `%` comments) are paragraphs, HTML blocks and fences
to CommonMark, so what looks like a heading inside JSX text at the margin is one.
"""

from __future__ import annotations

from collections.abc import Iterable

from collections_app.parsing.decoding import decode_text
from collections_app.parsing.documents import ParsedDocument, RawDocument
from collections_app.parsing.file_names import get_title_from_path
from collections_app.parsing.front_matter import split_front_matter
from collections_app.parsing.heading_text import clean_heading
from collections_app.parsing.headings import Heading, iter_headings
from collections_app.parsing.sections import split_into_sections


def parse_markdown(raw: RawDocument) -> ParsedDocument:
    """The content is the text after the front matter, line ends made `\\n`; blank text is no content.

    Raises ParseError (encoding, front matter) and UnsupportedFormat (binary).
    """
    text, warnings = decode_text(raw.content)
    front_matter, content = split_front_matter(text)
    if not content.strip():
        content = ""
    lines = content.split("\n")
    headings = list(iter_headings(lines))
    title = front_matter.title or _find_first_title(headings) or get_title_from_path(raw.path)
    return ParsedDocument(
        title=title,
        format="markdown",
        content=content,
        sections=split_into_sections(lines, headings, title, first_line=front_matter.line_count + 1) if content else (),
        description=front_matter.description,
        keywords=front_matter.keywords,
        category=front_matter.category,
        metadata=front_matter.metadata,
        warnings=warnings + front_matter.warnings,
    )


def _find_first_title(headings: Iterable[Heading]) -> str:
    """The first level-1 heading that says something, or an empty text."""
    titles = (clean_heading(heading.text) for heading in headings if heading.level == 1)
    return next(filter(None, titles), "")
