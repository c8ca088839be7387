"""Documents and search over REST."""

from __future__ import annotations

from typing import Any
from unittest import mock
from urllib.parse import quote

import pytest

from collections_app.access.principal import Scope
from collections_app.exceptions import FileTooLarge
from collections_app.ingest import ingest
from collections_app.jobs import NewUpload, accept_uploads
from collections_app.models import Collection, Document, IngestJob, RemovedDocument, SearchEvent, Upload
from collections_app.sources import RefusedFile
from tests.collections_app.api.conftest import Caller, code_of, make_caller, make_member
from tests.factories import make_collection, make_tenant, put

DOCUMENTS = "collections/manual/documents"


class TestListing:
    def test_documents_come_in_the_order_of_their_paths(self, reader: Caller, collection: Collection) -> None:
        status, page = reader.get(DOCUMENTS)
        assert status == 200
        assert [(d["path"], d["title"], d["category"]) for d in page["results"]] == [
            ("faq.md", "FAQ", ""),
            ("start/guide.md", "Guide", "start"),
        ]

    def test_pages_follow_each_other(self, reader: Caller, collection: Collection) -> None:
        _, first = reader.get(f"{DOCUMENTS}?limit=1")
        _, second = reader.get(f"{DOCUMENTS}?limit=1&cursor={first['next_cursor']}")
        assert [page["results"][0]["path"] for page in (first, second)] == ["faq.md", "start/guide.md"]
        assert second["next_cursor"] is None

    def test_a_cursor_is_good_for_its_list_only(self, reader: Caller, collection: Collection) -> None:
        put(make_collection("other", tenant=collection.tenant), {"a.md": "a", "b.md": "b"})
        cursor = reader.get(f"{DOCUMENTS}?limit=1")[1]["next_cursor"]
        answer = reader.get(f"collections/other/documents?cursor={cursor}")
        assert code_of(answer) == (400, "INVALID_PARAMETER")

    def test_a_category_chooses(self, reader: Caller) -> None:
        assert [d["path"] for d in reader.get(f"{DOCUMENTS}?category=START")[1]["results"]] == ["start/guide.md"]

    def test_who_writes_sees_what_failed_and_why(self, writer: Caller, reader: Caller, collection: Collection) -> None:
        put(collection, {"broken.md": "---\ntitle: [\n---\n"})
        [entry] = writer.get(f"{DOCUMENTS}?status=failed")[1]["results"]
        assert (entry["path"], entry["error_code"]) == ("broken.md", "PARSE_ERROR")
        assert entry["error_message"]
        assert len(writer.get(f"{DOCUMENTS}?status=all")[1]["results"]) == 3
        assert len(reader.get(DOCUMENTS)[1]["results"]) == 2
        assert code_of(reader.get(f"{DOCUMENTS}?status=failed")) == (400, "INVALID_PARAMETER")

    def test_what_was_refused_before_it_was_read_has_no_size(self, writer: Caller, collection: Collection) -> None:
        refused = FileTooLarge("It has 12,000,000 bytes, and the source takes at most 10,485,760.")
        list(ingest(collection, None, [RefusedFile("large.md", refused)]))
        [entry] = writer.get(f"{DOCUMENTS}?status=failed")[1]["results"]
        assert (entry["error_code"], entry["size_bytes"]) == ("FILE_TOO_LARGE", None)
        assert writer.get(f"{DOCUMENTS}/large.md")[1]["size_bytes"] is None

    def test_who_writes_sees_what_is_still_to_be_read(
        self, writer: Caller, reader: Caller, collection: Collection
    ) -> None:
        sent = [NewUpload(f"{n}.md", b"# N") for n in "abc"]
        job = accept_uploads(collection, sent)
        _, first = writer.get(f"{DOCUMENTS}?status=pending&limit=2")
        _, second = writer.get(f"{DOCUMENTS}?status=pending&limit=2&cursor={first['next_cursor']}")
        entries = first["results"] + second["results"]
        assert [(d["path"], d["status"], d["size_bytes"], d["id"]) for d in entries] == [
            (f"{n}.md", "pending", 3, None) for n in "abc"
        ]
        assert writer.get(f"{DOCUMENTS}?status=processing")[1]["results"] == []
        assert writer.get(f"{DOCUMENTS}?status=pending&category=start")[1]["results"] == []
        IngestJob.objects.filter(pk=job.pk).update(state="running")
        assert len(writer.get(f"{DOCUMENTS}?status=processing")[1]["results"]) == 3
        assert code_of(reader.get(f"{DOCUMENTS}?status=processing")) == (400, "INVALID_PARAMETER")


