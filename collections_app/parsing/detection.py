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
from enum import StrEnum
from pathlib import PurePosixPath

from collections_app.exceptions import ParseError, UnsupportedFormat
from collections_app.parsing.decoding import decode_text, has_many_control_characters
from collections_app.parsing.documents import RawDocument
from collections_app.parsing.file_names import MARKDOWN_EXTENSIONS, get_extension
from collections_app.parsing.mdx_signs import is_mdx
from collections_app.parsing.signatures import check_signature
from collections_app.parsing.variables.places import tells_variables


class Format(StrEnum):
    """A format. Its value is the name that documents and filters use; docs/formats.md describes each."""

    MARKDOWN = "markdown"
    MDX = "mdx"
    TEXT = "text"
    HTML = "html"
    RESTRUCTURED_TEXT = "restructuredtext"
    ASCIIDOC = "asciidoc"
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


_BY_EXTENSION: Mapping[str, Format] = {
    **dict.fromkeys((*MARKDOWN_EXTENSIONS, ".livemd", ".mdoc", ".qmd", ".rmd"), Format.MARKDOWN),
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

_ZIP = "is a zip file"
_PACKED: Mapping[Format, tuple[str, str]] = {
    Format.PDF: ("PDF", "begins with `%PDF-`"),
    Format.DOCX: ("Word document", _ZIP),
    Format.ODT: ("OpenDocument text", _ZIP),
    Format.PPTX: ("PowerPoint presentation", _ZIP),
    Format.XLSX: ("Excel workbook", _ZIP),
    Format.ODS: ("OpenDocument spreadsheet", _ZIP),
    Format.EPUB: ("EPUB", _ZIP),
}
"""Formats that no text editor reads: the name of each, and how such a file is recognised."""

_EMPTY = "The file is empty (0 bytes). Give the file itself: it may not have been copied whole."

SUPPORTED_EXTENSIONS: tuple[str, ...] = tuple(_BY_EXTENSION)
"""In lower case, with dots; the case of a file's extension does not matter. API descriptions have no extension of their own."""

_BY_MEDIA_TYPE: Mapping[str, Format] = {
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
DOCUMENT_MEDIA_TYPES = frozenset(each for each, format in _BY_MEDIA_TYPE.items() if format is not Format.CSV)
"""Types of documents, whatever their names are; tables as text are more often data."""

UNTELLING_MEDIA_TYPES = frozenset({"", "text/plain", "application/octet-stream", "binary/octet-stream"})
"""Types that servers send if they know nothing better."""

_OPEN_DOCUMENT = re.compile(
    rb"PK\x03\x04.{26}mimetypeapplication/vnd\.oasis\.opendocument\.(text|spreadsheet)(?!-)", re.DOTALL
)
_BY_PART: Mapping[bytes, Format] = {
    b"word/document": Format.DOCX,
    b"ppt/presentation.xml": Format.PPTX,
    b"xl/workbook.xml": Format.XLSX,
    b"META-INF/container.xml": Format.EPUB,
}

_TABLES_AS_TEXT = frozenset({".csv", ".tsv"})  # more often data than documentation
_DATA_EXTENSIONS = frozenset({".json", ".yaml", ".yml"})
_DOCUMENT_NAME = re.compile(r"readme|.*(?:openapi|swagger).*\.(?:json|ya?ml)", re.IGNORECASE | re.DOTALL)

# Texts that only programs read: CMake, pip, crawlers, hosting platforms.
_PROGRAMS_NAME = re.compile(
    r"(?:cmakelists|robots|runtime|(?:requirements|constraints)(?:[-_.][\w.-]+)?)\.txt", re.IGNORECASE | re.ASCII
)

_ADVICE_FOR_PROGRAMS = (
    "Texts called like those that only programs read (`requirements.txt`, `CMakeLists.txt`, `robots.txt`). "
    "Name one that is documentation by an include pattern."
)

# The signature of the file that is named before `.asc`.
_SIGNATURE_NAME = re.compile(r".*\.[a-z][a-z0-9]*\.asc", re.IGNORECASE | re.DOTALL)

DOCUMENT_NAME_RULE = (
    *SUPPORTED_EXTENSIONS, _DOCUMENT_NAME.pattern, _SIGNATURE_NAME.pattern, _PROGRAMS_NAME.pattern, *sorted(_TABLES_AS_TEXT),
    "templates/*.html", "*.md.erb",
)  # fmt: skip
"""Everything that is_document_name() and is_template() depend on: whoever keeps their decisions has to make them anew when this changes."""

# Templates of a theme (Sphinx, MkDocs, Jekyll), or Hugo's layouts.
_THEME_PATH = re.compile(r"(?:^|/)(?:_?themes?|_?layouts|overrides)/(?:.*/)?[^/]*\.html?$", re.IGNORECASE | re.DOTALL)
# Templates of a program (Jinja, Django, Go).
_PROGRAMS_TEMPLATE_PATH = re.compile(r"(?:^|/)templates/(?:.*/)?[^/]*\.html?$", re.IGNORECASE | re.DOTALL)
# Only comments and the beginning of a page may come before.
_TEMPLATE_START = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:\s|<!--.*?-->|</?(?:!doctype|html|head|meta|title|link)\b[^<>{]*>)*+\{[{%#]",
    re.IGNORECASE | re.DOTALL,
)
_PGP_ARMOR = b"-----BEGIN PGP "  # RFC 9580, section 6.2
_SNIFFED_BYTES = 4096
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_LAST_CHARACTER = re.compile(rb"[\xc0-\xff][\x80-\xbf]{0,2}\Z")  # a UTF-8 character beyond ASCII, perhaps incomplete
_PDF_HEADER_BYTES = 1024  # where PDF readers search for the header
_HTML_START = re.compile(r"(?:\s+|<\?xml[^>]*>|<!--.*?-->)*+<(?:!doctype\s+html|html)\b", re.IGNORECASE | re.DOTALL)
_HTML_TEXT_TAG = re.compile(rb"<(?:h[1-6]|p)[\s>]", re.IGNORECASE)
_ATX_HEADING = re.compile(rb"^#{1,6}[ \t]+\S", re.MULTILINE)
_TAG = re.compile(r"<[a-zA-Z!/][^<>]*>")
_JSON_START = re.compile(r'\s*\{\s*(?:"|\})')
_NOTEBOOK_KEY = re.compile(rb'"nbformat"\s*:\s*\d')
_OPENAPI_KEY = re.compile(rb'"(?:openapi|swagger)"\s*:\s*"[23]\.')
_OPENAPI_YAML_KEY = re.compile(rb"""^["']?(?:openapi|swagger)["']?[ \t]*:[ \t]*["']?[23]\.""", re.MULTILINE)

_RST_TITLE = re.compile(rb"""^\S[^\n]*\n([=\-~^"'*+#`:.])\1{2,}[ \t]*\r?$""", re.MULTILINE)
_RST_MARKUP = re.compile(
    rb"""^\.\.[ ](?:[a-z][\w:+.-]*::|_[^\s:][^\n:]*:)(?=\s|$)  # a directive, a target
    | (?<![\w`]):[a-z][\w:+.-]{0,40}:`[^\s`]  # a role""",
    re.MULTILINE | re.VERBOSE,
)
# Larger texts are not checked for reStructuredText; its parser refuses much larger ones anyway.
_MAX_RST_BYTES = 1024**2

_ADVICE: Mapping[str, str] = {
    **dict.fromkeys((".doc", ".ott", ".rtf"), "Save it as `.docx` or `.odt` and give that instead."),
    **dict.fromkeys(
        (".tex", ".org", ".textile", ".mediawiki", ".man", ".pod"),
        "Convert it to Markdown or HTML (`pandoc`) and give that instead.",
    ),
    **dict.fromkeys((".texi", ".texinfo"), "Convert it to HTML (`makeinfo --html`) and give that instead."),
    **dict.fromkeys((".dotx", ".dotm"), "Save the template as `.docx`, or name it by an include pattern."),
    **dict.fromkeys((".ppt", ".pps", ".pot", ".odp"), "Save it as `.pptx` and give that instead."),
    **dict.fromkeys((".xls", ".xlsb", ".xltx", ".xltm", ".ots"), "Save it as `.xlsx` or `.ods` and give that instead."),
    **dict.fromkeys(
        tuple(_DATA_EXTENSIONS),
        "Of JSON and YAML only API descriptions are read: OpenAPI 3 or Swagger 2, with a key `openapi` or `swagger`.",
    ),
}

# `tool.1` anywhere; `tool-2.1` and the like only in a folder of man pages, because elsewhere that is a version.
_MAN_PAGE = re.compile(
    r"(?:.*/)?(?:man\d?|man-?pages?)/(?:[^/]+/)?[^/]+\.[1-9][a-z]{0,3}|(?:.*/)?[a-z][\w+-]*(?<!\d)\.[1-9]",
    re.IGNORECASE | re.DOTALL,
)
_ADVICE_FOR_MAN_PAGES = "man pages (`.1` to `.9`): Convert them to Markdown or HTML (`pandoc`) and give that instead."

# The same as in sources/archive_formats.py, which parsers must not import.
_ARCHIVE_NAME = re.compile(
    r".*?(\.tar\.(?:gz|bz2|xz|zst)|\.(?:zip|tar|tgz|tbz2|txz|7z|rar))", re.IGNORECASE | re.DOTALL
)
_ADVICE_FOR_ARCHIVES = (
    "Unpack it, or upload what is in it as `.zip` or `.tar.gz`: an archive that is uploaded is opened."
)
_ADVICE_FOR_TABLES = "Tables as text are taken when an include pattern names them, or when they are uploaded."
_ADVICE_BY_NAME = (
    "Of JSON and YAML, files with `openapi` or `swagger` in their name are taken. "
    "Name other API descriptions by an include pattern."
)


def detect_format(raw: RawDocument) -> Format:
    """The format of a document. Raises UnsupportedFormat, with advice, for a format without a parser, and ParseError for a file that is
    empty, or is text although its name or media type says that it is packed.
    """
    found = _detect(raw)
    return Format.MDX if found is Format.MARKDOWN and is_mdx(raw.content) else found


def check_format(raw: RawDocument) -> None:
    """Raises the same errors as detect_format(), but is fast on long texts."""
    _detect(raw)


def is_document_name(path: str) -> bool:
    """Whether a file counts as documentation before it is read: by its extension, or as `README`, `openapi.yaml` and the like."""
    name = PurePosixPath(path).name
    extension = get_extension(path)
    if extension in _TABLES_AS_TEXT or _SIGNATURE_NAME.fullmatch(name) or _PROGRAMS_NAME.fullmatch(name):
        return False
    return extension in _BY_EXTENSION or _DOCUMENT_NAME.fullmatch(name) is not None


def find_advice(path: str) -> str:
    """For a file that is_document_name() refuses: which kind it is, and what to do about it. Empty if the kind is not one of documents, or
    if pages have their variables from the file.
    """
    if _PROGRAMS_NAME.fullmatch(PurePosixPath(path).name):
        return _ADVICE_FOR_PROGRAMS
    if _MAN_PAGE.fullmatch(path):
        return _ADVICE_FOR_MAN_PAGES
    if archive := _ARCHIVE_NAME.fullmatch(path):
        return f"`{archive[1].lower()}`: {_ADVICE_FOR_ARCHIVES}"
    extension = get_extension(path)
    if extension in _TABLES_AS_TEXT:
        advice = _ADVICE_FOR_TABLES
    elif extension in _DATA_EXTENSIONS:
        advice = "" if tells_variables(path) else _ADVICE_BY_NAME
    else:
        advice = _ADVICE.get(extension, "")
    return f"`{extension}`: {advice}" if advice else ""


def is_theme_path(path: str) -> bool:
    """Whether HTML at this path may be a template of a site's theme. detect_format() refuses such a template."""
    return _THEME_PATH.search(path) is not None


def is_programs_template_path(path: str) -> bool:
    """Whether HTML at this path may be a template that a program fills in."""
    return _PROGRAMS_TEMPLATE_PATH.search(path) is not None


def is_template(raw: RawDocument) -> bool:
    """Whether a site or a program uses it as a template for pages."""
    is_path = is_theme_path(raw.path) or is_programs_template_path(raw.path)
    return is_path and _TEMPLATE_START.match(raw.content) is not None


def is_packed_name(path: str) -> bool:
    """Whether a file's extension is that of a format that no text editor reads, so that the file includes no others."""
    return _BY_EXTENSION.get(get_extension(path)) in _PACKED


def has_known_extension(path: str) -> bool:
    """Whether the part after a name's last dot is an extension, even of a format without a parser: in `v2.0` it is not."""
    extension = get_extension(path)
    return extension in _BY_EXTENSION or extension in _ADVICE


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
        _check_is_one(found, raw.content)
        return found
    raise _make_refusal(raw)


def _check_is_one(format: Format, content: bytes) -> None:
    """Check a file whose format is known by name only: a packed format must not be empty or text, a notebook must not be empty."""
    if format is Format.NOTEBOOK and not content:
        raise ParseError(_EMPTY)
    if format not in _PACKED:
        return
    if not content:
        raise ParseError(_EMPTY)
    if _is_text(content):
        document, container = _PACKED[format]
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
    is_data = _may_be_data(raw) and _OPENAPI_YAML_KEY.search(content)
    return Format.OPENAPI if is_data else None


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
    found = _BY_EXTENSION.get(get_extension(raw.path)), _BY_MEDIA_TYPE.get(_get_media_type(raw))
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
    found = _BY_MEDIA_TYPE.get(_get_media_type(raw))
    if found is Format.HTML and not _decode_head(raw.content).lstrip().startswith("<"):
        return None
    return found


def _get_media_type(raw: RawDocument) -> str:
    return raw.media_type.partition(";")[0].strip().lower()


def _detect_by_name(raw: RawDocument) -> Format | None:
    extension, media_type = get_extension(raw.path), _get_media_type(raw)
    is_nameless_text = not extension and media_type in UNTELLING_MEDIA_TYPES
    found = Format.TEXT if is_nameless_text else _BY_EXTENSION.get(extension) or _BY_MEDIA_TYPE.get(media_type)
    if found is Format.TEXT and _is_restructured_text(raw.content):
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
    usual = _ADVICE_FOR_ARCHIVES if _ARCHIVE_NAME.fullmatch(raw.path) else taken
    message = f"There is no parser for {what}. {_ADVICE.get(extension, usual)}"
    return UnsupportedFormat(message, supported=list(SUPPORTED_EXTENSIONS))
