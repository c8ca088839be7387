"""The format of a document: content comes before media type, media type before name."""

from __future__ import annotations

import base64
import io
import zipfile

import pytest

from collections_app.exceptions import ParseError, UnsupportedFormat
from collections_app.parsing.detection import check_format, detect_format, is_plainly_html
from collections_app.parsing.documents import RawDocument
from collections_app.parsing.formats import Format
from tests.collections_app.parsing.office.docx_files import make_docx
from tests.collections_app.parsing.office.odt_files import make_odt
from tests.collections_app.parsing.office.pptx_files import make_pptx

OPENAPI_JSON = b'{"info": {}, "openapi": "3.1.0"}'
OPENAPI_YAML = b"# ours\nopenapi: 3.0.1\npaths: {}\n"
NOTEBOOK = b'{"cells": [], "nbformat": 4}'
MARKDOWN_IN_HTML = b"<!DOCTYPE html>\n<html><body>\n\n# Title\n\nText.\n\n</body></html>\n"
PAGE = b"<!-- made by hand -->\n<!DOCTYPE html>\n<title>T</title>"
DOCX = b"PK\x03\x04\x14\0\0\0word/document.xml"
EPUB = b"PK\x03\x04\x14\0\0\0META-INF/container.xml"
ODS = b"PK\x03\x04" + bytes(26) + b"mimetypeapplication/vnd.oasis.opendocument.spreadsheetPK\x03\x04"
ODT = b"PK\x03\x04" + bytes(26) + b"mimetypeapplication/vnd.oasis.opendocument.textPK\x03\x04"
XLSX = b"PK\x03\x04\x14\0\0\0xl/workbook.xml"
PPTX = b"PK\x03\x04\x14\0\0\0ppt/presentation.xml"


def detect(path: str, content: bytes = b"text\n", media_type: str = "") -> Format:
    return detect_format(RawDocument(path, content, media_type))


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"%PDF-1.7\n", Format.PDF),
        (b"\n\n%PDF-1.4\n", Format.PDF),
        (DOCX, Format.DOCX),
        (ODT, Format.ODT),
        (ODS, Format.ODS),
        (PPTX, Format.PPTX),
        (XLSX, Format.XLSX),
        (EPUB, Format.EPUB),
        (OPENAPI_JSON, Format.OPENAPI),
        (b'{"swagger": "2.0"}', Format.OPENAPI),
        (NOTEBOOK, Format.NOTEBOOK),
        (PAGE, Format.HTML),
        (b"\xef\xbb\xbf <HTML lang=en>", Format.HTML),
        (b'<?xml version="1.0"?>\n<html xmlns="x">', Format.HTML),
        ("<!doctype html>".encode("utf-16"), Format.HTML),
    ],
)
@pytest.mark.parametrize(
    ("path", "media_type"), [("a.md", ""), ("a.txt", "text/plain"), ("a", "text/markdown"), ("a.rst", "")]
)
def test_what_the_content_shows_stands_above_name_and_media_type(
    content: bytes, expected: Format, path: str, media_type: str
) -> None:
    assert detect(path, content, media_type) is expected


def embed(document: bytes, embedded: bytes) -> bytes:
    """Unpacked, so that the names of its parts are in the outer file."""
    content = io.BytesIO(document)
    with zipfile.ZipFile(content, "a") as archive:
        archive.writestr("embeddings/1.bin", embedded)
    return content.getvalue()


def test_a_document_within_a_document_is_not_the_document() -> None:
    assert detect("a.bin", embed(make_pptx(), make_docx(""))) is Format.PPTX
    assert detect("a.bin", embed(make_docx(""), make_odt(""))) is Format.DOCX
    assert detect("a.bin", embed(make_odt(""), make_docx(""))) is Format.ODT