class TestReading:
    def test_a_document_comes_with_its_content(self, reader: Caller, collection: Collection) -> None:
        status, document = reader.get(f"{DOCUMENTS}/start/guide.md")
        assert (status, document["title"], document["status"]) == (200, "Guide", "success")
        assert document["content"].startswith("# Guide\n\nWelcome.")

    @pytest.mark.parametrize("path", ["start/guide", "./start/guide.md", "start%2Fguide.md"])
    def test_its_path_is_forgiven_what_tools_forgive(self, reader: Caller, path: str) -> None:
        assert reader.get(f"{DOCUMENTS}/{path}")[1]["path"] == "start/guide.md"

    def test_markdown_can_be_asked_for(self, reader: Caller, collection: Collection) -> None:
        response = reader.send("get", f"{DOCUMENTS}/faq.md", accept="text/markdown")
        assert response["Content-Type"] == "text/markdown; charset=utf-8"
        assert response.content == b"# FAQ\n\nAsk about the archive.\n"
        assert response["X-Content-Type-Options"] == "nosniff"

    @pytest.mark.parametrize("accept", ["*/*", "text/html", "application/xml", "nonsense"])
    def test_anything_else_is_answered_with_json(self, reader: Caller, collection: Collection, accept: str) -> None:
        assert reader.send("get", f"{DOCUMENTS}/faq.md", accept=accept).json()["path"] == "faq.md"

    def test_an_unknown_path_gets_the_closest_in_json(self, reader: Caller, collection: Collection) -> None:
        response = reader.send("get", f"{DOCUMENTS}/fax.md", accept="text/markdown")
        assert (response.status_code, response["Content-Type"]) == (404, "application/json")
        error = response.json()["error"]
        assert error["code"] == "DOCUMENT_NOT_FOUND"
        assert "faq.md" in error["details"]["suggestions"]

    def test_of_one_that_was_sent_who_writes_is_told_that_it_is_still_to_be_read(
        self, writer: Caller, reader: Caller, collection: Collection
    ) -> None:
        accept_uploads(collection, [NewUpload("sent.md", b"# Sent\n")])
        for answer in (writer.get(f"{DOCUMENTS}/sent.md"), writer.ask("delete", f"{DOCUMENTS}/sent.md")):
            assert code_of(answer) == (404, "DOCUMENT_NOT_FOUND")
            assert answer[1]["error"]["message"] == "sent.md in manual was sent and is still to be read."
        assert "There is no document" in reader.get(f"{DOCUMENTS}/sent.md")[1]["error"]["message"]

    def test_a_quarantined_one_is_not_served(self, writer: Caller, reader: Caller, collection: Collection) -> None:
        Document.objects.filter(path="faq.md").update(status="quarantined")
        assert code_of(reader.get(f"{DOCUMENTS}/faq.md")) == (404, "DOCUMENT_NOT_FOUND")
        status, document = writer.get(f"{DOCUMENTS}/faq.md")
        assert (status, document["status"], document["content"]) == (200, "quarantined", "")

    def test_a_collection_that_another_tenant_has_too_goes_by_both_names(
        self, anybody: Caller, collection: Collection
    ) -> None:
        other = make_collection("manual", tenant=make_tenant("acme"), is_public=True)
        put(other, {"faq.md": "# Other\n"})
        Collection.objects.update(is_public=True)
        assert code_of(anybody.get(f"{DOCUMENTS}/faq.md")) == (400, "INVALID_PARAMETER")
        assert anybody.get("collections/acme:manual/documents/faq.md")[1]["title"] == "Other"


