"""The only door to parsing: RawDocument in, ParsedDocument out. PURE: no rows, no network, no Django.

    detection.py   which format it has, by content, then by name
    isolation.py   what may take much or crash is parsed in a process of its own
    pipeline.py    the table: each format's parser, RawDocument → NormalisedText, the text as Markdown
    includes/      the text of other files, put into a page by sources that have them; a warning about what is not put in
    wikilinks/     links in double brackets, made links of Markdown
    references/    what pages of reStructuredText name of each other, told to them by sources that have all of them
    safety/        what readers do not see, and what speaks to models, by the collection's policy
    html_in_markdown.py, table_padding.py   HTML that is left in the text, as Markdown; tables without the blanks that line them up
    sections.py    the text cut at its headings

A format is one function in one module, one line in the table of pipeline.py and one in detection.py.
"""

from __future__ import annotations

from collections_app.parsing.detection import SUPPORTED_EXTENSIONS, Format, detect_format, find_advice, is_document_name
from collections_app.parsing.documents import ContentPolicy, ParsedDocument, RawDocument
from collections_app.parsing.isolation import parse_apart

__all__ = [
    "SUPPORTED_EXTENSIONS",
    "ContentPolicy",
    "ParsedDocument",
    "RawDocument",
    "find_advice",
    "is_document_name",
    "parse",
]

# Their readers are native code, or take what time they like.
_PARSED_APART = frozenset(
    {
        Format.PDF,
        Format.DOCX,
        Format.ODT,
        Format.PPTX,
        Format.XLSX,
        Format.ODS,
        Format.CSV,
        Format.EPUB,
        Format.HTML,
        Format.RESTRUCTURED_TEXT,
        Format.ASCIIDOC,
    }
)
_MAX_HARMLESS_BYTES = 256 * 1024


def parse(raw: RawDocument, policy: ContentPolicy = ContentPolicy.STRIP) -> ParsedDocument:
    """What the document says; its content is empty if that is blank.

    Raises UnsupportedFormat (no parser, binary content), ParseError (encoding, front matter, broken files, too much work) and
    FileTooLarge (too much memory).
    """
    format = detect_format(raw)
    if format in _PARSED_APART or len(raw.content) > _MAX_HARMLESS_BYTES:
        return parse_apart(format, raw, policy)
    from collections_app.parsing.pipeline import parse_as  # loads what half of all commands never need

    return parse_as(format, raw, policy)
