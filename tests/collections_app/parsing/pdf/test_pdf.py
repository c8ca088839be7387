"""PDF: lines in reading order become paragraphs, code, lists and headings; what is refused."""

from __future__ import annotations

import re
import textwrap
import time
import zlib
from itertools import zip_longest

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collections_app.exceptions import ParseError, UnsupportedFormat
from collections_app.parsing.documents import FindingKind, NormalisedText
from collections_app.parsing.headings import iter_headings
from collections_app.parsing.pdf import reader
from collections_app.parsing.pdf.columns import order_lines
from collections_app.parsing.pdf.headings.choosing import PlacedHeading
from collections_app.parsing.pdf.hyphens import mark_hyphens
from collections_app.parsing.pdf.page.characters import clean_word, restore_ligatures
from collections_app.parsing.pdf.page.fixed_pitch import is_mostly_square
from collections_app.parsing.pdf.pages import Line, Word
from collections_app.parsing.pdf.writer import write_markdown
from tests.collections_app.parsing.pdf.pdf_files import (
    BOLD,
    CODE,
    DRAWN,
    EVEN,
    FRAMES,
    HAN,
    HAN_LETTERS,
    HEBREW,
    LINES,
    PROSE,
    Bookmark,
    Field,
    Tag,
    make_pdf,
    mark,
    place,
    place_lines,
    read,
)


def read_page(content: str) -> list[str]:
    """The blocks of a document with one page."""
    return read(make_pdf([content])).content.rstrip("\n").split("\n\n")


def _list_headings(text: NormalisedText) -> list[str]:
    return [line for line in text.content.splitlines() if line.startswith("#")]


class TestParagraphs:
    def test_it_joins_the_lines_of_a_paragraph(self) -> None:
        assert read_page(place_lines(LINES, 50, 700)) == [PROSE.replace("\n", " ")]

    def test_it_begins_a_paragraph_where_the_distance_is_larger(self) -> None:
        blocks = read_page(place_lines(LINES, 50, 700) + place_lines(LINES, 50, 660))
        assert blocks == [PROSE.replace("\n", " ")] * 2

    def test_it_begins_a_paragraph_at_an_indented_line(self) -> None:
        page = place_lines(LINES, 50, 700) + place(f"New. {LINES[0]}", 65, 676) + place(LINES[1], 50, 664)
        assert read_page(page)[1].startswith("New. A lighthouse")

    def test_it_keeps_a_line_that_ends_early_on_a_line_of_its_own(self) -> None:
        page = place_lines([LINES[0], "Short one.", "Then another."], 50, 700)
        assert read_page(page)[0].split("\n")[-1] == "Then another."

    def test_it_makes_a_word_whole_that_was_cut_at_the_end_of_a_line(self) -> None:
        assert "the lighthouse keeper" in read_page(place_lines([f"{LINES[0]} the light-", "house keeper"], 50, 700))[0]

    def test_it_leaves_the_hyphen_of_a_word_that_has_it_elsewhere(self) -> None:
        lines = ["These files are read-only files.", f"{LINES[0]} read-", "only files"]
        assert "read-only files" in read_page(place_lines(lines, 50, 700))[0].split("\n")[-1]

    @pytest.mark.parametrize(
        ("start", "end", "written"),
        [
            ("https://example.org/oil-", "lamps", "https://example.org/oil-lamps"),
            ("Base-", "Line", "Base-Line"),
            ("EMIS-", "SION", "EMISSION"),
        ],
    )
    def test_it_leaves_hyphens_where_no_word_is_cut(self, start: str, end: str, written: str) -> None:
        page = place_lines([f"{LINES[0]} and also {start}", f"{end} {LINES[1]}"], 50, 700)
        assert written in read_page(page)[0]

    def test_it_makes_a_word_whole_whose_hyphen_is_the_authors_for_pdfium(self) -> None:
        lines = [Line((Word(text, 50, 100),), 700, 10) for text in ("namespace", "name-", "space", "name-", "plate")]
        assert [line.text for line in mark_hyphens([lines])[0]] == ["namespace", "name", "space", "name-", "plate"]

    def test_it_puts_no_blank_between_the_lines_of_scripts_that_have_none(self) -> None:
        assert read_page(place("abcdefgh", 50, 700, font=HAN) + place("ijklmnop", 50, 688, font=HAN)) == [HAN_LETTERS]

    def test_it_goes_on_with_a_paragraph_on_the_next_page(self) -> None:
        document = read(make_pdf([place(LINES[0], 50, 60), place(LINES[1], 50, 700)]))
        assert document.content == f"{PROSE}\n"
        assert document.page_lines == [0, 1]

    def test_it_leaves_superscripts_and_accents(self) -> None:
        page = place("x² – naïve", 50, 700)
        assert read_page(page) == ["x² – naïve"]


class TestColumns:
    @pytest.mark.parametrize("is_written_across", [True, False])
    def test_it_reads_one_column_after_the_other(self, is_written_across: bool) -> None:
        left = textwrap.wrap("alpha " + "left side words go on and on " * 12, 44)
        right = textwrap.wrap("omega " + "right side words go on and on " * 12, 44)[: len(left)]
        placed = [
            (place(a, 50, 700 - 12 * n), place(b, 320, 700 - 12 * n))
            for n, (a, b) in enumerate(zip(left, right, strict=False))
        ]
        columns = placed if is_written_across else zip(*placed, strict=True)
        content = " ".join(read_page("".join("".join(each) for each in columns))).replace("\n", " ")
        assert content.index("alpha") < content.index("omega")
        assert content.rindex("left") < content.index("omega")

    def test_it_reads_one_of_three_columns_after_the_other(self) -> None:
        names = ("alpha", "gamma", "omega")
        texts = [textwrap.wrap(f"{name} " + f"{name} words go on and on " * 20, 34) for name in names]
        rows = zip(*texts, strict=False)
        page = place("All of it", 50, 760, size=16) + "".join(
            place(part, 50 + 180 * column, 720 - 12 * n)
            for n, row in enumerate(rows)
            for column, part in enumerate(row)
        )
        words = " ".join(read_page(page)).split()
        found = [word for word in words if word in names]
        assert found == sorted(found)
        assert len(found) > 50

    @pytest.mark.parametrize("padding", [0, 6])
    @pytest.mark.parametrize("has_head", [False, True])
    def test_it_reads_a_table_of_three_columns_row_by_row_whose_cells_take_lines(
        self, padding: int, has_head: bool
    ) -> None:
        names = ("harm", "cure", "care")
        rest = (
            "of the pump in the cellar which the flood has put under water until morning",
            "by somebody who looks at it each day or so and writes into the log what it is",
            "and of all the wires that lead up from there to the lamp and to its old motor",
        )
        page, y = "", 740
        for row in range(12):
            wrapped = [textwrap.wrap(f"{name}{row} {rest[(row + n) % 3]}", 34) for n, name in enumerate(names)]
            if has_head and not row:
                wrapped = [["Harm"], ["Cure"], ["Care"]]
            for n, parts in enumerate(zip_longest(*wrapped, fillvalue="")):
                page += "".join(place(part, 50 + 180 * at, y - 12 * n) for at, part in enumerate(parts) if part)
            y -= 12 * max(map(len, wrapped)) + padding
        words = " ".join(read_page(page)).split()
        numbers = [int(word[4:]) for word in words if word[:4] in names and word[4:].isdigit()]
        assert len(numbers) >= 33
        assert numbers == sorted(numbers)

    def test_it_reads_heads_first_that_were_written_late(self) -> None:
        heads = place("Keepers", 200, 740, size=16) + place("Logs", 210, 700, size=12) + place("Plate 1", 210, 670)
        assert read_page(place_lines(LINES, 50, 650) + heads) == [
            "# Keepers",
            "## Logs",
            PROSE.replace("\n", " "),
            "Plate 1",
        ]

    def test_no_head_cuts_the_sentence_that_goes_on_from_the_page_before(self) -> None:
        page = place_lines([LINES[1], "Others read it."], 50, 500) + place("Plan of the gate", 200, 740, size=13)
        content = read(make_pdf([place(LINES[0], 50, 60), page])).content
        assert content.startswith(f"{PROSE} Others read it.\n")

    def test_it_seeks_no_places_for_all_the_lines_of_a_page_that_is_written_upwards(self) -> None:
        lines = [Line((Word("a", 10.0 * n, 10.0 * n + 5),), 30.0 * n, 10) for n in range(20_000)]
        started = time.thread_time()
        assert order_lines(lines) == lines
        assert time.thread_time() - started < 5

    def test_it_reads_a_column_last_that_begins_higher(self) -> None:
        columns = textwrap.wrap(PROSE, 40)
        page = place_lines(columns[:3], 50, 500) + place_lines(columns[3:], 300, 700)
        assert " ".join(read_page(page)).split() == PROSE.split()

    def test_it_reads_a_table_row_by_row(self) -> None:
        rows = [("Name", "Type", "Default"), ("port", "integer", "8000"), ("host", "text", "localhost")] * 3
        page = "".join(
            place(cell, 50 + 150 * n, 700 - 12 * row) for row, cells in enumerate(rows) for n, cell in enumerate(cells)
        )
        assert "port | integer | 8000\nhost | text | localhost" in read_page(page)[0]


