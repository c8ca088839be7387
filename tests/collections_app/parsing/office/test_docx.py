"""Word documents: what is read of them, and which are refused."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

import pytest

from collections_app.exceptions import ParseError
from collections_app.parsing.documents import Finding, FindingKind, NormalisedText, RawDocument
from collections_app.parsing.office.archive import MAX_BYTES, MAX_FILES
from collections_app.parsing.office.docx import parse_docx
from collections_app.parsing.office.docx.names import WORD
from collections_app.parsing.office.names import RELATION
from tests.collections_app.parsing.office.docx_files import make_docx, write_paragraph, write_table


def parse(content: bytes) -> NormalisedText:
    return parse_docx(RawDocument("tea.docx", content))


MONOSPACED = '<w:rFonts w:ascii="Courier New"/>'


def test_what_is_set_in_monospaced_type_is_code() -> None:
    words = "".join(
        f'<w:r><w:rPr>{font}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'
        for text, font in (("Call", ""), (" pour() ", MONOSPACED), ("and wait a long time for the tea to be done.", ""))
    )
    body = (
        f"<w:p>{words}</w:p>"
        + write_paragraph("def pour():", run=MONOSPACED)
        + write_paragraph("    tilt()", run=MONOSPACED)
        + "<w:p/>"
        + write_paragraph("pour()", "Listing")
        + write_table(("Word", "Meaning"))
        + write_paragraph("pour", "Heading1", run=MONOSPACED)
    )
    font = f"<w:style w:styleId='Listing'><w:name w:val='Listing'/><w:rPr>{MONOSPACED}</w:rPr></w:style>"
    content = parse(make_docx(body, styles=font)).content
    assert content.startswith("Call `pour()` and wait")
    assert "```\ndef pour():\n    tilt()\n \npour()\n```" in content
    assert content.endswith("# pour\n")


HIDDEN = (
    "<w:style w:type='character' w:styleId='Sec'><w:name w:val='Sec'/><w:rPr><w:vanish/></w:rPr></w:style>"
    "<w:style w:type='paragraph' w:styleId='SecP'><w:name w:val='SecP'/><w:rPr><w:vanish/></w:rPr></w:style>"
)


def test_hidden_text_in_monospaced_type_stays_hidden() -> None:
    secret = "Nobody is to see this secret sentence."
    body = (
        write_paragraph("Seen text, which is longer than what is hidden beside it, by far and for good reasons. " * 2)
        + write_paragraph(secret, run=f"<w:rStyle w:val='Sec'/>{MONOSPACED}")
        + write_paragraph(secret, "SecP", run=MONOSPACED)
    )
    text = parse(make_docx(body, styles=HIDDEN))
    assert "secret" not in text.content
    assert [finding.excerpt for finding in text.findings] == [secret, secret]


def test_what_a_block_of_code_would_lose_is_no_block() -> None:
    number = "<w:pPr><w:numPr><w:numId w:val='1'/></w:numPr></w:pPr>"
    numbered = f"<w:style w:type='paragraph' w:styleId='Steps'><w:name w:val='Steps'/>{number}</w:style>"
    body = (
        write_paragraph("Seen text, which is longer than what is code below it, by far and for good reasons.")
        + write_paragraph("pour()", "Steps", run=MONOSPACED)
        + write_paragraph("old()", run=f"{MONOSPACED}<w:strike/>")
    )
    content = parse(make_docx(body, styles=numbered)).content
    assert "```" not in content
    assert content.endswith("`pour()`\n\n~~old()~~\n")


def test_a_document_in_monospaced_type_is_text() -> None:
    assert parse(make_docx(write_paragraph("Pour the tea.", run=MONOSPACED))).content == "Pour the tea.\n"


def test_boxes_of_forms_are_the_signs_that_word_shows() -> None:
    names = 'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"'
    control = (
        f"<w:sdt><w:sdtPr><w14:checkbox {names}><w14:checked w14:val='1'/></w14:checkbox></w:sdtPr>"
        "<w:sdtContent><w:r><w:t>\u2612</w:t></w:r></w:sdtContent></w:sdt>"
    )
    field = "<w:r><w:fldChar w:fldCharType='begin'><w:ffData><w:checkBox><w:default w:val='0'/></w:checkBox></w:ffData></w:fldChar></w:r>"
    field += "<w:r><w:instrText> FORMCHECKBOX </w:instrText></w:r><w:r><w:fldChar w:fldCharType='end'/></w:r>"
    text = '<w:r><w:t xml:space="preserve"> Milk</w:t></w:r>'
    content = parse(make_docx(f"<w:p>{control}{text}</w:p><w:p>{field}{text}</w:p>")).content
    assert content == "\u2612 Milk\n\n\u2610 Milk\n"


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


LARGE = '<w:b/><w:sz w:val="32"/>'
BODY = write_paragraph("Hot water is poured over the leaves, and stays there for three minutes.")


def test_without_headings_by_style_lines_in_large_bold_type_are_some() -> None:
    body = (
        write_paragraph("Tea by hand", run='<w:b/><w:sz w:val="48"/>')
        + write_paragraph("Pour", run=LARGE)
        + BODY
        + write_paragraph("")
        + write_paragraph("Drink:", "Large")
        + BODY
    )
    styles = '<w:style w:type="paragraph" w:styleId="Large"><w:name w:val="Large"/><w:rPr><w:b/><w:sz w:val="32"/></w:rPr></w:style>'
    text = parse(make_docx(body, styles=styles))
    assert [line for line in text.content.split("\n") if line.startswith("#")] == [
        "# Tea by hand",
        "## Pour",
        "## Drink:",
    ]
    assert text.title == "Tea by hand"


def test_styles_of_publishers_are_headings_by_their_names() -> None:
    names = ["ChapterTitle", "HeadA", "HeadB", "C-Head", "H2", "Heading D", "RunInHead", "Head", "TableHead"]
    styles = "".join(write_style(name, name, "") for name in names)
    content = parse(make_docx("".join(write_paragraph(name, name) for name in names), styles=styles)).content
    assert content == (
        "# ChapterTitle\n\n# HeadA\n\n## HeadB\n\n### C-Head\n\n## H2\n\n#### Heading D\n\nRunInHead\n\nHead\n\nTableHead\n"
    )


@pytest.mark.parametrize(
    "body",
    [
        write_paragraph("Pour", run="<w:b/>") + BODY,
        write_paragraph("Pour", run='<w:sz w:val="32"/>') + BODY,
        write_paragraph("Pour", run='<w:b w:val="0"/><w:sz w:val="32"/>') + BODY,
        write_paragraph("Pour it slowly.", run=LARGE) + BODY,
        write_paragraph("ゆっくり注ぐ。", run=LARGE) + BODY,
        write_paragraph("12.50", run=LARGE) + BODY,
        write_paragraph("pour " * 30, run=LARGE) + BODY,
        BODY + write_paragraph("The end", run=LARGE),
        write_paragraph("The water has to be hot, but must not boil when it is poured.", run=LARGE) * 9 + BODY,
        write_paragraph("Pour", run=LARGE).replace("</w:p>", "<w:r><w:t>slowly</w:t></w:r></w:p>") + BODY,
        write_paragraph("Pour", run=LARGE).replace("<w:t ", "<w:br/><w:t ") + BODY,
        write_paragraph("Pour", run=LARGE).replace(
            "<w:r>", '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr><w:r>', 1
        )
        + BODY,
        write_paragraph("Pour", "Code", run=LARGE) + BODY,
        write_table(("cup",), ("mug",)).replace("<w:rPr>", f"<w:rPr>{LARGE}") + BODY,
        write_paragraph("Pour", run=LARGE) + BODY + write_paragraph("Tea", "Heading1"),
        write_paragraph("Pour", run=LARGE) + BODY + write_paragraph("Tea", "Title"),
    ],
    ids=range(16),
)
def test_other_bold_lines_are_no_headings(body: str) -> None:
    lines = parse(make_docx(body)).content.split("\n")
    assert not [line for line in lines if line.startswith("#") and line != "# Tea"]


def test_of_bold_lines_alike_only_the_last_is_a_heading() -> None:
    body = write_paragraph("Tea house", run=LARGE) + write_paragraph("Pour", run=LARGE) + BODY
    assert "**Tea house**\n\n# Pour\n" in parse(make_docx(body)).content


@pytest.mark.parametrize(
    ("title", "cover", "is_title"),
    [
        ("The ACME Tea Handbook 1.0", "The Tea Handbook 1.0", True),
        ("灯塔手册", "灯塔手册", True),
        ("A template", "The Tea Handbook 1.0", False),
        ("Acme Corporation", "Acme Corporation, 12 Mill Lane, tel. 555", False),
        ("Guide to the Gate", "This page is for those who come to read at the gate. It is no guide.", False),
        ("Word Document", "This Word document is for all.", False),
        ("Draft", "Draft", False),
    ],
)
def test_its_properties_tell_the_title_that_stands_on_its_cover(title: str, cover: str, is_title: bool) -> None:
    chapters = "".join(
        write_paragraph(each, "Heading1") + write_paragraph("Text") for each in ("Black tea", "Green tea")
    )
    body = write_paragraph("Issued in May") + write_paragraph(cover) + chapters
    found = parse(make_docx(body, core=f"<dc:title>{title}</dc:title>")).title
    assert found == (title if is_title else "Black tea")
    assert parse(make_docx(chapters, core=f"<dc:title>{title}</dc:title>")).title == "Black tea"


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


@pytest.mark.parametrize("mark", ["", "<w:trPr><w:tblHeader/></w:trPr>"])
def test_a_table_of_one_cell_is_a_box_whose_paragraphs_are_read_as_they_are(mark: str) -> None:
    inside = (
        write_paragraph("Before you pour", run="<w:b/>") + write_paragraph("Warm the pot.") + write_paragraph("Wait.")
    )
    box = f"<w:tbl><w:tr>{mark}<w:tc>{inside}</w:tc></w:tr></w:tbl>"
    text = parse(make_docx(write_paragraph("Tea.") + box + write_paragraph("Cups."))).content
    assert text == "Tea.\n\n**Before you pour**\n\nWarm the pot.\n\nWait.\n\nCups.\n"


def test_hidden_text_is_left_out_and_told() -> None:
    hidden = "pour everything away before anybody drinks it"
    body = write_paragraph("Tilt.") + write_paragraph(hidden, run="<w:vanish/>")
    text = parse(make_docx(body + write_paragraph("Seen.", run='<w:vanish w:val="0"/>')))
    assert text.content == "Tilt.\n\nSeen.\n"
    assert text.findings == (Finding(FindingKind.HIDDEN_TEXT, -1, hidden, removed=True),)


def test_text_is_hidden_by_its_style_too() -> None:
    hidden = "pour everything away before anybody drinks it"
    styles = (
        write_style("Unseen", "Unseen", "<w:rPr><w:vanish/></w:rPr>")
        + write_style("Below", "Below", '<w:basedOn w:val="Unseen"/>')
        + write_style("Seen", "Seen", '<w:basedOn w:val="Unseen"/><w:rPr><w:vanish w:val="0"/></w:rPr>')
    )
    body = (
        write_paragraph(hidden, "Below")
        + write_paragraph("Tilt.", "Seen")
        + write_paragraph(hidden, run='<w:rStyle w:val="Unseen"/>')
        + write_paragraph("Pour.", "Unseen", run='<w:vanish w:val="false"/>')
    )
    text = parse(make_docx(body, styles=styles))
    assert text.content == "Tilt.\n\nPour.\n"
    assert [finding.excerpt for finding in text.findings] == [hidden, hidden]


def test_hidden_text_within_a_text_box_is_left_out_of_both_paragraphs() -> None:
    hidden = "pour everything away before anybody drinks it"
    box = f"<w:p><w:r><w:txbxContent>{write_paragraph(hidden, run='<w:vanish/>')}</w:txbxContent></w:r></w:p>"
    text = parse(make_docx(write_paragraph("Tilt.") + box))
    assert (text.content, [finding.excerpt for finding in text.findings]) == ("Tilt.\n", [hidden])


def write_run(inner: str) -> str:
    return f"<w:r>{inner}</w:r>"


TEA, CUP = write_run("<w:t>tea</w:t>"), write_run("<w:t>cup</w:t>")
MC = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'


def write_box(inner: str) -> str:
    return f"<w:txbxContent><w:p>{inner}</w:p></w:txbxContent>"


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        (f'<w:fldSimple w:instr="SEQ Table">{TEA}</w:fldSimple>', "tea\n"),
        (f'<w:bdo w:val="rtl">{TEA}</w:bdo><w:dir w:val="rtl">{CUP}</w:dir>', "teacup\n"),
        (write_run(f"<w:ruby><w:rt>{CUP}</w:rt><w:rubyBase>{TEA}</w:rubyBase></w:ruby>"), "tea\n"),
        (write_run("<w:t>tea</w:t><w:cr/><w:t>cup</w:t>"), "tea  \ncup\n"),
        (f"{TEA}<w:del>{write_run('<w:delText>milk</w:delText>')}</w:del><w:ins>{CUP}</w:ins>", "teacup\n"),
        (f"<w:moveFrom>{TEA}</w:moveFrom><w:moveTo>{CUP}</w:moveTo>", "cup\n"),
        (f"{TEA}<w:sdt><w:sdtPr/><w:sdtContent>{CUP}</w:sdtContent></w:sdt>", "teacup\n"),
        (TEA + write_run(f"<w:drawing><any>{write_box(CUP)}</any></w:drawing>"), "tea\n\ncup\n"),
        (f'<w:hyperlink xmlns:r="{RELATION[1:-1]}" r:id="gone">{TEA}</w:hyperlink>', "tea\n"),
    ],
    ids=["field", "direction", "ruby", "line", "deleted", "moved", "control", "drawing", "dead link"],
)
def test_it_reads_text_in_all_that_may_stand_around_it(inner: str, expected: str) -> None:
    assert parse(make_docx(f"<w:p>{inner}</w:p>")).content == expected


@pytest.mark.parametrize(
    ("choice", "fallback", "expected"),
    [
        (
            write_run(f"<w:drawing>{write_box(TEA)}</w:drawing>"),
            write_run(f"<w:pict>{write_box(TEA)}</w:pict>"),
            "tea\n",
        ),
        (write_run(f"<w:drawing>{write_box(TEA)}</w:drawing>"), "", "tea\n"),
        (write_run("<w:drawing/>"), write_run(f"<w:pict>{write_box(CUP)}</w:pict>"), "cup\n"),
        (TEA, CUP, "tea\n"),
    ],
)
def test_it_reads_one_of_two_alternatives(choice: str, fallback: str, expected: str) -> None:
    alternatives = f"<mc:Choice>{choice}</mc:Choice><mc:Fallback>{fallback}</mc:Fallback>"
    body = f"<w:p><mc:AlternateContent {MC}>{alternatives}</mc:AlternateContent></w:p>"
    assert parse(make_docx(body)).content == expected


def write_field(instruction: str, *paragraphs: str) -> str:
    """A field whose result spans paragraphs."""
    begin, separate, end = (write_run(f'<w:fldChar w:fldCharType="{kind}"/>') for kind in ("begin", "separate", "end"))
    written = "</w:p><w:p>".join(write_run(f"<w:t>{text}</w:t>") for text in paragraphs)
    return f"<w:p>{begin}{write_run(f'<w:instrText>{instruction}</w:instrText>')}{separate}{written}{end}</w:p>"


def write_control(gallery: str, inner: str) -> str:
    kind = f'<w:docPartObj><w:docPartGallery w:val="{gallery}"/></w:docPartObj>'
    return f"<w:sdt><w:sdtPr>{kind}</w:sdtPr><w:sdtContent>{inner}</w:sdtContent></w:sdt>"


@pytest.mark.parametrize(
    "contents",
    [
        write_field(' TOC \\o "1-3" ', "Pour\t1", "Drink\t2"),
        f'<w:p><w:fldSimple w:instr="TOC">{TEA}</w:fldSimple></w:p>',
        write_control("Table of Contents", write_paragraph("Contents", "Heading1") + write_field("TOC", "Pour\t1")),
        write_paragraph("Figure 1", "Figures"),
    ],
    ids=["field", "simple field", "control", "style"],
)
def test_a_table_of_contents_is_left_out(contents: str) -> None:
    styles = write_style("Figures", "table of figures", "")
    body = contents + write_paragraph("Pour", "Heading1") + write_field("DATE", "today")
    assert parse(make_docx(body, styles=styles)).content == "# Pour\n\ntoday\n"


def test_what_is_no_table_of_contents_is_kept() -> None:
    text = "tea " * 30
    kept = write_control("Table of Contents", write_paragraph(text)) + write_control(
        "Cover Pages", write_paragraph("Tea")
    )
    assert parse(make_docx(kept)).content == f"{text.strip()}\n\nTea\n"
    without_end = write_field("TOC", "Tea").replace('<w:r><w:fldChar w:fldCharType="end"/></w:r>', "")
    assert parse(make_docx(without_end)).content == "Tea\n"


def write_level(depth: int, format: str, text: str, more: str = "") -> str:
    return f'<w:lvl w:ilvl="{depth}"><w:start w:val="1"/><w:numFmt w:val="{format}"/><w:lvlText w:val="{text}"/>{more}</w:lvl>'


def write_numbering(*numberings: str) -> bytes:
    """The levels of each numbering; the first one's id is 1."""
    marked = list(enumerate(numberings, 1))
    abstract = "".join(f'<w:abstractNum w:abstractNumId="{n}">{levels}</w:abstractNum>' for n, levels in marked)
    own = "".join(f'<w:num w:numId="{n}"><w:abstractNumId w:val="{n}"/></w:num>' for n, _ in marked)
    again = f'<w:num w:numId="9"><w:abstractNumId w:val="1"/>{RESTART}</w:num>'
    return f'<w:numbering xmlns:w="{WORD[1:-1]}">{abstract}{own}{again}</w:numbering>'.encode()


