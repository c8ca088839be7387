"""Word documents: what is read of them, and which are refused."""

from __future__ import annotations

import io
import zipfile

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
        "| cup | size |\n| --- | --- |\n| mug | L |\n"
    )
    assert (text.format, text.title) == ("docx", "Tea")


def test_its_properties_say_what_it_is() -> None:
    core = (
        "<dc:title>Tea by hand</dc:title><dc:description>How to\n pour.</dc:description><dc:language>en-GB</dc:language>"
        "<cp:keywords>tea; cup, tea</cp:keywords>"
    )
    text = parse(make_docx(write_paragraph("Pour."), core=core))
    assert (text.title, text.description, text.keywords) == ("Tea by hand", "How to pour.", ("tea", "cup"))
    assert text.metadata == {"language": "en-GB"}


@pytest.mark.parametrize(
    ("body", "title"),
    [
        (write_paragraph("Tea", "Heading1") + write_paragraph("All of Tea", "Title"), "All of Tea"),
        (write_paragraph("Tea", "Heading1") + write_paragraph("Pour", "Heading1"), "Tea"),
        (write_paragraph("Tea", "Heading2") + write_paragraph("", "Title"), "A template"),
    ],
)
def test_its_own_title_stands_before_its_properties(body: str, title: str) -> None:
    assert parse(make_docx(body, core="<dc:title>A template</dc:title>")).title == title


def write_style(identifier: str, name: str, more: str) -> str:
    return f'<w:style w:type="paragraph" w:styleId="{identifier}"><w:name w:val="{name}"/>{more}</w:style>'


OWN_STYLES = (
    write_style("Own", "Part of Tea", '<w:basedOn w:val="Between"/>')
    + write_style("Between", "Between", '<w:basedOn w:val="Heading2"/>')
    + write_style("Level", "Clause", '<w:pPr><w:outlineLvl w:val="2"/></w:pPr>')
    + write_style("Contents", "TOC Heading", '<w:basedOn w:val="Heading1"/><w:pPr><w:outlineLvl w:val="9"/></w:pPr>')
    + write_style("Deep", "heading 9", "")
    + write_style("Listing", "Own Code", '<w:basedOn w:val="Code"/>')
    + write_style("Loop", "Loop", '<w:basedOn w:val="Loop"/>')
    + write_style("Cover", "Cover", '<w:basedOn w:val="Title"/>')
)


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        ("Own", "## Tea\n"), ("Level", "### Tea\n"), ("Deep", "###### Tea\n"), ("Listing", "```\nTea\n```\n"), ("Cover", "# Tea\n"),
        ("Contents", "Tea\n"), ("Loop", "Tea\n"), ("Nowhere", "Tea\n"),
    ],
)  # fmt: skip
def test_a_style_of_ones_own_is_worth_what_it_is_based_on(style: str, expected: str) -> None:
    assert parse(make_docx(write_paragraph("Tea", style), styles=OWN_STYLES)).content == expected


def test_a_paragraph_has_its_own_outline_level_unless_it_is_too_long_for_a_heading() -> None:
    own = '<w:p><w:pPr><w:outlineLvl w:val="1"/></w:pPr><w:r><w:t>{}</w:t></w:r></w:p>'
    assert parse(make_docx(own.format("Tea"))).content == "## Tea\n"
    clause = "tea " * 100
    for body in (own.format(clause), write_paragraph(clause, "Level")):
        assert parse(make_docx(body, styles=OWN_STYLES)).content == f"{clause.strip()}\n"
    assert parse(make_docx(write_paragraph(clause, "Heading1"))).content == f"# {clause.strip()}\n"


def write_formula(inner: str) -> str:
    return f'<m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math">{inner}</m:oMath>'


def write_math(text: str, run: str = "") -> str:
    return f"<m:r><w:rPr>{run}</w:rPr><m:t>{text}</m:t></m:r>"


