"""What holds for every tool, through the dispatcher that serves them."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache

from collections_app.access.principal import Principal, Scope
from collections_app.catalog.names import ASK_FOR_KEY, NOTHING_VISIBLE
from collections_app.models import ApiKey, Collection, Document
from mcp_app.tools import TOOLS
from tests.factories import make_collection, make_principal, make_tenant, put
from tests.mcp_app.tools.conftest import CallTool, data_of, error_of, text_of

pytestmark = pytest.mark.django_db


def test_the_list_of_tools_stays_small() -> None:
    listed = json.dumps([tool.describe() for tool in TOOLS], separators=(",", ":"))
    assert len(listed) < 8_000


class TestSlugsOfSeveralTenants:
    @pytest.fixture(autouse=True)
    def handbooks(self, db: None) -> None:
        for tenant, word in (("acme", "gyroscope"), ("umbrella", "gyroscope turbine")):
            put(make_collection("handbook", tenant=make_tenant(tenant), is_public=True), {"a.md": f"# A\n\n{word}\n"})

    def test_the_list_names_their_tenants(self, call: CallTool) -> None:
        text = text_of(call("list_collections", principal=Principal(), include=["context"]))
        assert "- **acme/handbook** · " in text
        assert "- **umbrella/handbook** · " in text
        assert '"collections":["acme/handbook","umbrella/handbook"]' in text

    def test_an_empty_search_says_where_it_looked_and_where_the_word_is(self, call: CallTool) -> None:
        text = text_of(call("search_docs", principal=Principal(), query="zebra"))
        assert 'No section was found for "zebra" in acme/handbook, umbrella/handbook.' in text
        given = {"principal": Principal(), "query": "turbine", "collection": "acme/handbook"}
        text = text_of(call("search_docs", **given))
        assert 'for "turbine" in acme/handbook.' in text
        assert "; in umbrella/handbook (1)" in text
        assert 'Next: search_docs(query="turbine", collection="umbrella/handbook")' in text

    def test_the_data_of_an_empty_search_has_each_of_them(self, call: CallTool) -> None:
        put(make_collection("other", tenant=make_tenant("third"), is_public=True), {"b.md": "# B\n\nwords\n"})
        given = {"principal": Principal(), "query": "gyroscope", "collection": "other", "format": "json"}
        [word] = data_of(call("search_docs", **given))["words"]
        assert word["elsewhere"] == {"acme/handbook": 1, "umbrella/handbook": 1}

    def test_a_wrong_name_is_answered_with_theirs(self, call: CallTool) -> None:
        message = error_of(call("list_doc_pages", principal=Principal(), collection="handbok"))["message"]
        assert (
            "Did you mean acme/handbook or umbrella/handbook? There are: acme/handbook, umbrella/handbook." in message
        )


READ_CALLS: list[tuple[str, dict[str, Any]]] = [
    ("search_docs", {"query": "secret plans"}),
    ("search_docs", {"query": "secret", "collection": "hidden"}),
    ("search_docs", {"query": "secret", "collection": "owner/hidden"}),
    ("table_of_contents", {"path": "plans.md"}),
    ("table_of_contents", {"path": "hidden:plans.md"}),
    ("read_sections", {"path": "plans.md", "section_ids": ["plans"]}),
    ("read_sections", {"path": "owner/hidden:plans.md", "section_ids": ["plans"]}),
    ("get_doc_page", {"path": "plans.md"}),
    ("get_doc_page", {"path": "plans.md", "collection": "owner/hidden"}),
    ("get_doc_page", {"path": "https://hidden.example.com/plans"}),
    ("list_doc_pages", {}),
    ("list_doc_pages", {"collection": "hidden"}),
    ("list_collections", {"include": ["context", "history", "limits"]}),
]


@pytest.mark.parametrize(("tool", "arguments"), READ_CALLS)
@pytest.mark.parametrize("form", ["markdown", "json"])
@pytest.mark.parametrize("who", ["key", "ungranted key", "anonymous"])
def test_another_tenants_things_are_not_there(
    call: CallTool, tool: str, arguments: dict[str, Any], form: str, who: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer is, to the letter, the one that there was before the other tenant's things were."""
    now = time.time()
    monkeypatch.setattr("time.time", lambda: now)  # limits tell how long their window still is
    own = make_collection("own")
    asking = {
        "key": make_principal(own),
        "ungranted key": ApiKey.objects.issue(tenant=own.tenant, name="narrow", collections=[])[0].make_principal(),
        "anonymous": Principal(),
    }[who]
    before = call(tool, principal=asking, format=form, **arguments)
    hidden = make_collection("hidden", tenant=make_tenant("owner"))
    put(hidden, {"plans.md": "# Plans\n\nsecret plans\n", "archive.md": "# Archive\n\nsecret archive\n"})
    Document.objects.filter(path="plans.md").update(source_url="https://hidden.example.com/plans")
    cache.clear()  # what was remembered would be the same in any case
    assert call(tool, principal=asking, format=form, **arguments) == before