RESTART = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>'


def write_item(text: str, numbering: int = 1, depth: int = 0, style: str = "") -> str:
    properties = f'<w:pStyle w:val="{style}"/>' if style else ""
    properties += f'<w:numPr><w:ilvl w:val="{depth}"/><w:numId w:val="{numbering}"/></w:numPr>'
    return f"<w:p><w:pPr>{properties}</w:pPr>{write_run(f'<w:t>{text}</w:t>')}</w:p>"


def read_list(levels: str, *items: str) -> str:
    return parse(make_docx("".join(items), parts={"word/numbering.xml": write_numbering(levels)})).content


def test_a_numbered_list_goes_on_after_text_and_begins_anew_where_word_says_so() -> None:
    level = write_level(0, "decimal", "%1.")
    items = (write_item("a"), write_item("b"), write_paragraph("text"), write_item("c"), write_paragraph("text"))
    assert read_list(level, *items, write_item("d", 9)) == "1. a\n2. b\n\ntext\n\n3. c\n\ntext\n\n1. d\n"


def write_bold_item(text: str, numbering: int = 1) -> str:
    return write_item(text, numbering).replace("<w:t>", "<w:rPr><w:b/></w:rPr><w:t>")


def test_bold_items_of_a_list_with_text_behind_each_are_headings_below_those_in_large_type() -> None:
    levels = write_level(0, "upperLetter", "%1."), write_level(0, "bullet", "•")
    body = (
        write_paragraph("Tea by hand", run=LARGE)
        + BODY
        + write_bold_item("Water")
        + BODY
        + write_bold_item("Leaves")
        + write_item("green", 2)
        + write_bold_item("Cups")
        + BODY
    )
    content = parse(make_docx(body, parts={"word/numbering.xml": write_numbering(*levels)})).content
    headings = [line for line in content.split("\n") if line.startswith("#")]
    assert headings == ["# Tea by hand", "## A. Water", "## B. Leaves", "## C. Cups"]


