"""Spreadsheets: how sheets become sections and tables, what is read of each format, and which files are refused."""

from __future__ import annotations

from textwrap import dedent

import pytest

from collections_app.exceptions import ParseError
from collections_app.parsing import ParsedDocument, RawDocument, parse
from collections_app.parsing.documents import NormalisedText
from collections_app.parsing.office.spreadsheets.delimited import parse_csv
from collections_app.parsing.office.spreadsheets.ods import parse_ods
from collections_app.parsing.office.spreadsheets.sheets import MAX_CHARACTERS
from collections_app.parsing.office.spreadsheets.xlsx import parse_xlsx
from tests.collections_app.parsing.office.odt_files import make_ods, write_part
from tests.collections_app.parsing.office.pptx_files import write_relations
from tests.collections_app.parsing.office.xlsx_files import (
    BOLD,
    DATE,
    HIDING,
    PERCENT,
    WHITE,
    WHITE_ON_BLUE,
    make_xlsx,
    write_cell,
    write_drawing,
    write_row,
    write_rows,
    write_sheet,
)

TEAS = (("Tea", "Minutes"), ("Assam", 4), ("Sencha", 2))
TABLE = "| Tea | Minutes |\n| --- | --- |\n| Assam | 4 |\n| Sencha | 2 |\n"
SECRET = "The words of this cell are for nobody to see"
SENTENCES = "Warm the pot with hot water, pour it away, and add a spoon of leaves for each cup. "


def read(rows: str, *, name: str = "Sheet1", **options: str) -> NormalisedText:
    return parse_xlsx(RawDocument("tea.xlsx", make_xlsx({name: write_sheet(rows, **options)})))


def read_csv(text: str) -> str:
    return parse_csv(RawDocument("tea.csv", dedent(text).encode())).content


def list_headings(document: ParsedDocument) -> list[tuple[int, str]]:
    return [(section.level, section.heading) for section in document.sections]


