"""The text of named sections: what a name means, and what is said of what has no room."""

from __future__ import annotations

import re
import unicodedata

import pytest

from collections_app.documents import sections
from collections_app.models import Collection
from collections_app.text.tokens import estimate_tokens
from tests.factories import make_collection, put
from tests.mcp_app.tools.conftest import CallTool, data_of, error_of, text_of

pytestmark = pytest.mark.django_db


class TestReadSections:
    def test_it_gives_a_section_with_its_subsections(self, call: CallTool) -> None:
        text = text_of(call("read_sections", path="start/guide.md", section_ids=["guide/install"]))
        assert "Unpack the archive." in text
        assert "Use the package manager." in text
        assert "Write the file." not in text

    def test_it_does_not_repeat_a_child_asked_for_with_its_parent(self, call: CallTool) -> None:
        ids = ["guide/install/linux", "guide/install"]
        assert (
            text_of(call("read_sections", path="start/guide.md", section_ids=ids)).count("Use the package manager.")
            == 1
        )

    @pytest.mark.parametrize("name", ["guide/configure", "configure", "#configure", "Configure", "GUIDE/CONFIGURE"])
    def test_it_knows_a_section_by_its_id_last_part_or_heading(self, call: CallTool, name: str) -> None:
        assert "Write the file." in text_of(call("read_sections", path="start/guide", section_ids=name))

    def test_it_names_close_ids_for_one_that_is_not_there(self, call: CallTool) -> None:
        error = error_of(call("read_sections", path="start/guide.md", section_ids=["guide/instal"]))
        assert error["code"] == "SECTION_NOT_FOUND"
        assert "guide/install" in error["message"]

    @pytest.mark.parametrize("section_id", ["tides/high-water", "high-water", "ebb/high-water"])
    def test_it_names_the_page_that_has_the_section(
        self, call: CallTool, collection: Collection, section_id: str
    ) -> None:
        put(collection, {"tides.md": "# Tides\n\n## High water\n\nTwice a day.\n"})
        error = error_of(call("read_sections", path="start/guide.md", section_ids=[section_id]))
        assert 'Another page has one: get_doc_page(path="tides.md#high-water").' in error["message"]

    def test_of_several_pages_it_names_the_one_with_the_same_id(self, call: CallTool, collection: Collection) -> None:
        names = ("tides", "winds", "sails", "boats")
        put(collection, {f"{name}.md": f"# {name}\n\n## Usage\n\nWords of {name}.\n" for name in names})
        told = error_of(call("read_sections", path="start/guide.md", section_ids=["sails/usage"]))["message"]
        assert 'get_doc_page(path="sails.md#usage")' in told
        assert (
            "Another page" not in error_of(call("read_sections", path="start/guide.md", section_ids="usage"))["message"]
        )

    @pytest.mark.parametrize("tool", ["read_sections", "get_doc_page"])
    def test_it_gives_those_that_are_there_and_names_the_others(self, call: CallTool, tool: str) -> None:
        asked = {"path": "start/guide.md", "section_ids": ["nope", "configure", "guide/instal"]}
        text = text_of(call(tool, **asked))
        assert "guide.md" in text.splitlines()[0]
        assert re.search(
            r'\n\n\[not here: "nope"(?: \(.*?\))?; "guide/instal" \(the closest: guide/install.*\)\]\n\n', text
        )
        assert text.endswith("Write the file.")
        data = data_of(call(tool, format="json", **asked))
        assert [each["section_id"] for each in data["sections"]] == ["guide/configure"]
        assert [each["name"] for each in data["missing"]] == ["nope", "guide/instal"]
        assert data["missing_count"] == 2
        assert data["missing"][1]["close"][0] == "guide/install"
        assert "missing" not in data_of(call(tool, path="start/guide.md", section_ids="configure", format="json"))

    def test_it_names_those_of_a_list_in_one_text_too(self, call: CallTool) -> None:
        data = data_of(call("read_sections", path="start/guide.md", section_ids="nope, configure", format="json"))
        assert [each["section_id"] for each in data["sections"]] == ["guide/configure"]
        assert [each["name"] for each in data["missing"]] == ["nope"]
        error = error_of(call("read_sections", path="start/guide.md", section_ids="nope, neither"))
        assert error["code"] == "SECTION_NOT_FOUND"

    def test_close_ids_are_looked_for_of_the_first_of_many(
        self, call: CallTool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        looked_for: list[str] = []

        def find_close_ids(outline: object, name: str) -> list[str]:
            looked_for.append(name)
            return ["close"]

        monkeypatch.setattr(sections, "find_close_ids", find_close_ids)
        names = [f"nope-{number:02}" for number in range(99)]
        error_of(call("read_sections", path="start/guide.md", section_ids=names))
        assert looked_for == names[:10]
        data = data_of(call("read_sections", path="start/guide.md", section_ids=["configure", *names], format="json"))
        assert (data["missing"][0]["close"], data["missing_count"]) == (["close"], 99)
        assert looked_for == names[:10] * 2

    def test_it_refuses_where_none_is_there_and_names_what_is_close_to_each(self, call: CallTool) -> None:
        error = error_of(call("read_sections", path="start/guide.md", section_ids=["guide/instal", "guide/confgure"]))
        assert error["code"] == "SECTION_NOT_FOUND"
        assert "has no section 'guide/instal' or 'guide/confgure'." in error["message"]
        assert {"guide/install", "guide/configure"} <= set(error["details"]["suggestions"])

    @pytest.mark.parametrize(
        ("name", "near"),
        [
            ("set rig", "set rig"),
            ("Set-Rig", "set rig"),
            ("boom-vang-size", "boom-vang size"),
            ("keywords/set rig", "set rig"),
            ("--jib=<n>", "--jib=<n>"),
            ("old sail", "old sail"),
            ("et rig", None),
            ("-/-", None),
            ("rig set", None),
            ("set.rig", None),
        ],
    )
    def test_where_a_name_of_none_is_among_the_words_it_says_how_to_begin_there(
        self, call: CallTool, collection: Collection, name: str, near: str | None
    ) -> None:
        terms = "set rig [ --jib=<n> ]\n  Whether there is an old\n  sail.\n\nboom-vang size\n  Its size.\n"
        put(collection, {"rig.txt": f"Rig\n===\n\n{terms}"})
        message = error_of(call("read_sections", path="rig.txt", section_ids=["neither", name]))["message"]
        said = f'. Its text has these words: get_doc_page(path="rig.txt", near="{near}", max_tokens=1000). table_of_'
        assert (said in message) is (near is not None)
        assert ("get_doc_page" in message) is (near is not None)

    @pytest.mark.parametrize("form", ["markdown", "json"])
    @pytest.mark.parametrize("name", ["x", "guide/instal", "長" * 300, "a b" * 300])
    @pytest.mark.parametrize("max_tokens", [100, 200, 1_000])
    def test_names_of_none_are_told_within_the_budget(
        self, call: CallTool, collection: Collection, name: str, form: str, max_tokens: int
    ) -> None:
        put(collection, {"long.md": "# Long\n\n" + "".join(f"## Part {n}\n\n{'words ' * 200}\n\n" for n in range(90))})
        ids = ["part-7", *(f"{name}{n}" for n in range(99))]
        result = call("read_sections", path="long.md", section_ids=ids, max_tokens=max_tokens, format=form)
        text = result["content"][0]["text"]
        assert estimate_tokens(text) <= max_tokens
        assert "words words" in text
        if form == "markdown":
            assert re.search(r"; nor \d\d more names\]", text)
        else:
            assert data_of(result)["missing"]

    @pytest.mark.parametrize("name", ["chunk size", "Chunk Size", "chunk-size", "#chunk-size", "guide.md#chunk-size"])
    def test_it_knows_a_section_by_its_heading_without_the_number(
        self, call: CallTool, collection: Collection, name: str
    ) -> None:
        put(
            collection,
            {"guide.md": "# Guide\n\n## 2.5 Chunk size\n\nSmall ones.\n\n## 3. Scope\n\n## 4. Scope\n\n## 5.\n"},
        )
        assert "Small ones." in text_of(call("read_sections", path="guide.md", section_ids=[name]))
        for unknown in ("scope", "section"):
            error = error_of(call("read_sections", path="guide.md", section_ids=[unknown]))
            assert error["code"] == "SECTION_NOT_FOUND"

    def test_a_heading_that_is_called_so_goes_before_one_that_has_a_number_too(
        self, call: CallTool, collection: Collection
    ) -> None:
        put(collection, {"guide.md": "# Guide\n\n## 1. Scope\n\nFirst.\n\n## Scope\n\nSecond.\n"})
        text = text_of(call("read_sections", path="guide.md", section_ids=["Scope"]))
        assert "Second." in text
        assert "First." not in text

    def test_it_refuses_what_is_no_id(self, call: CallTool) -> None:
        assert (
            error_of(call("read_sections", path="start/guide.md", section_ids=["  "]))["code"] == "INVALID_SECTION_ID"
        )

    def test_it_leaves_whole_sections_out_and_says_how_to_get_them(
        self, call: CallTool, collection: Collection
    ) -> None:
        put(
            collection,
            {"big.md": "# Big\n\n" + "".join(f"## Part {n}\n\n{'words of it ' * 150}\n\n" for n in range(9))},
        )
        ids = [f"big/part-{n}" for n in range(9)]
        text = text_of(call("read_sections", path="big.md", section_ids=ids, max_tokens=2000))
        assert estimate_tokens(text) <= 2000
        assert "left out to stay within the budget: 5 sections" in text
        assert 'next: get_doc_page(path="big.md", max_tokens=2000, cursor="' in text

    def test_it_cuts_one_that_is_too_long_after_a_paragraph(self, call: CallTool, collection: Collection) -> None:
        put(collection, {"big.md": "# Big\n\n" + "One paragraph of some words.\n\n" * 3000})
        text = text_of(call("read_sections", path="big.md", section_ids=["big"], max_tokens=500))
        assert estimate_tokens(text) <= 500
        assert "One paragraph of some words.\n\n[cut after" in text
        assert ' of 90007 characters; next: get_doc_page(path="big.md", max_tokens=500, cursor="' in text

    @pytest.mark.parametrize("form", ["markdown", "json"])
    @pytest.mark.parametrize("heading", ["", "### Part 1\n\n", "### Part 1\n\n#### Inside\n\n"])
    def test_it_leads_on_from_where_one_that_is_too_long_is_cut(
        self, call: CallTool, collection: Collection, form: str, heading: str
    ) -> None:
        lines = "".join(f"Line {n} of what is long.\n\n" for n in range(3000))
        content = f"# Big\n\nBefore.\n\n## Long\n\nIts own words.\n\n{heading}{lines}"
        put(collection, {"big.md": content})
        given = {"path": "big.md", "section_ids": ["big/long"], "max_tokens": 500, "format": form}
        if form == "json":
            data = data_of(call("read_sections", **given))
            assert data["cut"] == "big/long"
            read, cursor = data["sections"][0]["content"], data["next_cursor"]
        else:
            text = text_of(call("read_sections", **given))
            [(read, cursor)] = re.findall(r"(## Long.*)\n\n\[cut after .*, cursor=\"(.*)\"\)\]\Z", text, re.DOTALL)
        following = data_of(call("get_doc_page", path="big.md", cursor=cursor, format="json"))["content"]
        assert "Line 9 of" in read
        assert f"{read.rstrip()}\n\n{following}" in content

    @pytest.mark.parametrize("tool", ["read_sections", "get_doc_page"])
    @pytest.mark.parametrize("max_tokens", [300, 1500])
    @pytest.mark.parametrize("chosen", [[0, 1], [1, 2, 4], [5], list(range(6))])
    def test_what_its_cursor_leads_through_is_the_rest_of_what_was_asked_for(
        self, call: CallTool, collection: Collection, tool: str, max_tokens: int, chosen: list[int]
    ) -> None:
        parts = [f"## Part {n}\n\n" + f"### Detail\n\n{f'Words of {n}. ' * 90}\n\n" * 2 for n in range(6)]
        put(collection, {"big.md": "# Big\n\n" + "".join(parts) + "# After\n\n" + "x " * 9_000})
        ids = [f"big/part-{n}" for n in chosen]
        given = {"path": "big.md", "max_tokens": max_tokens, "format": "json"}
        data = data_of(call(tool, **given, sections=ids))
        pieces = [section["content"] for section in data["sections"]]
        while cursor := data.get("next_cursor"):
            data = data_of(call("get_doc_page", **given, cursor=cursor))
            pieces.append(data["content"])
        assert "".join(pieces) == "".join(parts[n] for n in chosen)
        assert max_tokens > 300 or len(pieces) > len(chosen)

    def test_its_next_call_leads_through_all_that_was_asked_for(self, call: CallTool, collection: Collection) -> None:
        put(collection, {"many.md": "# Many\n\n" + "".join(f"## Part {n}\n\n{'words ' * 99}\n\n" for n in range(300))})
        ids = [f"many/part-{n}" for n in range(0, 300, 3)]
        text = text_of(call("read_sections", path="many.md", section_ids=ids))
        assert "left out to stay within the budget: " in text
        found = re.findall(r"## Part (\d+)\n", text)
        while match := re.search(r'next: get_doc_page\(path="many.md", cursor="(.*)"\)]', text):
            text = text_of(call("get_doc_page", path="many.md", cursor=match[1]))
            assert estimate_tokens(text) <= 8_000
            found += re.findall(r"## Part (\d+)\n", text)
        assert found == [str(n) for n in range(0, 300, 3)]

    @pytest.mark.parametrize("form", ["markdown", "json"])
    def test_where_a_small_budget_has_no_room_for_all_places_the_first_that_is_not_reached_is_named(
        self, call: CallTool, collection: Collection, form: str
    ) -> None:
        put(collection, {"many.md": "# Many\n\n" + "".join(f"## Part {n}\n\n{'words ' * 99}\n\n" for n in range(300))})
        wanted = list(range(0, 300, 3))
        ids = [f"many/part-{n}" for n in wanted]
        result = call("read_sections", path="many.md", section_ids=ids, max_tokens=600, format=form)
        if form == "json":
            data = data_of(result)
            cursor, unreached = data["next_cursor"], data["then_from"]
        else:
            [(cursor, unreached)] = re.findall(r'cursor="(.*)"\); then read_sections, from (\S+) on]', text_of(result))
        numbers = [int(n) for n in re.findall(r"## Part (\d+)(?:\n|\\n)", result["content"][0]["text"])]
        while cursor:
            data = data_of(call("get_doc_page", path="many.md", cursor=cursor, format="json"))
            numbers += [int(n) for n in re.findall(r"## Part (\d+)\n", data["content"])]
            cursor = data["next_cursor"]
        assert numbers == wanted[: len(numbers)]
        assert unreached == f"many/part-{wanted[len(numbers)]}"

    @pytest.mark.parametrize("form", ["markdown", "json"])
    @pytest.mark.parametrize("max_tokens", [100, 110, 130, 170, 250, 400])
    @pytest.mark.parametrize("words", [9, 900])
    def test_sections_here_and_there_keep_to_the_budget(
        self, call: CallTool, collection: Collection, words: int, max_tokens: int, form: str
    ) -> None:
        parts = "".join(f"## A part of it that is called {n}\n\n{'words ' * words}\n\n" for n in range(200))
        put(collection, {"a/folder/with/a/name/many.md": f"# Many\n\n{parts}"})
        put(make_collection("other", tenant=collection.tenant), {"a.md": "# A\n"})
        ids = [f"many/a-part-of-it-that-is-called-{n}" for n in range(0, 200, 2)]
        given = {"path": "a/folder/with/a/name/many.md", "section_ids": ids, "max_tokens": max_tokens, "format": form}
        assert estimate_tokens(call("read_sections", **given)["content"][0]["text"]) <= max_tokens

    def test_a_name_of_several_sections_means_the_first_and_names_the_others(
        self, call: CallTool, collection: Collection
    ) -> None:
        systems = [f"## System {n}\n\n### Install\n\nOn {n}.\n\n" for n in range(4)]
        put(collection, {"twice.md": "# Twice\n\n" + "".join(systems)})
        text = text_of(call("read_sections", path="twice.md", section_ids=["Install"]))
        others = [f"twice/system-{n}/install" for n in (1, 2, 3)]
        assert (
            f"[section_id: twice/system-0/install; others of that name: {', '.join(others)}]\n\n### Install\n\nOn 0."
            in text
        )
        data = data_of(call("read_sections", path="twice.md", section_ids=["Install"], format="json"))
        assert data["sections"][0]["namesakes"] == others
        exact = text_of(call("read_sections", path="twice.md", section_ids=["twice/system-1/install"]))
        assert "others of that name" not in exact

    @pytest.mark.parametrize(
        "name",
        [
            "Guide › Install",
            "A title › Guide › Install",
            "## Install",
            "start/guide.md#install",
            "manual:start/guide#guide/install",
            ["guide/install"],
            "guide/install/linux, guide/install",
            "Linux, Install",
        ],
    )
    def test_it_takes_a_name_as_answers_print_it_and_as_models_write_it(self, call: CallTool, name: object) -> None:
        text = text_of(call("read_sections", path="start/guide.md", section_ids=name))
        assert "[section_id: guide/install]\n\n## Install" in text
        assert "Write the file." not in text

    def test_a_comma_of_a_heading_makes_no_list(self, call: CallTool, collection: Collection) -> None:
        put(collection, {"list.md": "# List\n\n## Install, configure\n\nBoth.\n\n## Install\n\nOne.\n"})
        text = text_of(call("read_sections", path="list.md", section_ids="Install, configure"))
        assert "Both." in text
        assert "One." not in text

    @pytest.mark.parametrize("form", ["NFC", "NFD"])
    def test_it_knows_an_id_in_either_form_of_unicode(self, call: CallTool, collection: Collection, form: str) -> None:
        put(collection, {"cafe.md": "# Men\u00fc\n\n## Caf\u00e9\n\nOne.\n\n## Pure\u0301e\n\nTwo.\n"})
        ids = [unicodedata.normalize(form, name) for name in ("men\u00fc/caf\u00e9", "men\u00fc/pur\u00e9e")]  # type: ignore[arg-type]
        text = text_of(call("read_sections", path="cafe.md", section_ids=ids))
        assert "One." in text
        assert "Two." in text

    def test_it_prints_a_call_that_means_the_page_where_a_section_is_not_there(
        self, call: CallTool, collection: Collection
    ) -> None:
        put(make_collection("odd", tenant=collection.tenant), {"faq.md": "# Other\n"})
        error = error_of(call("read_sections", path="odd:faq.md", section_ids=["qqq"]))
        assert 'table_of_contents(path="odd:faq.md") lists those there are.' in error["message"]
        assert not call("table_of_contents", path=error["details"]["path"]).get("isError")
        assert (
            'table_of_contents(path="odd:faq.md")'
            in error_of(call("read_sections", path="odd:faq.md", section_ids=["#"]))["message"]
        )

    @pytest.mark.parametrize("max_tokens", [100, 110, 130, 200, 400])
    @pytest.mark.parametrize("opening", ["```", "```typescript", "- ````typescript", "> ~~~~~~~~ restructuredtext"])
    def test_what_closes_its_code_counts(
        self, call: CallTool, collection: Collection, opening: str, max_tokens: int
    ) -> None:
        prefix = "> " if opening.startswith(">") else "  "
        put(collection, {"code.md": f"# Code\n\n{opening}\n" + f"{prefix}x = f(y)\n" * 900})
        text = text_of(call("read_sections", path="code.md", section_ids=["code"], max_tokens=max_tokens))
        assert estimate_tokens(text) <= max_tokens