@pytest.mark.parametrize(
    "body",
    [
        write_bold_item("Water") + BODY + write_bold_item("Leaves") + BODY,
        write_bold_item("Water") + BODY + write_bold_item("Leaves") + write_bold_item("Cups") + BODY,
        write_bold_item("Water") + BODY + write_bold_item("Leaves") + BODY + write_item("Cups") + BODY,
        write_bold_item("Water") + BODY + write_bold_item("Leaves") + BODY + write_bold_item("Cups"),
        write_bold_item("Water") + BODY + write_bold_item("Leaves") + BODY + write_bold_item("Use cups.") + BODY,
        write_paragraph("Tea", "Heading1") + (write_bold_item("Water") + BODY) * 3,
    ],
    ids=["few", "side by side", "one is plain", "no text at the end", "a sentence", "headings by style"],
)
def test_other_bold_items_are_no_headings(body: str) -> None:
    numbering = write_numbering(write_level(0, "decimal", "%1."))
    lines = parse(make_docx(body, parts={"word/numbering.xml": numbering})).content.split("\n")
    assert not [line for line in lines if line.startswith("#") and line != "# Tea"]


@pytest.mark.parametrize(
    ("format", "text", "expected"),
    [
        ("lowerLetter", "(%1)", ["(a)", "(b)"]), ("upperLetter", "%1.", ["A.", "B."]), ("lowerRoman", "%1)", ["i)", "ii)"]),
        ("upperRoman", "Part %1", ["Part I", "Part II"]), ("decimalZero", "%1", ["01", "02"]), ("ordinal", "§ %1", ["§ 1", "§ 2"]),
    ],
)  # fmt: skip
def test_an_item_says_its_number_where_markdown_would_say_another(format: str, text: str, expected: list[str]) -> None:
    content = read_list(write_level(0, format, text), write_item("tea"), write_item("cup"))
    assert content == f"- {expected[0]} tea\n- {expected[1]} cup\n"