@pytest.mark.parametrize(
    ("path", "content", "media_type", "expected"),
    [
        ("guide.html", b"# Title\n", "text/markdown; charset=utf-8", Format.MARKDOWN),
        ("llms.txt", b"# Title\n", "text/markdown", Format.MARKDOWN),
        ("llms.txt", b"# Title\n", "text/plain", Format.TEXT),
        ("guide.html", b"# Title\n\nNo tag at all.\n", "text/html", Format.MARKDOWN),
        ("guide.html", b"Words and <b>tags</b>", "", Format.HTML),
        ("guide", b"<h1>Title</h1>", "text/html", Format.HTML),
        ("guide", b"Words and <b>tags</b>", "text/html", Format.HTML),
        ("guide.md", b"Words and <b>tags</b>", "text/html", Format.MARKDOWN),
        ("guide", b"Title\n=====\n", "text/x-rst", Format.RESTRUCTURED_TEXT),
        ("guide.rst", b"Title\n=====\n", "text/plain", Format.RESTRUCTURED_TEXT),
        ("api.yaml", OPENAPI_YAML, "", Format.OPENAPI),
        ("api.yml", b"'swagger': \"2.0\"\n", "", Format.OPENAPI),
        ("api", OPENAPI_YAML, "application/yaml", Format.OPENAPI),
        ("api.md", OPENAPI_YAML, "", Format.MARKDOWN),
        ("a.json", b'{"openapi": "3.0.0", broken', "", Format.OPENAPI),
        ("page.md", b"{% include x %}\n", "", Format.MARKDOWN),
        ("page.md", b'{"a": 1}\n', "", Format.MARKDOWN),
        ("book.ipynb", b"broken", "", Format.NOTEBOOK),
        ("README", b"text", "", Format.TEXT),
        ("LICENSE", b"text", "application/octet-stream", Format.TEXT),
        ("A.MDX", b"text", "", Format.MDX),
        ("a.txt", b"====\nTea\n====\n\nSee :doc:`cups </ref/cups>`.\n", "", Format.RESTRUCTURED_TEXT),
        ("a.text", b"Tea\r\n---\r\n\r\n.. note:: Hot.\r\n", "text/plain", Format.RESTRUCTURED_TEXT),
        ("README", b"Tea\n~~~\n\n.. _cups:\n", "", Format.RESTRUCTURED_TEXT),
        ("a.txt", b"Tea\n===\n\n.. and so on: cups\n\n:a: `b`\n", "", Format.TEXT),
        ("a.txt", b".. note:: Hot.\n", "", Format.TEXT),
        ("a.rst.txt", b".. note:: Hot.\n", "", Format.RESTRUCTURED_TEXT),
        ("a.txt", b"Tea\n---\n\n.. note:: Hot.\n" + b"x" * 1024**2, "", Format.TEXT),
        ("a.txt", b"Tea\n---\n\n.. note:: Hot.\n", "text/markdown", Format.MARKDOWN),
        ("a.md", b"Tea\n---\n\n.. note:: Hot.\n", "", Format.MARKDOWN),
        ("a.pdf", b"\0\x01\x02\x03\x04", "", Format.PDF),
        ("a.docx", b"\0\x01\x02\x03\x04", "", Format.DOCX),
        ("a.ppsx", b"\0\x01\x02\x03\x04", "", Format.PPTX),
        ("a.csv", b"a,b\n", "", Format.CSV),
        ("a.TSV", b"a\tb\n", "text/plain", Format.CSV),
        ("export", b"a,b\n", "text/csv; charset=utf-8", Format.CSV),
    ],
)
def test_media_type_and_name_decide_where_the_content_does_not(
    path: str, content: bytes, media_type: str, expected: Format
) -> None:
    assert detect(path, content, media_type) is expected


@pytest.mark.parametrize("content", [b"A PDF begins with %PDF-1.7.\n", "naïve: %PDF-1.4".encode("latin-1")])
@pytest.mark.parametrize(
    ("path", "expected"), [("a.md", Format.MARKDOWN), ("a.rst", Format.RESTRUCTURED_TEXT), ("a", Format.TEXT)]
)
def test_a_text_that_speaks_of_pdf_is_none(path: str, expected: Format, content: bytes) -> None:
    assert detect(path, content) is expected


def test_a_page_that_speaks_of_pdf_is_html() -> None:
    assert detect("a.html", b"<!doctype html><p>A PDF begins with %PDF-1.7.") is Format.HTML


@pytest.mark.parametrize(
    ("path", "media_type", "content"),
    [
        ("a.pdf", "", b"HTTP/1.1 200 OK\n%PDF-1.4\n"),
        ("a", "application/pdf", b"junk %PDF-1.4\n"),
        ("a.md", "", b"junk %PDF-1.4\n" + bytes(range(256))),
    ],
)
def test_a_pdf_may_begin_with_junk(path: str, media_type: str, content: bytes) -> None:
    assert detect(path, content, media_type) is Format.PDF


@pytest.mark.parametrize("example", [NOTEBOOK, OPENAPI_JSON])
def test_a_text_that_begins_with_an_example_is_no_data(example: bytes) -> None:
    assert detect("a.md", example + b"\n\n# About it\n") is Format.MARKDOWN