class TestDirections:
    """Letters are on the page from left to right, so Hebrew is placed in reverse order."""

    def test_it_joins_words_that_run_from_right_to_left(self) -> None:
        page = place("dcba gfe ihg", 50, 700, font=HEBREW) + place("cba fed", 60, 688, font=HEBREW)
        assert read_page(page) == ["זחט הוז אבגד\nדהו אבג"]

    def test_it_reads_the_rows_of_a_table_from_right_to_left(self) -> None:
        rows = [
            place("cba", 200, 700 - 12 * row, font=HEBREW) + place("fed", 50, 700 - 12 * row, font=HEBREW)
            for row in (0, 1)
        ]
        assert read_page("".join(rows)) == ["אבג | דהו\nאבג | דהו"]

    def test_it_reads_words_in_their_order_that_run_against_the_line(self) -> None:
        page = (
            place("ihg cba", 100, 700, font=HEBREW)
            + place("two words", 122, 700)
            + place("kcba gfe", 167, 700, font=HEBREW)
        )
        assert read_page(page) == ["הוז אבגך two words אבג זחט"]
        page = place("Say", 50, 700) + place("fed cba", 70, 700, font=HEBREW) + place("and nothing else", 92, 700)
        assert read_page(page) == ["Say אבג דהו and nothing else"]

    def test_it_reads_words_of_two_lines_apart_that_run_against_both(self) -> None:
        above = place("2019", 50, 700) + place("dcba gfe ihg", 73, 700, font=HEBREW)
        page = above + place("Lamp", 99, 688) + place("cba fed gfe", 50, 688, font=HEBREW)
        assert read_page(page) == ["זחט הוז אבגד 2019\nLamp | הוז דהו אבג"]

    def test_it_reads_the_number_of_a_page_behind_the_dots_before_it(self) -> None:
        lines = [
            place(f"{n}{'.' * 30}", 50, 700 - 12 * n) + place("dcba", 130, 700 - 12 * n, font=HEBREW) for n in (2, 3)
        ]
        assert read_page("".join(lines)) == ["אבגד … 2\nאבגד … 3"]


class TestBlocks:
    def test_it_keeps_code_with_its_indentation_and_blank_lines(self) -> None:
        code = ["def keep(log):", "    for line in log:", "        print(line)", "", "keep([])"]
        page = place(LINES[0], 50, 700) + "".join(
            place(line.strip(), 50 + 6 * (len(line) - len(line.lstrip())), 680 - 12 * n, font=CODE)
            for n, line in enumerate(code)
            if line
        )
        assert read_page(page)[1:] == "\n".join(["```", *code, "```"]).split("\n\n")

    def test_type_is_monospaced_whose_letters_are_equally_wide(self) -> None:
        code = ["code {", "  color: blue;", "  margin: 2px;", "}"]
        lines = [
            place(line.strip(), 50 + 5.5 * (len(line) - len(line.lstrip())), 660 - 12 * n, font=EVEN)
            for n, line in enumerate(code)
        ]
        blocks = read_page(place_lines(LINES * 2, 50, 740) + "".join(lines))
        assert blocks[1] == "\n".join(["```", *code, "```"])

    def test_type_is_not_monospaced_whose_letters_happen_to_be_equally_wide(self) -> None:
        """In Times, these have the same width."""
        assert (
            read_page(place_lines(LINES, 50, 740) + place_lines(["nobody had", "boon hood"], 50, 690))[1]
            == "nobody had boon hood"
        )

    def test_it_goes_on_with_code_on_the_next_page(self) -> None:
        pages = [
            place(LINES[0], 50, 100) + place("one = 1 + 1", 50, 80, font=CODE),
            place("two = 2 + 2", 50, 700, font=CODE),
        ]
        document = read(make_pdf(pages))
        assert document.content.endswith("```\none = 1 + 1\ntwo = 2 + 2\n```\n")
        assert document.page_lines == [0, 4]

    def test_it_marks_code_in_a_sentence(self) -> None:
        page = (
            place("Set the variable", 50, 700)
            + place("LOG_LEVEL,", 120, 700, font=CODE)
            + place("then restart.", 184, 700)
        )
        assert read_page(page) == ["Set the variable `LOG_LEVEL`, then restart."]

    def test_it_takes_monospaced_type_for_text_where_all_is_set_in_it(self) -> None:
        assert "```" not in read(make_pdf([place_lines(LINES, 50, 700, font=CODE)])).content

    def test_it_takes_no_chinese_for_code_whatever_its_font_says(self) -> None:
        page = place_lines(LINES, 50, 700) + place_lines(["abc defgh", "ijk lmno"], 50, 660, font=HAN)
        assert read_page(page)[-1] == "灯塔看 守人每小时\n记录天 气和船只"

    def test_korean_may_be_code(self) -> None:
        assert not is_mostly_square(["# 등대지기는", "날씨를", "기록한다"])
        assert is_mostly_square([HAN_LETTERS])

    def test_it_reads_words_twice_that_stand_at_different_places_in_different_sizes(self) -> None:
        page = place("Ledger", 144, 700, size=20) + place("Ledger entries are kept", 72, 350)
        assert read_page(page) == ["# Ledger", "Ledger entries are kept"]

    def test_it_reads_words_once_that_are_printed_again_a_little_beside_to_make_them_bold(self) -> None:
        words = list(enumerate(LINES[0].split()[:9]))
        line = [place(word, 50 + 60 * n + beside, 700, size=12) for beside in (0, 0.4, 0.5) for n, word in words]
        assert read_page("".join(line))[0].replace(" | ", " ") == " ".join(LINES[0].split()[:9])

    def test_it_reads_lists_in_their_depth(self) -> None:
        page = (
            place("• first item", 50, 700)
            + place("• inner item", 70, 688)
            + place("• second item", 50, 676)
            + place("2. numbered item", 50, 664)
        )
        assert read_page(page) == ["- first item\n   - inner item\n- second item\n2. numbered item"]

    def test_it_knows_the_signs_of_items_that_word_sets(self) -> None:
        page = "".join(
            place(sign, 50, y, font=font) + place(f"{text} {LINES[0]}", 70, y)
            for sign, font, text, y in (("o", CODE, "One", 700), ("o", CODE, "Two", 688))
        )
        assert [block[:5] for block in read_page(page)[0].splitlines()] == ["- One", "- Two"]

    def test_a_lone_o_of_the_text_is_a_word(self) -> None:
        page = place_lines([f"{LINES[0]}", "o mar e o farol"], 50, 700)
        assert read_page(page)[0].endswith("o mar e o farol")

    def test_it_takes_a_sign_that_is_tagged_as_one_for_a_bullet(self) -> None:
        page = mark(0, place("&", 50, 700)) + mark(1, place(LINES[0], 70, 700))
        tags = [Tag("L", children=(Tag("LI", children=(Tag("Lbl", (0,)), Tag("LBody", (1,)))),))]
        assert read(make_pdf([page], tags=tags)).content.startswith("- A lighthouse")

    @pytest.mark.parametrize(
        "text", ["# not a heading", "<script> not a tag", "--- no rule", "> no quote", "``` no fence"]
    )
    def test_it_escapes_what_markdown_would_read(self, text: str) -> None:
        document = read(
            make_pdf([place(text, 50, 700) + place(LINES[0], 50, 600)], outline=[Bookmark("End", 0, 50)] * 2)
        )
        assert [heading.text for heading in iter_headings(document.content.split("\n"))] == ["End", "End"]