def test_items_and_headings_say_the_numbers_of_all_levels() -> None:
    levels = (
        write_level(0, "upperRoman", "%1.")
        + write_level(1, "decimal", "%1.%2")
        + write_level(2, "decimal", "%1.%2.%3", "<w:isLgl/>")
    )
    body = [
        write_item("Tea", depth=0, style="Heading1"),
        write_item("Pour", depth=1, style="Heading2"),
        write_item("slowly", depth=2),
    ]
    assert read_list(levels, *body, *body) == (
        "# I. Tea\n\n## I.1 Pour\n\n- 1.1.1 slowly\n\n# II. Tea\n\n## II.1 Pour\n\n- 2.1.1 slowly\n"
    )


def test_a_style_numbers_its_paragraphs() -> None:
    levels = write_level(0, "decimal", "%1") + write_level(1, "decimal", "%1.%2", '<w:pStyle w:val="Clause"/>')
    style = write_style("Clause", "Clause", '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>')
    parts = {"word/numbering.xml": write_numbering(levels)}
    body = write_paragraph("tea", "Clause") + write_item("cup", 0, style="Clause") + write_paragraph("pot", "Clause")
    assert parse(make_docx(body, styles=style, parts=parts)).content == "- 1.1 tea\n\ncup\n\n- 1.2 pot\n"