@pytest.mark.parametrize(
    ("path", "content", "expected"),
    [
        ("a.md", MARKDOWN_IN_HTML, Format.MARKDOWN),
        ("a.mdx", MARKDOWN_IN_HTML, Format.MDX),
        ("a.html", MARKDOWN_IN_HTML, Format.HTML),
        ("a.md", b"<html><h1>Title</h1><pre>\n# install it\n</pre></html>", Format.HTML),
        ("a.md", b"<html><body>Text.</body></html>", Format.HTML),
    ],
)
def test_a_page_in_a_markdown_file_has_no_headings_of_markdown_alone(
    path: str, content: bytes, expected: Format
) -> None:
    assert detect(path, content) is expected


@pytest.mark.parametrize(
    ("path", "media_type", "words"),
    [
        ("a.py", "", ["`.py` files", ".md"]),
        ("a.py", "text/plain", ["`.py` files"]),
        ("a.doc", "", [".docx"]),
        ("a.ott", "", [".odt"]),
        ("a.texi", "", ["makeinfo"]),
        ("a.ppt", "", [".pptx"]),
        ("a.xls", "", [".xlsx", ".ods"]),
        ("a.xlsb", "", [".xlsx", ".ods"]),
        ("a.json", "application/json", ["OpenAPI 3", "Swagger 2"]),
        ("a.yaml", "", ["OpenAPI 3", "Swagger 2"]),
        ("a", "image/png", ["`image/png`", ".md"]),
    ],
)
def test_another_format_is_refused_with_what_to_do(path: str, media_type: str, words: list[str]) -> None:
    with pytest.raises(UnsupportedFormat) as caught:
        detect(path, b"name: value\n", media_type)
    assert all(word in caught.value.message for word in words)


@pytest.mark.parametrize(
    ("path", "media_type"), [("a.adoc", ""), ("a.asciidoc", ""), ("a.ASC", "text/plain"), ("page", "text/asciidoc")]
)
def test_asciidoc_is_told_by_its_name_or_its_media_type(path: str, media_type: str) -> None:
    assert detect(path, b"= Title\n", media_type) is Format.ASCIIDOC


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "a picture"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF\0", "a picture"),
        (b"RIFF\x24\0\0\0WEBPVP8 ", "a picture"),
        (b"RIFF\x24\0\0\0WAVEfmt ", "a recording"),
        (b"\0\0\0\x18ftypmp42", "a recording"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "without a password"),
        (rb"{\rtf1\ansi Tea.}", "`.docx`"),
        (b"PK\x03\x04" + bytes(26) + b"mimetypeapplication/vnd.oasis.opendocument.text-template", "`.odt`"),
        (b"PK\x03\x04" + bytes(26) + b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet-template", "`.ods`"),
        (b"\x7fELF\x02\x01\x01\0", "a program"),
        (b"\x1f\x8b\x08\0\0\0\0\0", "Unpack it"),
    ],
)
@pytest.mark.parametrize("path", ["a.md", "a.docx", "a", "a.bin"])
def test_a_kind_that_nothing_reads_is_told_by_its_first_bytes(path: str, content: bytes, words: str) -> None:
    for check in (detect_format, check_format):
        with pytest.raises(UnsupportedFormat, match=words):
            check(RawDocument(path, content))


@pytest.mark.parametrize(
    "text",
    [
        b"PNG is a format.\n",
        b"GIF89 was a year.\n",
        b"MZ is how programs begin.\n",
        b"BZh\n",
        b"BZh91AY is how bzip2 begins.\n",
        b"RIFF vs WAVE: how they differ\n",
        b"RIFF vs WEBP\n",
        b"RIFF is\nWEBP\n",
        b"The ftyp box of MP4\n",
        b"# A\nftyp\n",
    ],
)
def test_a_text_that_begins_with_letters_of_a_signature_is_text(text: bytes) -> None:
    assert detect("a.md", text) is Format.MARKDOWN


@pytest.mark.parametrize("name", ["a.docx", "a.odt", "a.pptx", "a.xlsx", "a.ods", "a.epub", "a.pdf", "a.ipynb"])
def test_an_empty_file_of_a_format_that_is_never_empty_is_told_as_such(name: str) -> None:
    for check in (detect_format, check_format):
        with pytest.raises(ParseError, match=r"empty \(0 bytes\)\. Give the file itself"):
            check(RawDocument(name, b""))


