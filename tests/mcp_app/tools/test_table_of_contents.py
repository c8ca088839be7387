"""Which sections a page has, as an agent is told of them: all at once, or in pieces."""

from __future__ import annotations

import pytest

from collections_app.models import Collection
from collections_app.text.tokens import estimate_tokens
from tests.factories import put
from tests.mcp_app.tools.conftest import CallTool, data_of, iter_data, text_of

pytestmark = pytest.mark.django_db


class TestTableOfContents:
    def test_it_lists_sections_with_their_sizes(self, call: CallTool) -> None:
        text = text_of(call("table_of_contents", path="start/guide.md"))
        assert text.splitlines()[3:] == [
            "- Guide · section_id: guide · level 1 · 132 characters · 33 tokens",
            "  - Install · section_id: guide/install · level 2 · 70 characters · 18 tokens",
            "    - Linux · section_id: guide/install/linux · level 3 · 37 characters · 10 tokens",
            "  - Configure · section_id: guide/configure · level 2 · 30 characters · 8 tokens",
        ]

    def test_it_says_less_of_each_where_there_are_many(self, call: CallTool, collection: Collection) -> None:
        parts = "".join(f"## Part {n}\n\n### Detail {n}\n\nx\n\n" for n in range(90))
        put(collection, {"long.md": f"# Long\n\n{parts}"})
        lines = text_of(call("table_of_contents", path="long.md")).splitlines()
        assert lines[3:8] == [
            '[heading · section_id · tokens, subsections included; to read: read_sections(path="long.md", section_ids=["…"])]',
            "",
            f"- Long · long · {lines[5].rpartition(' ')[2]}",
            "  - Part 0 · part-0 · 7",
            "    - Detail 0 · detail-0 · 5",
        ]

    def test_each_section_is_read_by_the_id_that_is_shown(self, call: CallTool, collection: Collection) -> None:
        parts = "".join(
            f"## {part}\n\n### Usage\n\nof {part}\n\n#### 3. {part} more\n\nx\n\n" for part in ("One", "Two")
        )
        filler = "".join(f"## Filler {n}\n\nx\n\n" for n in range(120))
        anchored = "## Three {#one-more}\n\nx\n\n## One more\n\ny\n\n## 3\n\nz\n\n## Title\n\nw\n"
        put(collection, {"page.md": f"# Title\n\n{parts}{anchored}{filler}"})
        lines = [line.strip() for line in text_of(call("table_of_contents", path="page.md")).splitlines()]
        shown = [line.split(" · ")[1] for line in lines if line.startswith("- ")]
        sections = data_of(call("table_of_contents", path="page.md", format="json"))["sections"]
        assert "one/usage" in shown
        assert "one" in shown
        for name, section in list(zip(shown, sections, strict=True))[:14]:
            read = data_of(call("read_sections", path="page.md", section_ids=[name], format="json"))
            assert [(each["section_id"], "namesakes" in each) for each in read["sections"]] == [(section["id"], False)]

    @pytest.mark.parametrize("max_tokens", [100, 200, 1_000, 20_000])
    @pytest.mark.parametrize("form", ["markdown", "json"])
    def test_it_keeps_to_a_budget_with_the_highest_levels_first(
        self, call: CallTool, collection: Collection, form: str, max_tokens: int
    ) -> None:
        parts = "".join(f"## Part {n}\n\n" + "### Detail\n\nx\n\n" * 9 for n in range(40))
        put(collection, {"long.md": f"# Long\n\n{parts}"})
        result = call("table_of_contents", path="long.md", max_tokens=max_tokens, format=form)
        text = result["content"][0]["text"]
        assert estimate_tokens(text) <= max_tokens
        assert ("Detail" in text) == (max_tokens == 20_000)
        if form == "markdown" and max_tokens < 20_000:
            assert f'the rest: table_of_contents(path="long.md", max_tokens={max_tokens}, cursor="' in text

    def test_its_counts_are_those_of_what_is_read(self, call: CallTool) -> None:
        sections = data_of(call("table_of_contents", path="start/guide.md", format="json"))["sections"]
        assert [s["id"] for s in sections] == ["guide", "guide/install", "guide/install/linux", "guide/configure"]
        for section in sections:
            read = data_of(call("read_sections", path="start/guide.md", section_ids=[section["id"]], format="json"))
            content = read["sections"][0]["content"]
            assert section["character_count"] == len(content)
            assert section["tokens"] == estimate_tokens(content)

    def test_it_keeps_to_the_higher_levels_of_a_very_long_page(self, call: CallTool, collection: Collection) -> None:
        parts = "".join(
            f"## Part {n}\n\n" + "".join(f"### Detail {n} {m}\n\nx\n\n" for m in range(100)) for n in range(50)
        )
        put(collection, {"long.md": f"# Long\n\n{parts}"})
        text = text_of(call("table_of_contents", path="long.md"))
        assert estimate_tokens(text) <= 2_000
        assert [line.rpartition(" · ")[2] for line in text.splitlines() if "- Part " in line] == ["100 within"] * 50
        assert "- Detail " not in text
        assert "subsections included · how many within are not listed; to read: " in text
        assert "[5000 of 5051 sections left out; the rest: table_of_contents(path=" in text.splitlines()[-1]
        data = data_of(call("table_of_contents", path="long.md", format="json"))
        assert [section.get("sections_within") for section in data["sections"]] == [None] + [100] * 50
        assert "within" not in text_of(call("table_of_contents", path="long.md#part-7")).partition("- Part 7")[2]

    def test_without_a_budget_it_keeps_to_the_higher_levels_where_all_would_cost_much(
        self, call: CallTool, collection: Collection
    ) -> None:
        parts = "".join(f"### Part {m} of it\n\nText.\n\n" for m in range(8))
        put(collection, {"changes.md": "# Changes\n\n" + "".join(f"## Release {n}\n\n{parts}" for n in range(40))})
        text = text_of(call("table_of_contents", path="changes.md"))
        assert [line.rpartition(" · ")[2] for line in text.splitlines() if "- Release" in line] == ["8 within"] * 40
        assert "Part 3 of it" not in text
        assert "Part 3 of it" in text_of(call("table_of_contents", path="changes.md#release-7"))
        whole = text_of(call("table_of_contents", path="changes.md", max_tokens=8000))
        assert whole.count("Part 3 of it") == 40

    def test_without_a_budget_it_lists_all_where_the_higher_levels_say_little(
        self, call: CallTool, collection: Collection
    ) -> None:
        parts = "".join(f"### Part {m} of it\n\nText.\n\n" for m in range(40))
        put(collection, {"book.md": "# Book\n\n" + "".join(f"## Chapter {n}\n\n{parts}" for n in range(8))})
        text = text_of(call("table_of_contents", path="book.md"))
        assert text.count("Part 3 of it") == 8

    def test_where_it_has_few_groups_it_lists_the_first_sections_in_them(
        self, call: CallTool, collection: Collection
    ) -> None:
        details = "".join(f"### Detail of it number {m}\n\nx\n\n" for m in range(900))
        put(collection, {"long.md": f"# Long\n\n## One\n\n{details}## Two\n\n{details}"})
        lines = text_of(call("table_of_contents", path="long.md")).splitlines()
        assert 300 < sum("- Detail " in line for line in lines) < 700
        assert [line.rpartition(" · ")[2] for line in lines if "- Two" in line] == ["900 within"]

    def test_it_lists_what_is_within_the_section_that_the_address_names(
        self, call: CallTool, collection: Collection
    ) -> None:
        parts = "".join(
            f"## Part {n}\n\nw\n\n" + "".join(f"### Detail {n} {m}\n\nx\n\n" for m in range(3)) for n in range(4)
        )
        put(collection, {"long.md": f"# Long\n\n{parts}"})
        text = text_of(call("table_of_contents", path="long.md#part-2"))
        assert "· 4 sections · about " in text
        assert '[within section_id: long/part-2; the whole page: table_of_contents(path="long.md")]' in text
        assert [line.split(" ·")[0].strip() for line in text.splitlines() if line.strip().startswith("- ")] == [
            "- Part 2",
            "- Detail 2 0",
            "- Detail 2 1",
            "- Detail 2 2",
        ]
        assert text.splitlines()[-1] == 'Next: read_sections(path="long.md", section_ids=["long/part-2"])'
        data = data_of(call("table_of_contents", path="long.md#part-2", format="json"))
        assert [section["title"] for section in data["sections"]] == [
            "Part 2",
            "Detail 2 0",
            "Detail 2 1",
            "Detail 2 2",
        ]
        assert (data["within"], data["left_out"], data["next_cursor"]) == ("long/part-2", 0, None)

    @pytest.mark.parametrize("fragment", ["long", "part-1/detail"])
    def test_it_lists_all_where_that_is_all_or_has_nothing_within(
        self, call: CallTool, collection: Collection, fragment: str
    ) -> None:
        put(collection, {"long.md": "# Long\n\n## Part 1\n\n### Detail\n\nx\n\n## Part 2\n\ny\n"})
        data = data_of(call("table_of_contents", path=f"long.md#{fragment}", format="json"))
        assert (len(data["sections"]), "within" in data) == (4, False)

    def test_what_has_no_room_within_a_section_is_left_out_and_goes_on(
        self, call: CallTool, collection: Collection
    ) -> None:
        details = "".join(f"### Detail of it number {m}\n\nx\n\n" for m in range(600))
        put(collection, {"long.md": f"# Long\n\n## First\n\nw\n\n## Part\n\n{details}## Last\n\nw\n"})
        data = data_of(call("table_of_contents", path="long.md#part", format="json"))
        assert data["left_out"] == 601 - len(data["sections"]) > 0
        rest = data_of(call("table_of_contents", path="long.md", cursor=data["next_cursor"], format="json"))
        assert rest["sections"][0]["title"] == f"Detail of it number {len(data['sections']) - 1}"
        while rest["next_cursor"]:
            rest = data_of(call("table_of_contents", path="long.md", cursor=rest["next_cursor"], format="json"))
        assert (rest["sections"][-1]["title"], rest["left_out"]) == ("Detail of it number 599", 0)
        text = text_of(call("table_of_contents", path="long.md#part"))
        assert " of 601 sections left out; the rest: table_of_contents(" in text.splitlines()[-1]

    def test_its_pieces_name_every_section_of_a_very_long_page(self, call: CallTool, collection: Collection) -> None:
        parts = "".join(
            f"## Part {n}\n\n" + "".join(f"### Detail {n} {m}\n\nx\n\n" for m in range(100)) for n in range(12)
        )
        put(collection, {"long.md": f"# Long\n\n{parts}", "flat.md": "## Flat\n\nx\n\n" * 900})
        for path, count in (("long.md", 1 + 12 + 1_200), ("flat.md", 900)):
            ids: set[str] = set()
            for data in iter_data(call, "table_of_contents", path=path):
                found = [section["id"] for section in data["sections"]]
                assert len(found) > 100 or data["next_cursor"] is None or not ids
                ids |= set(found)
            assert len(ids) == count

    def test_it_fills_its_room_with_the_first_sections_of_a_flat_page(
        self, call: CallTool, collection: Collection
    ) -> None:
        versions = "".join(f"## Version 1.{n}.0 released\n\nfix {n}\n\n" for n in range(600))
        put(collection, {"changes.md": f"# Changelog of the product\n\n{versions}"})
        first = text_of(call("table_of_contents", path="changes.md"))
        assert 7_900 < estimate_tokens(first) <= 8_000
        cursor = first.rpartition('cursor="')[2].partition('"')[0]
        second = text_of(call("table_of_contents", path="changes.md", cursor=cursor))
        last = [line.split(" released")[0].strip() for line in first.splitlines() if "Version" in line][-1]
        number = int(last.split(".")[1])
        assert f"- Version 1.{number + 1}.0 released" in second.splitlines()[5]
        assert "left out" not in second
        assert "- Version 1.599.0 released" in second

    def test_it_says_how_to_read_a_section_that_is_more_than_one_answer(
        self, call: CallTool, collection: Collection
    ) -> None:
        pages = {
            "long.txt": "A line of a manual.\n\n" * 2_000,
            "parts.md": "# Parts\n\n" + "## Part\n\nWords.\n\n" * 3_000,
        }
        put(collection, pages)
        advice = 'get_doc_page(path="long.txt", near="words of what you look for", max_tokens=1000)'
        assert text_of(call("table_of_contents", path="long.txt")).endswith(f"say where to begin: {advice}")
        assert "say where to begin" not in text_of(call("table_of_contents", path="parts.md"))
        assert "say where to begin" not in text_of(call("table_of_contents", path="start/guide.md"))

    def test_it_names_the_only_section_however_long_its_heading_is(
        self, call: CallTool, collection: Collection
    ) -> None:
        put(collection, {"wide.md": f"# {'文' * 10_000}\n\nThe text.\n"})
        text = text_of(call("table_of_contents", path="wide.md"))
        assert estimate_tokens(text) <= 8_000
        assert "empty" not in text
        section = data_of(call("table_of_contents", path="wide.md", format="json"))["sections"][0]
        assert "The text." in text_of(
            call("read_sections", path="wide.md", section_ids=[section["id"]], max_tokens=20_000)
        )

    @pytest.mark.parametrize(
        ("path", "section_id"),
        [
            ("long.md#chapter-1", "long/chapter-1"),
            ("long.md#chapter-0", None),  # no read has room for it
            ("long.md#long", None),
            ("long.md", None),
            ("huge.md", None),
            ("start/guide.md", None),
        ],
    )
    def test_it_recommends_what_the_address_names_and_never_a_whole_page(
        self, call: CallTool, collection: Collection, path: str, section_id: str | None
    ) -> None:
        chapters = "".join(f"## Chapter {n}\n\n{'some words ' * length}\n\n" for n, length in enumerate((9_000, 90, 9)))
        put(collection, {"long.md": f"# Long\n\n{chapters}", "huge.md": f"# Huge\n\n{'word ' * 9_000}\n"})
        recommended = text_of(call("table_of_contents", path=path)).partition("Next: ")[2]
        expected = f'read_sections(path="long.md", section_ids=["{section_id}"])' if section_id else ""
        assert recommended == expected

    def test_it_says_which_sections_have_no_heading(self, call: CallTool, collection: Collection) -> None:
        put(collection, {"odd.md": "# Odd\n\n##\n\nWords.\n"})
        text = text_of(call("table_of_contents", path="odd.md"))
        assert "  - (no heading) · section_id: odd/section · level 2 · 11 characters · 3 tokens" in text
        assert "\nmanual · odd.md · 2 sections · about " in text
        put(collection, {"one.md": "# O\n"})
        assert "· 1 section · about 1 token\n" in text_of(call("table_of_contents", path="one.md"))

    def test_it_says_that_an_empty_page_is_empty(self, call: CallTool) -> None:
        assert "This document is empty." in text_of(call("table_of_contents", path="empty.md"))
