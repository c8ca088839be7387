"""Finds which format a document has: by its content first, then by what its source said, then by its name. It parses nothing.

1. Content: the signature of PDF, or of a zip file that holds an Office document, an OpenDocument text or spreadsheet, or a book; the keys
   of a notebook or an API description; the beginning of an HTML page. A text that only mentions these has none of these formats.
   Pictures and other kinds that signatures.py knows are refused.
2. The media type, if it names a format. `text/plain` names none: servers send it for every text.
3. The file name's extension. A name without one is plain text.

A plain text with reStructuredText markup is reStructuredText: Django and others name such files `.txt`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from collections_app.exceptions import ParseError, UnsupportedFormat
from collections_app.parsing.decoding import decode_text, has_many_control_characters
from collections_app.parsing.detection.document_names import find_advice_for_format
from collections_app.parsing.detection.mdx import is_mdx
from collections_app.parsing.detection.signatures import check_signature
from collections_app.parsing.detection.templates import is_html_name, is_template, is_theme_path
from collections_app.parsing.dialects.learn_pages import LEARN_SIGN
from collections_app.parsing.dialects.topics import TOPIC
from collections_app.parsing.documents import RawDocument
from collections_app.parsing.file_names import get_extension
from collections_app.parsing.formats import (
    BY_EXTENSION,
    BY_MEDIA_TYPE,
    PACKED,
    SUPPORTED_EXTENSIONS,
    UNTELLING_MEDIA_TYPES,
    Format,
)

_EMPTY = "The file is empty (0 bytes). Give the file itself: it may not have been copied whole."
_OPEN_DOCUMENT = re.compile(
    rb"PK\x03\x04.{26}mimetypeapplication/vnd\.oasis\.opendocument\.(text|spreadsheet)(?!-)", re.DOTALL
)
_BY_PART: Mapping[bytes, Format] = {
    b"word/document": Format.DOCX,
    b"ppt/presentation.xml": Format.PPTX,
    b"xl/workbook.xml": Format.XLSX,
    b"META-INF/container.xml": Format.EPUB,
}
_PGP_ARMOR = b"-----BEGIN PGP "  # RFC 9580, section 6.2
_RD_SIGN = re.compile(rb"^[ \t]*\\(?:docType|name|title)\{", re.MULTILINE)
_SNIFFED_BYTES = 4096
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_LAST_CHARACTER = re.compile(rb"[\xc0-\xff][\x80-\xbf]{0,2}\Z")  # a UTF-8 character beyond ASCII, perhaps incomplete
_PDF_HEADER_BYTES = 1024  # where PDF readers search for the header
_HTML_START = re.compile(r"(?:\s+|<\?xml[^>]*>|<!--.*?-->)*+<(?:!doctype\s+html|html)\b", re.IGNORECASE | re.DOTALL)
_PLAIN_HTML = (b"<!doctype html", b"<html>", b"<html ")
_HTML_TEXT_TAG = re.compile(rb"<(?:h[1-6]|p)[\s>]", re.IGNORECASE)
_ATX_HEADING = re.compile(rb"^#{1,6}[ \t]+\S", re.MULTILINE)
_TAG = re.compile(r"<[a-zA-Z!/][^<>]*>")
_JSON_START = re.compile(r'\s*\{\s*(?:"|\})')
_NOTEBOOK_KEY = re.compile(rb'"nbformat"\s*:\s*\d')
_OPENAPI_KEY = re.compile(rb'"(?:openapi|swagger)"\s*:\s*"[23]\.')
_OPENAPI_YAML_KEY = re.compile(rb"""^["']?(?:openapi|swagger)["']?[ \t]*:[ \t]*["']?[23]\.""", re.MULTILINE)
_RST_AS_TEXT = ".rst.txt"  # as Sphinx shows sources, and TYPO3 calls parts of pages
_RST_TITLE = re.compile(rb"""^\S[^\n]*\n([=\-~^"'*+#`:.])\1{2,}[ \t]*\r?$""", re.MULTILINE)
_RST_MARKUP = re.compile(
    rb"""^\.\.[ ](?:[a-z][\w:+.-]*::|_[^\s:][^\n:]*:)(?=\s|$)  # a directive, a target
    | (?<![\w`]):[a-z][\w:+.-]{0,40}:`[^\s`]  # a role""",
    re.MULTILINE | re.VERBOSE,
)
# Larger texts are not checked for reStructuredText; its parser refuses much larger ones anyway.
_MAX_RST_BYTES = 1024**2


def detect_format(raw: RawDocument) -> Format:
    """The format of a document. Raises UnsupportedFormat, with advice, for a format without a parser, and ParseError for a file that is
    empty, or is text although its name or media type says that it is packed.
    """
    found = _detect(raw)
    return Format.MDX if found is Format.MARKDOWN and is_mdx(raw.content) else found


def is_plainly_html(raw: RawDocument) -> bool:
    """Whether it is a page of HTML by its name and its first tag, without a look at the rest: pages of a built site are long."""
    return is_html_name(raw.path) and raw.content[:_SNIFFED_BYTES].lstrip()[:14].lower().startswith(_PLAIN_HTML)


def check_format(raw: RawDocument) -> None:
    """Raises the same errors as detect_format(), but is fast on long texts."""
    _detect(raw)


def _detect(raw: RawDocument) -> Format:
    if raw.content.startswith(_PGP_ARMOR) and get_extension(raw.path) == ".asc":
        raise UnsupportedFormat("It is a key or a signature of PGP, no AsciiDoc. Leave it out by an exclude pattern.")
    if is_theme_path(raw.path) and is_template(raw):
        raise UnsupportedFormat(
            "It is a template that pages of a site are made with, and no page. Leave it out by an exclude pattern."
        )
    if found := _detect_by_content(raw):
        return found
    check_signature(raw.content)
    if found := _detect_by_media_type(raw) or _detect_by_name(raw):
        _check_is_one(found, raw.path, raw.content)
        return found
    raise _make_refusal(raw)


_BASE64_STARTS = (b"JVBERi0", b"UEsDB")  # of a PDF file, of a zip file


def _check_is_one(format: Format, path: str, content: bytes) -> None:
    """Check a file whose format is known by name only: a packed format must not be empty or text, a notebook must not be empty,
    and R documentation has a title."""
    if format is Format.NOTEBOOK and not content:
        raise ParseError(_EMPTY)
    if format is Format.RD and not _RD_SIGN.search(content):
        raise UnsupportedFormat(
            "It is no R documentation, which has a `\\title{…}`. Leave it out by an exclude pattern."
        )
    if format is Format.MARKDOWN and path.lower().endswith(".topic") and not TOPIC.match(_decode_head(content)):
        raise UnsupportedFormat(
            "It is no topic of Writerside, which begins with `<topic`. Leave it out by an exclude pattern."
        )
    if format not in PACKED:
        return
    if not content:
        raise ParseError(_EMPTY)
    if _is_text(content):
        document, container = PACKED[format]
        if content[:200].rpartition(b"base64,")[2].startswith(_BASE64_STARTS):
            raise ParseError(
                f"The {document} is written in base64. Documents that are no text are sent as files "
                "(`POST /api/collections/COLLECTION/uploads`, the admin), or by their URL."
            )
        usual = "`.csv`" if format in (Format.XLSX, Format.ODS) else "`.md` or `.txt`"
        raise ParseError(
            f"It is no {document}, which {container}, but text. Give it the extension of what it is, such as {usual}; "
            "or give the document itself."
        )


def _is_text(content: bytes) -> bool:
    if content.startswith(b"PK"):
        return False  # the beginning of a zip file
    try:
        decode_text(_get_whole_head(content))
    except (ParseError, UnsupportedFormat):
        return False
    return True


def _get_whole_head(content: bytes) -> bytes:
    """The beginning of a text, up to the end of a line, or of a character if it has no line end."""
    head = content[:_SNIFFED_BYTES]
    if len(content) <= _SNIFFED_BYTES or head.startswith(_UTF16_MARKS):
        return head
    return head.rpartition(b"\n")[0] or _LAST_CHARACTER.sub(b"", head)


def _detect_by_content(raw: RawDocument) -> Format | None:
    content = raw.content
    if _is_pdf(raw):
        return Format.PDF
    if content.startswith(b"PK\x03\x04"):
        return _detect_in_zip_file(content)
    head = _decode_head(content)
    if _HTML_START.match(head):
        return None if _is_markdown_in_html(raw) else Format.HTML
    if _JSON_START.match(head):
        return _detect_json(raw)
    if not _may_be_data(raw):
        return None
    if LEARN_SIGN.match(content):
        return Format.MARKDOWN
    return Format.OPENAPI if _OPENAPI_YAML_KEY.search(content) else None


def _detect_in_zip_file(content: bytes) -> Format | None:
    """By the first file inside, or by the names in the directory, which is last. The files inside may be documents themselves."""
    if found := _OPEN_DOCUMENT.match(content):
        return Format.ODT if found[1] == b"text" else Format.ODS
    # The end of the directory (APPNOTE 4.3.16); at byte 16 it says where the directory begins.
    start = content.rfind(b"PK\x05\x06")
    directory = content[int.from_bytes(content[start + 16 : start + 20], "little") :] if start >= 0 else content
    return next((format for name, format in _BY_PART.items() if name in directory), None)


def _is_pdf(raw: RawDocument) -> bool:
    """Whether it begins with a PDF header, or has one after something else that is not text, or where a PDF is expected."""
    before, header, _ = raw.content[:_PDF_HEADER_BYTES].partition(b"%PDF-")
    if not header:
        return False
    return not before.strip() or Format.PDF in _get_expected(raw) or has_many_control_characters(raw.content)


def _is_markdown_in_html(raw: RawDocument) -> bool:
    """Whether it is a Markdown file that only begins with a page's first tags, or has its outer tags around it."""
    if _get_expected(raw).isdisjoint({Format.MARKDOWN, Format.MDX}) or _HTML_TEXT_TAG.search(raw.content):
        return False
    return _ATX_HEADING.search(raw.content) is not None


def _get_expected(raw: RawDocument) -> frozenset[Format]:
    """The formats that the name and the media type say."""
    found = BY_EXTENSION.get(get_extension(raw.path)), BY_MEDIA_TYPE.get(_get_media_type(raw))
    return frozenset(filter(None, found))


def _decode_head(content: bytes) -> str:
    is_utf16 = content.startswith(_UTF16_MARKS)
    return content[:_SNIFFED_BYTES].decode("utf-16" if is_utf16 else "utf-8-sig", "replace")


def _detect_json(raw: RawDocument) -> Format | None:
    if not _may_be_data(raw) and not raw.content.rstrip().endswith(b"}"):
        return None  # a text that begins with an example
    if _NOTEBOOK_KEY.search(raw.content):
        return Format.NOTEBOOK
    return Format.OPENAPI if _OPENAPI_KEY.search(raw.content) else None


def _may_be_data(raw: RawDocument) -> bool:
    return not _get_expected(raw)


def _detect_by_media_type(raw: RawDocument) -> Format | None:
    """Servers say HTML if they know nothing better; then the content must begin like HTML."""
    found = BY_MEDIA_TYPE.get(_get_media_type(raw))
    if found is Format.HTML and not _decode_head(raw.content).lstrip().startswith("<"):
        return None
    return found


def _get_media_type(raw: RawDocument) -> str:
    return raw.media_type.partition(";")[0].strip().lower()


def _detect_by_name(raw: RawDocument) -> Format | None:
    extension, media_type = get_extension(raw.path), _get_media_type(raw)
    is_nameless_text = not extension and media_type in UNTELLING_MEDIA_TYPES
    found = Format.TEXT if is_nameless_text else BY_EXTENSION.get(extension) or BY_MEDIA_TYPE.get(media_type)
    if found is Format.TEXT and (raw.path.lower().endswith(_RST_AS_TEXT) or _is_restructured_text(raw.content)):
        return Format.RESTRUCTURED_TEXT
    if found is Format.HTML and not _TAG.search(_decode_head(raw.content)):
        return Format.MARKDOWN
    return found


def _is_restructured_text(content: bytes) -> bool:
    """Whether a text has a title and markup that only reStructuredText has."""
    if len(content) > _MAX_RST_BYTES:
        return False
    return _RST_TITLE.search(content) is not None and _RST_MARKUP.search(content) is not None


def _make_refusal(raw: RawDocument) -> UnsupportedFormat:
    extension = get_extension(raw.path)
    what = f"`{extension}` files" if extension else f"`{_get_media_type(raw)}`"
    taken = "Supported: Markdown (`.md`), HTML, reStructuredText, AsciiDoc, text, PDF, Office files, EPUB, notebooks and OpenAPI."
    message = f"There is no parser for {what}. {find_advice_for_format(raw.path) or taken}"
    return UnsupportedFormat(message, supported=list(SUPPORTED_EXTENSIONS))