@pytest.mark.parametrize("name", ["a.md", "a.txt", "a.rst", "a.adoc", "a.html", "a.csv", "a"])
def test_an_empty_text_is_a_document(name: str) -> None:
    check_format(RawDocument(name, b""))


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("a.docx", "no Word document, which is a zip file, but text"),
        ("a.epub", "no EPUB, which is a zip file, but text"),
        ("a.pdf", "no PDF, which begins with `%PDF-`, but text.* such as `.md` or `.txt`;"),
        ("a.xlsx", "no Excel workbook, which is a zip file, but text.* such as `.csv`;"),
        ("a.ods", "no OpenDocument spreadsheet, which is a zip file, but text.* such as `.csv`;"),
    ],
)
def test_a_text_that_is_called_like_what_is_packed_is_told_as_such(name: str, reason: str) -> None:
    for text in ("# Tea\n\nBoil it. Naïve.\n", "Tea", "Tea é\n" * 2000):
        with pytest.raises(ParseError, match=reason):
            detect_format(RawDocument(name, text.encode()))


def test_only_the_beginning_of_a_long_line_tells_that_it_is_text() -> None:
    for text in ("T" + "é" * 4000, "TT" + "漢" * 4000):
        with pytest.raises(ParseError, match="but text"):
            detect_format(RawDocument("a.docx", text.encode() + b"\xff\xff"))
    with pytest.raises(ParseError, match="but text"):
        detect_format(RawDocument("a.docx", ("Té\n" * 4000).encode("utf-16")))


def test_what_is_cut_off_or_damaged_is_left_to_its_reader_to_tell() -> None:
    assert detect("a.docx", b"PK") is Format.DOCX
    assert detect("a.docx", bytes(range(256))) is Format.DOCX


@pytest.mark.parametrize(
    "path", ["theme/page.html", "docs/_themes/mine/a/b.htm", "layouts/list.html", "overrides/main.html"]
)
@pytest.mark.parametrize(
    "content", [b'{% extends "base.html" %}\n<p>a</p>', b'\n{{- define "main" }}<p>', b"{# note #}<p>"]
)
def test_a_template_of_a_theme_is_no_page(path: str, content: bytes) -> None:
    with pytest.raises(UnsupportedFormat, match="a template that pages of a site are made with"):
        detect(path, content)
    assert detect(path, b"<p>" + content) is Format.HTML
    assert detect("templates/" + path.rpartition("/")[2], content) is Format.HTML
    assert detect(path.rpartition(".")[0] + ".md", content) is Format.MARKDOWN


def test_a_key_or_a_signature_is_no_asciidoc() -> None:
    with pytest.raises(UnsupportedFormat, match="key or a signature of PGP"):
        detect("a.asc", b"-----BEGIN PGP PUBLIC KEY BLOCK-----\n")
    assert detect("a.adoc", b"-----BEGIN PGP\n") is Format.ASCIIDOC


@pytest.mark.parametrize("name", ["a.zip", "a.tar"])
def test_an_archive_that_an_include_pattern_names_is_refused_with_what_to_do(name: str) -> None:
    with pytest.raises(
        UnsupportedFormat, match=r"There is no parser for `\.\w+` files\. Unpack it, or upload"
    ) as caught:
        detect(name, b"PK\x03\x04\x14\0\0\0a.md")
    assert "Supported" not in caught.value.message


@pytest.mark.parametrize(
    ("path", "content", "is_plain"),
    [
        ("a.html", "<!DOCTYPE html>\n<p>a", True),
        ("a.HTM", "\n <html lang='en'><p>a", True),
        ("a.html", "---\ntitle: a\n---\n<html>", False),
        ("a.html", "<p>a</p>", False),
        ("a.html", "# a", False),
        ("a.md", "<html>", False),
    ],
)
def test_pages_of_html_are_told_by_their_first_tag(path: str, content: str, *, is_plain: bool) -> None:
    raw = RawDocument(path, content.encode())
    assert is_plainly_html(raw) is is_plain
    assert not is_plain or detect_format(raw) is Format.HTML


@pytest.mark.parametrize("start", ["", "data:application/octet-stream;base64,"])
@pytest.mark.parametrize(("path", "content"), [("a.pdf", b"%PDF-1.7\n%tea"), ("a.docx", DOCX), ("a.epub", EPUB)])
def test_a_file_that_is_sent_as_base64_is_refused_with_how_to_send_it(path: str, content: bytes, start: str) -> None:
    sent = start.encode() + base64.b64encode(content)
    with pytest.raises(ParseError, match=r"in base64\..* sent as files"):
        detect(path, sent)
