"""Tables in PDFs: tagged ones, and those that a page draws with lines."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from itertools import pairwise

import pytest

from collections_app.parsing.pdf.page.drawn_tables import Ruling
from collections_app.parsing.pdf.page.placed_texts import PlacedText
from collections_app.parsing.pdf.page.ruled_tables import find_ruled_tables
from tests.collections_app.parsing.pdf.pdf_files import (
    BOLD,
    CODE,
    LINES,
    PROSE,
    TEXT,
    Tag,
    make_pdf,
    mark,
    place,
    place_lines,
    read,
)
from tests.growth import assert_linear


class TestTaggedTables:
    def test_it_writes_a_tagged_table_as_one(self) -> None:
        whales = place("oil of whales", 200, 688) + place("or of rape | olive", 200, 676)
        cells = [place("Lamp", 50, 700), place("Burns", 200, 700), place("Argand", 50, 688), whales]
        page = "".join(mark(*each) for each in enumerate([*cells, place("Drummond", 50, 650), place("lime", 200, 650)]))
        rows = [Tag("TR", children=(Tag("TD", (number,)), Tag("TD", (number + 1,)))) for number in (0, 2, 4)]
        assert read(make_pdf([page], tags=[Tag("Table", children=tuple(rows))])).content.splitlines() == [
            "| Lamp | Burns |",
            "| --- | --- |",
            "| Argand | oil of whales or of rape \\| olive |",
            "| Drummond | lime |",
        ]

    def test_it_goes_on_with_a_table_on_the_next_page(self) -> None:
        pages = ["".join(mark(x, place(f"{name}{x}", 50 + 100 * x, 700)) for x in range(2)) for name in "ab"]
        rows = [Tag("TR", children=tuple(Tag("TD", (x,), page=page) for x in range(2)), page=page) for page in range(2)]
        read_file = read(make_pdf(pages, tags=[Tag("Table", children=tuple(rows))]))
        assert read_file.content.splitlines() == ["| a0 | a1 |", "| --- | --- |", "| b0 | b1 |"]
        assert list(read_file.page_lines) == [0, 2]

    def test_it_puts_cells_beside_merged_ones_in_their_columns(self) -> None:
        page = "".join(
            mark(number, place(name, 50 + 100 * number, 700 - 20 * number)) for number, name in enumerate("abcde")
        )
        rows = (
            Tag("TR", children=(Tag("TH", (0,), spans="/RowSpan 2"), Tag("TH", (1,), spans="/ColSpan 2"))),
            Tag("TR", children=(Tag("TD", (2,)), Tag("TD", (3,)))),
            Tag("TR", children=(Tag("TD", (4,)),)),
        )
        content = read(make_pdf([page], tags=[Tag("Table", children=(Tag("TBody", children=rows),))])).content
        assert content.splitlines() == ["| a | b |  |", "| --- | --- | --- |", "|  | c | d |", "| e |  |  |"]

    def test_it_puts_cells_where_they_are_printed(self) -> None:
        """Like those of Excel, which names cells in any order and leaves out empty ones. A row with a single cell at the top is a title."""
        names = [
            ("Oils", 50, 740),
            ("Lamp", 50, 700),
            ("Oil", 150, 700),
            ("Wick", 250, 700),
            ("Argand", 50, 680),
            ("flat", 250, 680),
        ]
        page = "".join(mark(number, place(*name)) for number, name in enumerate(names))
        order = [[0], [3, 1, 2], [5, 4]]
        rows = [Tag("TR", children=tuple(Tag("TD", (number,)) for number in row)) for row in order]
        content = read(make_pdf([page], tags=[Tag("Table", children=tuple(rows))])).content
        assert content.splitlines() == [
            "Oils",
            "",
            "| Lamp | Oil | Wick |",
            "| --- | --- | --- |",
            "| Argand |  | flat |",
        ]

    def test_it_leaves_tables_that_lay_out_a_page(self) -> None:
        page = mark(0, place("Lamp", 50, 700)) + mark(1, place("Wick", 50, 600))
        row = Tag("TR", children=(Tag("TD", (0,)), Tag("TD", (1,))))
        assert read(make_pdf([page], tags=[Tag("Table", children=(row,))])).content == "Lamp\n\nWick\n"


CELLS = (
    ("Signal", "Meaning", "Reach"),
    ("Red lamp", "A ship is near the shore", "4 miles"),
    ("Horn", "Fog", "1 mile"),
)
XS, YS = (50, 150, 350, 450), (712, 690, 654, 632)


def draw(*ends: tuple[float, float, float, float]) -> str:
    """Lines between two points each."""
    return "".join(f"{x} {y} m {to_x} {to_y} l S\n" for x, y, to_x, to_y in ends)


def draw_rows(xs: Sequence[float], ys: Sequence[float]) -> str:
    return draw(*((xs[0], y, xs[-1], y) for y in ys))


def draw_columns(xs: Sequence[float], ys: Sequence[float]) -> str:
    return draw(*((x, ys[0], x, ys[-1]) for x in xs))


def fill(x: float, y: float, width: float, height: float, grey: float = 0.8) -> str:
    return f"{grey} g {x} {y} {width} {height} re f 0 g\n"


def place_cells(
    rows: Sequence[Sequence[str]] = CELLS, xs: Sequence[float] = XS, ys: Sequence[float] = YS, font: str = TEXT
) -> str:
    """The texts in their cells column by column, as some programs write them; a text on several lines is divided at its blanks."""
    return "".join(
        place_lines(textwrap.wrap(text, 14), x + 5, y - 12, font=font)
        for column, x in enumerate(xs[:-1])
        for row, y in zip(rows, ys, strict=False)
        for text in row[column : column + 1]
    )


def write_table(rows: Sequence[Sequence[str]] = CELLS) -> str:
    head, *others = (f"| {' | '.join(row)} |\n" for row in rows)
    return f"{head}| {' | '.join(['---'] * len(rows[0]))} |\n{''.join(others)}"


def turn_upright(content: str) -> str:
    return f"q 0 1 -1 0 800 0 cm {content} Q"


class TestDrawnTables:
    @pytest.mark.parametrize(
        "lines",
        [
            draw_rows(XS, YS) + draw_columns(XS, YS),
            draw_rows(XS, YS) + draw_columns(XS[1:-1], YS),
            draw_rows(XS, YS[1:-1]) + draw_columns(XS[1:-1], YS),
            "".join(fill(XS[0], y, 400, 0.7) for y in YS) + "".join(fill(x, YS[-1], 0.7, 80) for x in XS),
            "".join(
                fill(x, bottom, right - x, top - bottom, 0.7 + column / 10)
                for column, (x, right) in enumerate(pairwise(XS))
                for top, bottom in pairwise(YS)
            ),
            "".join(f"{x} {YS[-1]} {right - x} 80 re S\n" for x, right in pairwise(XS)) + draw_rows(XS, YS),
            "".join(f"{x} {YS[-1]} 0.7 80 re\n" for x in XS) + "".join(f"{XS[0]} {y} 400 0.7 re\n" for y in YS) + "f\n",
            "".join(draw((x, YS[-1], x, 670), (x, 668, x, YS[0])) for x in XS) + draw_rows(XS, YS),
        ],
        ids=[
            "grid",
            "no sides",
            "inner lines alone",
            "thin areas",
            "coloured cells",
            "boxes",
            "one path",
            "broken lines",
        ],
    )
    def test_lines_tell_the_cells(self, lines: str) -> None:
        assert read(make_pdf([lines + place_cells()])).content == write_table()

    def test_columns_may_be_drawn_in_the_head_alone(self) -> None:
        lines = draw_rows(XS, YS) + draw_columns((50, 450), YS) + draw_columns(XS, YS[:2])
        rows = (CELLS[0], ("Red lamp", "Ship", "4 miles"), CELLS[2])
        assert read(make_pdf([lines + place_cells(rows)])).content == write_table(rows)

    def test_a_merged_cell_stands_where_it_begins(self) -> None:
        lines = draw_rows(XS[1:], YS) + draw_columns(XS, YS) + draw((50, 712, 150, 712), (50, 690, 150, 690))
        rows = (CELLS[0], CELLS[1], ("", *CELLS[2][1:]))
        assert read(make_pdf([lines + place_cells(rows)])).content == write_table(rows)

    def test_boxes_below_words_divide_no_cells(self) -> None:
        lines = draw_rows(XS, YS) + draw_columns(XS, YS)
        boxes = "".join(fill(x + 8, y - 15, 20, 12) for x in XS[:-1] for y in YS[:-1])
        assert read(make_pdf([lines + boxes + place_cells()])).content == write_table()

    def test_a_page_may_be_set_like_code(self) -> None:
        page = draw_rows(XS, YS) + draw_columns(XS, YS) + place_cells(font=CODE) + place("Signals", 50, 750)
        assert write_table().splitlines()[2] in read(make_pdf([page])).content

    def test_lines_that_cut_sentences_divide_no_columns(self) -> None:
        rows = (("Signal", "Meaning"), ("Lamp", "A ship is near the shore"), ("Horn", "There is fog on the water"))
        lines = draw_rows(XS, YS) + draw_columns(XS, YS) + draw_columns((190,), YS)
        words = place_cells([row[:1] for row in rows])
        words += "".join(place(text, 155, y - 12) for (_, text), y in zip(rows, YS, strict=False))
        assert read(make_pdf([lines + words])).content == write_table(rows)

    def test_numbers_below_each_other_are_rows(self) -> None:
        lines = draw_rows(XS, YS) + draw_columns(XS, YS)
        words = place_cells(CELLS[:1]) + place_lines(["May", "June"], 55, 678)
        words += place_lines(["12", "15"], 155, 678) + place_lines(["1,034.5", "-7"], 355, 678)
        rows = (CELLS[0], ("May", "12", "1,034.5"), ("June", "15", "-7"))
        assert read(make_pdf([lines + words])).content == write_table(rows)

    def test_items_in_a_cell_stay_apart(self) -> None:
        rows = (CELLS[0], ("Lamp", "Needs: • oil • a wick", "4 miles"), CELLS[2])
        words = place_cells([(row[0], "" if "•" in row[1] else row[1], row[2]) for row in rows])
        words += place_lines(["Needs:", "• oil", "• a wick"], 155, 678)
        content = read(make_pdf([draw_rows(XS, YS) + draw_columns(XS, YS) + words])).content
        assert "| Lamp | Needs:<br>• oil<br>• a wick | 4 miles |" in content

    def test_a_title_and_a_note_within_its_lines_are_none_of_it(self) -> None:
        ys = (740, *YS, 610)
        lines = draw_rows(XS, ys) + draw_columns((50, 450), ys) + draw_columns(XS, YS)
        page = lines + place("Signals of the Harbour", 55, 720, size=14, font=BOLD) + place_cells()
        content = read(make_pdf([page + place("As of last winter", 55, 618)])).content
        assert content == f"# Signals of the Harbour\n\n{write_table()}\nAs of last winter\n"

    def test_it_goes_on_on_the_next_page(self) -> None:
        first = draw_rows(XS, YS) + draw_columns(XS, YS) + place_cells()
        rows = (CELLS[0], ("Bell", "Calm", "2 miles"), ("Flag", "Pilot wanted", "3 miles"))
        second = draw_rows(XS, YS) + draw_columns(XS, YS) + place_cells(rows)
        text = read(make_pdf([first, second]))
        assert text.content == write_table((*CELLS, *rows[1:]))
        assert text.page_lines == [0, 4]

    def test_another_table_on_the_next_page_has_its_own_head(self) -> None:
        first = draw_rows(XS, YS) + draw_columns(XS, YS) + place_cells()
        rows, xs = (("Bell", "Calm"), ("Flag", "Storm")), (50, 250, 450)
        second = draw_rows(xs, YS[:3]) + draw_columns(xs, YS[:3]) + place_cells(rows, xs)
        assert read(make_pdf([first, second])).content == f"{write_table()}\n{write_table(rows)}"

    def test_answers_with_dots_are_no_contents_list(self) -> None:
        answers = [
            "YES . . . . . . . . . 1",
            "NO . . . . . . . . . . 2",
            "UNKNOWN . . . . . 3",
            "OTHER . . . . . . . 4",
        ]
        xs, ys = (50, 250, 450), (712, 690, 630, 570)
        page = draw_rows(xs, ys) + draw_columns(xs, ys) + place("Question", 55, 700) + place("Answer", 255, 700)
        page += place("Is the lamp lit?", 55, 675) + place("Is it seen?", 55, 615)
        page += place_lines(answers, 255, 678) + place_lines(answers, 255, 618)
        pages = [page, *(place_lines([answer.split()[0], "", *LINES], 50, 700) for answer in answers)]
        assert read(make_pdf(pages)).content.count("UNKNOWN") == 3

    def test_a_small_one_at_the_edge_of_pages_is_a_running_head(self) -> None:
        xs, ys = (50, 250, 450), (790, 775, 760)
        head = draw_rows(xs, ys) + draw_columns(xs, ys)
        head += place_cells((("Harbour rules", "Form 7"), ("Keeper", "In force")), xs, ys)
        pages = [head + place_lines(LINES, 50, 700 - 20 * number) for number in range(4)]
        assert "Harbour" not in read(make_pdf(pages)).content

    @pytest.mark.parametrize(
        "page",
        [
            draw_rows(XS, YS) + draw_columns(XS, YS) + place("One", 60, 695) + place("Two", 360, 640),
            draw_rows((50, 300, 550), (720, 500, 480))
            + draw_columns((50, 300, 550), (720, 500, 480))
            + place("Our Old Lighthouse", 55, 700, size=16)
            + place_lines(textwrap.wrap(PROSE, 40), 55, 680)
            + place("Tel. 12", 305, 700)
            + place("Ask", 55, 487)
            + place("us", 305, 487),
            draw_rows(XS, YS)
            + draw_columns(XS, YS)
            + place_lines(["docsmcp up", "docsmcp get"], 55, 700, font=CODE)
            + place_lines(["--port 80", "--all"], 155, 700, font=CODE)
            + place(LINES[0], 55, 750),
            draw_rows((50, 60, 550), (720, 700, 680))
            + draw_columns((50, 60, 550), (720, 700, 680))
            + place_lines(["1", "", "2"], 52, 705)
            + place("Lamp          Oil          Wick", 70, 705, before="20 Tw")
            + place("Horn          Air          Pipe", 70, 685, before="20 Tw"),
        ],
        ids=["drawing", "layout", "code in boxes", "columns that are not drawn"],
    )
    def test_other_lines_make_no_table(self, page: str) -> None:
        assert "| --- |" not in read(make_pdf([page])).content

    def test_lines_of_a_form_and_of_a_turned_page_are_where_they_are_seen(self) -> None:
        lines = draw_rows(XS, YS) + draw_columns(XS, YS)
        smaller = f"q 2 0 0 2 20 -700 cm {draw_rows([x / 2 for x in XS], [y / 2 for y in YS])} Q\n"
        shifted = [x + 20 for x in XS], [y - 700 for y in YS]
        form = make_pdf(["q 1 0 0 1 0 20 cm /X0 Do Q\n" + place_cells(ys=[y + 20 for y in YS])], forms=[lines])
        assert read(form).content == write_table()
        scaled = smaller + draw_columns(*shifted) + place_cells(CELLS, *shifted)
        assert read(make_pdf([f"q 1 0 0 1 0 700 cm {scaled} Q"])).content == write_table()
        assert read(make_pdf([turn_upright(lines + place_cells())])).content == write_table()

    def test_a_page_that_draws_very_much_is_read_without_its_tables(self) -> None:
        many = "".join(f"{x} 10 m {x} 20 l\n" for x in range(11_000)) + "S\n"
        content = read(make_pdf([many + draw_rows(XS, YS) + draw_columns(XS, YS) + place_cells()])).content
        assert "| --- |" not in content
        assert "Red lamp" in content

    def test_what_is_not_painted_is_no_line(self) -> None:
        clip = "".join(f"{x} {YS[-1]} {right - x} 80 re W n\n" for x, right in pairwise(XS))
        clip += "".join(f"50 {y} m 450 {y} l n\n" for y in YS)
        assert "| --- |" not in read(make_pdf([f"q {clip} Q {place_cells()}"])).content

    @pytest.mark.parametrize("columns", [99, 1_200])
    def test_a_net_of_lines_is_no_table_and_costs_little(self, columns: int) -> None:
        xs, ys = [50 + 4 * n for n in range(columns)], [700 - 4 * n for n in range(99)]
        page = draw_rows(xs, ys) + draw_columns(xs, ys) + place_lines(LINES, 50, 600)
        assert read(make_pdf([page])).content == f"{' '.join(LINES)}\n"


RULED = (
    ("Harbour", "Ships", "Lamps"),
    ("North quay", "1,204", "12"),
    ("Old mole of the bay", "87", "3"),
    ("South quay", "310", "5"),
)


def place_rows(rows: Sequence[Sequence[str]] = RULED, xs: Sequence[float] = (50, 250, 350), y: float = 700) -> str:
    """Lines with a spacing of 14 points, and room for a rule below the first."""
    return "".join(
        place(text, x, y - 14 * number - (6 if number else 0))
        for number, row in enumerate(rows)
        for x, text in zip(xs, row, strict=True)
    )


RULES = draw_rows((48, 400), (712, 694, 646))


class TestRuledTables:
    def test_columns_are_where_words_leave_room(self) -> None:
        assert read(make_pdf([RULES + place_rows()])).content == write_table(RULED)

    def test_a_cell_goes_on_below_itself(self) -> None:
        rows = (*RULED[:3], ("", "(and boats)", ""))
        content = read(make_pdf([RULES + place_rows(rows)])).content
        assert "| Old mole of the bay | 87 (and boats) | 3 |\n" in content

    def test_a_head_over_several_columns_is_a_row_of_its_own(self) -> None:
        rules = draw_rows((48, 400), (730, 694, 646))
        content = read(
            make_pdf(
                [rules + place("Season", 50, 716) + place("Counted last winter, by night", 250, 716) + place_rows()]
            )
        ).content
        assert content.startswith(
            "| Season | Counted last winter, by night |  |\n| --- | --- | --- |\n| Harbour | Ships | Lamps |\n"
        )

    def test_a_longer_text_in_few_rows_hides_no_column(self) -> None:
        rows = (
            *RULED,
            *(("Jetty", str(n), str(n)) for n in range(11)),
            ("Every quay that was built of stone since the war", "9", "9"),
        )
        rules = draw_rows((48, 400), (712, 694, 460))
        assert "| Jetty | 10 | 10 |\n" in read(make_pdf([rules + place_rows(rows)])).content

    def test_what_is_repeated_above_its_rules_is_a_running_head(self) -> None:
        head = draw_rows((48, 400), (760,)) + place("Harbour rules", 50, 745) + place("Part 7", 350, 745)
        pages = [head + place_lines(LINES, 50, 600 - 20 * n) for n in range(4)]
        pages[1] += RULES + place_rows()
        content = read(make_pdf(pages)).content
        assert "Harbour rules" not in content
        assert write_table(RULED) in content

    def test_a_running_head_may_be_cells_above_a_table(self) -> None:
        names = ("North", "South", "West", "Old mole")
        rules = draw_rows((48, 400), (724, 707, 689, 641))
        heads = "".join(place(text, x, 712) for text, x in (("Harbour rules", 50), ("Winter", 250), ("Part 7", 350)))
        pages = []
        for name in names:
            rows = (("Exhibit", name, "2"), *((f"{name} {word}", word, "1") for word in ("quay", "pier", "dock")))
            pages.append(rules + heads + place_rows(rows, y=695) + place_lines(LINES, 50, 600))
        content = read(make_pdf(pages)).content
        assert "Part 7" not in content
        assert "| West pier | pier | 1 |" in content

    def test_what_only_some_cells_repeat_is_no_running_head(self) -> None:
        names = ("North", "South", "West", "Old")
        rows = [((name, "Ships", "100"), *((f"{name} {n}", f"{n}", "100") for n in (1, 2))) for name in names]
        pages = [
            draw_rows((48, 400), (794, 774, 738)) + place_rows(own, y=780) + place_lines(LINES, 50, 600 - 20 * number)
            for number, own in enumerate(rows)
        ]
        assert read(make_pdf(pages)).content.count("| 100 |") == 3 * len(rows)

    @pytest.mark.parametrize(
        "page",
        [
            draw_rows((48, 400), (712, 646)) + place_rows(),
            RULES
            + place_rows((("Contents", "", ""), *((f"Part {n} . . . . . . . . . . .", "", str(n)) for n in range(3)))),
            RULES
            + "".join(
                place_lines([text, text, text, text, text], x, 700)
                for x, text in ((50, "one two three four five"), (230, "six seven eight nine ten"))
            ),
            RULES
            + "".join(
                place(f"run {n}      --all", 50, 700 - 14 * n, font=CODE) + place("--now", 300, 700 - 14 * n, font=CODE)
                for n in range(4)
            )
            + place_lines(LINES * 2, 50, 600),
            draw_rows((48, 400), (712, 706, 640))
            + place("Note", 50, 694)
            + place_lines(textwrap.wrap(PROSE, 50), 120, 694),
        ],
        ids=["head and foot of a page", "contents", "columns of text", "code", "paragraphs"],
    )
    def test_other_rules_make_no_table(self, page: str) -> None:
        assert "| --- |" not in read(make_pdf([page])).content

    def test_rules_of_other_widths_are_not_its_own(self) -> None:
        page = RULES + draw_rows((48, 300), (740,)) + place("Signals of the harbour", 50, 725) + place_rows()
        assert read(make_pdf([page])).content == f"Signals of the harbour\n\n{write_table(RULED)}"

    def test_many_columns_of_many_lines_are_found_in_linear_time(self) -> None:
        rules = [Ruling(at, 0, 1000) for at in (0, 500, 1000)]
        words = [
            PlacedText("1", 20 * column, 20 * column + 5, 999 - 0.5 * row, 0.5, False)
            for row in range(1_990)
            for column in range(50)
        ]
        (table,) = find_ruled_tables(rules, words, [])
        assert len(table.xs) == 51
        assert_linear(lambda words: find_ruled_tables(rules, words, []), words)
