"""The formats of documents: their names, and the extensions and media types of each."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from collections_app.parsing.file_names import MARKDOWN_EXTENSIONS


class Format(StrEnum):
    """A format. Its value is the name that documents and filters use; docs/formats.md describes each."""

    MARKDOWN = "markdown"
    MDX = "mdx"
    TEXT = "text"
    HTML = "html"
    RESTRUCTURED_TEXT = "restructuredtext"
    ASCIIDOC = "asciidoc"
    RD = "rd"
    PDF = "pdf"
    DOCX = "docx"
    ODT = "odt"
    PPTX = "pptx"
    XLSX = "xlsx"
    ODS = "ods"
    CSV = "csv"
    EPUB = "epub"
    NOTEBOOK = "notebook"
    OPENAPI = "openapi"


BY_EXTENSION: Mapping[str, Format] = {
    **dict.fromkeys((*MARKDOWN_EXTENSIONS, ".livemd", ".mdoc", ".qmd", ".rmd", ".topic"), Format.MARKDOWN),
    ".mdx": Format.MDX,
    ".txt": Format.TEXT,
    ".text": Format.TEXT,
    ".html": Format.HTML,
    ".htm": Format.HTML,
    ".xhtml": Format.HTML,
    ".rst": Format.RESTRUCTURED_TEXT,
    ".rest": Format.RESTRUCTURED_TEXT,
    ".adoc": Format.ASCIIDOC,
    ".asciidoc": Format.ASCIIDOC,
    ".asc": Format.ASCIIDOC,
    ".rd": Format.RD,
    ".pdf": Format.PDF,
    ".docx": Format.DOCX,
    ".docm": Format.DOCX,
    ".odt": Format.ODT,
    **dict.fromkeys((".pptx", ".ppsx", ".potx", ".pptm", ".ppsm", ".potm"), Format.PPTX),
    ".xlsx": Format.XLSX,
    ".xlsm": Format.XLSX,
    ".ods": Format.ODS,
    ".csv": Format.CSV,
    ".tsv": Format.CSV,
    ".epub": Format.EPUB,
    ".ipynb": Format.NOTEBOOK,
}

SUPPORTED_EXTENSIONS: tuple[str, ...] = tuple(BY_EXTENSION)
"""In lower case, with dots; the case of a file's extension does not matter. API descriptions have no extension of their own."""

BY_MEDIA_TYPE: Mapping[str, Format] = {
    "text/markdown": Format.MARKDOWN,
    "text/x-markdown": Format.MARKDOWN,
    "text/mdx": Format.MDX,
    "text/html": Format.HTML,
    "application/xhtml+xml": Format.HTML,
    "text/x-rst": Format.RESTRUCTURED_TEXT,
    "text/prs.fallenstein.rst": Format.RESTRUCTURED_TEXT,
    "text/asciidoc": Format.ASCIIDOC,
    "text/x-asciidoc": Format.ASCIIDOC,
    "application/pdf": Format.PDF,
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": Format.DOCX,
    "application/vnd.ms-word.document.macroenabled.12": Format.DOCX,
    "application/vnd.oasis.opendocument.text": Format.ODT,
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": Format.PPTX,
    "application/vnd.openxmlformats-officedocument.presentationml.slideshow": Format.PPTX,
    "application/vnd.openxmlformats-officedocument.presentationml.template": Format.PPTX,
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": Format.XLSX,
    "application/vnd.ms-excel.sheet.macroenabled.12": Format.XLSX,
    "application/vnd.oasis.opendocument.spreadsheet": Format.ODS,
    "text/csv": Format.CSV,
    "text/tab-separated-values": Format.CSV,
    "application/epub+zip": Format.EPUB,
    "application/x-ipynb+json": Format.NOTEBOOK,
    "application/vnd.oai.openapi": Format.OPENAPI,
    "application/vnd.oai.openapi+json": Format.OPENAPI,
}

DOCUMENT_MEDIA_TYPES = frozenset(each for each, format in BY_MEDIA_TYPE.items() if format is not Format.CSV)
"""Types of documents, whatever their names are; tables as text are more often data."""

UNTELLING_MEDIA_TYPES = frozenset({"", "text/plain", "application/octet-stream", "binary/octet-stream"})
"""Types that servers send if they know nothing better."""

_ZIP = "is a zip file"
PACKED: Mapping[Format, tuple[str, str]] = {
    Format.PDF: ("PDF", "begins with `%PDF-`"),
    Format.DOCX: ("Word document", _ZIP),
    Format.ODT: ("OpenDocument text", _ZIP),
    Format.PPTX: ("PowerPoint presentation", _ZIP),
    Format.XLSX: ("Excel workbook", _ZIP),
    Format.ODS: ("OpenDocument spreadsheet", _ZIP),
    Format.EPUB: ("EPUB", _ZIP),
}
"""Formats that no text editor reads: the name of each, and how such a file is recognised."""
