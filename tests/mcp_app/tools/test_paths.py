"""What holds for every path: a page that is there is read by it, and for one that is not others are suggested."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from collections_app.models import Collection
from tests.factories import make_collection, put
from tests.mcp_app.tools.conftest import CallTool, data_of, error_of, text_of

pytestmark = pytest.mark.django_db

names = st.text(
    st.characters(categories=["L", "N", "M"], include_characters=" -_.#%()&+,'", max_codepoint=0x2FFFF),
    min_size=1,
    max_size=20,
).filter(lambda name: name.strip(" .") == name)
paths = st.lists(names, min_size=1, max_size=4).map("/".join)
examples = settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])


@examples
@given(path=paths)
def test_a_page_that_is_there_is_read(call: CallTool, collection: Collection, path: str) -> None:
    [file] = put(collection, {f"{path}.md": "# Its heading\n\nIts gyroscope.\n"})
    assume(file.outcome in ("indexed", "unchanged", "duplicate"))
    for asked in (file.path, f"./{file.path}", f"manual:{file.path}"):
        assert "Its gyroscope." in text_of(call("get_doc_page", path=asked))


@examples
@given(path=paths)
def test_for_one_that_is_not_there_others_are_suggested(call: CallTool, collection: Collection, path: str) -> None:
    result = call("get_doc_page", path=f"{path}/not here")
    error = error_of(result)
    assert error["code"] == "DOCUMENT_NOT_FOUND"
    assert 1 <= len(error["details"]["suggestions"]) <= 5
    for suggested in error["details"]["suggestions"]:
        assert suggested in error["message"]
        assert not call("get_doc_page", path=suggested).get("isError")


@pytest.mark.parametrize("tool", ["get_doc_page", "read_sections", "table_of_contents"])
def test_who_names_another_collection_is_told_which_has_it(call: CallTool, collection: Collection, tool: str) -> None:
    put(make_collection("other", tenant=collection.tenant), {"own/page.md": "# Page\n"})
    ids = {"section_ids": ["page"]} if tool == "read_sections" else {}
    error = error_of(call(tool, path="own/page", collection="manual", **ids))
    assert error["message"] == "It is not in that collection, but here: other:own/page.md."
    assert error["details"]["suggestions"] == ["other:own/page.md"]
    assert not call(tool, path=error["details"]["suggestions"][0], **ids).get("isError")


class TestSuggestions:
    @pytest.mark.parametrize(
        ("path", "first"),
        [
            ("start/giude.md", "start/guide.md"),
            ("start/", "start/guide.md"),
            ("start/zzzzzz.md", "start/guide.md"),
            ("frequently asked questions", "faq.md"),
            ("zzz", "empty.md"),
            ("nothing.md", "empty.md"),
        ],
    )
    def test_they_are_close_paths_then_titles_then_folders_then_the_first(
        self, call: CallTool, collection: Collection, path: str, first: str
    ) -> None:
        put(collection, {"faq.md": "# Frequently asked questions\n"})
        error = error_of(call("get_doc_page", path=path))
        assert error["details"]["suggestions"][0] == first
        assert first in error["message"]
        assert ("There are, for example: " in error["message"]) == (first == "empty.md")

    @pytest.mark.parametrize(
        "page", ["https://docs.example.org/en/20/core/poolling", "core/poolling", "./core/poolling"]
    )
    @pytest.mark.parametrize("behind", ["", ".html", ".html#x", ".html?highlight=y&z=/a", ".html?y#x/y", "/", "/#x"])
    def test_they_do_not_depend_on_what_an_address_has_behind_its_path(
        self, call: CallTool, collection: Collection, page: str, behind: str
    ) -> None:
        put(collection, {"doc/build/core/pooling.rst": "Pooling\n=======\n\nWords.\n"})
        message = error_of(call("get_doc_page", path=page + behind))["message"]
        assert "The closest are: doc/build/core/pooling.rst." in message

    @pytest.mark.parametrize("behind", ["", "#x", "?highlight=y"])
    def test_they_do_not_depend_on_it_where_the_collection_is_named(
        self, call: CallTool, collection: Collection, behind: str
    ) -> None:
        put(make_collection("other", tenant=collection.tenant), {"doc/pooling.rst": "Pooling\n=======\n\nWords.\n"})
        message = error_of(call("get_doc_page", path=f"other:core/poolling.html{behind}"))["message"]
        assert "The closest are: other:doc/pooling.rst." in message

    @pytest.mark.parametrize("path", ["Why C#?.md", "F# by example.md"])
    def test_a_files_name_may_have_these_signs(self, call: CallTool, collection: Collection, path: str) -> None:
        put(collection, {path: "# Heading\n\nWords.\n"})
        asked = path.replace(".md", "x.md")
        assert error_of(call("get_doc_page", path=asked))["details"]["suggestions"] == [path]

    def test_they_name_the_collection_where_there_are_several(self, call: CallTool, collection: Collection) -> None:
        put(make_collection("other", tenant=collection.tenant), {"docs/one.md": "# One\n"})
        assert error_of(call("get_doc_page", path="docs/"))["details"]["suggestions"][0] == "other:docs/one.md"

    def test_an_empty_collection_has_none(self, call: CallTool, collection: Collection) -> None:
        make_collection("bare", tenant=collection.tenant)
        error = error_of(call("get_doc_page", path="zzz", collection="bare"))
        assert error["details"]["suggestions"] == []
        assert "list_doc_pages" in error["message"]

    def test_none_is_of_another_tenant(self, call: CallTool, collection: Collection) -> None:
        put(make_collection("secret"), {"zzz/plan.md": "# zzz\n"})
        suggestions = error_of(call("get_doc_page", path="zzz"))["details"]["suggestions"]
        assert data_of(call("list_doc_pages", format="json"))["total"] == len(suggestions)