class TestLayout:
    def test_a_sheet_is_a_table_with_its_first_row_as_header(self) -> None:
        assert read(write_rows(*TEAS)).content == TABLE

    def test_each_sheet_is_a_section_if_there_are_several_or_it_has_a_name(self) -> None:
        rows = write_sheet(write_rows(*TEAS))
        both = parse(RawDocument("tea.xlsx", make_xlsx({"Sheet1": rows, "Sheet2": rows, "Empty": write_sheet("")})))
        assert list_headings(both) == [(2, "Sheet1"), (2, "Sheet2")]
        assert read(write_rows(*TEAS), name="Black teas").content == f"## Black teas\n\n{TABLE}"

    def test_titles_are_sections_above_a_table_and_within_it(self) -> None:
        rows = [
            write_row(1, "All teas", style=BOLD),
            write_row(2, "What we have"),
            write_row(4, "Tea", "Minutes", style=BOLD),
            write_row(5, "Black", style=BOLD),
            write_row(6, "Assam", 4),
            write_row(7, "Green", style=BOLD),
            write_row(8, "Sencha", 2),
        ]
        assert read("".join(rows)).content == dedent("""\
            ## All teas

            What we have

            ## Black

            | Tea | Minutes |
            | --- | --- |
            | Assam | 4 |

            ## Green

            | Tea | Minutes |
            | --- | --- |
            | Sencha | 2 |
            """)

    def test_a_cell_over_several_columns_is_a_title_too(self) -> None:
        merged = '<mergeCells><mergeCell ref="A1:B1"/></mergeCells>'
        rows = write_row(1, "Our teas") + write_row(2, *TEAS[0]) + write_row(3, *TEAS[1])
        assert read(rows, behind=merged).content.startswith("## Our teas\n\n| Tea | Minutes |")

    def test_a_table_goes_on_below_blank_rows_unless_a_header_comes(self) -> None:
        assert read(write_rows(*TEAS[:2], (), TEAS[2])).content == TABLE
        others = write_row(5, "Cup", "Price", style=BOLD) + write_row(6, "Small", 3)
        content = read(write_rows(*TEAS) + others).content
        assert content == f"{TABLE}\n| Cup | Price |\n| --- | --- |\n| Small | 3 |\n"

    def test_a_header_may_stand_apart_from_its_rows(self) -> None:
        assert read(write_rows(TEAS[0], (), *TEAS[1:])).content == TABLE

    def test_rows_of_numbers_have_no_header(self) -> None:
        assert read(write_row(1, "Assam", 4) + write_row(2, "Sencha", 2)).content == (
            "|  |  |\n| --- | --- |\n| Assam | 4 |\n| Sencha | 2 |\n"
        )

    def test_a_row_by_itself_is_kept(self) -> None:
        assert read(write_row(1, *TEAS[0], style=BOLD)).content == "|  |  |\n| --- | --- |\n| Tea | Minutes |\n"

    def test_labels_below_a_group_of_columns_name_both(self) -> None:
        merged = '<mergeCells><mergeCell ref="A1:A2"/><mergeCell ref="B1:C1"/></mergeCells>'
        rows = (
            write_row(1, "Tea", "Minutes", style=BOLD)
            + write_row(2, None, "at least", "at most", style=BOLD)
            + write_row(3, "Assam", 3, 5)
        )
        content = read(rows, behind=merged).content
        assert content == "| Tea | Minutes at least | Minutes at most |\n| --- | --- | --- |\n| Assam | 3 | 5 |\n"

    def test_each_row_has_what_a_cell_beside_it_says_of_several(self) -> None:
        merged = '<mergeCells><mergeCell ref="A2:A3"/></mergeCells>'
        rows = write_rows(("Kind", "Tea"), ("Black", "Assam"), (None, "Keemun"), ("Green", "Sencha"))
        assert "| Black | Assam |\n| Black | Keemun |\n| Green | Sencha |" in read(rows, behind=merged).content

    def test_what_nothing_follows_is_no_title_and_neither_is_a_sentence(self) -> None:
        merged = '<mergeCells><mergeCell ref="A4:B4"/><mergeCell ref="A6:B6"/></mergeCells>'
        rows = write_rows(*TEAS, ("(a) In hot water.",), (), ("As of March",))
        assert read(rows, behind=merged).content == f"{TABLE}\n(a) In hot water.\n\nAs of March\n"

    def test_a_table_of_one_row_stays_below_its_title(self) -> None:
        rows = write_row(1, "Contact", style=BOLD) + write_row(2, "Name", "Bob")
        rows += write_row(4, "Address", style=BOLD) + write_row(5, "Street", "High St") + write_row(6, "City", "York")
        assert read(rows).content == dedent("""\
            ## Contact

            |  |  |
            | --- | --- |
            | Name | Bob |

            ## Address

            | Street | High St |
            | --- | --- |
            | City | York |
            """)

    def test_hidden_rows_are_no_gap(self) -> None:
        hidden = write_row(3, "Gone", 9, attributes='hidden="1"')
        rows = (
            write_row(1, "Tea", "Strength") + write_row(2, "Assam", "strong") + hidden + write_row(4, "Sencha", "mild")
        )
        assert read(rows).content == "| Tea | Strength |\n| --- | --- |\n| Assam | strong |\n| Sencha | mild |\n"

    def test_years_and_long_questions_are_labels(self) -> None:
        assert read_csv("Country,2019,2020\nPeru,1,2\n").startswith("| Country | 2019 | 2020 |\n| --- |")
        question = "How satisfied are you with the tea that was served in the kitchen of the second floor last year?"
        assert read_csv(f"Name,{question}\nAda,very\n").startswith(f"| Name | {question} |\n| --- |")

    def test_a_row_that_is_counted_with_those_below_is_no_header(self) -> None:
        teas = [f"{tea} is poured slowly into warm cups" for tea in ("Assam", "Sencha", "Oolong")]
        rows = [write_row(n, f"T{n}.{n}", tea) for n, tea in enumerate(teas, 9)]
        counted = f"|  |  |\n| --- | --- |\n| T9.9 | {teas[0]} |\n| T10.10 | {teas[1]} |\n| T11.11 | {teas[2]} |\n"
        assert read("".join(rows)).content == counted
        assert read_csv("Week 1,2026-01-05,tea\nWeek 2,2026-01-12,rum\nWeek 3,2026-01-19,tea\n").startswith("|  |  |")

    @pytest.mark.parametrize(
        "header",
        [
            "Week 1,Topic,Reading\nWeek 2,Gates,9 pages\nWeek 3",
            "Plan A1,Plan A2,Plan A3\nPlan A4,x,y\nPlan A5",
            "x1,x2,y\nx3,9,yes\nx4",
        ],
    )
    def test_a_header_may_be_called_as_the_rows_below(self, header: str) -> None:
        first = header.split("\n")[0].replace(",", " | ")
        assert read_csv(f"{header},7,8\n").startswith(f"| {first} |\n| --- |")

    def test_labels_at_the_left_make_no_header(self) -> None:
        rows = write_row(1, "Name:", "Bob") + write_row(2, "Phone:", "one")
        assert read(rows).content == "|  |  |\n| --- | --- |\n| Name: | Bob |\n| Phone: | one |\n"

    def test_a_group_beside_the_first_rows_is_no_header(self) -> None:
        merged = '<mergeCells><mergeCell ref="A1:A2"/></mergeCells>'
        rows = write_row(1, "Black", "Assam", "strong") + write_row(2, None, "Keemun", "mild")
        assert "| Black | Assam | strong |\n| Black | Keemun | mild |" in read(rows, behind=merged).content

    def test_labels_on_several_lines_are_one_header(self) -> None:
        rows = write_row(1, "Tea", "Time", "Price") + write_row(2, None, "min", "€") + write_row(3, "Assam", 3, 5)
        assert read(rows).content == "| Tea | Time min | Price € |\n| --- | --- | --- |\n| Assam | 3 | 5 |\n"

    def test_another_header_within_a_run_begins_another_table(self) -> None:
        rows = write_rows(*TEAS) + write_row(4, "Cup", "Price", style=BOLD) + write_row(5, "Small", 3)
        assert read(rows).content == f"{TABLE}\n| Cup | Price |\n| --- | --- |\n| Small | 3 |\n"

    def test_a_single_cell_of_another_column_is_no_title(self) -> None:
        rows = (
            write_rows(("Role", "Read", "Write"), ("Cook", "x", "x"))
            + f'<row r="3">{write_cell("C3", "y", BOLD)}</row>'
        )
        assert read(rows).content.endswith("| Cook | x | x |\n|  |  | y |\n")

    def test_of_titles_below_each_other_the_first_is_one(self) -> None:
        lines = "".join(write_row(n, text, style=BOLD) for n, text in enumerate(("How to", "Open it", "Save it"), 1))
        assert read(lines + write_row(5, "Done")).content == "## How to\n\nOpen it\n\nSave it\n\nDone\n"

    def test_a_sparse_matrix_is_read_row_by_row(self) -> None:
        rows = write_rows(
            ("Role", *(f"Right {n}" for n in range(90))), *((f"Role {n}", *[None] * n, "x") for n in range(80))
        )
        document = parse(RawDocument("tea.xlsx", make_xlsx({"Sheet1": write_sheet(rows)})))
        assert document.sections[7].text == "## Role 7\n\n**Role:** Role 7\n\n**Right 7:** x\n\n"

    def test_single_lines_are_paragraphs_and_many_short_ones_a_list(self) -> None:
        assert read(write_row(1, "About tea") + write_row(2, "And cups")).content == "About tea\n\nAnd cups\n"
        rows = "".join(write_row(n, tea) for n, tea in enumerate(("Assam", "Keemun", "Sencha"), 1))
        assert read(rows).content == "- Assam\n- Keemun\n- Sencha\n"

    def test_long_tables_are_cut_into_parts_each_with_the_header(self) -> None:
        rows = write_rows(("Tea", "Number"), *((f"Tea of garden {n}", n) for n in range(300)))
        document = parse(RawDocument("tea.xlsx", make_xlsx({"Teas": write_sheet(rows)})))
        headings = list_headings(document)
        assert headings[:2] == [(2, "Teas"), (3, "Rows 2–86")]
        assert headings[-1][1].endswith("–301")
        assert all("| Tea | Number |\n| --- | --- |" in section.text for section in document.sections[1:])
        assert document.content.count("Tea of garden") == 300

    def test_rows_with_sentences_are_sections_called_by_what_names_them(self) -> None:
        rows = write_rows(
            ("No.", "Task", "How"), *((n, f"Task {n}", f"Step {n}.\n\n- {SENTENCES * 3}") for n in range(1, 10))
        )
        document = parse(RawDocument("tea.xlsx", make_xlsx({"Sheet1": write_sheet(rows)})))
        assert list_headings(document) == [(2, f"{n} – Task {n}") for n in range(1, 10)]
        assert document.sections[0].text == (
            "## 1 – Task 1\n\n**No.:** 1\n\n**Task:** Task 1\n\n**How:** Step 1.\n\n- "
            + (SENTENCES * 3).strip()
            + "\n\n"
        )

    def test_a_column_that_only_names_rows_of_sentences_is_their_heading(self) -> None:
        rows = "".join(write_row(n, f"V{n}", f"{n}. {SENTENCES * 2}") for n in range(1, 12))
        document = parse(RawDocument("tea.xlsx", make_xlsx({"Sheet1": write_sheet(rows)})))
        assert [section.heading for section in document.sections] == [f"V{n}" for n in range(1, 12)]
        assert (
            document.sections[0].text == f"## V1\n\n1. {SENTENCES * 2}".strip().replace("1. Warm", "1\\. Warm") + "\n\n"
        )

    def test_text_that_looks_like_markdown_reads_as_text(self) -> None:
        assert read(write_row(1, "# No heading")).content == "\\# No heading\n"
        assert "| a \\| b | \\<b> |" in read(write_row(1, "a | b", "<b>") + write_row(2, "c", "d")).content