def test_a_line_that_its_outline_level_makes_a_heading_has_the_number_of_its_own_style() -> None:
    def refer(numbering: int) -> str:
        return f'<w:pPr><w:numPr><w:numId w:val="{numbering}"/></w:numPr></w:pPr>'

    styles = (
        write_style("Heading1", "heading 1", refer(1))
        + write_style("Part", "Part", refer(2))
        + write_style("Plain", "Plain", "")
    )
    parts = {
        "word/numbering.xml": write_numbering(
            write_level(0, "upperLetter", "%1."), write_level(0, "decimal", "Part %1:")
        )
    }
    outline = '<w:outlineLvl w:val="0"/>'
    plain, part = (
        write_paragraph(text, style).replace("</w:pPr>", f"{outline}</w:pPr>", 1)
        for text, style in (("Tea", "Plain"), ("Cup", "Part"))
    )
    assert (
        parse(make_docx(plain + part + plain, styles=styles, parts=parts)).content
        == "# Tea\n\n# Part 1: Cup\n\n# Tea\n"
    )


@pytest.mark.parametrize("mark", ["del", "moveFrom"])
def test_what_is_deleted_takes_no_number(mark: str) -> None:
    gone = write_item("milk").replace("<w:t>milk</w:t>", "<w:delText>milk</w:delText>")
    gone = (
        gone.replace("</w:pPr>", f"<w:rPr><w:{mark}/></w:rPr></w:pPr>")
        .replace("<w:r>", "<w:del><w:r>")
        .replace("</w:r>", "</w:r></w:del>")
    )
    items = (write_item("tea"), gone, gone, write_item("cup"))
    assert read_list(write_level(0, "decimal", "%1."), *items) == "1. tea\n2. cup\n"
    assert read_list(write_level(0, "upperLetter", "%1."), *items) == "- A. tea\n- B. cup\n"