@pytest.mark.parametrize("form", ["{}", "id://{}"])
def test_another_tenants_document_is_not_there_by_its_id(call: CallTool, form: str) -> None:
    hidden = make_collection("hidden", tenant=make_tenant("owner"))
    put(hidden, {"plans.md": "# Plans\n\nsecret plans\n"})
    there, nowhere = form.format(Document.objects.get(path="plans.md").pk), form.format(10**12)
    answers = [error_of(call("get_doc_page", path=path))["message"].replace(path, "ID") for path in (there, nowhere)]
    assert answers[0] == answers[1]


def test_a_key_sees_only_its_grants(call: CallTool, collection: Collection) -> None:
    other = make_collection("other", tenant=collection.tenant)
    put(other, {"zebra.md": "# Zebra\n\nStripes.\n"})
    key, _ = ApiKey.objects.issue(tenant=collection.tenant, name="narrow", collections=[other])
    none, _ = ApiKey.objects.issue(tenant=collection.tenant, name="nothing", collections=[])
    data = data_of(call("list_collections", principal=key.make_principal(), format="json"))
    assert [c["slug"] for c in data["collections"]] == ["other"]
    assert "Stripes" in text_of(call("search_docs", principal=key.make_principal(), query="stripes archive"))
    assert (
        error_of(call("search_docs", principal=key.make_principal(), query="x", collection="manual"))["code"]
        == "COLLECTION_NOT_FOUND"
    )
    assert "for an API key, or to grant yours" in ASK_FOR_KEY, "Who asks may have a key, to which nothing is granted"
    for nobody in (none.make_principal(), Principal()):
        assert NOTHING_VISIBLE in text_of(call("search_docs", principal=nobody, query="stripes"))
        for tool in ("list_collections", "list_doc_pages"):
            assert text_of(call(tool, principal=nobody)) == f"{NOTHING_VISIBLE} {ASK_FOR_KEY}"
        assert text_of(call("search_docs", principal=nobody, query="stripes")).endswith(f"Next: {ASK_FOR_KEY}")
        assert error_of(call("get_doc_page", principal=nobody, path="x.md"))["message"].endswith(ASK_FOR_KEY)


def test_anonymous_callers_see_public_collections_only(call: CallTool, collection: Collection) -> None:
    public = make_collection("open", tenant=collection.tenant, is_public=True)
    put(public, {"p.md": "# Open\n\nThe archive is open.\n"})
    data = data_of(call("search_docs", principal=Principal(), query="archive", format="json"))
    assert {hit["collection"] for hit in data["results"]} == {"open"}


def test_an_endpoint_of_one_collection_knows_no_other(call: CallTool, collection: Collection) -> None:
    other = make_collection("other", tenant=collection.tenant)
    put(other, {"zebra.md": "# Zebra\n\nStripes in the archive.\n"})
    narrow = (collection.tenant.slug, "other")
    data = data_of(call("search_docs", narrowed_to=narrow, query="archive", format="json"))
    assert {hit["path"] for hit in data["results"]} == {"zebra.md"}
    assert error_of(call("get_doc_page", narrowed_to=narrow, path="faq.md"))["code"] == "DOCUMENT_NOT_FOUND"
    missing = error_of(call("list_collections", narrowed_to=(collection.tenant.slug, "nope")))
    foreign = error_of(
        call("list_collections", principal=make_principal(), narrowed_to=(collection.tenant.slug, "nope"))
    )
    assert missing == foreign