class TestRemoving:
    def test_it_leaves_the_index_and_can_be_brought_back(self, writer: Caller, collection: Collection) -> None:
        assert writer.ask("delete", f"{DOCUMENTS}/faq.md") == (204, None)
        assert not Document.objects.filter(path="faq.md").exists()
        assert RemovedDocument.objects.filter(path="faq.md").exists()

    def test_what_was_uploaded_for_it_goes_too(self, writer: Caller, collection: Collection) -> None:
        writer.post("collections/manual/uploads", {"path": "faq.md", "content": "# FAQ\n"})
        upload = Upload.objects.get()
        Document.objects.filter(path="faq.md").update(source=upload.source)
        writer.ask("delete", f"{DOCUMENTS}/faq.md")
        assert not Upload.objects.exists()

    def test_nothing_is_guessed(self, writer: Caller, collection: Collection) -> None:
        put(collection, {"rig.html": "<h1>Rig</h1><p>x</p>", "rig.md": "# Rig\n", "sails/README.md": "# Sails\n"})
        statuses = [writer.ask("delete", f"{DOCUMENTS}/{path}")[0] for path in ("rig.html", "rig.html", "sails")]
        assert statuses == [204, 404, 404]
        assert Document.objects.filter(path__in=["rig.md", "sails/README.md"]).count() == 2

    def test_reading_is_not_enough(self, reader: Caller, collection: Collection) -> None:
        assert code_of(reader.ask("delete", f"{DOCUMENTS}/faq.md")) == (403, "FORBIDDEN")
        assert Document.objects.count() == 2

    def test_an_unknown_one_is_not_found(self, writer: Caller) -> None:
        assert code_of(writer.ask("delete", f"{DOCUMENTS}/none.md")) == (404, "DOCUMENT_NOT_FOUND")


