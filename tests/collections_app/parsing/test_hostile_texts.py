"""Texts made to slow down the parsers are read within seconds of processor time, or refused with advice; so are the texts after them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from collections_app.exceptions import DocsError, ParseError
from collections_app.parsing import ParsedDocument, RawDocument, isolation, parse
from collections_app.parsing.office.docx.names import WORD
from tests.collections_app.parsing.office.docx_files import make_docx, write_paragraph
from tests.collections_app.parsing.office.odt_files import make_ods, make_odt
from tests.collections_app.parsing.office.pptx_files import (
    make_pptx,
    write_part,
    write_relations,
    write_shape,
    write_slide,
)
from tests.collections_app.parsing.office.pptx_files import write_paragraph as write_slide_paragraph
from tests.collections_app.parsing.office.xlsx_files import (
    BOLD,
    WHITE,
    make_xlsx,
    name_column,
    write_cell,
    write_row,
    write_sheet,
)

MAX_CPU_SECONDS = 60
"""Each text takes a few seconds, of which a slow and busy machine makes five times as many; it took from a minute to hours when the time
grew faster than the text.
"""

SIZE = 400_000


# Each stands for the next one twice.
DOUBLING = (
    "".join(f".. |a{n}| replace:: |a{n + 1}| |a{n + 1}|\n\n" for n in range(60)) + ".. |a60| replace:: x\n\n|a0|\n"
)


# What takes longer the more of it there is: signs without their partners, lists and conditions in one another, titles alike.
PARAGRAPH = 19_000
HOSTILE_ASCIIDOC = [
    *(f"{sign * (PARAGRAPH // len(sign))}\n\n" for sign in (
        "*a ", "_a", "`a ", "+a ", "++a", "#", "[a]#b ", "<<a ", "[[a", "((a", "link:a[b ", "footnote:[", "https://a[", "\\*", "{a", "&a",
        "^a", "\"`a ", "pass:q[*", "image:a[", "a:", "+++<b>+++", "'`a", "xref:a#b[", "a::", "{counter:a}",
        "link:a[image:b[", "link:a[image:b[]", "link:a[[.b]`", "xref:a[image:b[c]] ", "a[[.b]", "xref:a[]]",
    )),
    "= a\n",
    "== " + "[[a " * 1_000 + "\n",
    "a\n-\n",
    "ifdef::a[]\n",
    "* a\n** b\n*** c\n**** d\n***** e\n. f\n.. g\n... h\n- i\nj:: k\nl::: m\nn:::: o\np;; q\n",
    "a::\n[b]\n",
    "a::\n\n",
    "* a\n+\n",
    "====\n",
    "|===\n",
    "|===\n|a\n",
    "|a",
    "[cols=3]\n|===\n.100+|a .200+|b 3+|c\n|===\n\n",
    "----\n" + "<1>" * 5_000 + "\n----\n",
    ":a: b\n",
    "// a\n",
    "[a]\n",
    ".a\n",
    "= A\n1," + " " * PARAGRAPH + "a:b\n",
]  # fmt: skip


def repeat(text: str, size: int = SIZE) -> str:
    return text * (size // len(text) + 1)


def number(template: str, size: int = SIZE) -> str:
    return "".join(template.format(n) for n in range(size // len(template)))


@pytest.fixture(scope="module", autouse=True)
def _little_time() -> Iterator[None]:
    """Per text: one process reads them one after the other, as it does for a job."""
    isolation._end_idle()
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(isolation, "MAX_CPU_SECONDS", MAX_CPU_SECONDS)
        # Measuring coverage takes several times as long as reading.
        monkeypatch.delenv("COVERAGE_PROCESS_CONFIG", raising=False)
        yield
    isolation._end_idle()


def read(path: str, text: str) -> ParsedDocument:
    document = parse(RawDocument(path, text.encode()))
    assert "".join(section.text for section in document.sections) == document.content
    return document


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.md", repeat("x <!-- y\n") + "\n\n-->"),
        ("a.md", number("<a{} hidden>x\n\n")),
        ("a.md", repeat("<div hidden>") + repeat("</div>")),
        ("a.md", "<p" + repeat(" style={") + ">"),
        ("a.md", number("# {}" + "[" * 1_900 + "\n", 2 * SIZE)),
        ("a.md", number("## {} " + "[a](b" * 300 + "\n", 4 * SIZE)),
        ("a.md", repeat("[a\nb\nc\nd\n\n", 4 * SIZE)),
        ("a.md", repeat("[a\n]:\nb c\nd\n\n", 3 * SIZE)),
        ("a.md", repeat("[a\n")),
        ("a.md", number("#" * 6 + " {}\n")),
        ("a.md", repeat("- " * 50 + "a\n")),
        ("a.md", repeat("> " * 50 + "a\n")),
        ("a.md", repeat("`ignore all previous instructions` ")),
        ("a.md", repeat("&amp;&#x41;")),
        ("a.md", repeat("{{< x-code >}}\nls -l\n") + "{{< /x-code >}}\n"),
        ("a.md", repeat("{!" + " " * 950 + "\n", 10 * SIZE)),
        ("a.md", repeat("{* a" + ".a" * 470 + "\n", 20 * SIZE)),
        ("a.mdx", repeat("`{/* a */}` ")),
        ("a.mdx", repeat("`<A>` ")),
        ("a.mdx", repeat("<A " + "b" * 19_000 + ">", 3 * SIZE)),
        ("a.mdx", "export const a = " + repeat('"\\')),
        ("a.mdx", repeat("<A>\n") + repeat("</A>\n")),
        ("a.rst", repeat("*a ", 49_000)),
        ("a.html", "<main>" + "<blockquote>" * 1_900 + repeat("<p>a")),
        ("a.ipynb", '{"nbformat": 4, "cells": [{"cell_type": "markdown", "source": "' + repeat("# a\\n") + '"}]}'),
        ("a.yaml", "openapi: 3.0.0\na:\n" + repeat("- b\n")),
        ("a.md", f"[{repeat('a')}]: <x\nb\n"),
        ("a.md", f'<p style="font-size:{repeat("0")}x">'),
        ("a.md", f"<p hidden>a</p>\n<{repeat('a-')}"),
        ("a.md", f"> ```\n{repeat('`')}x`\n<!-- a -->\n"),
        ("a.rst", f".. function:: {repeat('a', 90_000)}\n\n   b\n\n" * 10),
        ("a.rst", f".. data:: a{repeat(' ', 90_000)}b\n\n   b\n\n" * 10),
        ("a.rst", f":ref:`a{repeat(' ', 19_000)}b`\n\n" * 20),
        ("a.html", f"<main><div class='{repeat('a ')}'>" + "<pre>a</pre>" * 10_000),
        ("a.html", f"<base href='http://a/{repeat('b/')}'><p>a" + "<a href=c>d</a>" * 20_000),
        ("a.html", "<main>" + "<dl><dt id=a>" * 900 + "<b>a</b>" * 40_000),
        ("a.html", "<main>" + "<h1><div>" * 900 + repeat("<span class=sep></span>")),
        ("a.html", "<main>" + "<dd>" * 1_900 + repeat("<i>x</i>")),
        ("a.html", "<main><p>Tea.</p>" + "<div class=related>" * 1_000 + repeat("<a href=b>c</a>")),
        ("a.md", "<table>\n" + repeat('<tr><td markdown="1">\n\n- a\n\n</td></tr>\n')),
        ("a.md", number('<div id="{}" markdown="1">\n\n[a](#{})\n\n</div>\n\n'.replace("{})", "b)"))),
        ("a.md", repeat("[[", 4 * SIZE)),
        ("a.md", repeat("![[a|b c]]\n")),
        ("a.md", repeat("[[a#b]] ` %% $ [c]: ^d ")),
        ("a.md", "[[a#b]]\n" + repeat("%% a ^b\n\n")),
        ("a.md", repeat("# a\n[[#a]] $$\n")),
        ("a.md", repeat("x\n" * 49 + "{: .note }\n")),
        ("a.md", repeat("[a](b){: .c" * 90 + "\n")),
        ("a.md", repeat(":::image a <xref:a [!VIDEO a ")),
        ("a.md", "{kbd}`x`\n" + repeat("{ref}`a\n")),
        ("a.md", repeat("```{note}\n:a: b\n# c\n")),
        ("a.md", repeat("@Comment {\n")),
        ("a.md", repeat("[a](@ref [`")),
        ("a.md", repeat("{% comment %}")),
        ("a.md", repeat("[//]: # (title: a)\n") + "[//]: # (" + repeat(") ")),
        ("a.md", '{{jsxref("a")}}\n' + repeat("{{a(") + repeat("\n{{a({)")),
        ("a.md", '{{jsxref("a")}}\n' + repeat("- : ") + repeat("\n{{rfc('a\\") + repeat("{{bug(,)}}")),
        ("a.md", repeat("{% a %}") + repeat("\n{% enda %}")),
        ("a.md", '{{jsxref("a")}}\n' + repeat("<!-- {{a}} ") + repeat("\n{{APIRef}}\n    <b")),
        ("a.md", repeat("<b-c>") + repeat("</b-c>") + repeat("\n<b-d>\n    <e")),
        ("a.md", repeat("<head>\n<") + repeat("<meta name=")),
        ("a.rst", repeat(".. raw:: html\n\n   <div hidden>\n\nx\n\n", SIZE // 2)),
        ("a.rst", repeat(".. raw:: html\n\n   <p>a</p><!--\n\n", SIZE // 2)),
        ("a.rst", ".. raw:: html\n\n" + repeat("   <span hidden>\n\n   </div>\n")),
        ("a.rst", ".. role:: h(raw)\n   :format: html\n\n" + repeat(":h:`<b hidden>` a " * 1_000 + "\n\n", SIZE // 2)),
        ("a.rst", ".. |b| raw:: html\n\n   <br>\n\n" + repeat("|b| " * 1_000 + "\n\n", SIZE // 2)),
        ("a.rst", repeat("+---+\n| a  |\n+---+\n\n", SIZE // 4)),
        ("a.rst", f"+---+\n| {'a' * 90_000} |\n" + repeat("| b |\n", SIZE // 2) + "+---+\n"),
        ("a.rst", "PEP: 9\nTitle: a\n" + repeat(" a:\n")),
        *((f"{place}.adoc", repeat(text, 200_000)) for place, text in enumerate(HOSTILE_ASCIIDOC)),
    ],
    ids=range(69 + len(HOSTILE_ASCIIDOC)),
)
def test_no_text_takes_more_time_than_it_is_long(path: str, text: str) -> None:
    read(path, text)


def make_numbered(levels: int, numberings: int) -> bytes:
    """Numberings with one definition, which has more levels than anybody reads."""
    definition = f'<w:abstractNum w:abstractNumId="0">{"<w:lvl/>" * levels}</w:abstractNum>'
    numbered = "".join(f'<w:num w:numId="{n}"><w:abstractNumId w:val="0"/></w:num>' for n in range(numberings))
    numbering = f'<w:numbering xmlns:w="{WORD[1:-1]}">{definition}{numbered}</w:numbering>'
    return make_docx(write_paragraph("a"), parts={"word/numbering.xml": numbering.encode()})


def make_based(properties: int, styles: int) -> bytes:
    """Styles based on one that has more properties than exist."""
    base = f'<w:style w:styleId="a">{"<w:b/>" * properties}</w:style>'
    based = "".join(f'<w:style w:styleId="a{n}"><w:basedOn w:val="a"/></w:style>' for n in range(styles))
    return make_docx(write_paragraph("a"), styles=base + based)


@pytest.mark.parametrize("content", [make_numbered(35_000, 35_000), make_based(24_000, 24_000)], ids=range(2))
def test_no_word_document_takes_more_time_than_it_is_long(content: bytes) -> None:
    assert parse(RawDocument("a.docx", content)).content == "a\n"


def make_based_odt(properties: int, styles: int) -> bytes:
    """Styles based on one that has more properties than exist, and a paragraph of each."""
    base = f'<style:style style:family="paragraph" style:name="a">{"<style:b/>" * properties}</style:style>'
    named = '<style:style style:family="paragraph" style:name="a{}" style:parent-style-name="a"/>'
    based = "".join(named.format(n) for n in range(styles))
    return make_odt("".join(f'<text:p text:style-name="a{n}"/>' for n in range(styles)), styles=base + based)


WIDE = "<table:table><table:table-row><table:table-cell table:number-columns-repeated='50'>" * 20


@pytest.mark.parametrize(
    "content",
    [
        make_based_odt(40_000, 40_000),
        make_odt("<text:p>" + "<text:s text:c='99999999'/>" * 50_000 + "</text:p>"),
        make_odt("<text:list><text:list-item>" * 100 + "<text:p>a</text:p>" * 50_000 + "</text:list-item></text:list>" * 100),
        make_odt("<text:p>a<text:note><text:note-body><text:p>b</text:p></text:note-body></text:note></text:p>" * 20_000),
        make_odt("<text:list>" + "<text:list-item><text:list/></text:list-item>" * 100_000 + "</text:list>"),
        make_odt(f"{WIDE}<text:p>a</text:p>" + "</table:table-cell></table:table-row></table:table>" * 20),
    ],
    ids=range(6),
)  # fmt: skip
def test_no_opendocument_text_takes_more_time_than_it_is_long(content: bytes) -> None:
    parse(RawDocument("a.odt", content))


def make_sheet(rows: str, *, before: str = "", behind: str = "") -> bytes:
    return make_xlsx({"Sheet1": write_sheet(rows, before=before, behind=behind)})


HEADER = write_row(1, *["a"] * 700)
DIAGONAL = "".join(f'<row r="{n}">{write_cell(f"{name_column(n % 16_000)}{n}", "a")}</row>' for n in range(1, 30_000))
MERGED = "".join(f'<mergeCell ref="{name_column(n)}2:{name_column(n)}90000"/>' for n in range(700))
RULES = "".join(f'<conditionalFormatting sqref="A{n}"/>' for n in range(1, 40_000))
ONES = "".join(write_row(n, 1) for n in range(3, 30_000))
TITLES = "".join(write_row(n, "a", style=BOLD) + write_row(n + 1, None, 1, 2) for n in range(2, 30_000, 2))
WHITES = "".join(write_row(n, "a", style=WHITE) for n in range(1, 60_000))
REPEATED = (
    '<table:table-row table:number-rows-repeated="50"><table:table-cell table:number-columns-repeated="50">{}'
    "</table:table-cell></table:table-row>"
)


@pytest.mark.parametrize(
    "content",
    [
        make_sheet(DIAGONAL),
        make_sheet(HEADER + TITLES),
        make_sheet(write_row(2, *["a"] * 700) + ONES, behind=f"<mergeCells>{MERGED}</mergeCells>"),
        make_sheet(WHITES, behind=RULES),
        make_sheet(ONES, before='<cols><col min="1" max="16384" hidden="1"/></cols>' * 5_000),
        make_sheet('<row r="1"><c r="A1" t="str"><f>' + 'HYPERLINK("' * 50_000 + "</f></c></row>"),
        make_sheet(write_row(1, "b", "\n \n" * 100_000) + write_row(2, "c", "- a\n" * 100_000)),
        make_ods(f'<table:table>{REPEATED.format("<text:p>a</text:p>") * 50_000}</table:table>'),
        make_ods(f'<table:table>{REPEATED.format("") * 50_000}</table:table>'),
    ],
    ids=range(9),
)  # fmt: skip
def test_no_spreadsheet_takes_more_time_than_it_is_long(content: bytes) -> None:
    read_or_refuse(RawDocument("a.xlsx", content), "split it into several")


@pytest.mark.parametrize(
    "text",
    [
        '"' * 2_000_000,
        ",\n" * 500_000,
        "a," * 500_000,
        '"a,' * 500_000,
        "1" * 100_000 + "x",
        "a;b|c\td," * 100_000,
        "#a\n" * 100_000 + "b,c\n" * 9,
        "a,b\n" * 60 + "#" * 200_000,
        "#" + "a" * 200_000 + "\na,b\n",
    ],
    ids=range(9),
)
def test_no_table_as_text_takes_more_time_than_it_is_long(text: str) -> None:
    read_or_refuse(RawDocument("a.csv", text.encode()), "cannot be read as a table")


def read_or_refuse(raw: RawDocument, words: str) -> None:
    try:
        parse(raw)
    except ParseError as refused:
        if words not in refused.message:
            raise


def make_shapes(shapes: int, *, relationships: int = 0, properties: int = 0) -> bytes:
    """Each shape asks for its layout and for its master's style: a slide without a layout, or a master with too much."""
    written = "".join(write_shape(write_slide_paragraph("a"), place=f'idx="{n}"') for n in range(shapes))
    own: dict[str, str | bytes] = {}
    if relationships:
        own["ppt/slides/_rels/slide1.xml.rels"] = write_relations(
            **{f"r{n}": ("image", "a") for n in range(relationships)}
        )
    if properties:
        own["ppt/slideMasters/slideMaster1.xml"] = write_part("p:sldMaster", "<p:cSld/>" * properties)
    return make_pptx(write_slide(written), parts=own)


