"""OpenDocument texts: what is read, and which are refused."""

from __future__ import annotations

import pytest

from collections_app.exceptions import ParseError
from collections_app.parsing.documents import Finding, FindingKind, NormalisedText, RawDocument
from collections_app.parsing.office.odt import parse_odt
from tests.collections_app.parsing.office.odt_files import make_odt, write_content, write_part

NUMBERED = '<text:list-level-style-number text:level="{}" style:num-format="{}" style:num-suffix="{}" text:display-levels="{}"/>'
LISTS = (
    f'<text:list-style style:name="L1">{NUMBERED.format(1, "1", ".", 1)}{NUMBERED.format(2, "1", ".", 2)}</text:list-style>'
    f'<text:list-style style:name="L2">{NUMBERED.format(1, "a", ")", 1)}{NUMBERED.format(2, "I", ".", 1)}</text:list-style>'
)
OUTLINE = "".join(
    f'<text:outline-level-style text:level="{level}" style:num-format="1" text:display-levels="{level}"/>'
    for level in (1, 2)
)


def parse(content: bytes) -> NormalisedText:
    return parse_odt(RawDocument("tea.odt", content))


def read(body: str, *, styles: str = "", common: str = "") -> str:
    return parse(make_odt(body, styles=styles, common=common)).content


def write_list(*items: str, style: str = "", more: str = "") -> str:
    named = f' text:style-name="{style}"' if style else ""
    return (
        f"<text:list{named}{more}>{''.join(f'<text:list-item>{item}</text:list-item>' for item in items)}</text:list>"
    )


def write_table(*rows: tuple[str, ...]) -> str:
    cell = "<table:table-cell><text:p>{}</text:p></table:table-cell>"
    written = (f"<table:table-row>{''.join(map(cell.format, row))}</table:table-row>" for row in rows)
    return f"<table:table>{''.join(written)}</table:table>"


def test_it_reads_headings_paragraphs_code_and_quotations_by_their_styles() -> None:
    body = (
        '<text:p text:style-name="Title">Tea<text:note><text:note-body><text:p>b</text:p></text:note-body></text:note></text:p>'
        "<text:table-of-content><text:index-body><text:p>Pour 1</text:p></text:index-body></text:table-of-content>"
        '<text:h text:outline-level="2">Pour <text:bookmark text:name="a"/>it</text:h>'
        "<text:p>One<text:s/>cup,<text:tab/>or<text:line-break/>two.</text:p><text:p/>"
        '<text:p text:style-name="P1">Slowly</text:p>'
        '<text:p text:style-name="P2">def pour():</text:p><text:p text:style-name="P2"><text:s text:c="4"/>tilt("&lt;")</text:p>'
        '<text:p text:style-name="P3">Said</text:p>'
        '<text:p text:style-name="P5">ls -l</text:p><text:p>End</text:p>'
    )
    text = parse(make_odt(body))
    assert text.content == (
        "# Tea[1]\n\n1. b\n\n## Pour it\n\nOne cup, or  \ntwo.\n\n**Slowly**\n\n"
        '```\ndef pour():\n    tilt("<")\n```\n\n> Said\n\n```\nls -l\n```\n\nEnd\n'
    )
    assert (text.format, text.title) == ("odt", "Tea")


@pytest.mark.parametrize(
    ("words", "written"),
    [
        ('<text:span text:style-name="T1">a</text:span> b', "***a*** b"),
        ('<text:span text:style-name="T2">a*b c</text:span>', "`a*b c`"),
        ('<text:span text:style-name="T4">a</text:span>', "~~a~~"),
        ('<text:a xlink:href="https://a/b">c</text:a>', "[c](https://a/b)"),
        ('<text:a xlink:href="#Pour|outline">c</text:a>', "c"),
        ("a<office:annotation><text:p>b</text:p></office:annotation>c", "ac"),
        ("a<text:change text:change-id='1'/><text:page-number>3</text:page-number>", "a3"),
        ("<text:ruby><text:ruby-base>a</text:ruby-base><text:ruby-text>b</text:ruby-text></text:ruby>", "a"),
        ("<draw:frame><draw:image xlink:href='a.png'/><svg:title>A</svg:title><svg:desc>A cup</svg:desc></draw:frame>", "A cup"),
        ("<draw:frame><draw:image xlink:href='a.png'/></draw:frame>", ""),
    ],
)  # fmt: skip
def test_words_keep_what_their_styles_say(words: str, written: str) -> None:
    assert read(f"<text:p>{words}</text:p>").strip() == written


def test_text_of_boxes_and_shapes_stands_below_their_paragraph() -> None:
    box = "<draw:frame><draw:text-box><text:p>In a box</text:p></draw:text-box></draw:frame>"
    shape = "<draw:custom-shape><text:p>In a shape</text:p><draw:enhanced-geometry/></draw:custom-shape>"
    assert read(f"<text:p>a{box}b</text:p>{shape}<text:p>c</text:p>") == "ab\n\nIn a box\n\nIn a shape\n\nc\n"


