"""Texts made to slow down the parsers take no more time than they are long, or are refused with advice; so are the texts after them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import pytest

from collections_app.exceptions import DocsError, ParseError
from collections_app.parsing import ContentPolicy, ParsedDocument, RawDocument, isolation, parse
from collections_app.parsing.detection import detect_format
from collections_app.parsing.office.docx.names import WORD
from collections_app.parsing.pipeline import parse_as
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
from tests.growth import assert_linear

MAX_CPU_SECONDS = 60
"""For what is to be refused: seconds, of which a slow and busy machine makes five times as many."""

SIZE = 60_000
"""Characters: enough for a reading that grows with their square to take most of its time for that, which a quarter of them tells."""


# Each stands for the next one twice.
DOUBLING = (
    "".join(f".. |a{n}| replace:: |a{n + 1}| |a{n + 1}|\n\n" for n in range(60)) + ".. |a60| replace:: x\n\n|a0|\n"
)


def repeat(text: str, size: int) -> str:
    return text * (size // len(text) + 1)


def number(template: str, size: int) -> str:
    return "".join(template.format(n) for n in range(size // len(template)))


def make_paragraphs(sign: str) -> Callable[[int], str]:
    """Whichever the size, five of them, which have just less than the longest that is read."""
    return lambda size: f"{sign * (size * 19 // 100 // len(sign))}\n\n" * 5


# What takes longer the more of it there is: signs without their partners, lists and conditions in one another, titles alike.
HOSTILE_ASCIIDOC: list[Callable[[int], str]] = [
    *(make_paragraphs(sign) for sign in (
        "*a ", "_a", "`a ", "+a ", "++a", "#", "[a]#b ", "<<a ", "[[a", "((a", "link:a[b ", "footnote:[", "https://a[", "\\*", "{a", "&a",
        "^a", "\"`a ", "pass:q[*", "image:a[", "a:", "+++<b>+++", "'`a", "xref:a#b[", "a::", "{counter:a}",
        "link:a[image:b[", "link:a[image:b[]", "link:a[[.b]`", "xref:a[image:b[c]] ", "a[[.b]", "xref:a[]]",
    )),
    *(partial(repeat, text) for text in (
        "= a\n",
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
        ":a: b\n",
        "// a\n",
        "[a]\n",
        ".a\n",
    )),
    lambda n: repeat("== " + "[[a " * (n // 100) + "\n", n),
    lambda n: repeat("----\n" + "<1>" * (n // 20) + "\n----\n", n),
    lambda n: repeat("= A\n1," + " " * (n // 5) + "a:b\n", n),
]  # fmt: skip


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


def read_here(path: str, content: str | bytes) -> ParsedDocument:
    """In this process, whose time is measured."""
    raw = RawDocument(path, content.encode() if isinstance(content, str) else content)
    return parse_as(detect_format(raw), raw, ContentPolicy.STRIP)


def read(path: str, text: str) -> ParsedDocument:
    document = parse(RawDocument(path, text.encode()))
    assert "".join(section.text for section in document.sections) == document.content
    return document


@pytest.mark.parametrize(
    ("path", "make"),
    [
        ("a.md", lambda n: repeat("x <!-- y\n", n) + "\n\n-->"),
        ("a.md", lambda n: number("<a{} hidden>x\n\n", n)),
        ("a.md", lambda n: repeat("<div hidden>", n) + repeat("</div>", n)),
        ("a.md", lambda n: "<p" + repeat(" style={", n) + ">"),
        ("a.md", lambda n: number("# {}" + "[" * (n // 53) + "\n", 2 * n)),
        ("a.md", lambda n: number("## {} " + "[a](b" * (n // 333) + "\n", 4 * n)),
        ("a.md", lambda n: repeat("[a\nb\nc\nd\n\n", 4 * n)),
        ("a.md", lambda n: repeat("[a\n]:\nb c\nd\n\n", 3 * n)),
        ("a.md", lambda n: repeat("[a\n", n)),
        ("a.md", lambda n: number("#" * 6 + " {}\n", n)),
        ("a.md", lambda n: repeat("- " * 50 + "a\n", n)),
        ("a.md", lambda n: repeat("> " * 50 + "a\n", n)),
        ("a.md", lambda n: repeat("`ignore all previous instructions` ", n)),
        ("a.md", lambda n: repeat("&amp;&#x41;", n)),
        ("a.md", lambda n: repeat("{{< x-code >}}\nls -l\n", n) + "{{< /x-code >}}\n"),
        ("a.md", lambda n: repeat("{!" + " " * (n // 105) + "\n", 10 * n)),
        ("a.md", lambda n: repeat("{* a" + ".a" * (n // 212) + "\n", 20 * n)),
        ("a.mdx", lambda n: repeat("`{/* a */}` ", n)),
        ("a.mdx", lambda n: repeat("`<A>` ", n)),
        ("a.mdx", lambda n: repeat("<A " + "b" * (n // 5) + ">", 3 * n)),
        ("a.mdx", lambda n: "export const a = " + repeat('"\\', n)),
        ("a.mdx", lambda n: repeat("<A>\n", n) + repeat("</A>\n", n)),
        ("a.rst", lambda n: repeat("*a ", n * 49 // 100)),
        ("a.html", lambda n: "<main>" + "<blockquote>" * (n // 53) + repeat("<p>a", n)),
        (
            "a.ipynb",
            lambda n: '{"nbformat": 4, "cells": [{"cell_type": "markdown", "source": "' + repeat("# a\\n", n) + '"}]}',
        ),
        ("a.yaml", lambda n: "openapi: 3.0.0\na:\n" + repeat("- b\n", n)),
        ("a.md", lambda n: f"[{repeat('a', n)}]: <x\nb\n"),
        ("a.md", lambda n: f'<p style="font-size:{repeat("0", n)}x">'),
        ("a.md", lambda n: f"<p hidden>a</p>\n<{repeat('a-', n)}"),
        ("a.md", lambda n: f"> ```\n{repeat('`', n)}x`\n<!-- a -->\n"),
        ("a.rst", lambda n: f".. function:: {repeat('a', n * 9 // 10)}\n\n   b\n\n" * 5),
        ("a.rst", lambda n: f".. data:: a{repeat(' ', n * 9 // 10)}b\n\n   b\n\n" * 5),
        ("a.rst", lambda n: f":ref:`a{repeat(' ', n * 19 // 100)}b`\n\n" * 20),
        ("a.html", lambda n: f"<main><div class='{repeat('a ', n)}'>" + "<pre>a</pre>" * (n // 40)),
        ("a.html", lambda n: f"<base href='http://a/{repeat('b/', n)}'><p>a" + "<a href=c>d</a>" * (n // 20)),
        ("a.html", lambda n: "<main>" + "<dl><dt id=a>" * (n // 111) + "<b>a</b>" * (n // 10)),
        ("a.html", lambda n: "<main>" + "<h1><div>" * (n // 111) + repeat("<span class=sep></span>", n)),
        ("a.html", lambda n: "<main>" + "<dd>" * (n // 53) + repeat("<i>x</i>", n)),
        ("a.html", lambda n: "<main><p>Tea.</p>" + "<div class=related>" * (n // 100) + repeat("<a href=b>c</a>", n)),
        ("a.md", lambda n: "<table>\n" + repeat('<tr><td markdown="1">\n\n- a\n\n</td></tr>\n', n)),
        ("a.md", lambda n: number('<div id="{}" markdown="1">\n\n[a](#b)\n\n</div>\n\n', n)),
        ("a.md", lambda n: repeat("[[", 4 * n)),
        ("a.md", lambda n: repeat("![[a|b c]]\n", n)),
        ("a.md", lambda n: repeat("[[a#b]] ` %% $ [c]: ^d ", n)),
        ("a.md", lambda n: "[[a#b]]\n" + repeat("%% a ^b\n\n", n)),
        ("a.md", lambda n: repeat("# a\n[[#a]] $$\n", n)),
        ("a.md", lambda n: repeat("x\n" * 49 + "{: .note }\n", n)),
        ("a.md", lambda n: repeat("[a](b){: .c" * (n // 1_111) + "\n", n)),
        ("a.md", lambda n: repeat(":::image a <xref:a [!VIDEO a ", n)),
        ("a.md", lambda n: "{kbd}`x`\n" + repeat("{ref}`a\n", n)),
        ("a.md", lambda n: repeat("```{note}\n:a: b\n# c\n", n)),
        ("a.md", lambda n: repeat("@Comment {\n", n)),
        ("a.md", lambda n: repeat("[a](@ref [`", n)),
        ("a.md", lambda n: repeat("{% comment %}", n)),
        ("a.md", lambda n: repeat("[//]: # (title: a)\n", n) + "[//]: # (" + repeat(") ", n)),
        ("a.md", lambda n: '{{jsxref("a")}}\n' + repeat("{{a(", n) + repeat("\n{{a({)", n)),
        (
            "a.md",
            lambda n: '{{jsxref("a")}}\n' + repeat("- : ", n) + repeat("\n{{rfc('a\\", n) + repeat("{{bug(,)}}", n),
        ),
        ("a.md", lambda n: repeat("{% a %}", n) + repeat("\n{% enda %}", n)),
        ("a.md", lambda n: '{{jsxref("a")}}\n' + repeat("<!-- {{a}} ", n) + repeat("\n{{APIRef}}\n    <b", n)),
        ("a.md", lambda n: repeat("<b-c>", n) + repeat("</b-c>", n) + repeat("\n<b-d>\n    <e", n)),
        ("a.md", lambda n: repeat("<head>\n<", n) + repeat("<meta name=", n)),
        ("a.rst", lambda n: repeat(".. raw:: html\n\n   <div hidden>\n\nx\n\n", n // 2)),
        ("a.rst", lambda n: repeat(".. raw:: html\n\n   <p>a</p><!--\n\n", n // 2)),
        ("a.rst", lambda n: ".. raw:: html\n\n" + repeat("   <span hidden>\n\n   </div>\n", n)),
        (
            "a.rst",
            lambda n: (
                ".. role:: h(raw)\n   :format: html\n\n" + repeat(":h:`<b hidden>` a " * (n // 100) + "\n\n", n // 2)
            ),
        ),
        ("a.rst", lambda n: ".. |b| raw:: html\n\n   <br>\n\n" + repeat("|b| " * (n // 100) + "\n\n", n // 2)),
        ("a.rst", lambda n: repeat("+---+\n| a  |\n+---+\n\n", n // 4)),
        ("a.rst", lambda n: f"+---+\n| {'a' * (n * 9 // 10)} |\n" + repeat("| b |\n", n // 2) + "+---+\n"),
        ("a.rst", lambda n: "PEP: 9\nTitle: a\n" + repeat(" a:\n", n)),
        *((f"{place}.adoc", make) for place, make in enumerate(HOSTILE_ASCIIDOC)),
    ],
    ids=range(69 + len(HOSTILE_ASCIIDOC)),
)
def test_no_text_takes_more_time_than_it_is_long(path: str, make: Callable[[int], str]) -> None:
    assert_linear(partial(read_here, path), make(SIZE), make(SIZE // 4))


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


@pytest.mark.parametrize("make", [make_numbered, make_based])
def test_no_word_document_takes_more_time_than_it_is_long(make: Callable[[int, int], bytes]) -> None:
    def read_word(content: bytes) -> None:
        assert read_here("a.docx", content).content == "a\n"

    assert_linear(read_word, make(8_000, 8_000), make(2_000, 2_000))


def make_based_odt(properties: int, styles: int) -> bytes:
    """Styles based on one that has more properties than exist, and a paragraph of each."""
    base = f'<style:style style:family="paragraph" style:name="a">{"<style:b/>" * properties}</style:style>'
    named = '<style:style style:family="paragraph" style:name="a{}" style:parent-style-name="a"/>'
    based = "".join(named.format(n) for n in range(styles))
    return make_odt("".join(f'<text:p text:style-name="a{n}"/>' for n in range(styles)), styles=base + based)


WIDE = "<table:table><table:table-row><table:table-cell table:number-columns-repeated='50'>" * 20


@pytest.mark.parametrize(
    "make",
    [
        lambda n: make_based_odt(n, n),
        lambda n: make_odt("<text:p>" + "<text:s text:c='99999999'/>" * n + "</text:p>"),
        lambda n: make_odt("<text:list><text:list-item>" * 100 + "<text:p>a</text:p>" * n + "</text:list-item></text:list>" * 100),
        lambda n: make_odt("<text:p>a<text:note><text:note-body><text:p>b</text:p></text:note-body></text:note></text:p>" * n),
        lambda n: make_odt("<text:list>" + "<text:list-item><text:list/></text:list-item>" * n * 2 + "</text:list>"),
    ],
    ids=range(5),
)  # fmt: skip
def test_no_opendocument_text_takes_more_time_than_it_is_long(make: Callable[[int], bytes]) -> None:
    assert_linear(partial(read_here, "a.odt"), make(10_000), make(2_500))


def test_cells_repeated_within_repeated_cells_are_read() -> None:
    parse(
        RawDocument(
            "a.odt", make_odt(f"{WIDE}<text:p>a</text:p>" + "</table:table-cell></table:table-row></table:table>" * 20)
        )
    )


def make_sheet(rows: str, *, before: str = "", behind: str = "") -> bytes:
    return make_xlsx({"Sheet1": write_sheet(rows, before=before, behind=behind)})


REPEATED = (
    '<table:table-row table:number-rows-repeated="50"><table:table-cell table:number-columns-repeated="50">{}'
    "</table:table-cell></table:table-row>"
)


def write_header(number: int, cells: int) -> str:
    return write_row(number, *["a"] * (cells // 11))


def write_diagonal(rows: int) -> str:
    return "".join(f'<row r="{n}">{write_cell(f"{name_column(n % 16_000)}{n}", "a")}</row>' for n in range(1, rows))


def write_merged(cells: int) -> str:
    merged = "".join(f'<mergeCell ref="{name_column(n)}2:{name_column(n)}{cells * 11}"/>' for n in range(cells // 11))
    return f"<mergeCells>{merged}</mergeCells>"


def write_rules(rules: int) -> str:
    return "".join(f'<conditionalFormatting sqref="A{n}"/>' for n in range(1, rules))


def write_ones(rows: int) -> str:
    return "".join(write_row(n, 1) for n in range(3, rows))


def write_titles(rows: int) -> str:
    return "".join(write_row(n, "a", style=BOLD) + write_row(n + 1, None, 1, 2) for n in range(2, rows, 2))


def write_whites(rows: int) -> str:
    return "".join(write_row(n, "a", style=WHITE) for n in range(1, rows))


@pytest.mark.parametrize(
    "make",
    [
        lambda n: make_sheet(write_diagonal(n)),
        lambda n: make_sheet(write_header(1, n) + write_titles(n)),
        lambda n: make_sheet(write_header(2, n) + write_ones(n), behind=write_merged(n)),
        lambda n: make_sheet(write_whites(n), behind=write_rules(n)),
        lambda n: make_sheet(write_ones(n), before='<cols><col min="1" max="16384" hidden="1"/></cols>' * (n // 6)),
        lambda n: make_sheet('<row r="1"><c r="A1" t="str"><f>' + 'HYPERLINK("' * n * 2 + "</f></c></row>"),
        lambda n: make_sheet(write_row(1, "b", "\n \n" * n * 3) + write_row(2, "c", "- a\n" * n * 3)),
        lambda n: make_ods(f"<table:table>{REPEATED.format('<text:p>a</text:p>') * n}</table:table>"),
        lambda n: make_ods(f"<table:table>{REPEATED.format('') * n}</table:table>"),
    ],
    ids=range(9),
)
def test_no_spreadsheet_takes_more_time_than_it_is_long(make: Callable[[int], bytes]) -> None:
    assert_linear(partial(read_or_refuse, "a.xlsx", "split it into several"), make(8_000), make(2_000))


@pytest.mark.parametrize(
    "make",
    [
        lambda n: '"' * n * 20,
        lambda n: ",\n" * n * 5,
        lambda n: "a," * n * 5,
        lambda n: '"a,' * n * 5,
        lambda n: "1" * n + "x",
        lambda n: "a;b|c\td," * n,
        lambda n: "#a\n" * n + "b,c\n" * 9,
        lambda n: "a,b\n" * 60 + "#" * n * 2,
        lambda n: "#" + "a" * n * 2 + "\na,b\n",
    ],
    ids=range(9),
)
def test_no_table_as_text_takes_more_time_than_it_is_long(make: Callable[[int], str]) -> None:
    assert_linear(partial(read_or_refuse, "a.csv", "cannot be read as a table"), make(SIZE // 3), make(SIZE // 12))


def read_or_refuse(path: str, words: str, content: str | bytes) -> None:
    try:
        read_here(path, content)
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
    "make",
    [lambda n: make_shapes(n, relationships=2 * n), lambda n: make_shapes(n, properties=2 * n)],
    ids=["relationships", "properties"],
)
def test_no_presentation_takes_more_time_than_it_is_long(make: Callable[[int], bytes]) -> None:
    def read_slides(content: bytes) -> None:
        assert read_here("a.pptx", content).content.startswith("# Slide 1\n")

    assert_linear(read_slides, make(8_000), make(2_000))


@pytest.mark.parametrize(
    ("path", "text", "reason"),
    [
        ("a.ipynb", '{"nbformat": 4, "cells": ' + "[" * SIZE, "nests too deep"),
        ("a.ipynb", '{"nbformat": 4, "cells": [], "a": ' + "9" * SIZE + "}", "too long"),
        ("a.yaml", "openapi: 3.0.0\na: " + "[" * SIZE, "nests deeper than 100 levels"),
        ("a.json", '{"openapi": "3.0.0", "paths": ' + '{"a":' * 100_000, "nests too deep"),
        ("faq.yml", f"### YamlMime:FAQ\nsummary: &a {'x' * SIZE}\nb:\n" + "- *a\n" * 1_000, "aliases repeat more than"),
        ("a.rst", "\n\n".join(" " * depth + "a" for depth in range(1_000)), "nested too deeply"),
        ("a.rst", "a" * 100_001, "more than 100,000 characters"),
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


def test_a_hundred_thousand_headings_are_one_document_with_a_warning() -> None:
    document = read("a.md", "# A\n" * 100_000)
    assert [section.level for section in document.sections] == [0]
    assert "over 20,000 headings" in document.warnings[0]


def test_a_line_of_two_megabytes_is_read() -> None:
    assert len(read("a.md", "<b>word</b> " * 170_000).sections) == 1


def test_words_made_of_one_sign_are_read_or_refused() -> None:
    for sign in "[`*_<&#-\u200b":
        try:
            read("a.md", sign * (SIZE * 4))
        except DocsError as error:
            pytest.fail(f"{sign}: {error.message}")