@pytest.mark.parametrize(
    "content",
    [make_shapes(40_000, relationships=70_000), make_shapes(40_000, properties=70_000)],
    ids=["relationships", "properties"],
)
def test_no_presentation_takes_more_time_than_it_is_long(content: bytes) -> None:
    assert parse(RawDocument("a.pptx", content)).content.startswith("# Slide 1\n")


@pytest.mark.parametrize(
    ("path", "text", "reason"),
    [
        ("a.ipynb", '{"nbformat": 4, "cells": ' + "[" * SIZE, "nests too deep"),
        ("a.ipynb", '{"nbformat": 4, "cells": [], "a": ' + "9" * SIZE + "}", "too long"),
        ("a.yaml", "openapi: 3.0.0\na: " + "[" * SIZE, "nests deeper than 100 levels"),
        ("a.json", '{"openapi": "3.0.0", "paths": ' + '{"a":' * 100_000, "nests too deep"),
        ("faq.yml", f"### YamlMime:FAQ\nsummary: &a {'x' * SIZE}\nb:\n" + "- *a\n" * 1_000, "aliases repeat more than"),
        ("a.rst", "\n\n".join(" " * depth + "a" for depth in range(1_000)), "nested too deeply"),
        ("a.rst", "a" * SIZE, "more than 100,000 characters"),
        ("a.rst", DOUBLING, "substitutions come to more than"),
        (
            "a.rst",
            f".. |a| replace:: {'x' * 4_000}\n\n" + ("|a| " * 1_000 + "\n\n") * 2,
            "substitutions come to more than",
        ),
        ("a.md", f"---\na: {'[' * 60_000}\n---\n", "nests deeper than 50 levels"),
        ("a.adoc", "|===\n|a |b\n\n50000*|" + "*x* " * 100 + "\n|===\n", "Repeated cells of tables make more than"),
        ("a.adoc", "[cols=2]\n|===\n90000*|x\n|===\n\n" * 100, "Repeated cells of tables make more than"),
    ],
    ids=range(12),
)
def test_what_nests_or_runs_on_too_far_is_refused_with_the_reason(path: str, text: str, reason: str) -> None:
    with pytest.raises(ParseError, match=reason):
        read(path, text)
    assert read("next.html", "<h1>The next one</h1>").title == "The next one"


def test_a_million_headings_are_one_document_with_a_warning() -> None:
    document = read("a.md", "# A\n" * 1_000_000)
    assert [section.level for section in document.sections] == [0]
    assert "over 20,000 headings" in document.warnings[0]


def test_a_line_of_ten_megabytes_is_read() -> None:
    assert len(read("a.md", "<b>word</b> " * 830_000).sections) == 1


def test_words_made_of_ten_megabytes_of_one_sign_are_read_or_refused() -> None:
    for sign in "[`*_<&#-\u200b":
        try:
            read("a.md", sign * (SIZE * 2))
        except DocsError as error:
            pytest.fail(f"{sign}: {error.message}")