def test_what_was_deleted_goes() -> None:
    deleted = "<text:changed-region><text:deletion><text:p>gone</text:p></text:deletion></text:changed-region>"
    assert read(f"<text:tracked-changes>{deleted}</text:tracked-changes><text:p>here</text:p>") == "here\n"


@pytest.mark.parametrize(
    "body",
    [
        '<text:p text:style-name="P4">Ignore all cups on the table.</text:p>',
        '<text:p><text:span text:style-name="T3">Ignore all cups on the table.</text:span></text:p>',
        '<text:section text:display="none"><text:p>Ignore all cups on the table.</text:p></text:section>',
        '<text:p>Ignore all cups on the table.<text:hidden-paragraph text:is-hidden="true"/></text:p>',
        '<text:p><text:hidden-text text:string-value="Ignore all cups on the table."/></text:p>',
        '<text:p text:style-name="P2"><text:span text:style-name="T3">Ignore all cups on the table.</text:span></text:p>',
        '<text:h text:style-name="P4">Ignore all cups on the table.</text:h>',
        '<text:h>Ignore all cups on the table.<text:hidden-paragraph text:is-hidden="true"/></text:h>',
        '<text:p text:style-name="P2"><text:hidden-text text:string-value="Ignore all cups on the table."/></text:p>',
    ],
)
def test_hidden_text_is_left_out_and_told(body: str) -> None:
    text = parse(make_odt(f"{body}<text:p>Tea</text:p>"))
    assert text.content == "Tea\n"
    assert text.findings == (Finding(FindingKind.HIDDEN_TEXT, -1, "Ignore all cups on the table.", removed=True),)


def test_what_is_hidden_in_a_note_or_shown_by_a_condition_hides_nothing_else() -> None:
    hidden = "<text:p><text:hidden-paragraph text:is-hidden='true'/>gone</text:p>"
    note = f"<text:note><text:note-body>{hidden}</text:note-body></text:note>"
    assert read(f"<text:p>Seen{note} text</text:p>").startswith("Seen[1] text")
    assert (
        read("<text:section text:display='condition' text:is-hidden='false'><text:p>a</text:p></text:section>") == "a\n"
    )
    assert read("<text:p><text:hidden-text text:is-hidden='false'>a</text:hidden-text></text:p>") == "a\n"


def test_notes_and_boxes_in_code_stand_below_it() -> None:
    inside = "<text:note><text:note-body><text:p>b</text:p></text:note-body></text:note>"
    inside += "<draw:frame><draw:text-box><text:p>c</text:p></draw:text-box></draw:frame>"
    assert read(f'<text:p text:style-name="P2">f()<text:s text:c="2"/>;{inside}</text:p><text:p>d</text:p>') == (
        "```\nf()  ;\n```\n\nc\n\nd\n\n1. b\n"
    )


def test_lists_go_on_with_the_one_that_they_name() -> None:
    lists = (
        write_list("<text:p>a</text:p>", "<text:p>b</text:p>", style="L1", more=' xml:id="l1"'),
        write_list("<text:p>x</text:p>", style="L1"),
        write_list("<text:p>c</text:p>", style="L1", more=' text:continue-list="l1"'),
    )
    assert read("<text:p>-</text:p>".join(lists), styles=LISTS).count("3. c") == 1


def test_a_heading_outside_of_the_numbering_is_not_counted() -> None:
    outline = f"<text:outline-style>{OUTLINE}</text:outline-style>"
    style = (
        '<style:style style:family="paragraph" style:name="H0" style:parent-style-name="H" style:list-style-name=""/>'
    )
    assert (
        read('<text:h text:style-name="H0">A</text:h><text:h>B</text:h>', styles=style, common=outline)
        == "# A\n\n# 1 B\n"
    )


def test_what_is_damaged_beside_the_text_costs_nothing_else() -> None:
    body = '<text:p>a<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame></text:p>'
    assert parse(make_odt(body, parts={"Object 1/content.xml": "<a", "meta.xml": "<b"})).content == "a\n"


def test_items_have_the_numbers_that_the_text_gives_them() -> None:
    inner = write_list("<text:p>one</text:p>", "<text:p>two</text:p>")
    first = write_list(f"<text:p>a</text:p>{inner}", "<text:p>b</text:p>", style="L1")
    more = write_list("<text:p>c</text:p>", style="L1", more=' text:continue-numbering="true"')
    anew = write_list("<text:p>d</text:p>", style="L1")
    assert read(f"{first}<text:p>x</text:p>{more}<text:p>x</text:p>{anew}", styles=LISTS) == (
        "1. a\n   - 1.1. one\n   - 1.2. two\n2. b\n\nx\n\n3. c\n\nx\n\n1. d\n"
    )
    lettered = write_list(f"<text:p>a</text:p>{inner}", f"{inner}", "<text:p>b</text:p>", style="L2")
    assert read(lettered, styles=LISTS) == "- a) a\n  - I. one\n  - II. two\n  - I. one\n  - II. two\n- b) b\n"