class TestSearch:
    @pytest.mark.parametrize("path", ["collections/manual/search?q=archive", "search?q=archive&collection=manual"])
    def test_it_gives_sections_with_snippets(self, reader: Caller, collection: Collection, path: str) -> None:
        status, found = reader.get(path)
        assert (status, found["mode"], found["query"]) == (200, "keyword", "archive")
        assert {(hit["path"], hit["section_id"]) for hit in found["results"]} == {
            ("faq.md", "faq"),
            ("start/guide.md", "guide/install"),
        }
        assert all("archive" in hit["snippet"] and hit["collection"] == "manual" for hit in found["results"])

    def test_it_takes_the_options_of_the_tool(self, reader: Caller, collection: Collection) -> None:
        _, found = reader.get("search?q=archive&limit=1&category=start&mode=hybrid")
        assert [hit["path"] for hit in found["results"]] == ["start/guide.md"]

    def test_it_takes_filters_code_and_version(self, reader: Caller, collection: Collection) -> None:
        put(collection, {"code.md": "# Code\n\nThe archive.\n\n```python\nopen()\n```\n"})
        filters = quote('{"path": {"$ne": "faq.md"}}')
        _, found = reader.get(f"search?q=archive&filters={filters}")
        assert {hit["path"] for hit in found["results"]} == {"start/guide.md", "code.md"}
        assert [hit["path"] for hit in reader.get("search?q=archive&code=py")[1]["results"]] == ["code.md"]
        assert code_of(reader.get("search?q=archive&version=9")) == (400, "INVALID_PARAMETER")

    @pytest.mark.parametrize("depth", [5, 450, 600])
    def test_filters_that_nest_are_refused_however_deep(
        self, reader: Caller, collection: Collection, depth: int
    ) -> None:
        filters = quote('{"path":' + '{"a":' * depth + "1" + "}" * depth + "}")
        assert code_of(reader.get(f"search?q=archive&filters={filters}")) == (400, "INVALID_PARAMETER")

    def test_nothing_found_says_which_words_occur(self, reader: Caller, collection: Collection) -> None:
        _, found = reader.get("search?q=archives+zeppelin&limit=1&category=none")
        assert found["results"] == []
        assert {word["word"] for word in found["words"]} == {"archives", "zeppelin"}

    def test_a_collection_that_is_named_is_not_left_for_another_version_without_a_word(
        self, reader: Caller, collection: Collection
    ) -> None:
        older = make_collection("manual-1", tenant=collection.tenant)
        for version, each in (("1", older), ("2", collection)):
            Collection.objects.filter(pk=each.pk).update(library="manuals", version=version)
        _, found = reader.get("search?q=archive&collection=manual-1&version=2")
        assert {hit["collection"] for hit in found["results"]} == {"manual"}
        assert found["notice"] == "manual-1 is version 1; searched manual as version asks."
        assert reader.get("search?q=archive&version=2")[1]["notice"] == ""
        said = 'The question names 1, which was not searched: version="1" does.'
        assert reader.get("search?q=archive+of+v1&collection=manuals")[1]["notice"] == said

    def test_a_collection_is_named_with_its_tenant_as_in_a_path(self, collection: Collection) -> None:
        other = make_collection("manual")
        put(other, {"other.md": "# Other\n\nAsk about the archive.\n"})
        root = make_member(None, is_superuser=True)
        assert code_of(root.get("search?q=ask&collection=manual")) == (400, "INVALID_PARAMETER")
        own, foreign = f"{collection.tenant.slug}:manual", f"{other.tenant.slug}:MANUAL"
        for names, paths in ((own, {"faq.md"}), (foreign, {"other.md"}), (f"{own},{foreign}", {"faq.md", "other.md"})):
            assert {hit["path"] for hit in root.get(f"search?q=ask&collection={names}")[1]["results"]} == paths

    def test_only_what_the_caller_sees_is_searched(
        self, reader: Caller, anybody: Caller, collection: Collection, strange: Collection
    ) -> None:
        assert {hit["collection"] for hit in reader.get("search?q=archive")[1]["results"]} == {"manual"}
        assert anybody.get("search?q=archive")[1]["results"] == []
        assert code_of(reader.get("search?q=archive&collection=secrets")) == (404, "COLLECTION_NOT_FOUND")
        assert code_of(reader.get("search?q=archive&collection=manual,secrets")) == (404, "COLLECTION_NOT_FOUND")
        assert reader.get("search?q=archive&collection=manual,MANUAL")[1]["results"]
        assert code_of(reader.get("collections/manual,manual/search?q=archive")) == (404, "COLLECTION_NOT_FOUND")

    @pytest.mark.parametrize(
        ("query", "code"),
        [
            ("", "INVALID_PARAMETER"),
            ("q=", "INVALID_PARAMETER"),
            (f"q={'x' * 1001}", "INVALID_PARAMETER"),
            ("q=a&limit=51", "INVALID_PARAMETER"),
            ("q=a&mode=psychic", "INVALID_PARAMETER"),
            ("q=a%00b", "INVALID_PARAMETER"),
            ("q=a&query=b", "INVALID_PARAMETER"),
            ("q=a&filters=x", "INVALID_PARAMETER"),
            ("q=a&filters=[]", "INVALID_PARAMETER"),
            ("q=a&filters=" + "[" * 3000, "INVALID_PARAMETER"),
            ("q=a&filters=" + quote('{"path": {"$bad": 1}}'), "INVALID_PARAMETER"),
            ("q=a&filters=" + quote('{"a": 1e999}'), "INVALID_PARAMETER"),
            ("q=a&filters=" + quote('{"a": NaN}'), "INVALID_PARAMETER"),
        ],
    )
    def test_a_bad_question_is_refused(self, reader: Caller, collection: Collection, query: str, code: str) -> None:
        assert code_of(reader.get(f"search?{query}")) == (400, code)

    def test_it_is_remembered_and_counted_as_searches_of_tools_are(
        self, reader: Caller, anybody: Caller, collection: Collection
    ) -> None:
        with mock.patch("collections_app.cached_search.observe_search") as observe:
            first, second = (reader.get("search?q=archive")[1] for _ in range(2))
        assert [call.args[0] for call in observe.call_args_list] == ["keyword", "keyword"]
        assert (first.pop("cached"), second.pop("cached")) == (False, True)
        assert first == second
        assert anybody.get("search?q=archive")[1]["cached"] is False

    def test_it_is_recorded_as_searches_of_tools_are(self, reader: Caller, collection: Collection) -> None:
        reader.get("search?q=archive")
        assert SearchEvent.objects.get().query == "archive"


QUERIES: dict[str, int] = {
    "collections": 3,
    "collections/manual": 4,
    DOCUMENTS: 4,
    f"{DOCUMENTS}/faq.md": 5,
    "search?q=archive": 12,
    "collections/manual/sources": 4,
    "jobs": 3,
    "jobs?collection=manual": 4,
}


@pytest.mark.parametrize("path", QUERIES)
def test_each_answer_takes_a_fixed_number_of_queries(
    collection: Collection, django_assert_num_queries: Any, path: str
) -> None:
    caller = make_caller(collection.tenant, Scope)
    caller.get("collections")  # notes that the key was used
    with django_assert_num_queries(QUERIES[path]):
        assert caller.get(path)[0] == 200