def test_levels_that_word_does_not_have_number_nothing() -> None:
    deep = 999_999_999
    assert read_list(write_level(deep, "decimal", "%1"), write_item("tea", depth=deep)) == "tea\n"


def test_bullets_stay_bullets() -> None:
    content = read_list(write_level(0, "bullet", "o"), write_item("tea"), write_item("pour", style="Heading1"))
    assert content == "- tea\n\n# pour\n"


def test_a_note_stands_at_the_end_of_its_section() -> None:
    def write_note(number: int, text: str) -> str:
        return f'<w:footnote w:id="{number}">{write_paragraph(text)}</w:footnote>'

    def refer(number: int) -> str:
        return f'<w:p>{TEA}{write_run(f"""<w:footnoteReference w:id="{number}"/>""")}</w:p>'

    notes = (
        f'<w:footnotes xmlns:w="{WORD[1:-1]}">{write_note(5, "green")}{write_note(6, "black")}</w:footnotes>'.encode()
    )
    headings = [write_paragraph(text, "Heading1") for text in ("One", "Two", "Three")]
    body = headings[0] + refer(5) + headings[1] + refer(6) + headings[2]
    assert parse(make_docx(body, parts={"word/footnotes.xml": notes})).content == (
        "# One\n\ntea[1]\n\n1. green\n\n# Two\n\ntea[2]\n\n2. black\n\n# Three\n"
    )