def test_items_without_a_list_style_have_bullets_and_empty_levels_none() -> None:
    nested = write_list(write_list("<text:p>a</text:p>", "<text:p>b</text:p>"))
    assert read(nested) == "- a\n- b\n"
    assert read(write_list('<text:p text:style-name="P2">ls</text:p>')) == "- ```\n  ls\n  ```\n"


def test_headings_have_their_numbers_and_are_no_items() -> None:
    outline = f"<text:outline-style>{OUTLINE}</text:outline-style>"
    heading = '<text:h text:outline-level="{}">{}</text:h>'
    body = (
        heading.format(1, "Tea")
        + write_list(write_list(heading.format(2, "Pour")))
        + heading.format(2, "Drink")
        + heading.format(1, "Cups")
        + heading.format(2, "Mugs")
        + '<text:h text:outline-level="1" text:is-list-header="true">Index</text:h>'
    )
    assert read(body, common=outline).split("\n\n") == [
        "# 1 Tea", "## 1.1 Pour", "## 1.2 Drink", "# 2 Cups", "## 2.1 Mugs", "# Index\n",
    ]  # fmt: skip


def test_a_table_has_a_header_and_the_cells_that_are_joined() -> None:
    assert read(write_table(("cup", "size"), ("mug", "L"))) == "| cup | size |\n| --- | --- |\n| mug | L |\n"
    assert read(write_table(("Only a box",))) == "Only a box\n"
    joined = (
        "<table:table><table:table-header-rows><table:table-row><table:table-cell table:number-columns-spanned='2'><text:p>a</text:p>"
        "</table:table-cell><table:covered-table-cell/></table:table-row></table:table-header-rows><table:table-row>"
        "<table:table-cell table:number-columns-repeated='2'><text:p>b</text:p></table:table-cell>"
        "<table:table-cell table:number-columns-repeated='16000'/></table:table-row></table:table>"
    )
    assert read(joined) == "| a |  |\n| --- | --- |\n| b | b |\n"


def test_notes_stand_at_the_end_of_the_section_that_refers_to_them() -> None:
    note = "<text:note><text:note-citation>{0}</text:note-citation><text:note-body><text:p>Of {0}</text:p></text:note-body></text:note>"
    body = (
        f"<text:h>A</text:h><text:p>a{note.format('x')}</text:p><text:h>B</text:h><text:p>b{note.format('y')}.</text:p>"
    )
    assert read(body) == "# A\n\na[1]\n\n1. Of x\n\n# B\n\nb[2].\n\n2. Of y\n"


def test_formulas_are_a_line_of_text() -> None:
    formula = (
        '<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><msup><mi>x</mi><mn>2</mn></msup>'
        '<annotation encoding="StarMath 5.0">x^2</annotation></semantics></math>'
    )
    body = '<text:p>So <draw:frame><draw:object xlink:href="./Object 1"/></draw:frame>.</text:p>'
    assert parse(make_odt(body, parts={"Object 1/content.xml": formula})).content == "So $x^2$.\n"
    outside = body.replace("./Object 1", "../Object 1")
    assert parse(make_odt(outside, parts={"Object 1/content.xml": formula})).content == "So .\n"


def test_what_it_says_of_itself() -> None:
    meta = (
        "<dc:title>All of tea</dc:title><dc:description>How to\n pour</dc:description><dc:language>en-GB</dc:language>"
        "<meta:keyword>cup</meta:keyword><meta:keyword>mug</meta:keyword>"
    )
    text = parse(make_odt("<text:p>a</text:p>", meta=meta))
    assert (text.title, text.description, text.keywords) == ("All of tea", "How to pour", ("cup", "mug"))
    assert text.metadata == {"language": "en-GB"}


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ({"content.xml": "<a"}, "damaged"),
        ({"content.xml": write_part("content", "")}, "no OpenDocument text"),
        ({"content.xml": f'<!DOCTYPE a [<!ENTITY b "c">]>{write_content("<text:p>&b;</text:p>")}'}, "entities"),
        ({"META-INF/manifest.xml": "<m><file-entry><encryption-data/></file-entry></m>"}, "encrypted"),
        ({"content.xml": write_content("<text:section>" * 600 + "</text:section>" * 600)}, "too deep"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused_with_the_reason(parts: dict[str, str], reason: str) -> None:
    with pytest.raises(ParseError, match=reason):
        parse(make_odt("<text:p>a</text:p>", parts=parts))


def test_a_text_without_styles_is_read() -> None:
    assert parse(make_odt("<text:p>a</text:p>", parts={"styles.xml": write_part("styles", "")})).content == "a\n"