def test_it_names_close_collections(call: CallTool) -> None:
    error = error_of(call("search_docs", query="x", collection="manuel"))
    assert error["code"] == "COLLECTION_NOT_FOUND"
    assert "Did you mean manual?" in error["message"]
    assert "archive" in text_of(call("search_docs", query="archive", collection="MANUAL"))


HOSTILE = [
    "../../etc/passwd",
    "..",
    "/etc/passwd",
    "a/../../b",
    "%2e%2e%2f",
    "\\..\\..",
    "file:///etc/passwd",
    "nul\u0000",
    "\ud83e\udd89",
    "'; --",
    "x" * 5000,
    ":",
    "::",
    "manual:",
    ":x",
    "%",
    "_",
]


@pytest.mark.parametrize("value", HOSTILE)
@pytest.mark.parametrize(
    "make",
    [
        lambda v: ("search_docs", {"query": v}),
        lambda v: ("search_docs", {"query": "archive", "collection": v}),
        lambda v: ("search_docs", {"query": "archive", "category": v}),
        lambda v: ("table_of_contents", {"path": v}),
        lambda v: ("read_sections", {"path": "faq.md", "section_ids": [v]}),
        lambda v: ("get_doc_page", {"path": v}),
        lambda v: ("get_doc_page", {"path": "faq.md", "cursor": v}),
        lambda v: ("list_doc_pages", {"collection": v}),
        lambda v: ("list_doc_pages", {"cursor": v}),
        lambda v: ("list_collections", {"cursor": v}),
        lambda v: ("ingest_document", {"path": v, "content": "x"}),
        lambda v: ("ingest_document", {"path": "a.md", "content": v, "metadata": {v: v}}),
        lambda v: ("ingest_document", {"url": v}),
        lambda v: ("ingest_document", {"file_path": v}),
        lambda v: ("send_feedback", {"question": v, "comment": v, "helpful": True}),
        lambda v: ("send_feedback", {"path": v, "helpful": False}),
        lambda v: ("ingestion_status", {"path": v}),
        lambda v: ("ingestion_status", {"job_id": v}),
    ],
)
def test_hostile_arguments_get_a_clear_answer(
    call: CallTool, collection: Collection, make: Callable[[str], tuple[str, dict[str, Any]]], value: str
) -> None:
    tool, arguments = make(value)
    result = call(tool, principal=make_principal(collection, scopes=Scope), **arguments)
    if result.get("isError"):
        error = error_of(result)
        assert error["code"] != "INTERNAL_ERROR"
        assert "root:" not in error["message"]
        assert "Traceback" not in error["message"]


QUERIES: dict[str, tuple[dict[str, Any], int]] = {
    "search_docs": ({"query": "archive manager"}, 10),
    "table_of_contents": ({"path": "start/guide.md"}, 4),
    "read_sections": ({"path": "start/guide.md", "section_ids": ["guide/install"]}, 4),
    "get_doc_page": ({"path": "start/guide.md"}, 3),
    "list_doc_pages": ({}, 3),
    "list_collections": (
        {},
        4,
    ),  # one of them only for keys with scope write, one where a collection has no description
    "ask_docs": ({"question": "archive manager"}, 11),  # one for the stop words, by which passages are cut
    "ingest_document": ({"path": "new.md", "content": "# New"}, 16),
    "ingestion_status": ({"path": "faq.md"}, 3),
    "send_feedback": ({"question": "archive manager", "helpful": False}, 3),
}


@pytest.mark.parametrize("tool", QUERIES)
def test_each_tool_asks_the_database_a_fixed_number_of_times(
    call: CallTool, collection: Collection, django_assert_num_queries: Any, tool: str
) -> None:
    arguments, count = QUERIES[tool]
    caller = make_principal(collection, scopes=Scope)
    with django_assert_num_queries(count):
        assert not call(tool, principal=caller, **arguments).get("isError")
