"""PowerPoint presentations: what is read of their slides, and which are refused."""

from __future__ import annotations

import io
import zipfile

import pytest

from collections_app.exceptions import ParseError
from collections_app.parsing import ParsedDocument, RawDocument
from collections_app.parsing import parse as parse_whole
from collections_app.parsing.documents import ContentPolicy, Finding, FindingKind, NormalisedText
from collections_app.parsing.office.archive import MAX_BYTES, MAX_FILES
from collections_app.parsing.office.pptx import parse_pptx
from tests.collections_app.parsing.office.pptx_files import (
    HEIGHT,
    WIDTH,
    make_pptx,
    write_body,
    write_graphic,
    write_notes,
    write_paragraph,
    write_part,
    write_relations,
    write_run,
    write_shape,
    write_slide,
    write_table,
    write_title,
)

SECRET = "These words are for the speaker and nobody else."


def parse(content: bytes) -> NormalisedText:
    return parse_pptx(RawDocument("tea.pptx", content))


def read(*shapes: str, relations: dict[str, tuple[str, str]] | None = None) -> str:
    """The text of a single slide, without its heading."""
    content = make_pptx(write_slide(write_title("Tea"), *shapes), relations=relations)
    heading, _, text = parse(content).content.partition("\n")
    assert heading == "# Tea"
    return text.strip("\n")


def parse_document(content: bytes, policy: ContentPolicy = ContentPolicy.STRIP) -> ParsedDocument:
    return parse_whole(RawDocument("tea.pptx", content), policy)


def test_each_slide_is_a_section_with_its_number() -> None:
    document = parse_document(
        make_pptx(
            write_slide(
                write_title("Tea", "ctrTitle"), write_shape(write_paragraph("By hand"), place='type="subTitle" idx="9"')
            ),
            write_slide(write_shape(write_paragraph("Pour."))),
            write_slide(write_body(write_paragraph("Drink.")), write_title("The_x000B_end")),
        )
    )
    assert document.content == "# Tea\n\nBy hand\n\n# Slide 2\n\nPour.\n\n# The end\n\n- Drink.\n"
    assert [(section.section_id, section.page_number) for section in document.sections] == [
        ("tea", 1),
        ("slide-2", 2),
        ("the-end", 3),
    ]
    assert (document.title, document.page_count) == ("Tea", 3)


