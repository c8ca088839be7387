"""Which pages there are: by category and status, a page of the list after the other."""

from __future__ import annotations

import random
from typing import Any

import pytest

from collections_app.access.principal import Scope
from collections_app.exceptions import FileTooLarge
from collections_app.ingest import ingest
from collections_app.jobs import NewUpload, accept_uploads, cancel_job
from collections_app.models import Collection, Document, FileOutcome, IngestJob
from collections_app.sources import RefusedFile
from tests.factories import make_collection, make_principal, put
from tests.mcp_app.tools.conftest import CallTool, data_of, error_of, iter_data, text_of

pytestmark = pytest.mark.django_db


class TestListDocPages:
    def test_it_lists_pages_with_what_they_are(self, call: CallTool) -> None:
        text = text_of(call("list_doc_pages"))
        assert "- start/guide.md · Guide · How to begin · keywords: start, basics · 205b · start" in text

    def test_it_goes_on_where_a_cursor_says(self, call: CallTool, collection: Collection) -> None:
        put(collection, {f"page-{n:03}.md": f"# Page {n}\n\nx\n" for n in range(25)})
        paths: list[str] = []
        for data in iter_data(call, "list_doc_pages", limit=10):
            assert data["total"] == 28
            paths += [document["path"] for document in data["documents"]]
        assert paths == sorted(paths)
        assert len(set(paths)) == len(paths) == 28

    def test_it_filters_by_category_and_names_those_there_are(self, call: CallTool) -> None:
        assert [d["path"] for d in data_of(call("list_doc_pages", category="start", format="json"))["documents"]] == [
            "start/guide.md"
        ]
        assert "Categories: start." in text_of(call("list_doc_pages", category="nope"))

    def test_of_many_categories_it_names_those_that_most_pages_have(
        self, call: CallTool, collection: Collection
    ) -> None:
        put(
            collection, {f"c{n:02}/{page}.md": f"# {n} {page}\n\nx\n" for n in range(31) for page in range(n // 16 + 1)}
        )
        said = ", ".join(f"c{n:02}" for n in range(31) if n != 15)
        assert f"Categories: {said}." in text_of(call("list_doc_pages", category="nope"))
        assert f"Categories: {said}." in text_of(call("search_docs", query="archive", category="nope"))

    @pytest.mark.parametrize("folder", ["start", "start/", "/start/", "./start"])
    def test_it_lists_what_is_in_a_folder(self, call: CallTool, collection: Collection, folder: str) -> None:
        put(collection, {"starting.md": "# A\n\nx\n", "start/deeper/b.md": "# B\n\nx\n", "a/start/c.md": "# C\n\nx\n"})
        data = data_of(call("list_doc_pages", folder=folder, format="json"))
        assert [document["path"] for document in data["documents"]] == ["start/deeper/b.md", "start/guide.md"]
        assert data["total"] == 2

    def test_signs_in_a_folder_are_themselves(self, call: CallTool, collection: Collection) -> None:
        put(collection, {"a_b/one.md": "# A\n\nx\n", "axb/two.md": "# B\n\nx\n"})
        assert [d["path"] for d in data_of(call("list_doc_pages", folder="a_b", format="json"))["documents"]] == [
            "a_b/one.md"
        ]
        assert data_of(call("list_doc_pages", folder="%", format="json"))["documents"] == []

    def test_a_list_of_a_folder_goes_on_in_it(self, call: CallTool, collection: Collection) -> None:
        put(collection, {f"deep/page-{n:02}.md": f"# Page {n}\n\nx\n" for n in range(25)} | {"z.md": "# Z\n\nx\n"})
        pages = list(iter_data(call, "list_doc_pages", folder="deep", limit=10))
        assert [len(data["documents"]) for data in pages] == [10, 10, 5]
        assert 'folder="deep"' in text_of(call("list_doc_pages", folder="deep/", limit=10)).splitlines()[-1]
        error = error_of(call("list_doc_pages", folder="start", cursor=pages[0]["next_cursor"]))
        assert error["code"] == "INVALID_PARAMETER"

    def test_a_folder_that_is_not_there_names_those_that_are(self, call: CallTool, collection: Collection) -> None:
        put(collection, {"b/one.md": "# A\n\nx\n", "b/c/two.md": "# B\n\nx\n"})
        assert "No document is in the folder 'nope'. Folders: b (2), start (1)." in text_of(
            call("list_doc_pages", folder="nope/")
        )
        assert data_of(call("list_doc_pages", path="nope", format="json"))["folders"] == ["b (2)", "start (1)"]

    @pytest.mark.parametrize("folder", ["guides", "Guides/", "guide", "x/guides"])
    def test_for_a_folder_that_is_not_there_one_that_ends_so_is_suggested(
        self, call: CallTool, collection: Collection, folder: str
    ) -> None:
        put(collection, {"docs/guides/one.md": "# One\n", "docs/other/two.md": "# Two\n"})
        assert "Did you mean docs/guides? Folders: docs (2), start (1)." in text_of(
            call("list_doc_pages", folder=folder)
        )
        data = data_of(call("list_doc_pages", folder=folder, format="json"))
        assert data["close_folders"] == ["docs/guides"]

    def test_of_a_path_in_very_many_folders_none_is_suggested(self, call: CallTool, collection: Collection) -> None:
        """Each is a path by itself: of 400 documents in 450 folders each they took seconds."""
        put(collection, {f"a/{'b/' * 17}guides/end/one.md": "# One\n", f"a/{'b/' * 450}manuals/end/two.md": "# Two\n"})
        data = data_of(call("list_doc_pages", folder="guides", format="json"))
        assert data["close_folders"] == [f"a/{'b/' * 17}guides"]
        assert data_of(call("list_doc_pages", folder="manuals", format="json"))["close_folders"] == []

    def test_it_shows_failed_documents_to_writers_only(self, call: CallTool, collection: Collection) -> None:
        put(collection, {"bad.md": "---\n: [\n---\n"})
        assert "bad.md" not in text_of(call("list_doc_pages"))
        assert error_of(call("list_doc_pages", status="failed"))["code"] == "INVALID_PARAMETER"
        writer = make_principal(collection, scopes=[Scope.READ, Scope.WRITE])
        text = text_of(call("list_doc_pages", principal=writer, status="failed"))
        assert "bad.md" in text
        assert "PARSE_ERROR" in text

    def test_it_says_how_many_of_all_can_be_read(self, call: CallTool, collection: Collection) -> None:
        writer = make_principal(collection, scopes=[Scope.READ, Scope.WRITE])
        assert text_of(call("list_doc_pages", writer, status="all")).startswith("3 of 3 documents\n")
        put(collection, {"broken.md": "---\ntitle: [\n---\n"})
        told = text_of(call("list_doc_pages", writer, status="all", limit=2))
        assert told.startswith("2 of 4 documents: 3 indexed, 1 failed\n")
        data = data_of(call("list_doc_pages", writer, status="all", format="json"))
        assert (data["total"], data["by_status"]) == (4, {"success": 3, "failed": 1})

    def test_it_tells_no_size_of_what_was_refused_for_it(self, call: CallTool, collection: Collection) -> None:
        refused = FileTooLarge("It has 12,000,000 bytes, and the source takes at most 10,485,760.")
        list(ingest(collection, None, [RefusedFile("large.md", refused)]))
        writer = make_principal(collection, scopes=[Scope.READ, Scope.WRITE])
        text = text_of(call("list_doc_pages", principal=writer, status="failed"))
        assert "FILE_TOO_LARGE It has 12,000,000 bytes" in text
        assert "0b" not in text
        [told] = data_of(call("list_doc_pages", principal=writer, status="failed", format="json"))["documents"]
        assert told["size"] is None

    def test_it_says_what_put_a_document_in_quarantine(self, call: CallTool, collection: Collection) -> None:
        finding = {"kind": "instructions", "line": 1, "excerpt": "Ignore this.", "removed": False}
        Document.objects.filter(path="faq.md").update(status="quarantined", findings=[finding, finding])
        writer = make_principal(collection, scopes=[Scope.READ, Scope.WRITE])
        assert "quarantined instructions" in text_of(call("list_doc_pages", principal=writer, status="quarantined"))

    def test_its_next_call_asks_for_as_many(self, call: CallTool, collection: Collection) -> None:
        make_collection("more", tenant=collection.tenant)
        assert 'Next page: list_doc_pages(limit=2, cursor="' in text_of(call("list_doc_pages", limit=2))
        assert 'Next page: list_collections(limit=1, cursor="' in text_of(call("list_collections", limit=1))

    @pytest.mark.parametrize("status", ["pending", "processing", "failed", "quarantined"])
    def test_it_names_the_status_that_no_document_has(
        self, call: CallTool, collection: Collection, status: str
    ) -> None:
        writer = make_principal(collection, scopes=[Scope.READ, Scope.WRITE])
        text = text_of(call("list_doc_pages", principal=writer, status=status))
        assert text == f"There is no document with status {status} here."

    @pytest.mark.parametrize("status", ["failed", "quarantined"])
    def test_it_names_the_categories_that_documents_of_a_status_have(
        self, call: CallTool, collection: Collection, status: str
    ) -> None:
        writer = make_principal(collection, scopes=[Scope.READ, Scope.WRITE])
        Document.objects.filter(path="faq.md").update(status=status, category="odd")
        text = text_of(call("list_doc_pages", principal=writer, status=status, category="start"))
        assert text == f"No document with status {status} has the category 'start'. Categories: odd."

    def test_it_says_where_the_list_ends(self, call: CallTool, collection: Collection) -> None:
        text = text_of(call("list_documentation_files", offset=500, category=""))
        assert text == "The list ends here: it has 3 documents. Leave out the cursor to begin at the first."
        assert text_of(call("list_doc_pages", collection="")).startswith("3 of 3 documents")
        empty = make_collection("bare", tenant=collection.tenant)
        assert text_of(call("list_doc_pages", collection=empty.slug)) == "No documents here yet."

    def test_uploads_are_pending_until_their_job_runs_and_processing_until_it_comes_to_them(
        self, call: CallTool, collection: Collection
    ) -> None:
        writer = make_principal(collection, scopes=[Scope.READ, Scope.WRITE])
        job = accept_uploads(collection, [NewUpload(f"{n}.md", b"# N") for n in "abc"])

        def list_paths(status: str, **arguments: Any) -> list[str]:
            data = data_of(call("list_doc_pages", principal=writer, status=status, format="json", **arguments))
            assert {document["status"] for document in data["documents"]} <= {status}
            return [document["path"] for document in data["documents"]]

        assert (list_paths("pending"), list_paths("processing")) == (["a.md", "b.md", "c.md"], [])
        assert list_paths("pending", category="start") == []
        first = text_of(call("list_doc_pages", principal=writer, status="pending", limit=2))
        assert "2 of 3 documents" in first
        assert "- a.md · " in first
        cursor = first.rpartition('cursor="')[2].partition('"')[0]
        assert list_paths("pending", cursor=cursor) == ["c.md"]

        IngestJob.objects.filter(pk=job.pk).update(state="running")
        give = {"tenant": collection.tenant, "collection": collection, "job": job}
        FileOutcome.objects.create(path="a.md", outcome="indexed", **give)
        accept_uploads(collection, [NewUpload("d.md", b"# D")])
        assert (list_paths("pending"), list_paths("processing")) == (["d.md"], ["b.md", "c.md"])
        everything = text_of(call("list_doc_pages", principal=writer, status="all"))
        assert 'Not among them: 1 that is pending: list_doc_pages(status="pending")' in everything
        assert 'Not among them: 2 that are processing: list_doc_pages(status="processing")' in everything
        cancel_job(IngestJob.objects.get(state="queued"))
        assert (
            text_of(call("list_doc_pages", principal=writer, status="pending"))
            == "There is no document with status pending here."
        )

    def test_another_tenants_uploads_are_not_listed(self, call: CallTool, collection: Collection) -> None:
        accept_uploads(make_collection("secrets", is_public=True), [NewUpload("plan.md", b"# P")])
        writer = make_principal(collection, scopes=[Scope.READ, Scope.WRITE])
        assert "plan.md" not in text_of(call("list_doc_pages", principal=writer, status="pending"))
        data = data_of(call("list_doc_pages", principal=writer, status="all", format="json"))
        assert data["unread"] == {"pending": 0, "processing": 0}

    def test_it_goes_on_behind_the_longest_paths(self, call: CallTool, collection: Collection) -> None:
        letters = random.Random(1)
        paths = ["".join(chr(letters.randrange(0x20000, 0x2A6D0)) for _ in range(600)) + ".md" for _ in range(4)]
        put(collection, {path: f"# {n}\n\nx\n" for n, path in enumerate(paths)})
        seen: list[str] = []
        for data in iter_data(call, "list_doc_pages", limit=1):
            seen += [document["path"] for document in data["documents"]]
        assert len(seen) == 7
        assert set(paths) < set(seen)

    def test_it_goes_on_where_a_page_was_removed_meanwhile(self, call: CallTool, collection: Collection) -> None:
        from collections_app.ingest import remove_documents

        first = data_of(call("list_doc_pages", limit=1, format="json"))
        assert first["documents"][0]["path"] == "empty.md"
        remove_documents(collection, [Document.objects.get(path="empty.md").pk])
        rest = data_of(call("list_doc_pages", cursor=first["next_cursor"], format="json"))["documents"]
        assert [document["path"] for document in rest] == ["faq.md", "start/guide.md"]

    def test_its_next_call_keeps_the_filters(self, call: CallTool, collection: Collection) -> None:
        put(collection, {"b/1.md": "---\n: [\n---\n", "b/2.md": "---\n: [\n---\n"})
        writer = make_principal(collection, scopes=[Scope.READ, Scope.WRITE])
        text = text_of(call("list_doc_pages", principal=writer, status="failed", category="b", limit=1))
        assert 'list_doc_pages(category="b", status="failed", limit=1, cursor="' in text

    def test_it_refuses_a_cursor_of_another_list(self, call: CallTool, collection: Collection) -> None:
        other = make_collection("other", tenant=collection.tenant)
        for each in (collection, other):
            put(each, {f"b/{n}.md": f"# {n}\n" for n in range(3)})
        lists: list[dict[str, Any]] = [
            {},
            {"collection": "manual"},
            {"collection": "other"},
            {"category": "b"},
            {"collection": "manual", "category": "b"},
        ]
        for given in lists:
            cursor = data_of(call("list_doc_pages", limit=1, format="json", **given))["next_cursor"]
            for asked in lists:
                result = call("list_doc_pages", limit=1, cursor=cursor, **asked)
                if asked == given:
                    assert not result.get("isError")
                else:
                    assert error_of(result)["code"] == "INVALID_PARAMETER"
        same = call("list_doc_pages", collection=f"{collection.tenant.slug}/MANUAL", category="B", cursor=cursor)
        assert not same.get("isError")

    def test_its_data_names_the_categories_there_are(self, call: CallTool) -> None:
        data = data_of(call("list_doc_pages", category="nope", format="json"))
        assert (data["documents"], data["categories"]) == ([], ["start"])
        assert "categories" not in data_of(call("list_doc_pages", category="start", format="json"))

    def test_it_counts_one_document_as_one(self, call: CallTool) -> None:
        assert text_of(call("list_doc_pages", category="start")).startswith("1 of 1 document\n")

    def test_it_refuses_a_forged_cursor(self, call: CallTool) -> None:
        assert error_of(call("list_doc_pages", cursor="WzEsMl0:x:y"))["code"] == "INVALID_PARAMETER"


def test_words_are_refused_with_the_tool_that_finds_by_them(call: CallTool) -> None:
    message = error_of(call("list_doc_pages", query="package manager"))["message"]
    assert "'query' is not an argument (to find by words: search_docs(query=\"package manager\"))" in message
