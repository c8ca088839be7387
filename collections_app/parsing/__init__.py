"""The public interface of parsing: RawDocument in, ParsedDocument out. PURE: no database, no network, no Django.

    documents.py   the stages of a document: RawDocument → NormalisedText → ParsedDocument
    formats.py     the formats, with their extensions and media types
    detection/     which files of a source are documents; finds a document's format, by content first, then by name
    isolation/     parses in a separate process whatever may use many resources or crash
    pipeline.py    the table of formats: each one's parser, RawDocument → NormalisedText, with the text as Markdown
    includes/      inserts the text of other files into a page, if the source can look files up; warns about what is not inserted
    wikilinks/     turns links in double brackets into Markdown links
    references/    what reStructuredText pages refer to in each other, supplied by sources that have all the pages
    safety/        handles hidden text and text addressed to models, by the collection's policy
    normalising/   converts remaining HTML to Markdown; removes the alignment padding from tables
    headings/      finds the headings of Markdown, their words and their ids; which of them is the page's title
    sections.py    splits the text at its headings

A format is one function in one module, one line in the table of pipeline.py, and how it is recognised, in formats.py and detection/.
"""

from __future__ import annotations

from collections_app.parsing.detection import detect_format
from collections_app.parsing.detection.document_names import find_advice, is_document_name
from collections_app.parsing.documents import ContentPolicy, ParsedDocument, RawDocument
from collections_app.parsing.formats import SUPPORTED_EXTENSIONS, Format
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

# Their parsers are native code, or may take any amount of time.
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
        Format.RD,
    }
)
_MAX_HARMLESS_BYTES = 256 * 1024


def parse(raw: RawDocument, policy: ContentPolicy = ContentPolicy.STRIP) -> ParsedDocument:
    """What the document says; its content is empty if that is blank.

    Raises UnsupportedFormat (no parser, binary content), ParseError (encoding, front matter, broken files, too much work) and
    FileTooLarge (too much memory).
    """
    format = detect_format(raw)
    if format in _PARSED_APART or len(raw.content) > _MAX_HARMLESS_BYTES or _has_parts(raw.content):
        return parse_apart(format, raw, policy)
    from collections_app.parsing.pipeline import parse_as  # loads what half of all commands never need

    return parse_as(format, raw, policy)


def _has_parts(content: bytes) -> bool:
    """Whether it may have parts in reStructuredText, as MyST has, in any encoding."""
    return b"{eval-rst}" in content.replace(b"\0", b"")