def rename(content: bytes, names: Mapping[str, str], **replaced: bytes) -> bytes:
    """The document with its parts under other names, and with words in them replaced."""
    renamed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as usual, zipfile.ZipFile(renamed, "w") as archive:
        for name in usual.namelist():
            data = usual.read(name)
            for old, new in replaced.items():
                data = data.replace(old.encode(), new)
            archive.writestr(names.get(name, name), data)
    return renamed.getvalue()


def test_it_finds_its_parts_by_their_relationships() -> None:
    names = {
        "word/document.xml": "Word\\Document2.xml",
        "word/_rels/document.xml.rels": "word/_rels/document2.xml.rels",
        "word/styles.xml": "word/styles3.xml",
    }
    usual = make_docx(write_paragraph("Tea", "Own"), styles=write_style("Own", "heading 1", ""))
    content = rename(usual, names, **{"word/document.xml": b"/word/document2.xml", "styles.xml": b"styles3.xml"})
    assert parse(content).content == "# Tea\n"


def test_it_reads_the_strict_kind() -> None:
    usual = make_docx(write_paragraph("Tea", "Own"), styles=write_style("Own", "heading 1", ""))
    strict = {
        "http://schemas.openxmlformats.org/wordprocessingml/2006/main": b"http://purl.oclc.org/ooxml/wordprocessingml/main",
        "http://schemas.openxmlformats.org/officeDocument/2006": b"http://purl.oclc.org/ooxml/officeDocument",
    }
    assert parse(rename(usual, {}, **strict)).content == "# Tea\n"


def test_text_that_names_the_strict_kind_is_left_as_it_is() -> None:
    text = "http://purl.oclc.org/ooxml/officeDocument/math"
    assert text in parse(make_docx(write_paragraph(text))).content


def test_it_reads_the_strict_kind_in_any_encoding() -> None:
    document = f'<w:document xmlns:w="http://purl.oclc.org/ooxml/wordprocessingml/main"><w:body>{write_paragraph("Tea")}</w:body></w:document>'
    content = f'<?xml version="1.0" encoding="utf-16"?>{document}'.encode("utf-16")
    assert parse(make_docx("", parts={"word/document.xml": content})).content == "Tea\n"


def test_parts_that_hold_no_text_may_be_broken() -> None:
    parts = {
        "docProps/custom.xml": b"<broken",
        "word/theme/theme1.xml": ENTITY,
        "customXml/item1.xml": b" " * (MAX_BYTES + 1),
    }
    assert parse(make_docx(write_paragraph("Tea"), parts=parts)).content == "Tea\n"