class TestXlsx:
    def test_values_are_as_they_are_shown(self) -> None:
        rows = (
            write_row(1, "a", "b", "c", "d", "e", "f")
            + '<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2" t="b"><v>1</v></c><c r="C2" t="e"><v>#N/A</v></c>'
            + write_cell("D2", 45352, DATE)
            + write_cell("E2", 0.5, PERCENT)
            + '<c r="F2" t="str"><f>A1</f><v>x_x000D__x0041_</v></c></row>'
        )
        shared = "<si><r><t>As</t></r><r><t>sam</t></r><rPh><t>no</t></rPh></si>"
        text = parse_xlsx(RawDocument("a.xlsx", make_xlsx({"Sheet1": write_sheet(rows)}, shared=shared)))
        assert text.content.endswith("| Assam | TRUE | #N/A | 2024-03-01 | 50.00% | x<br>A |\n")

    def test_days_count_from_1904_if_the_workbook_says_so(self) -> None:
        content = make_xlsx(
            {"Sheet1": write_sheet(write_row(1, 43890, style=DATE))}, properties='<workbookPr date1904="1"/>'
        )
        assert parse_xlsx(RawDocument("a.xlsx", content)).content == "2024-03-01\n"

    def test_cells_without_a_place_follow_each_other(self) -> None:
        rows = "<row><c><v>1</v></c><c><v>2</v></c></row><row><c/><c><v>3</v></c></row>"
        assert read(rows).content == "|  |  |\n| --- | --- |\n| 1 | 2 |\n|  | 3 |\n"

    def test_links_lead_where_a_click_does(self) -> None:
        rows = write_rows(("Tea", "More"), ("Assam", "here"))
        rows += '<row r="3"><c r="A3" t="str"><f>HYPERLINK("https://tea.example/b","Sen""cha")</f></c></row>'
        sheet = write_sheet(
            rows,
            behind='<hyperlinks><hyperlink ref="B2" r:id="l"/><hyperlink ref="A2" location="Sheet2!A1"/></hyperlinks>',
        )
        relations = write_relations(l=("hyperlink", "https://tea.example/a"))
        content = make_xlsx({"Sheet1": sheet}, parts={"xl/worksheets/_rels/sheet1.xml.rels": relations})
        assert parse_xlsx(RawDocument("a.xlsx", content)).content.endswith(
            '| Assam | [here](https://tea.example/a) |\n| [Sen"cha](https://tea.example/b) |  |\n'
        )

    def test_boxes_stand_above_the_rows_that_they_begin_at(self) -> None:
        parts = {
            "xl/drawings/d.xml": write_drawing("Read this first"),
            "xl/worksheets/_rels/sheet1.xml.rels": write_relations(d=("drawing", "../drawings/d.xml")),
        }
        content = make_xlsx({"Sheet1": write_sheet(write_rows(*TEAS))}, parts=parts)
        assert parse_xlsx(RawDocument("a.xlsx", content)).content == f"Read this first\n\n{TABLE}"

    def test_formulas_without_a_result_are_told(self) -> None:
        text = read('<row r="1"><c r="A1"><f>1+1</f></c><c r="B1"><f>2</f><v>2</v></c></row>')
        assert text.content == "2\n"
        assert text.warnings == (
            "1 formula has no result in the file; open it in Excel or LibreOffice and save it again",
        )

    def test_its_properties_are_those_of_the_document(self) -> None:
        core = (
            '<p:coreProperties xmlns:p="http://schemas.openxmlformats.org/package/2006/metadata/core-properties"'
            ' xmlns:d="http://purl.org/dc/elements/1.1/"><d:title>Our teas</d:title><d:description>All of them</d:description>'
            "<p:keywords>tea; cup</p:keywords></p:coreProperties>"
        )
        content = make_xlsx({"Sheet1": write_sheet(write_rows(*TEAS))}, parts={"docProps/core.xml": core})
        text = parse_xlsx(RawDocument("a.xlsx", content))
        assert (text.title, text.description, text.keywords) == ("Our teas", "All of them", ("tea", "cup"))
        untitled = make_xlsx(
            {"S": write_sheet("")}, parts={"docProps/core.xml": core.replace("Our teas", "Book1.xlsx")}
        )
        assert parse_xlsx(RawDocument("a.xlsx", untitled)).title == ""

    @pytest.mark.parametrize(
        ("rows", "before", "told"),
        [
            (write_row(5, SECRET, attributes='hidden="1"'), "", "1 row"),
            (write_row(5, SECRET, attributes='ht="0"'), "", "1 row"),
            (write_row(5, None, None, SECRET), '<cols><col min="3" max="9" hidden="true"/></cols>', "1 cell"),
            (write_row(5, SECRET, style=WHITE), "", "1 cell"),
            (write_row(5, SECRET, style=HIDING), "", "1 cell"),
        ],
    )
    def test_what_nobody_sees_is_left_out_and_told(self, rows: str, before: str, told: str) -> None:
        text = read(write_rows(*TEAS) + rows, before=before)
        assert text.content == TABLE
        assert [finding.excerpt for finding in text.findings] == [SECRET]
        assert text.warnings == (f"left out, since they are hidden: {told}",)

    def test_the_headers_of_tables_and_filters_are_headers(self) -> None:
        rows = write_row(1, 2019, 3000) + write_row(2, 1, 2)
        filtered = read(rows, behind='<autoFilter ref="A1:B2"/>').content
        assert filtered == "| 2019 | 3000 |\n| --- | --- |\n| 1 | 2 |\n"

    def test_what_a_cell_says_over_hidden_rows_and_columns_is_seen(self) -> None:
        merged = '<mergeCells><mergeCell ref="A1:B1"/><mergeCell ref="A3:A4"/></mergeCells>'
        rows = write_row(1, "Our teas") + write_row(2, "Kind", "Tea", style=BOLD)
        rows += write_row(3, "Black", "Gone", attributes='hidden="1"') + write_row(4, None, "Keemun")
        assert "| Black | Keemun |" in read(rows, behind=merged).content
        hidden = '<cols><col min="1" max="1" hidden="1"/></cols>'
        assert read(rows, before=hidden, behind=merged).content.startswith("## Our teas\n\n")

    def test_values_below_a_cell_that_covers_them_are_hidden(self) -> None:
        merged = '<mergeCells><mergeCell ref="A1:B1"/></mergeCells>'
        text = read(write_row(1, "Our teas", SECRET) + write_row(2, "Assam", 4), behind=merged)
        assert SECRET not in text.content
        assert [finding.excerpt for finding in text.findings] == [SECRET]

    @pytest.mark.parametrize("state", ["hidden", "veryHidden"])
    def test_hidden_sheets_are_left_out_and_told(self, state: str) -> None:
        sheets = {"Teas": write_sheet(write_rows(*TEAS)), "Lists": write_sheet(write_row(1, SECRET))}
        text = parse_xlsx(RawDocument("a.xlsx", make_xlsx(sheets, states={"Lists": state})))
        assert text.content == f"## Teas\n\n{TABLE}"
        assert [finding.excerpt for finding in text.findings] == [SECRET]
        assert text.warnings == ("left out, since they are hidden: 1 sheet",)

    @pytest.mark.parametrize(
        ("style", "behind"),
        [
            (WHITE_ON_BLUE, ""),
            (WHITE, '<conditionalFormatting sqref="A1:B2"/>'),
            (WHITE, '<tableParts><tablePart r:id="t"/></tableParts>'),
        ],
    )
    def test_white_text_on_a_colour_is_seen(self, style: int, behind: str) -> None:
        rows = write_row(1, *TEAS[0], style=style) + write_row(2, *TEAS[1])
        parts = {
            "xl/tables/t.xml": '<table xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" ref="A1:B2"/>',
            "xl/worksheets/_rels/sheet1.xml.rels": write_relations(t=("table", "../tables/t.xml")),
        }
        content = make_xlsx({"Sheet1": write_sheet(rows, behind=behind)}, parts=parts)
        assert "| Tea | Minutes |" in parse_xlsx(RawDocument("a.xlsx", content)).content

    @pytest.mark.parametrize(
        ("parts", "reason"),
        [
            ({"xl/workbook.xml": "<workbook/>"}, "no Excel workbook"),
            ({"xl/worksheets/sheet1.xml": "<worksheet"}, "damaged"),
            ({"xl/worksheets/sheet1.xml": '<!DOCTYPE a [<!ENTITY b "c">]><worksheet/>'}, "declares entities"),
        ],
    )
    def test_what_is_broken_is_refused_with_the_reason(self, parts: dict[str, str], reason: str) -> None:
        with pytest.raises(ParseError, match=reason):
            parse_xlsx(RawDocument("a.xlsx", make_xlsx({"Sheet1": write_sheet("")}, parts=parts)))

    def test_a_text_that_many_cells_have_does_not_fill_the_memory(self) -> None:
        rows = "".join(f'<row r="{n}"><c r="A{n}" t="s"><v>0</v></c></row>' for n in range(1, 102))
        content = make_xlsx({"S": write_sheet(rows)}, shared=f"<si><t>{'a' * (MAX_CHARACTERS // 100)}</t></si>")
        with pytest.raises(ParseError, match="more than 10,000,000 characters; split it"):
            parse_xlsx(RawDocument("a.xlsx", content))