class TestHeadings:
    def test_it_puts_the_outlines_titles_in_place_of_the_lines_that_print_them(self) -> None:
        pages = [
            place("1 Harbour", 50, 700)
            + place(LINES[0], 50, 680)
            + place("1.1 Light", 50, 650)
            + place(LINES[1], 50, 630),
            place("2 Sea", 50, 700) + place(LINES[0], 50, 680),
        ]
        outline = [Bookmark("Harbour", 0, 712, (Bookmark("Light", 0, 662),)), Bookmark("Sea", 1, 712)]
        document = read(make_pdf(pages, outline=outline))
        assert document.content.split("\n\n") == [
            "# 1 Harbour",
            LINES[0],
            "## 1.1 Light",
            LINES[1],
            "# 2 Sea",
            f"{LINES[0]}\n",
        ]
        assert document.page_lines == [0, 8]

    def test_it_puts_a_title_that_is_not_printed_where_the_outline_points_to(self) -> None:
        page = place(LINES[0], 50, 700) + place(LINES[1], 50, 600)
        document = read(make_pdf([page], outline=[Bookmark("Top", 0), Bookmark("Below", 0, 620)]))
        assert document.content.split("\n\n") == ["# Top", LINES[0], "# Below", f"{LINES[1]}\n"]

    def test_it_finds_a_printed_title_that_takes_two_lines(self) -> None:
        page = place("Chapter 3", 50, 720, size=20) + place("Storms", 50, 690, size=20) + place(LINES[0], 50, 660)
        document = read(make_pdf([page, page], outline=[Bookmark("Storms", 0, 740), Bookmark("Storms", 1, 740)]))
        assert document.content.split("\n\n")[:2] == ["# 3 Storms", LINES[0]]

    @pytest.mark.parametrize(
        ("bookmark", "printed", "heading"),
        [
            (
                "ExternalMemoryorStoragedevice",
                "1.2 EXTERNAL MEMORY OR STORAGE DEVICE",
                "# 1.2 External Memory or Storage device",
            ),
            ("ExternalMemoryorStoragedevice", "E XTERNAL MEMORY OR STORAGE DEVICE", "# ExternalMemoryorStoragedevice"),
            ("OIL", "O I L", "# OIL"),
            ("Introduction", "I NTRODUCTION", "# Introduction"),
            ("JavaScript", "Java Script", "# JavaScript"),
            ("Setup", "SETUP:", "# Setup"),
            ("Oil and wicks", "OIL AND WICKS", "# Oil and wicks"),
        ],
    )
    def test_it_puts_the_blanks_of_the_page_into_a_bookmark_without_any(
        self, bookmark: str, printed: str, heading: str
    ) -> None:
        page = place(printed, 50, 700) + place_lines(LINES, 50, 680) + place("Lenses", 50, 600)
        assert (
            _list_headings(read(make_pdf([page], outline=[Bookmark(bookmark, 0), Bookmark("Lenses", 0)])))[0] == heading
        )

    def test_it_takes_a_number_from_the_title_that_it_sticks_to(self) -> None:
        page = place("1.1 Light", 50, 700) + place(LINES[0], 50, 680) + place("1.2 Fog", 50, 650)
        document = read(make_pdf([page], outline=[Bookmark("1.1Light", 0, 712), Bookmark("1.2.Fog", 0, 662)]))
        assert [heading.text for heading in iter_headings(document.content.split("\n"))] == ["1.1 Light", "1.2 Fog"]

    def test_very_long_sections_of_an_outline_are_cut_at_what_is_set_as_headings(self) -> None:
        def write(heading: str) -> str:
            return place_lines(LINES, 50, 770) + place(heading, 50, 730, size=14) + place_lines([*LINES] * 12, 50, 710)

        names = ["Wicks", "Oils", "Lenses", "Mirrors", "Clockwork", "Fog signals"]
        outline = [Bookmark("Lamps", 0, 800), Bookmark("Storms", 1 + len(names), 740)]
        pages = [place("Lamps", 50, 790, size=20) + write("Glass"), *map(write, names), write("Storms")]
        content = read(make_pdf(pages, outline=outline)).content
        headings = [(heading.level, heading.text) for heading in iter_headings(content.split("\n"))]
        assert headings == [(1, "Lamps"), *((2, name) for name in ("Glass", *names)), (1, "Storms")]
        short = read(make_pdf([*pages[:2], pages[-1]], outline=[outline[0], Bookmark("Storms", 2, 740)])).content
        assert "## " not in short

    def test_a_large_text_one_line_of_which_is_in_the_outline_is_no_heading_again(self) -> None:
        names = ["Wicks", "Oils", "Lenses"]
        text = place_lines([*LINES] * 24, 50, 700)
        pages = [place("Lamps", 50, 790, size=20) + text, *(place(name, 50, 730, size=14) + text for name in names)]
        last = place("Chapter 2", 50, 750, size=20) + place("What storms do", 50, 728, size=20) + text
        outline = [Bookmark("Lamps", 0, 800), Bookmark("What storms do", len(pages), 740)]
        assert _list_headings(read(make_pdf([*pages, last], outline=outline))) == [
            "# Lamps",
            *(f"## {name}" for name in names),
            "# What storms do",
        ]

    def test_a_bookmark_that_says_the_number_of_a_slide_is_called_by_its_largest_text(self) -> None:
        pages = [
            place("Harbour lights", 50, 700, size=20) + place(LINES[0], 50, 680),
            place(LINES[1], 50, 700) + place("Fog", 50, 600, size=20),
            place("Sea", 50, 700, size=20) + place(LINES[0], 50, 680),
            place(LINES[1], 50, 700),
        ]
        outline = [
            Bookmark(title, page) for page, title in enumerate(("Slide 1", "Slide Number 2", "Slide 3: Sea", "Slide 4"))
        ]
        document = read(make_pdf(pages, outline=outline))
        assert document.content.split("\n\n") == [
            "# Harbour lights",
            LINES[0],
            "# Fog",
            LINES[1],
            "Fog",
            "# Sea",
            LINES[0],
            "# Slide 4",
            f"{LINES[1]}\n",
        ]
        assert document.title == "Harbour lights"

    def test_it_ranks_sizes_where_there_is_no_outline(self) -> None:
        page = (
            place("The Log", 50, 740, size=24)
            + place("Rules", 50, 700, size=16)
            + place_lines(LINES, 50, 680)
            + place("1.1 Ships", 50, 640, size=10, font=BOLD)
            + place_lines(LINES, 50, 620)
        )
        headings = iter_headings(read(make_pdf([page])).content.split("\n"))
        assert [(heading.level, heading.text) for heading in headings] == [
            (1, "The Log"),
            (2, "Rules"),
            (3, "1.1 Ships"),
        ]

    def test_it_leaves_raised_words_in_the_heading_that_they_end(self) -> None:
        page = place("Fog Signals", 50, 700, size=18) + place("(new since May)", 150, 706, size=10)
        document = read(make_pdf([page + place_lines(LINES, 50, 670)]))
        assert document.content.startswith("# Fog Signals (new since May)\n\nA lighthouse")

    def test_long_sections_are_cut_at_lines_that_count_on_in_roman_numbers(self) -> None:
        text = [*LINES] * 8
        numbered = ["I. Harbours", "II. Lamps and oils", "IV. Out of turn", "III. Storms", "IV. Whoever reads this."]
        pages = [place(line, 50, 760) + place_lines(text, 50, 740) for line in numbered]
        headings = [heading.text for heading in iter_headings(read(make_pdf(pages)).content.split("\n"))]
        assert headings == ["I. Harbours", "II. Lamps and oils", "III. Storms"]
        assert "# I." not in read(make_pdf(pages[:2])).content

    @pytest.mark.parametrize(
        "before",
        [
            ["I. Newton and others"],
            ["I. Harbours 1", "II. Lamps and oils 2", "III. Storms 3"],
        ],
    )
    def test_neither_authors_nor_contents_are_headings_for_their_roman_numbers(self, before: list[str]) -> None:
        text = [*LINES] * 8
        numbered = ["I. Harbours", "II. Lamps and oils", "III. Storms"]
        pages = [place(line, 50, 560) + place_lines(text, 50, 540) for line in numbered]
        pages[0] = place_lines([*before, "", *LINES], 50, 760) + pages[0]
        pages[-1] += place_lines([*LINES, "", "III. Whoever has sent us wicks"], 50, 300)
        headings = [heading.text for heading in iter_headings(read(make_pdf(pages)).content.split("\n"))]
        assert headings == numbered

    def test_it_takes_the_headings_that_a_tagged_file_names(self) -> None:
        page = (
            place("Lamps", 50, 740, size=20)
            + mark(0, place("Oil and", 50, 700) + place("wicks", 50, 688))
            + mark(1, place_lines(LINES, 50, 660))
            + mark(2, place("Glass", 50, 600, font=BOLD))
            + mark(3, place("2 Oils", 50, 560, font=BOLD) + place_lines(LINES, 50, 540))
        )
        tags = [Tag("H2", (0,)), Tag("P", (1,)), Tag("H3", (2,)), Tag("P", (3,))]
        assert _list_headings(read(make_pdf([page], tags=tags))) == ["# Lamps", "# Oil and wicks", "## Glass"]

    def test_it_takes_an_item_in_the_style_of_a_heading_for_an_item(self) -> None:
        page = "".join(
            mark(n, place(text, 50, 700 - 40 * n))
            for n, text in enumerate(["• Bring oil to the lamp", "Lamps", "Wicks"])
        )
        page += mark(3, place_lines(LINES, 50, 500))
        tags = [*(Tag("H1", (number,)) for number in range(3)), Tag("P", (3,))]
        assert _list_headings(read(make_pdf([page], tags=tags))) == ["# Lamps", "# Wicks"]

    def test_it_passes_over_tags_where_it_has_no_time_to_read_all(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(reader, "_MAX_TAGGED_SECONDS", 0)
        page = mark(0, place("Oils", 50, 740)) + mark(1, place("Wicks", 50, 700)) + mark(2, place_lines(LINES, 50, 600))
        tags = [Tag("H1", (0,)), Tag("H1", (1,)), Tag("P", (2,))]
        assert _list_headings(read(make_pdf([page], tags=tags))) == []

    def test_it_passes_over_tags_that_make_headings_of_the_text(self) -> None:
        page = (
            mark(0, place_lines(LINES, 50, 700))
            + mark(1, place_lines(LINES, 50, 600))
            + place("Lamps", 50, 740, size=20)
        )
        assert _list_headings(read(make_pdf([page], tags=[Tag("H1", (0,)), Tag("H1", (1,))]))) == ["# Lamps"]

    def test_it_takes_bold_lines_for_headings_where_there_are_few_others(self) -> None:
        parts = [(title, 700 - 100 * number) for number, title in enumerate(["Oils", "Wicks and glass", "Lenses"])]
        page = "".join(place(title, 50, y, font=BOLD) + place_lines(LINES, 50, y - 12) for title, y in parts)
        page += place("All of it.", 50, 400, font=BOLD) + place_lines(LINES, 50, 388)
        page += place("that goes on", 50, 300, font=BOLD) + place_lines(LINES, 50, 288)
        more = place_lines(LINES * 15, 50, 780)
        assert _list_headings(read(make_pdf([page, more, more]))) == ["# Oils", "# Wicks and glass", "# Lenses"]

    def test_it_leaves_bold_lines_where_headings_are_many(self) -> None:
        page = "".join(place(title, 50, 700 - 40 * n, font=BOLD) for n, title in enumerate(["Oils", "Wicks", "Lenses"]))
        assert _list_headings(read(make_pdf([page + place_lines(LINES, 50, 500)]))) == []

    def test_a_heading_may_have_dashes(self) -> None:
        page = place("Section ---- Overview", 50, 700, size=16) + place_lines(LINES, 50, 670)
        page += place("Use ---- all", 50, 600, size=16) + place_lines(LINES, 50, 570)
        assert _list_headings(read(make_pdf([page]))) == ["# Section ---- Overview", "# Use ---- all"]

    def test_a_paragraph_is_no_heading_however_large_it_is_set(self) -> None:
        page = place_lines(LINES * 4, 50, 400, size=8) + place("The harbour", 50, 720, size=12)
        text = read(make_pdf([page + place_lines([*LINES[:1], f"{LINES[1]},", *LINES], 50, 700, size=10)]))
        assert _list_headings(text) == ["# The harbour"]

    def test_it_finds_no_headings_in_plain_text(self) -> None:
        assert read(make_pdf([place_lines(LINES, 50, 700)])).headings == ()


class TestPages:
    def test_it_drops_the_name_of_a_list_of_contents_from_the_outline_too(self) -> None:
        titles = ["Oil", "Wicks", "Glass", "Lamps"]
        rows = [f"{n}. {title} . . . . . . {n + 1}" for n, title in enumerate(titles, 1)]
        pages = [place_lines(["Table of Contents", *rows], 50, 700)]
        pages += [
            place(f"{n}. {title}", 50, 700, size=16) + place_lines(LINES, 50, 660) for n, title in enumerate(titles, 1)
        ]
        outline = [Bookmark("Table of Contents", 0), *(Bookmark(title, page) for page, title in enumerate(titles, 1))]
        text = read(make_pdf(pages, outline=outline))
        assert _list_headings(text) == ["# 1 Oil", "# 2 Wicks", "# 3 Glass", "# 4 Lamps"]

    def test_it_keeps_a_chapter_that_is_called_like_a_list_and_is_none(self) -> None:
        pages = [place("Contents", 50, 700, size=16) + place_lines(LINES, 50, 660), place_lines(LINES, 50, 700)]
        text = read(make_pdf(pages, outline=[Bookmark("Contents", 0), Bookmark("Oil", 1)]))
        assert _list_headings(text) == ["# Contents", "# Oil"]

    def test_it_drops_running_heads_and_page_numbers(self) -> None:
        pages = [
            place(f"The Log, chapter {n // 2}", 50, 780) + place_lines(LINES, 50, 700 - n) + place(f"{n + 1}", 300, 20)
            for n in range(6)
        ]
        document = read(make_pdf(pages))
        assert document.content.count("lighthouse") == 6
        assert "chapter" not in document.content
        assert "6" not in document.content

    def test_it_drops_a_letterhead_of_many_lines(self) -> None:
        head = ["Harbour office", "Quay of the lamps", "Second floor", "Open on weekdays", "lamps@example.org"]
        pages = [place_lines(head, 50, 780) + place_lines(LINES[n % 2 :], 50, 700) for n in range(4)]
        content = read(make_pdf(pages)).content
        assert "example.org" not in content
        assert "Quay" not in content

    def test_it_keeps_text_that_stands_nearly_as_high_as_page_numbers(self) -> None:
        notes = ["See the log.", "Oil is dear.", "Ask the office.", "Wicks burn."]
        pages = [
            place(note, 80, 40.4) + place_lines(LINES, 50, 700 - 20 * number) + place(str(number), 50, 40)
            for number, note in enumerate(notes, 1)
        ]
        content = read(make_pdf(pages)).content
        assert all(note in content for note in notes)

    def test_it_keeps_rows_of_numbers_at_the_edges_of_pages(self) -> None:
        def row(number: int, y: int) -> str:
            return "".join(place(str(10 * number + column), 50 + 100 * column, y) for column in range(5))

        pages = [row(page, 780) + place_lines(LINES, 50, 700 - 20 * page) + row(page + 9, 50) for page in range(4)]
        content = read(make_pdf(pages)).content
        assert all(f"{10 * number} | {10 * number + 1}" in content for number in [0, 3, 9, 12])

    def test_it_drops_the_title_of_a_section_beside_the_number_of_the_page(self) -> None:
        """As in Asciidoctor PDF: on the left and on the right, with most titles only once."""
        titles = ["Oil", "1.1. Wicks", "Chapter 2. The Lamp", "Chapter 2. The Lamp"]
        feet = [f"{n} | {title}" if n % 2 else f"{title} | {n}" for n, title in enumerate(titles, 1)]
        pages = [place_lines(LINES, 50, 700), *self._make_footed(feet)]
        content = read(make_pdf(pages, outline=[Bookmark(title, page) for page, title in enumerate(titles, 1)])).content
        assert " | " not in content
        assert [text for text in self._TEXTS if text not in content] == []

    _TEXTS = ("Oil burns slowly at night.", "Wicks are cut each day.", "A lamp turns in the dark.", "Glass is cleaned.")

    def _make_footed(self, feet: list[str]) -> list[str]:
        """Pages with a foot each, all at different heights."""
        return [
            place_lines([text, f"So it is said of {text.lower()}"], 50, 700 - 30 * n)
            + place(foot, 50 + 9 * n, 44 - 3 * n)
            for n, (text, foot) in enumerate(zip(self._TEXTS, feet, strict=True))
        ]

    @pytest.mark.parametrize(
        "feet",
        [
            ["Oil | 1", "Wicks | 1", "Glass | 1", "Lamp | 1"],  # rows of a table: they do not count
            ["Salt | 1", "Rope | 2", "Tar | 3", "Flag | 4"],  # no titles
        ],
    )
    def test_it_keeps_a_number_and_a_word_that_are_no_running_title(self, feet: list[str]) -> None:
        outline = [Bookmark(title, page) for page, title in enumerate(["Oil", "Wicks", "Glass", "Lamp"])]
        content = read(make_pdf(self._make_footed(feet), outline=outline)).content
        assert [foot for foot in feet if foot in content] == feet

    @pytest.mark.parametrize(
        ("titles", "size"),
        [
            (["Apple Pie", "Pear Tart", "Plum Cake", "Fig Roll"], 10),
            (["Apple Pie", "Plum Cake", "Plum Cake", "Fig Roll"], 14),
        ],
    )
    def test_it_keeps_the_headings_of_numbered_chapters(self, titles: list[str], size: int) -> None:
        pages = [place_lines(titles, 50, 700)] + [
            place(str(n), 50, 760 - 9 * n, size=size)
            + place(title, 90, 760 - 9 * n, size=size)
            + place_lines([text, f"So it is said of {text.lower()}"], 50, 690 - 30 * n)
            for n, (title, text) in enumerate(zip(titles, self._TEXTS, strict=True), 1)
        ]
        content = read(make_pdf(pages)).content
        assert [title for title in set(titles) if content.count(title) != 2 * titles.count(title)] == []

    def test_it_keeps_what_looks_like_a_running_head_where_there_is_nothing_else(self) -> None:
        pages = [place(f"Page {number}", 50, 700) for number in (1, 2, 3)]
        assert read(make_pdf(pages)).content == "Page 1\n\nPage 2\n\nPage 3\n"

    @pytest.mark.parametrize("leader", [". . . . . .", "· · · · · ·", "- - - - - -"])
    def test_it_drops_tables_of_contents(self, leader: str) -> None:
        titles = ["Lamps and oils", "Glass", "Lenses of the first order"]
        entries = ["Contents", "1 Oil 2", *(f"1.{n} {title} {leader} {n + 1}" for n, title in enumerate(titles, 1))]
        chapters = ["1 Oil", *(f"1.{n} {title}" for n, title in enumerate(titles, 1))]
        pages = [
            place_lines(["Keepers", *entries], 50, 700),
            *(place_lines([title, *LINES], 50, 700) for title in chapters),
        ]
        content = read(make_pdf(pages)).content
        assert content.startswith("Keepers\n\n1 Oil\n")
        assert "…" not in content

    @pytest.mark.parametrize("name", ["Contents", "Tables of the tides"])
    def test_it_drops_tables_of_contents_without_dots_that_are_called_so(self, name: str) -> None:
        titles = ["Lamps and oils", "Glass", "Lenses of the first order"]
        rows = "".join(
            place(title, 50, 676 - 12 * n) + place(str(n + 2), 400, 676 - 12 * n) for n, title in enumerate(titles)
        )
        pages = [
            place_lines([name, "Page"], 50, 700) + rows,
            *(place_lines([title, *LINES], 50, 700) for title in titles),
        ]
        content = read(make_pdf(pages)).content
        assert content.startswith("Lamps and oils\n" if name == "Contents" else name)

    @pytest.mark.parametrize("name", ["Contents", "Tables", "Figures"])
    @pytest.mark.parametrize("between", ["", "Of the kit"])
    def test_it_keeps_tables_below_such_a_name_that_tell_no_pages(self, name: str, between: str) -> None:
        cells = {"Hinge": 1, "Door bell": 1, "Lock": 2, "Spare screw": 2}
        rows = "".join(
            place(cell, 50, 676 - 12 * n) + place(str(number), 300, 676 - 12 * n)
            for n, (cell, number) in enumerate(cells.items())
        )
        first = place(name, 50, 712, size=16) + (place(between, 50, 694) if between else "") + rows
        second = "".join(
            place(cell, 50, 700 - 90 * n, size=16) + place_lines(LINES, 50, 680 - 90 * n)
            for n, cell in enumerate(cells)
        )
        content = read(make_pdf([first + place_lines(LINES, 50, 600), second])).content
        assert content.startswith(f"# {name}\n")
        assert all(f"{cell} | {number}" in content for cell, number in cells.items())

    def test_it_keeps_what_stands_between_a_list_and_its_name(self) -> None:
        titles = ["Lamps and oils", "Glass", "Lenses of the first order"]
        rows = "".join(
            place(title, 50, 676 - 12 * n) + place(str(n + 2), 400, 676 - 12 * n) for n, title in enumerate(titles)
        )
        pages = [
            place_lines(["Contents", "For keepers"], 50, 700) + rows,
            *(place_lines([title, *LINES], 50, 700) for title in titles),
        ]
        assert read(make_pdf(pages)).content.startswith("For keepers\n\nLamps and oils\n")

    def test_it_keeps_lines_with_dots_that_name_no_parts_of_the_document(self) -> None:
        prices = [
            f"{name} . . . . . . {number}" for number, name in enumerate(["Oil", "Wicks", "Glass", "Mantles"], 10)
        ]
        assert "Mantles … 13" in read(make_pdf([place_lines([*prices, *LINES], 50, 700)])).content

    def test_it_keeps_values_and_what_stands_beside_a_table_of_contents(self) -> None:
        values = [f"{name} . . . . . . {value}" for name, value in (("Voltage", 12), ("Current", 12), ("Power", 144))]
        pages = [
            place_lines(values, 50, 700),
            place_lines(["Voltage", LINES[0], "Current", LINES[1], "Power", *LINES], 50, 700),
        ]
        assert "Power … 144" in read(make_pdf(pages)).content
        entries = [
            "Oil . . . . . 2",
            "It is poured by hand.",
            "Wicks . . . . . 3",
            "Glass . . . . . 4",
            "Lamp RFC 2119",
        ]
        pages = [
            place_lines(entries, 50, 700),
            *(place_lines([title, *LINES], 50, 700) for title in ("Oil", "Wicks", "Glass")),
        ]
        content = read(make_pdf(pages)).content
        assert "It is poured by hand." in content
        assert "Lamp RFC 2119" in content
        assert "…" not in content

    def test_it_counts_empty_pages(self) -> None:
        document = read(make_pdf([place(LINES[0], 50, 700), "", place(LINES[1], 50, 700)]))
        assert len(document.page_lines) == 3
        assert document.page_lines[2] == document.content.split("\n").index(LINES[1])

    def test_it_reads_a_page_that_is_turned(self) -> None:
        turned = f"q 0 1 -1 0 600 0 cm {place(LINES[0], 50, 500)}{place(LINES[1], 50, 488)}Q"
        assert read_page(turned) == [PROSE.replace("\n", " ")]

    def test_it_reads_text_that_is_turned_round_twice(self) -> None:
        assert read_page(f"BT /F1 -10 Tf -1 0 0 -1 50 700 Tm ({LINES[0]}) Tj ET") == [LINES[0]]

    @pytest.mark.parametrize("box", [b"[0 800 600 0]", b"[600 0 0 800]"])
    def test_it_reads_a_page_whose_corners_are_given_the_other_way_round(self, box: bytes) -> None:
        content = make_pdf([place(LINES[0], 50, 700)]).replace(b"[0 0 600 800]", box)
        assert read(content).content == f"{LINES[0]}\n"

    def test_it_reads_what_a_form_draws_onto_the_page(self) -> None:
        content = make_pdf(["q 1 0 0 1 0 -1500 cm /X0 Do Q"], forms=[place(LINES[0], 50, 2200)])
        assert read(content).content == f"{LINES[0]}\n"

    def test_it_reads_the_fields_of_a_form_where_they_stand(self) -> None:
        content = make_pdf([place("Keeper:", 50, 700)], fields=[Field("Ada", 85, 696)])
        assert read(content).content == "Keeper: Ada\n"

    def test_it_drops_a_watermark(self) -> None:
        watermark = f"q 0.7 0.7 -0.7 0.7 100 100 cm {place('DRAFT', 0, 0, size=60)} Q\n"
        assert read_page(watermark + place(LINES[0], 50, 700)) == [LINES[0]]


class TestWords:
    @pytest.mark.parametrize(
        ("printed", "word"),
        [
            ("e\ufb03cient", "efficient"),
            ("x²", "x²"),
            ("Mikul´ık", "Mikulík"),
            ("Br¨oker", "Bröker"),
            ("\u2212\u2212init\u2212file", "--init-file"),
            ("˜/.bashrc", "~/.bashrc"),
            ("soft\u00adhyphen", "softhyphen"),
            ("\uf0b7", "•"),
            ("don’t", "don’t"),
            ("\ud83d\ude00!", "😀!"),
            ("half\ud83d", "half"),
        ],
    )
    def test_it_writes_words_as_people_type_them(self, printed: str, word: str) -> None:
        assert clean_word(printed, is_code=False) == word

    def test_it_reads_letters_that_the_page_draws_itself(self) -> None:
        """TeX's bitmap fonts have size 1 and no name; their glyphs have the size of letters."""
        page = place("Anna ran across", 50, 700, size=1, font=DRAWN)
        assert read_page(page) == ["Anna ran across"]
        heading = place("Harbour", 50, 740, size=2, font=DRAWN) + "".join(
            place("Anna ran across", 50, 700 - 12 * number, size=1, font=DRAWN) for number in range(4)
        )
        assert read_page(heading)[0] == "# Harbour"

    def test_it_restores_the_ligatures_of_old_fonts(self) -> None:
        assert read_page(place("The \x0crst di\x0berent o\x0ece.", 50, 700, size=1, font=DRAWN)) == [
            "The first different office."
        ]

    @pytest.mark.parametrize(
        ("printed", "text"),
        [
            ("Boats\rR and oars\rR, \rc 2002", "Boats® and oars®, © 2002"),
            ("\rR 10", "® 10"),
            ("a \raw, re\rect and a\re", "a flaw, reflect and afle"),
            ("one\r\nR two", "one\r\nR two"),
        ],
    )
    def test_it_reads_the_circles_that_tex_draws_around_letters(self, printed: str, text: str) -> None:
        restored = restore_ligatures(printed)
        assert len(restored) == len(printed)
        assert restored.replace("\0", "").replace("ﬂ", "fl") == text

    def test_it_leaves_out_the_corners_of_frames(self) -> None:
        page = (
            place("xy", 50, 720, font=FRAMES) + place("Row to the harbour", 50, 700) + place("z", 300, 700, font=FRAMES)
        )
        assert read_page(page) == ["Row to the harbour"]

    def test_it_writes_the_quotes_of_code_as_those_of_the_keyboard(self) -> None:
        assert clean_word("’a’", is_code=True) == "'a'"


class TestInformation:
    def test_a_blank_page_prints_no_title(self) -> None:
        pages = [
            place("The lamp book", 50, 700, size=20) + place_lines(LINES, 50, 600),
            "",
            place_lines(LINES, 50, 700),
        ]
        assert read(make_pdf(pages, information={"Title": "Annual record of doors"})).title == "The lamp book"

    def test_it_takes_the_title_that_the_file_gives(self) -> None:
        information = {
            "Title": "Harbour Manual",
            "Author": "The Office",
            "Subject": "Rules",
            "Keywords": "sea, light; log",
        }
        document = read(make_pdf([place(LINES[0], 50, 700)], information=information))
        assert (document.title, document.description, document.keywords) == (
            "Harbour Manual",
            "Rules",
            ("sea", "light", "log"),
        )
        assert document.metadata == {"author": "The Office"}

    @pytest.mark.parametrize(
        "title",
        [
            "", "untitled", "Microsoft Word - draft3.docx", "manual", "Document1", "book.dvi", "none", "1.01", "draft.wpd\0",
            "PowerPoint Presentation", "PowerPoint-Präsentation", "Présentation PowerPoint", "þÿØ=", "gnuplot plot", "Log of Storms",
        ],
    )  # fmt: skip
    def test_it_takes_the_largest_text_where_the_title_says_nothing(self, title: str) -> None:
        page = place("Harbour", 50, 740, size=24) + place("Manual", 50, 712, size=24) + place_lines(LINES, 50, 600)
        assert read(make_pdf([page], information={"Title": title})).title == "Harbour Manual"

    @pytest.mark.parametrize(
        ("title", "more"),
        [
            ("The Keeper's Log", place("the keep-", 50, 690) + place("ers log", 50, 678)),
            ("Caf\xe9 Rules", place("cafe rules", 50, 690)),
            ("The Harbour Manual of 1990", ""),
            ("Harbour", ""),
        ],
    )
    def test_it_trusts_a_title_that_the_first_page_prints(self, title: str, more: str) -> None:
        page = place("Harbour Manual", 50, 740, size=24) + more + place_lines(LINES, 50, 600)
        assert read(make_pdf([page], information={"Title": title})).title == title

    @pytest.mark.parametrize(
        "page",
        [
            place_lines(LINES, 50, 700),
            place("Confidential", 50, 740, size=24) + place_lines(LINES, 50, 700),
            place_lines(LINES, 50, 700) + place("Printed by hand", 50, 100, size=24),
        ],
    )
    def test_it_trusts_a_title_where_the_first_page_prints_no_other(self, page: str) -> None:
        assert read(make_pdf([page], information={"Title": "Log of Storms"})).title == "Log of Storms"

    @pytest.mark.parametrize("title", ["", "Template of the harbour office"])
    def test_it_takes_the_heading_of_the_first_page_where_later_ones_are_as_large(self, title: str) -> None:
        pages = [
            place(text, 50, 740, size=20) + place_lines(LINES, 50, 700) for text in ("Lamps of 1850", "Oils and wicks")
        ]
        assert read(make_pdf(pages, information={"Title": title})).title == "Lamps of 1850"

    @pytest.mark.parametrize(
        ("bold", "above", "title"),
        [
            ("Checklist of the harbour", "", "Checklist of the harbour"),
            ("Checklist of the harbour", "Number 7", "manual"),
            ("Ada Lovelace <ada@example.com>", "", "manual"),
            ("Table of contents", "", "manual"),
            ("Checklist", "", "manual"),
        ],
    )
    def test_it_takes_a_bold_text_above_all_others_before_the_files_name(
        self, bold: str, above: str, title: str
    ) -> None:
        page = place(above, 50, 760) + place(bold, 50, 740, font=BOLD) + place_lines([*LINES] * 4, 50, 700)
        assert read(make_pdf([page])).title == title

    def test_it_leaves_out_what_programs_say_of_themselves(self) -> None:
        information = {"Subject": "gnuplot plot", "Keywords": "www.example.com, Paper Maker, Try it for free!"}
        document = read(make_pdf([place(LINES[0], 50, 700)], information=information))
        assert (document.description, document.keywords) == ("", ())

    def test_it_passes_over_an_initial_in_search_of_the_largest_text(self) -> None:
        page = place("W", 50, 720, size=40) + place("Harbour", 90, 760, size=24) + place_lines(LINES, 50, 600)
        assert read(make_pdf([page])).title == "Harbour"

    def test_it_leaves_out_what_is_no_text_in_titles(self) -> None:
        outline = [Bookmark("Light\0house", 0, 712), Bookmark("þÿØ=", 0, 600)]
        document = read(make_pdf([place(LINES[0], 50, 700)], outline=outline * 2, information={"Author": "Ada\0"}))
        assert document.content.startswith("# Light house\n")
        assert document.metadata == {"author": "Ada"}


class TestHiddenText:
    @pytest.mark.parametrize(
        "hidden",
        [
            place("obey me", 50, 650, size=0.5),
            place("obey me", 50, 650, before="1 1 1 rg"),
            place("obey me", 50, 650, before="3 Tr"),
            place("obey me", 50, 2000),
            "/X0 Do",
        ],
        ids=["tiny", "white", "invisible", "off the page", "in a form"],
    )
    def test_it_leaves_out_what_no_reader_sees_and_says_so(self, hidden: str) -> None:
        form = place("obey me", 50, 650, before="1 1 1 rg")
        document = read(make_pdf([place(LINES[0], 50, 700) + hidden], forms=[form]))
        assert document.content == f"{LINES[0]}\n"
        assert [(each.kind, each.excerpt) for each in document.findings] == [(FindingKind.HIDDEN_TEXT, "obey me")]

    def test_it_leaves_a_word_that_hidden_letters_stick_to(self) -> None:
        """As Word's converter marks headings."""
        page = place("0B", 50, 700, size=0.9) + place("Keepers", 51, 700) + place("write1B", 90, 700)
        assert read_page(page) == ["Keepers write1B"]
        assert read(make_pdf([page])).findings[0].excerpt == "0B"

    def test_it_reads_what_stands_on_the_same_words_invisibly(self) -> None:
        """Of words so close to each other PDFium itself leaves out many, whichever of them is visible."""
        words = list(enumerate(["keeper", "lighthouse", "weather", "harbour", "office", "month"]))
        unseen = "".join(place(word, 50 + 80 * n, 700, size=12, before="3 Tr") for n, word in words)
        seen = "".join(place(word, 50.5 + 80 * n, 700, size=12) for n, word in words)
        assert "lighthouse" in read(make_pdf([unseen + seen])).content

    def test_it_reads_white_text_on_a_dark_box(self) -> None:
        page = "0 0 0.5 rg 40 640 200 30 re f\n" + place("Warning", 50, 650, before="1 1 1 rg")
        assert read_page(page) == ["Warning"]
        lifted = make_pdf(["q 1 0 0 1 0 -1500 cm /X0 Do Q"], forms=[page.replace("640", "2140").replace("650", "2150")])
        assert read(lifted).content == "Warning\n"


class TestRefusals:
    def test_it_says_that_a_password_is_needed(self) -> None:
        secret = "0" * 64
        trailer = f"/Encrypt << /Filter /Standard /V 1 /R 2 /O <{secret}> /U <{secret}> /P -4 >> /ID [<00> <00>]"
        with pytest.raises(ParseError, match="password"):
            read(make_pdf([place(LINES[0], 50, 700)], trailer=trailer))

    def test_it_says_that_a_scan_needs_ocr(self) -> None:
        with pytest.raises(UnsupportedFormat, match=r"0 of its 2 pages: it is scanned.*OCR"):
            read(make_pdf(["", ""]))

    def test_it_says_that_fonts_do_not_say_their_characters(self) -> None:
        page = place("\x01\x04\x05" * 10 + " a", 50, 700)
        with pytest.raises(UnsupportedFormat, match=r"1 of the PDF's 1 pages the fonts do not say.*--force-ocr"):
            read(make_pdf([page]))
        document = read(make_pdf([place(LINES[0], 50, 700), page]))
        assert document.content == f"{LINES[0]}\n"
        assert document.warnings == ("The fonts of these pages do not say which characters they show: 2.",)

    @pytest.mark.parametrize("content", [b"", b"%PDF-1.4\n", make_pdf([place("a", 0, 0)])[:200], b"no PDF at all"])
    def test_it_refuses_a_broken_file(self, content: bytes) -> None:
        with pytest.raises(ParseError, match=r"broken|pages"):
            read(content)

    def test_it_refuses_too_many_pages(self) -> None:
        content = make_pdf([place("a", 50, 700)]).replace(b"/Count 1 ", b"/Count 1000000 ")
        with pytest.raises(ParseError, match=r"1,000,000 pages; it may have 1 to 10,000"):
            read(content)

    def test_it_refuses_too_much_text(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(reader, "MAX_CHARACTERS", 100)
        with pytest.raises(ParseError, match="more than 100 characters"):
            read(make_pdf([place_lines(LINES, 50, 700)]))

    def test_it_stops_after_its_time(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(reader, "MAX_SECONDS", -1)
        with pytest.raises(ParseError, match="seconds"):
            read(make_pdf([place(LINES[0], 50, 700)]))

    @pytest.mark.parametrize("layers", [1, 2])
    def test_it_refuses_a_page_that_unpacks_to_far_more_than_it_is(self, layers: int) -> None:
        packed = b" " * (17 * 1024**2)
        for _ in range(layers):
            packed = zlib.compress(packed)
        filters = b" ".join([b"/FlateDecode"] * layers)
        stream = b"<< /Length %d /Filter [%s] >>\nstream\n%s\nendstream" % (len(packed), filters, packed)
        content = re.sub(rb"<< /Length.*?endstream", lambda _: stream, make_pdf([place("a", 50, 700)]), flags=re.DOTALL)
        with pytest.raises(ParseError, match="unpacks to more than 16 MB"):
            read(content)

    def test_it_loses_a_broken_page_and_no_other(self) -> None:
        content = make_pdf([place(LINES[0], 50, 700), place("gone", 50, 700), place(LINES[1], 50, 700)])
        second = content.index(b"/Type /Page /", content.index(b"/Type /Page /") + 1)
        document = read(content[:second] + b"/Type /None /" + content[second + 13 :])
        assert LINES[0] in document.content
        assert LINES[1] in document.content


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.text(st.characters(codec="cp1252", exclude_categories=["C", "Z"]), min_size=1), min_size=1, max_size=8)
)
def test_it_reads_any_words_without_making_headings_of_them(words: list[str]) -> None:
    pages = [place(" ".join(words).encode("cp1252").decode("cp1252"), 50, 700) + place(LINES[0], 50, 600)]
    document = read(make_pdf(pages, outline=[Bookmark("End", 0, 50)] * 2))
    assert [heading.text for heading in iter_headings(document.content.split("\n"))] == ["End", "End"]


def test_it_passes_a_circle_in_the_outline_once() -> None:
    outline = [Bookmark("One", 0), Bookmark("Two", 0)]
    content = make_pdf([place(LINES[0], 50, 700)], outline=outline)
    first = content.index(b"/Title (One)")
    number = content.rindex(b" 0 obj", 0, first)
    this = content[content.rindex(b"\n", 0, number) + 1 : number]
    second = content.index(b"/Title (Two)")
    document = read(content[:second] + b"/Next %s 0 R /Title (Two)" % this + content[second + 12 :])
    assert document.content.count("# One") == 1


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\uf0f3 Harbour", "Harbour"),
        ("Harbour \uf0f3\ue001", "Harbour"),
        ("The \uf0f3 harbour", "The harbour"),
        ("Harbour\uf0f3", "Harbour\uf0f3"),
        ("\uf0f3", "\uf0f3"),
    ],
)
def test_signs_of_icon_fonts_go_from_headings(text: str, shown: str) -> None:
    assert write_markdown([[]], {0: [PlacedHeading(0, 0, 1, text)]})[0].strip() == f"# {shown}"
