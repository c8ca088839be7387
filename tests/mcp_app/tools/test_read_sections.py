"""The text of named sections: what a name means, and what is said of what has no room."""

from __future__ import annotations

import re

import pytest

from collections_app.models import Collection
from collections_app.parsing.tokens import estimate_tokens
from tests.factories import put
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
        assert 'next: read_sections(path="big.md", section_ids=["big/part-4"' in text

    def test_it_cuts_one_that_is_too_long_after_a_paragraph(self, call: CallTool, collection: Collection) -> None:
        put(collection, {"big.md": "# Big\n\n" + "One paragraph of some words.\n\n" * 3000})
        text = text_of(call("read_sections", path="big.md", section_ids=["big"], max_tokens=500))
        assert estimate_tokens(text) <= 500
        assert "One paragraph of some words.\n\n[cut after" in text
        assert ' of 90007 characters; next: get_doc_page(path="big.md", cursor="' in text

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

    def test_it_leads_to_what_is_left_out_beside_one_that_is_cut(self, call: CallTool, collection: Collection) -> None:
        put(collection, {"big.md": "".join(f"# Part {n}\n\n{'words ' * 900}\n\n" for n in range(3))})
        ids = ["part-0", "part-1", "part-2"]
        text = text_of(call("read_sections", path="big.md", section_ids=ids, max_tokens=500))
        assert 'next: read_sections(path="big.md", section_ids=["part-1", "part-2"])]' in text