class TestOds:
    @staticmethod
    def read(body: str) -> NormalisedText:
        return parse_ods(RawDocument("tea.ods", make_ods(body)))

    ROWS = (
        '<table:table-row><table:table-cell table:style-name="B"><text:p>Tea</text:p></table:table-cell>'
        '<table:table-cell table:style-name="B"><text:p>Minutes</text:p></table:table-cell></table:table-row>'
        "<table:table-row><table:table-cell><text:p>As<text:span>sam</text:span></text:p></table:table-cell>"
        '<table:table-cell office:value-type="float" office:value="4"><text:p>4</text:p></table:table-cell></table:table-row>'
        '<table:table-row><table:table-cell><text:p>Sencha</text:p></table:table-cell><table:table-cell office:value-type="float">'
        "<text:p>2</text:p></table:table-cell></table:table-row>"
    )

    def test_cells_are_read_as_they_are_shown(self) -> None:
        blank = '<table:table-cell table:number-columns-repeated="16384"/>'
        rest = f'<table:table-row table:number-rows-repeated="1048573">{blank}</table:table-row>'
        assert self.read(f'<table:table table:name="Tabelle1">{self.ROWS}{rest}</table:table>').content == TABLE

    def test_values_dates_lines_and_links(self) -> None:
        cells = (
            '<table:table-cell office:value-type="date" office:date-value="2024-03-01T00:00:00"><text:p>1.3.</text:p>'
            '</table:table-cell><table:table-cell office:value-type="string"><text:p>one<text:s text:c="2"/>two</text:p>'
            "<text:p>three</text:p></table:table-cell>"
            "<table:table-cell><office:annotation><text:p>a comment</text:p></office:annotation><text:p>see "
            '<text:a xlink:href="https://tea.example/">there</text:a></text:p></table:table-cell>'
        )
        content = self.read(
            f'<table:table table:name="Sheet1"><table:table-row>{cells}</table:table-row></table:table>'
        ).content
        assert content.endswith("| 2024-03-01 | one two<br>three | [see there](https://tea.example/) |\n")

    def test_what_is_repeated_and_covered(self) -> None:
        rows = (
            '<table:table-row table:number-rows-repeated="2"><table:table-cell table:number-columns-repeated="2" office:value-type="float">'
            "<text:p>7</text:p></table:table-cell></table:table-row>"
            '<table:table-row><table:table-cell table:number-columns-spanned="2"><text:p>a</text:p></table:table-cell>'
            "<table:covered-table-cell/><table:table-cell><text:p>b</text:p></table:table-cell></table:table-row>"
        )
        content = self.read(f'<table:table table:name="Sheet1">{rows}</table:table>').content
        assert content == "|  |  |  |\n| --- | --- | --- |\n| 7 | 7 |  |\n| 7 | 7 |  |\n| a |  | b |\n"

    def test_values_that_are_not_shown_as_text_and_lists(self) -> None:
        cells = (
            '<table:table-cell office:value-type="float" office:value="4"/>'
            '<table:table-cell office:value-type="date" office:date-value="2024-03-01T00:00:00"/>'
            "<table:table-cell><text:list><text:list-item><text:p>in a list</text:p></text:list-item></text:list></table:table-cell>"
        )
        rows = f"<table:table-row>{cells}</table:table-row>"
        assert (
            "| 4 | 2024-03-01 | in a list |"
            in self.read(f'<table:table table:name="Sheet1">{rows}</table:table>').content
        )

    def test_what_is_repeated_more_often_than_it_is_read_is_told(self) -> None:
        cell = "<table:table-cell><text:p>a</text:p></table:table-cell>"
        row = f'<table:table-row table:number-rows-repeated="9999">{cell}{cell}</table:table-row>'
        text = self.read(f'<table:table table:name="Sheet1">{row}</table:table>')
        assert text.content.count("| a | a |") == 1000 + 3  # in four parts, each with the header
        assert text.warnings == ("rows or cells that are repeated very often are there fewer times",)

    def test_boxes_are_text_too(self) -> None:
        shapes = "<table:shapes><draw:frame><draw:text-box><text:p>Read this first</text:p></draw:text-box></draw:frame></table:shapes>"
        content = self.read(f'<table:table table:name="Sheet1">{shapes}{self.ROWS}</table:table>').content
        assert content == f"Read this first\n\n{TABLE}"

    @pytest.mark.parametrize(
        ("columns", "row", "told"),
        [
            ("", '<table:table-row table:visibility="filter">{}</table:table-row>', "1 row"),
            ("", '<table:table-row table:visibility="collapse">{}</table:table-row>', "1 row"),
            (
                '<table:table-column table:number-columns-repeated="2"/><table:table-column table:visibility="collapse"/>',
                '<table:table-row><table:table-cell table:number-columns-repeated="2"/>{}</table:table-row>',
                "1 cell",
            ),
            ("", "<table:table-row>{}</table:table-row>".replace("{}", "{white}"), "1 cell"),
        ],
    )
    def test_what_nobody_sees_is_left_out_and_told(self, columns: str, row: str, told: str) -> None:
        text = f"<text:p>{SECRET}</text:p></table:table-cell>"
        hidden = row.format(f"<table:table-cell>{text}", white=f'<table:table-cell table:style-name="W">{text}')
        read = self.read(f'<table:table table:name="Sheet1">{columns}{self.ROWS}{hidden}</table:table>')
        assert read.content == TABLE
        assert [finding.excerpt for finding in read.findings] == [SECRET]
        assert read.warnings == (f"left out, since they are hidden: {told}",)

    def test_hidden_sheets_are_left_out_and_told(self) -> None:
        cell = f"<table:table-row><table:table-cell><text:p>{SECRET}</text:p></table:table-cell></table:table-row>"
        hidden = f'<table:table table:name="Lists" table:style-name="H">{cell}</table:table>'
        text = self.read(f'<table:table table:name="Teas">{self.ROWS}</table:table>{hidden}')
        assert text.content == f"## Teas\n\n{TABLE}"
        assert text.warnings == ("left out, since they are hidden: 1 sheet",)

    def test_a_text_is_no_spreadsheet(self) -> None:
        part = write_part("content", "<office:body><office:text/></office:body>")
        with pytest.raises(ParseError, match="no OpenDocument spreadsheet"):
            parse_ods(RawDocument("a.ods", make_ods("", parts={"content.xml": part})))