@pytest.mark.parametrize(
    ("text", "y", "heading"),
    [
        ("Leaves of tea", 0, "# Leaves of tea"),
        ("Leaves of tea", HEIGHT // 2, "# Slide 1"),
        ("Leaves of tea are dried.", 0, "# Slide 1"),
        ("42", 0, "# Slide 1"),
    ],
)
def test_a_short_text_at_the_top_is_the_title_of_a_slide_without_one(text: str, y: int, heading: str) -> None:
    def box(text: str, y: int) -> str:
        frame = f'<a:xfrm><a:off x="0" y="{y}"/><a:ext cx="99" cy="99"/></a:xfrm>'
        return write_shape(write_paragraph(text), frame=frame)

    content = parse(make_pptx(write_slide(box("Pour.", y + 1000), box(text, y)))).content
    assert content.startswith(f"{heading}\n")
    assert text in content


@pytest.mark.parametrize(
    ("text", "size", "heading"),
    [
        ("Leaves of tea", 4000, "# Leaves of tea"),
        ("Leaves of tea...", 4000, "# Leaves of tea..."),
        ("Leaves of tea", 2800, "# Slide 1"),
        ("Leaves of tea.", 4000, "# Slide 1"),
    ],
)
def test_a_short_text_in_large_type_is_the_title_of_a_slide_without_one(text: str, size: int, heading: str) -> None:
    def box(text: str, y: int, size: int) -> str:
        frame = f'<a:xfrm><a:off x="0" y="{y}"/><a:ext cx="99" cy="99"/></a:xfrm>'
        return write_shape(write_paragraph(text, run=f'<a:rPr sz="{size}"/>'), frame=frame)

    boxes = (box("By hand", HEIGHT // 3, 2400), box(text, HEIGHT // 2, size), box("7", HEIGHT // 9, 1200))
    assert parse(make_pptx(write_slide(*boxes))).content.startswith(f"{heading}\n")


def test_sections_stand_above_their_slides() -> None:
    slides = [write_slide(write_title(name)) for name in ("Tea", "Leaves", "Water", "Cup")]
    text = parse(make_pptx(*slides, sections={"Default Section": [1], "What it takes": [2, 3], "Serving": [4]}))
    assert text.content == "## Tea\n\n# What it takes\n\n## Leaves\n\n## Water\n\n# Serving\n\n## Cup\n"
    assert text.page_lines == [0, 2, 6, 8]


def test_sections_that_powerpoint_named_itself_are_none() -> None:
    content = make_pptx(write_slide(write_title("Tea")), sections={"Default Section": [1]})
    assert parse(content).content == "# Tea\n"


def test_bullets_are_those_of_paragraph_shape_layout_and_master() -> None:
    numbered = '<a:buAutoNum type="arabicPeriod" startAt="3"/>'
    assert (
        read(
            write_body(
                write_paragraph("Leaves"),
                write_paragraph("green", 1),
                write_paragraph("black", 1),
                write_paragraph("Water"),
                write_paragraph("No bullet", properties="<a:buNone/>"),
                write_paragraph("boil", properties=numbered),
                write_paragraph("pour", properties=numbered),
            ),
            write_shape(write_paragraph("A box"), write_paragraph("with a dot", properties='<a:buChar char="•"/>')),
        )
        == "- Leaves\n  - green\n  - black\n- Water\n\nNo bullet\n\n3. boil\n4. pour\n\nA box\n\n- with a dot"
    )


def test_type_makes_emphasis_links_and_code() -> None:
    courier = '<a:rPr><a:latin typeface="Courier New"/></a:rPr>'
    link = '<a:rPr b="1"><a:hlinkClick r:id="web"/></a:rPr>'
    runs = (
        write_run("Pour ")
        + write_run("very ", '<a:rPr b="1"/>')
        + write_run("slowly", '<a:rPr b="1"/>')
        + write_run(", see ")
        + write_run("here", link)
        + write_run(" or ")
        + write_run("next", '<a:rPr><a:hlinkClick r:id="other" action="ppaction://hlinksldjump"/></a:rPr>')
        + write_run(": ")
        + write_run("pour()", courier)
        + write_run(" H")
        + write_run("2", '<a:rPr baseline="-25000"/>')
        + write_run("O")
    )
    code = write_shape(
        write_paragraph("def pour():", run=courier),
        "<a:p/>",
        write_paragraph("    tilt()", run=courier),
        write_paragraph("return 1", 1, run=courier),
    )
    targets = {"web": ("hyperlink", "https://tea.example/pour"), "other": ("slide", "slide1.xml")}
    assert read(write_shape(f"<a:p>{runs}</a:p>"), code, relations=targets) == (
        "Pour **very slowly**, see [**here**](https://tea.example/pour) or next: `pour()` H_2O\n\n"
        "```\ndef pour():\n\n    tilt()\n    return 1\n```"
    )


def test_tables_have_their_first_row_as_header() -> None:
    merged = write_table(("cup", "size"), ("mug", "L")).replace("<a:tc>", '<a:tc gridSpan="1">', 1)
    assert read(merged) == "| cup | size |\n| --- | --- |\n| mug | L |"


def test_groups_and_formulas_are_read_and_of_two_forms_the_new_one() -> None:
    group = f"<p:grpSp><p:nvGrpSpPr/><p:grpSpPr/>{write_shape(write_paragraph('Inner'))}</p:grpSp>"
    fraction = "<m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>b</m:t></m:r></m:den></m:f>"
    formula = f"<a:p><a14:m><m:oMath>{fraction}</m:oMath></a14:m></a:p>"
    both = (
        f'<mc:AlternateContent><mc:Choice Requires="a14">{write_shape(formula)}</mc:Choice>'
        f"<mc:Fallback>{write_shape(write_paragraph('a over b'))}</mc:Fallback></mc:AlternateContent>"
    )
    assert read(group, both) == "Inner\n\na/b"


def test_diagrams_are_lists_and_charts_are_tables() -> None:
    points = "".join(
        f'<dgm:pt modelId="{number}" type="{kind}"><dgm:t>{write_paragraph(text)}</dgm:t></dgm:pt>'
        for number, kind, text in (
            (0, "doc", ""),
            (1, "node", "Tea"),
            (2, "node", "Green"),
            (3, "node", "Water"),
            (4, "pres", "x"),
        )
    )
    connections = "".join(
        f'<dgm:cxn srcId="{source}" destId="{target}" srcOrd="{place}"/>'
        for source, target, place in ((0, 3, 1), (0, 1, 0), (1, 2, 0), (2, 1, 0))
    )
    values = "<c:pt idx='0'><c:v>3</c:v></c:pt><c:pt idx='1'><c:v>0.30000000000000004</c:v></c:pt>"
    names = "<c:pt idx='0'><c:v>green</c:v></c:pt><c:pt idx='1'><c:v>black</c:v></c:pt>"
    chart = (
        f"<c:chart><c:title>{write_paragraph('Cups a day')}</c:title><c:plotArea><c:barChart><c:ser><c:tx><c:v>Cups</c:v></c:tx>"
        f"<c:cat>{names}</c:cat><c:val>{values}</c:val></c:ser></c:barChart></c:plotArea></c:chart>"
    )
    content = make_pptx(
        write_slide(
            write_title("Tea"), write_graphic('<dgm:relIds r:dm="d"/>'), write_graphic('<c:chart r:id="c"/>') * 2
        ),
        relations={"d": ("diagramData", "../diagrams/data1.xml"), "c": ("chart", "/ppt/charts/chart1.xml")},
        parts={
            "ppt/diagrams/data1.xml": write_part(
                "dgm:dataModel", f"<dgm:ptLst>{points}</dgm:ptLst><dgm:cxnLst>{connections}</dgm:cxnLst>"
            ),
            "ppt/charts/chart1.xml": write_part("c:chartSpace", chart),
        },
    )
    assert parse(content).content == (
        "# Tea\n\n- Tea\n  - Green\n- Water\n\nCups a day\n\n"
        "|  | Cups |\n| --- | --- |\n| green | 3 |\n| black | 0.3 |\n"
    )


def test_diagrams_and_charts_stay_small_whatever_their_parts_say() -> None:
    points = "".join(f'<dgm:pt modelId="{n}"><dgm:t>{write_paragraph("x")}</dgm:t></dgm:pt>' for n in range(2000))
    chain = "".join(f'<dgm:cxn srcId="{n}" destId="{n + 1}"/>' for n in range(2000))
    chart = "<c:ser><c:cat><c:pt idx='0'><c:v>x</c:v></c:pt></c:cat></c:ser>" * 51
    content = make_pptx(
        write_slide(write_title("Tea"), write_graphic('<dgm:relIds r:dm="d"/>'), write_graphic('<c:chart r:id="c"/>')),
        relations={"d": ("diagramData", "../diagrams/data1.xml"), "c": ("chart", "../charts/chart1.xml")},
        parts={
            "ppt/diagrams/data1.xml": write_part(
                "dgm:dataModel", f"<dgm:ptLst>{points}</dgm:ptLst><dgm:cxnLst>{chain}</dgm:cxnLst>"
            ),
            "ppt/charts/chart1.xml": write_part(
                "c:chartSpace", f"<c:chart><c:plotArea><c:barChart>{chart}</c:barChart></c:plotArea></c:chart>"
            ),
        },
    )
    lines = parse(content).content.strip().split("\n")
    assert len(lines) == 2002
    assert max(map(len, lines)) < 30


def test_notes_are_a_quote_and_say_that_they_are_notes() -> None:
    notes = write_notes(
        write_shape(write_paragraph("a picture"), place='type="sldImg"'),
        write_shape(write_paragraph("Smile."), place='type="body" idx="1"'),
        write_shape(write_paragraph("7"), place='type="sldNum"'),
    )
    text = parse(make_pptx(write_slide(write_title("Tea")), write_slide(write_title("Cup")), notes={1: notes}))
    assert text.content == "# Tea\n\n> **Speaker notes:**\n>\n> Smile.\n\n# Cup\n"


def test_what_every_slide_repeats_is_left_out() -> None:
    repeated = [write_shape(write_paragraph(kind), place=f'type="{kind}"') for kind in ("dt", "ftr", "sldNum")]
    number = f'<a:p>{write_run("Page ")}<a:fld type="slidenum"><a:t>7</a:t></a:fld></a:p>'
    assert read(*repeated, write_shape(number)) == "Page"


def test_hidden_slides_are_left_out_and_told() -> None:
    content = make_pptx(
        write_slide(write_title("Tea")),
        write_slide(write_title("Hidden"), write_body(write_paragraph(SECRET)), attributes='show="0"'),
        write_slide(write_title("Cup")),
        notes={2: write_notes(write_shape(write_paragraph("of a hidden slide")))},
    )
    document = parse_document(content)
    assert document.content == "# Tea\n\n# Cup\n"
    assert [section.page_number for section in document.sections] == [1, 3]
    assert document.findings == (Finding(FindingKind.HIDDEN_TEXT, -1, f"Hidden {SECRET}", removed=True),)
    assert document.warnings == ("hidden slides were left out: 2",)
    assert parse_document(content, ContentPolicy.QUARANTINE).is_quarantined


@pytest.mark.parametrize(
    "shape",
    [
        write_shape(write_paragraph(SECRET), properties='hidden="1"'),
        write_shape(
            write_paragraph(SECRET),
            frame=f'<a:xfrm><a:off x="{WIDTH + 1}" y="0"/><a:ext cx="99" cy="99"/></a:xfrm>',
        ),
        f'<p:grpSp><p:nvGrpSpPr><p:cNvPr id="4" name="g" hidden="1"/></p:nvGrpSpPr>{write_shape(write_paragraph(SECRET))}</p:grpSp>',
    ],
    ids=["hidden", "beside the slide", "in a hidden group"],
)
def test_shapes_that_nobody_sees_are_left_out_and_told(shape: str) -> None:
    text = parse(make_pptx(write_slide(write_title("Tea"), shape)))
    assert text.content == "# Tea\n"
    assert [finding.excerpt for finding in text.findings] == [SECRET]


@pytest.mark.parametrize(
    ("kind", "own", "title"),
    [
        ("ctrTitle", "A template", "Tea"),
        ("title", "All about tea", "All about tea"),
        ("title", "PowerPoint Presentation", "Tea"),
        ("title", "PowerPoint-Präsentation", "Tea"),
        ("title", "tea_v2.pptx", "Tea"),
        ("title", "", "Tea"),
    ],
)
def test_its_title_is_that_of_its_first_slide_or_of_its_properties(kind: str, own: str, title: str) -> None:
    core = f"<dc:title>{own}</dc:title><dc:description>How to pour.</dc:description><cp:keywords>tea; cup</cp:keywords>"
    text = parse(make_pptx(write_slide(write_title("Tea", kind)), core=core))
    assert (text.title, text.description, text.keywords) == (title, "How to pour.", ("tea", "cup"))


@pytest.mark.parametrize(
    ("cover", "said", "title"),
    [
        ("Cups of May", "Pour.", "Cups of May"),
        ("Cups of May", "The tea house, an overview", "Tea House, an Overview"),
        ("Our tea house", "Pour.", "Tea House, an Overview"),
        ("Welcome", "Pour.", "Tea House, an Overview"),
    ],
)
def test_a_title_of_its_properties_that_its_first_slides_do_not_say_is_a_templates(
    cover: str, said: str, title: str
) -> None:
    slides = (
        write_slide(write_title(cover)),
        write_slide(write_body(write_paragraph(said))),
        write_slide(write_title("Tea House")),
    )
    assert parse(make_pptx(*slides, core="<dc:title>Tea House, an Overview</dc:title>")).title == title


def test_it_reads_the_names_of_the_strict_form() -> None:
    usual = make_pptx(write_slide(write_title("Tea"), write_body(write_paragraph("Pour."))))
    names = {"schemas.openxmlformats.org/presentationml/2006/main": "purl.oclc.org/ooxml/presentationml/main"}
    names |= {"schemas.openxmlformats.org/drawingml/2006/main": "purl.oclc.org/ooxml/drawingml/main"}
    names |= {"schemas.openxmlformats.org/officeDocument/2006": "purl.oclc.org/ooxml/officeDocument"}
    assert parse(rewrite(usual, names)).content == parse(usual).content


def rewrite(content: bytes, names: dict[str, str]) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(written, "w") as new:
        for entry in old.namelist():
            text = old.read(entry).decode()
            for before, after in names.items():
                text = text.replace(before, after)
            new.writestr(entry, text)
    return written.getvalue()


def test_it_finds_its_parts_by_their_relationships() -> None:
    parts = {
        "_rels/.rels": write_relations(r1=("officeDocument", "/ppt/Deck.xml")),
        "ppt/Deck.xml": write_part("p:presentation", '<p:sldIdLst><p:sldId id="256" r:id="r1"/></p:sldIdLst>'),
        "ppt/_rels/deck.xml.rels": write_relations(r1=("slide", "Pages\\One.xml")),
        "ppt\\pages\\one.xml": write_slide(write_title("Tea")),
    }
    assert parse(make_pptx(parts=parts)).content == "# Tea\n"


def test_parts_that_no_slide_shows_may_be_broken() -> None:
    parts: dict[str, str | bytes] = {
        "ppt/slides/slide9.xml": "<broken",
        "ppt/charts/chart1.xml": b" " * (MAX_BYTES + 1),
    }
    assert parse(make_pptx(write_slide(write_title("Tea")), parts=parts)).content == "# Tea\n"


def test_slides_without_text_and_parts_that_are_not_there_are_passed_over() -> None:
    content = make_pptx(
        write_slide(), write_slide(write_graphic('<c:chart r:id="none"/>')), write_slide(write_title("Tea"))
    )
    document = parse_document(content)
    assert document.content == "# Tea\n"
    assert document.sections[0].page_number == 3


def write_math(depth: int) -> str:
    return write_shape(f"<a:p><m:oMath>{'<m:e>' * depth}{'</m:e>' * depth}</m:oMath></a:p>")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "damaged; open it in PowerPoint"),
        (make_pptx(write_slide())[:-40], "damaged"),
        (make_pptx("<p:sld>"), "damaged"),
        (make_pptx('<!DOCTYPE x [<!ENTITY a "aaaa">]><x>&a;</x>'), "entities"),
        (make_pptx(write_slide(), parts={"ppt/slides/slide1.xml": b" " * (MAX_BYTES + 1)}), "20 MiB unpacked"),
        (make_pptx(parts={f"ppt/{number}": b"" for number in range(MAX_FILES)}), "5,000 files"),
        (make_pptx(write_slide("<p:grpSp>" * 60_000 + "</p:grpSp>" * 60_000)), "nest too deep"),
        (make_pptx(write_slide(write_math(480))), "^$|nest too deep"),
        (make_pptx().replace(b"ppt/presentation.xml", b"ppt/presentatiom.xml"), "no PowerPoint presentation"),
    ],
    ids=range(9),
)
def test_it_refuses_what_it_cannot_read_with_the_reason(content: bytes, reason: str) -> None:
    with pytest.raises(ParseError, match=reason):
        parse(content)