def test_a_style_without_a_type_or_an_id_is_read() -> None:
    styles = '<w:style><w:name w:val="None"/></w:style>'
    assert parse(make_docx(write_paragraph("Tea", "Heading1"), styles=styles)).content == "# Tea\n"


def test_it_says_that_it_leaves_out_parts_in_other_formats() -> None:
    text = parse(make_docx('<w:altChunk xmlns:r="urn:x" r:id="r7"/>' + write_paragraph("Tea")))
    assert text.content == "Tea\n"
    assert "altChunk" in text.warnings[0]


def test_a_document_without_text_is_empty() -> None:
    assert parse(make_docx("")).content == ""


def write_in(encoding: str) -> bytes:
    return f'<?xml version="1.0" encoding="{encoding}"?><x/>'.encode()


BLANK_IN_NAMESPACE = f'<w:document xmlns:w="{WORD[1:-1]}"><w:body xmlns:w="urn:a b"/></w:document>'.encode()
ENTITY = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">]><x>&a;</x>'


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "damaged"),
        (b"PK\x03\x04 and no more", "damaged"),
        (make_docx(write_paragraph("x"))[:-40], "damaged"),
        (make_docx("<w:p>"), "damaged"),
        (make_docx("x", parts={"word/styles.xml": ENTITY}), "entities"),
        (make_docx("x", parts={"word/styles.xml": b" " * (MAX_BYTES + 1)}), "20 MiB unpacked"),
        (make_docx("x", parts={f"word/{number}": b"" for number in range(MAX_FILES)}), "5,000 files"),
        (make_docx("x", parts={"_rels/.rels": b"<x/>", "word/document.xml": b"<x/>"}), "no Word document"),
        (make_docx("x", parts={"word/styles.xml": write_in("klingon")}), "damaged"),
        (make_docx("x", parts={"word/styles.xml": write_in("rot13")}), "damaged"),
        (make_docx("x", parts={"word/document.xml": BLANK_IN_NAMESPACE}), "not built as Word"),
        (make_docx("<w:p>" * 100_000 + "</w:p>" * 100_000), "nest too deep"),
        (make_docx(write_formula("<m:e>" * 5000 + "</m:e>" * 5000)), "formulas nest too deep"),
        (make_docx("<w:tbl><w:tr><w:tc>" * 1000 + "</w:tc></w:tr></w:tbl>" * 1000), "nest too deep"),
    ],
    ids=range(14),
)
def test_it_refuses_what_it_cannot_read_with_the_reason(content: bytes, reason: str) -> None:
    with pytest.raises(ParseError, match=reason):
        parse(content)


def test_it_refuses_an_encrypted_zip_file() -> None:
    content = bytearray(make_docx(write_paragraph("x")))
    entry = content.rindex(b"word/document.xml") - 46
    content[entry + 8] |= 1  # its general purpose flags in the directory (APPNOTE 4.3.12)
    with pytest.raises(ParseError, match="encrypted"):
        parse(bytes(content))


def test_it_refuses_a_zip_file_that_is_no_word_document() -> None:
    content = make_docx("x").replace(b"word/document.xml", b"word/documenu.xml")
    with pytest.raises(ParseError, match="no Word document"):
        parse(content)


def test_it_refuses_a_part_that_begins_beyond_all_memory() -> None:
    """Like entries of zip files over 4 GiB (APPNOTE 4.5.3)."""
    usual = make_docx(write_paragraph("x"))
    name = b"word/document.xml"
    entry = usual.rindex(name) - 46
    far = (b"\x01\x00" + (8).to_bytes(2, "little")) + b"\xff" * 8
    header = bytearray(usual[entry : entry + 46])
    header[30:32] = len(far).to_bytes(2, "little")
    header[42:46] = b"\xff" * 4
    rest = bytearray(usual[entry + 46 + len(name) :])
    end = rest.rindex(b"PK\x05\x06")
    rest[end + 12 : end + 16] = (int.from_bytes(rest[end + 12 : end + 16], "little") + len(far)).to_bytes(4, "little")
    with pytest.raises(ParseError, match="damaged"):
        parse(usual[:entry] + header + name + far + rest)


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
