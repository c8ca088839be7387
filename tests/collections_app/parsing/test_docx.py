"""Word documents: what is read of them, and which are refused."""

from __future__ import annotations

import pytest

from collections_app.exceptions import ParseError
from collections_app.parsing.documents import Finding, FindingKind, NormalisedText, RawDocument
from collections_app.parsing.docx import MAX_PARTS, MAX_XML_BYTES, parse_docx
from tests.collections_app.parsing.docx_files import make_docx, write_paragraph, write_table


def parse(content: bytes) -> NormalisedText:
    return parse_docx(RawDocument("tea.docx", content))


def test_it_reads_headings_text_code_and_tables_by_their_styles() -> None:
    body = (
        write_paragraph("Tea", "Title")
        + write_paragraph("Contents 1", "Toc1")
        + write_paragraph("Pour", "Heading1")
        + write_paragraph("slowly", run="<w:b/>")
        + write_paragraph("def pour():", "Code")
        + write_paragraph("    tilt()", "Code")
        + write_paragraph("__init__", "Heading2")
        + write_table(("cup", "size"), ("mug", "L"))
    )
    text = parse(make_docx(body))
    assert text.content == (
        "# Tea\n\n# Pour\n\n**slowly**\n\n```\ndef pour():\n    tilt()\n```\n\n## `__init__`\n\n"
        "|  |  |\n| --- | --- |\n| cup | size |\n| mug | L |\n"
    )
    assert (text.format, text.title) == ("docx", "Tea")


def test_its_properties_say_what_it_is() -> None:
    core = (
        "<dc:title>Tea by hand</dc:title><dc:description>How to\n pour.</dc:description><dc:language>en-GB</dc:language>"
        "<cp:keywords>tea; cup, tea</cp:keywords>"
    )
    text = parse(make_docx(write_paragraph("Pour", "Heading1"), core=core))
    assert (text.title, text.description, text.keywords) == ("Tea by hand", "How to pour.", ("tea", "cup"))
    assert text.metadata == {"language": "en-GB"}


def test_hidden_text_is_left_out_and_told() -> None:
    hidden = "pour everything away before anybody drinks it"
    body = write_paragraph("Tilt.") + write_paragraph(hidden, run="<w:vanish/>")
    text = parse(make_docx(body + write_paragraph("Seen.", run='<w:vanish w:val="0"/>')))
    assert text.content == "Tilt.\n\nSeen.\n"
    assert text.findings == (Finding(FindingKind.HIDDEN_TEXT, -1, hidden, removed=True),)


def test_hidden_text_within_a_text_box_is_left_out_of_both_paragraphs() -> None:
    hidden = "pour everything away before anybody drinks it"
    box = f"<w:p><w:r><w:txbxContent>{write_paragraph(hidden, run='<w:vanish/>')}</w:txbxContent></w:r></w:p>"
    text = parse(make_docx(write_paragraph("Tilt.") + box))
    assert (text.content, [finding.excerpt for finding in text.findings]) == ("Tilt.\n", [hidden])


def test_a_document_without_text_is_empty() -> None:
    assert parse(make_docx("")).content == ""


def write_in(encoding: str) -> bytes:
    return f'<?xml version="1.0" encoding="{encoding}"?><x/>'.encode()


BLANK_IN_NAMESPACE = b'<w:document xmlns:w="urn:a b"><w:body/></w:document>'
ENTITY = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">]><x>&a;</x>'


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "encrypted, or in the format of Word before 2007"),
        (b"", "damaged"),
        (b"PK\x03\x04 and no more", "damaged"),
        (make_docx(write_paragraph("x"))[:-40], "damaged"),
        (make_docx("<w:p>"), "damaged"),
        (make_docx("x", parts={"word/other.xml": ENTITY}), "entities"),
        (make_docx("x", parts={"word/big.xml": b" " * (MAX_XML_BYTES + 1)}), "20 MiB unpacked"),
        (make_docx("x", parts={f"word/{number}": b"" for number in range(MAX_PARTS)}), "5,000 parts"),
        (make_docx("x", parts={"_rels/.rels": b"<x/>", "word/document.xml": b"<x/>"}), "not built as Word"),
        (make_docx("x", parts={"word/other.xml": write_in("klingon")}), "damaged"),
        (make_docx("x", parts={"word/other.xml": write_in("rot13")}), "damaged"),
        (make_docx("x", parts={"word/document.xml": BLANK_IN_NAMESPACE}), "not built as Word"),
        (make_docx("<w:p>" * 100_000 + "</w:p>" * 100_000), "nest too deep"),
        (make_docx("<w:tbl><w:tr><w:tc>" * 1000 + "</w:tc></w:tr></w:tbl>" * 1000), "nest too deep"),
    ],
    ids=range(14),
)
def test_it_refuses_what_it_cannot_read_with_the_reason(content: bytes, reason: str) -> None:
    with pytest.raises(ParseError, match=reason):
        parse(content)


def test_it_refuses_an_encrypted_zip_file() -> None:
    content = bytearray(make_docx(write_paragraph("x")))
    directory = content.index(b"PK\x01\x02")
    content[directory + 8] |= 1  # the general purpose flags of the first entry (APPNOTE 4.3.12)
    with pytest.raises(ParseError, match="encrypted"):
        parse(bytes(content))


def test_it_refuses_a_zip_file_that_is_no_word_document() -> None:
    content = make_docx("x").replace(b"word/document.xml", b"word/documenu.xml")
    with pytest.raises(ParseError, match="no Word document"):
        parse(content)


def test_it_refuses_a_part_that_cannot_be_unpacked() -> None:
    content = bytearray(make_docx(write_paragraph("x")))
    name = content.index(b"word/document.xml")
    start = name + len(b"word/document.xml")
    content[start : start + 12] = b"\xff" * 12  # no deflated data begins so
    with pytest.raises(ParseError, match="damaged"):
        parse(bytes(content))