class TestCsv:
    @pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
    def test_it_finds_the_sign_between_cells(self, sign: str) -> None:
        rows = "\n".join(sign.join(map(str, row)) for row in TEAS)
        assert read_csv(rows) == TABLE

    def test_the_sign_is_that_which_most_rows_have_alike(self) -> None:
        assert read_csv("Tea;Price\nAssam, first flush;3,50\nSencha;4,00\n") == (
            "| Tea | Price |\n| --- | --- |\n| Assam, first flush | 3,50 |\n| Sencha | 4,00 |\n"
        )

    def test_of_signs_that_fit_alike_commas_are_last(self) -> None:
        assert read_csv("1,5;2,5\n3,5;4,5\n") == "|  |  |\n| --- | --- |\n| 1,5 | 2,5 |\n| 3,5 | 4,5 |\n"

    def test_comments_stand_above_the_table_and_a_column_may_be_called_like_one(self) -> None:
        text = read_csv("# Made by A, on B\nname,port,host\na,1,b\n")
        assert text == "# Made by A, on B\n\n| name | port | host |\n| --- | --- | --- |\n| a | 1 | b |\n".replace(
            "# M", "\\# M"
        )
        assert read_csv("#,name\n1,a\n") == "| # | name |\n| --- | --- |\n| 1 | a |\n"

    def test_only_line_feeds_end_rows_and_blanks_may_stand_before_quotes(self) -> None:
        assert read_csv('a, "b, c"\nd\u2028e, f\n') == "| a | b, c |\n| --- | --- |\n| d e | f |\n"

    def test_a_first_line_may_name_the_sign(self) -> None:
        assert read_csv("sep=:\nTea:Minutes\nAssam:4\nSencha:2\n") == TABLE

    def test_quoted_cells_hold_signs_and_lines(self) -> None:
        assert read_csv('a,b\n"x, ""y""","one\ntwo"\n') == '| a | b |\n| --- | --- |\n| x, "y" | one<br>two |\n'

    def test_blank_rows_and_rows_of_another_length(self) -> None:
        assert read_csv("a,b\n\n1\n2,3,4\n") == "| a | b |  |\n| --- | --- | --- |\n| 1 |  |  |\n| 2 | 3 | 4 |\n"

    def test_its_title_is_the_files(self) -> None:
        document = parse(RawDocument("prices/tea list.csv", b"Tea,Price\nAssam,3\n"))
        assert (document.title, document.format) == ("tea list", "csv")

    def test_what_cannot_be_read_is_refused_with_the_line(self) -> None:
        with pytest.raises(ParseError, match="line 2: it cannot be read as a table"):
            read_csv('a,b\n"' + "c" * 200_000)

    def test_an_empty_file_says_nothing(self) -> None:
        assert read_csv("") == ""