X, SUM = write_math("x"), write_math("a+b")


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        (write_math("x+1"), "x+1"),
        (f"<m:f><m:num>{SUM}</m:num><m:den>{X}</m:den></m:f>", "(a+b)/x"),
        (f"<m:sSup><m:e>{X}</m:e><m:sup>{SUM}</m:sup></m:sSup>", "x^(a+b)"),
        (f"<m:sSub><m:e>{X}</m:e><m:sub>{write_math('1')}</m:sub></m:sSub>", "x_1"),
        (f"<m:rad><m:deg/><m:e>{X}</m:e></m:rad>", "sqrt(x)"),
        (f"<m:rad><m:deg>{write_math('3')}</m:deg><m:e>{X}</m:e></m:rad>", "root 3 of (x)"),
        (f"<m:func><m:fName>{write_math('sin')}</m:fName><m:e>{X}</m:e></m:func>", "sin x"),
        (f'<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr><m:e>{X}</m:e><m:e>{SUM}</m:e></m:d>', "[x|a+b]"),
        (f'<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>{X}</m:sub><m:sup/><m:e>{SUM}</m:e></m:nary>', "∑_x a+b"),
        (f"<m:m><m:mr><m:e>{X}</m:e><m:e>{X}</m:e></m:mr><m:mr><m:e>{SUM}</m:e></m:mr></m:m>", "x, x; a+b"),
        (f"<m:acc><m:e>{X}</m:e></m:acc>", "x"),
    ],
)  # fmt: skip
def test_a_formula_is_a_line_of_text(inner: str, expected: str) -> None:
    body = f'<w:p><w:r><w:t xml:space="preserve">Pour </w:t></w:r>{write_formula(inner)}<w:r><w:t>!</w:t></w:r></w:p>'
    assert parse(make_docx(body)).content == f"Pour {expected}!\n"


def test_hidden_text_in_a_formula_is_left_out_and_told() -> None:
    hidden = "pour everything away before anybody drinks it"
    text = parse(make_docx(f"<w:p>{write_formula(X + write_math(hidden, '<w:vanish/>'))}</w:p>"))
    assert (text.content, [finding.excerpt for finding in text.findings]) == ("x\n", [hidden])


def test_a_table_with_a_marked_header_keeps_it_and_one_that_lays_out_a_page_gets_none() -> None:
    marked = write_table(("cup", "size"), ("mug", "L")).replace("<w:tr>", "<w:tr><w:trPr><w:tblHeader/></w:trPr>", 1)
    assert parse(make_docx(marked)).content == "| cup | size |\n| --- | --- |\n| mug | L |\n"
    layout = write_table(("left", "right"), ("tea " * 300, "cup"))
    assert "|" not in parse(make_docx(layout)).content


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
        (make_docx(write_formula("<m:e>" * 5000 + "</m:e>" * 5000)), "formulas nest too deep"),
        (make_docx("<w:tbl><w:tr><w:tc>" * 1000 + "</w:tc></w:tr></w:tbl>" * 1000), "nest too deep"),
    ],
    ids=range(15),
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


def test_it_refuses_parts_of_which_more_is_unpacked_than_read() -> None:
    """As zipfile does with bzip2, which Word never writes: a kilobyte of it may be gigabytes."""
    content = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(make_docx(write_paragraph("x")))) as usual,
        zipfile.ZipFile(content, "w", zipfile.ZIP_BZIP2) as packed,
    ):
        for name in usual.namelist():
            packed.writestr(name, usual.read(name))
    with pytest.raises(ParseError, match="packed in a way that Word does not use"):
        parse(content.getvalue())


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ('<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr>' * 60_000 + "</w:p>" * 60_000, "nest too deep"),
        ("<w:p>" + '<w:r><w:fldChar w:fldCharType="begin"/></w:r>' * 60_000 + "</w:p>", "fields are open"),
    ],
    ids=["paragraphs", "fields"],
)
def test_it_refuses_what_nests_so_deep_that_it_would_take_minutes(body: str, reason: str) -> None:
    with pytest.raises(ParseError, match=reason):
        parse(make_docx(body))
