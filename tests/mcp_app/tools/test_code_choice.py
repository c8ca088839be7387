"""Of code in several languages that of one is read."""

from __future__ import annotations

import re

import pytest

from collections_app.models import Collection
from collections_app.text.tokens import estimate_tokens
from tests.factories import put
from tests.mcp_app.tools.conftest import CallTool, data_of, error_of, text_of

pytestmark = pytest.mark.django_db

NAMES = {"go": "Go", "java": "Java", "python": "Python"}


def show(call: str) -> str:
    return "".join(f"**{name}**\n\n```{language}\n{language}.{call}\n```\n\n" for language, name in NAMES.items())


SAILS = f"# Sails\n\nBefore.\n\n{show('prepare()')}## Hoist\n\nPull the halyard.\n\n{show('hoist()')}## Lower\n\nLet it go.\n"
LONG = "# Sails\n\n" + "".join(f"## Sail {n}\n\nOf sail {n}.\n\n{show(f'hoist({n})')}" for n in range(60))


@pytest.fixture(autouse=True)
def pages(collection: Collection) -> None:
    put(collection, {"sails.md": SAILS, "long.md": LONG})


class TestSections:
    def test_the_languages_are_told_and_one_of_them_can_be_read_alone(self, call: CallTool) -> None:
        whole = text_of(call("read_sections", path="sails.md", section_ids=["sails/hoist"]))
        assert '[code in go, java, python: read with code="go" it is that alone]' in whole
        text = text_of(call("read_sections", path="sails.md", section_ids=["sails"], code="py"))
        assert "python.prepare()" in text
        assert "python.hoist()" in text
        assert "**Python**" in text
        assert "Let it go." in text
        assert not re.search(r"go\.(prepare|hoist)|java|Java", text)
        assert "[where code is in several languages, python alone]" in text

    def test_nothing_is_told_where_there_is_no_choice(self, call: CallTool) -> None:
        assert "[code in" not in text_of(call("read_sections", path="sails.md", section_ids=["sails/lower"]))
        assert "code_languages" not in data_of(
            call("read_sections", path="sails.md", section_ids=["sails/lower"], format="json")
        )

    def test_data_says_it_too(self, call: CallTool) -> None:
        asked = {"path": "sails.md", "section_ids": ["sails/hoist"], "format": "json"}
        assert data_of(call("read_sections", **asked))["code_languages"] == ["go", "java", "python"]
        data = data_of(call("read_sections", **asked, code="java"))
        assert data["code"] == "java"
        assert data["sections"][0]["content"].count("```") == 2
        assert data["sections"][0]["tokens"] == estimate_tokens(data["sections"][0]["content"])

    def test_one_language_of_many_sections_has_room_where_all_have_not(self, call: CallTool) -> None:
        asked = {"path": "long.md", "section_ids": ["sails"], "format": "json", "max_tokens": 1700}
        assert "next_cursor" in data_of(call("read_sections", **asked))
        assert "next_cursor" not in data_of(call("read_sections", **asked, code="go"))

    def test_what_is_no_language_is_refused(self, call: CallTool) -> None:
        for tool in ("read_sections", "get_doc_page"):
            error = error_of(call(tool, path="sails.md", sections=["sails"], code="text"))
            assert "is no language" in error["message"]


class TestPages:
    @pytest.mark.parametrize("begin", ["get_doc_page", "read_sections"])
    def test_the_pieces_joined_are_the_page_with_that_code_alone(self, call: CallTool, begin: str) -> None:
        named = {"section_ids": ["sails"]} if begin == "read_sections" else {}
        data = data_of(call(begin, path="long.md", code="java", format="json", max_tokens=500, **named))
        pieces = [data["sections"][0]["content"] if named else data["content"]]
        while cursor := data.get("next_cursor"):
            data = data_of(
                call("get_doc_page", path="long.md", code="java", format="json", max_tokens=500, cursor=cursor)
            )
            pieces.append(data["content"])
        assert len(pieces) > 2
        whole = "".join(pieces)
        assert whole.count("java.hoist(") == whole.count("```java") == 60
        assert "python" not in whole
        assert "Of sail 59." in whole

    def test_the_next_call_names_the_language_and_its_cursor_is_good_for_that_alone(self, call: CallTool) -> None:
        text = text_of(call("get_doc_page", path="long.md", code="go", max_tokens=500))
        assert "[where code is in several languages, go alone]" in text
        following = re.search(r'next: get_doc_page\(path="long.md", code="go", max_tokens=500, cursor="(.*)"\)', text)
        assert following
        assert not call("get_doc_page", path="long.md", code="golang", cursor=following[1]).get("isError")
        error = error_of(call("get_doc_page", path="long.md", cursor=following[1]))
        assert "cursor is not valid here" in error["message"]

    def test_it_begins_near_words(self, call: CallTool) -> None:
        text = text_of(call("get_doc_page", path="long.md", near="sail 40", code="python", max_tokens=400))
        assert "python.hoist(40)" in text
        assert "go.hoist" not in text


class TestSearch:
    def test_who_searches_for_code_reads_it_alone(self, call: CallTool) -> None:
        text = text_of(call("search_docs", query="hoist halyard", code="python"))
        next_call = 'Next: read_sections(path="sails.md", section_ids=["sails/hoist"], code="python")'
        assert text.endswith(next_call)
        again = text_of(call("search_docs", query="hoist halyard", code="python"))
        assert again.endswith(next_call)

    def test_the_choice_is_told_before_it_costs(self, call: CallTool) -> None:
        told = ' (code in go, java, python: with code="go" that alone)'
        text = text_of(call("search_docs", query="hoist halyard"))
        assert text.endswith(f'Next: read_sections(path="sails.md", section_ids=["sails/hoist"]){told}')
        assert told not in text_of(call("search_docs", query="hoist halyard", code="python"))
        assert told not in text_of(call("search_docs", query="lower let it go", limit=1))
        hits = data_of(call("search_docs", query="hoist halyard or lower", format="json"))["results"]
        languages = {hit["section_id"]: hit.get("code_languages") for hit in hits}
        assert languages["sails/hoist"] == ["go", "java", "python"]
        assert languages["sails/lower"] is None
