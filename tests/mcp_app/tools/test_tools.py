"""What an agent gets from each tool, through the dispatcher that serves it."""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache

from collections_app.catalog import NOTHING_VISIBLE
from collections_app.jobs import NewUpload, accept_uploads, cancel_job
from collections_app.models import ApiKey, Collection, Document, FileOutcome, IngestJob
from collections_app.parsing.tokens import estimate_tokens
from collections_app.principal import Principal, Scope
from mcp_app.tools import TOOLS
from tests.factories import make_collection, make_principal, make_tenant, put
from tests.mcp_app.tools.conftest import CallTool, data_of, error_of, text_of

pytestmark = pytest.mark.django_db


def test_the_list_of_tools_stays_small() -> None:
    listed = json.dumps([tool.describe() for tool in TOOLS], separators=(",", ":"))
    assert len(listed) < 8_000


class TestSearchDocs:
    def test_it_gives_sections_with_snippets_and_the_next_call(self, call: CallTool) -> None:
        text = text_of(call("search_docs", query="package manager"))
        assert "1. **Guide › Install › Linux**" in text
        assert "section_id: guide/install/linux" in text
        assert "Use the package manager." in text
        assert 'Next: read_sections(path="start/guide.md", section_ids=["guide/install/linux"])' in text
        assert "mode keyword" in text

    def test_it_gives_the_same_as_data(self, call: CallTool) -> None:
        data = data_of(call("search_docs", query="package manager", format="json"))
        hit = data["results"][0]
        assert (hit["collection"], hit["path"], hit["section_id"]) == (
            "manual",
            "start/guide.md",
            "guide/install/linux",
        )
        assert set(hit) >= {
            "title",
            "heading_path",
            "score",
            "tokens",
            "snippet",
            "source_url",
            "indexed",
            "page_number",
        }
        scores = [result["score"] for result in data["results"]]
        assert scores == sorted(scores, reverse=True)

    @pytest.mark.parametrize("alias", ["q", "question", "userQuery", "topic"])
    def test_it_takes_what_models_send(self, call: CallTool, alias: str) -> None:
        arguments = {alias: "archive", "max_results": "1", "mode": None}
        assert len(data_of(call("search_docs", **arguments, format="json"))["results"]) == 1

    def test_it_says_what_occurs_when_nothing_is_found(self, call: CallTool) -> None:
        text = text_of(call("search_docs", query="archivee"))
        assert "No section was found" in text
        assert "close: archive" in text

    def test_it_stays_within_the_budget(self, call: CallTool, collection: Collection) -> None:
        put(collection, {f"{n}.md": f"# Turbine {n}\n\n{'The turbine turns and turns. ' * 30}\n" for n in range(60)})
        for form in ("markdown", "json"):
            for budget in (300, 1000):
                result = call("search_docs", query="turbine", limit=50, max_tokens=budget, format=form)
                assert estimate_tokens(result["content"][0]["text"]) <= budget
                assert "left_out" in str(result) or "more results left out" in str(result)

    def test_it_names_collections_when_there_are_several(self, call: CallTool, collection: Collection) -> None:
        other = make_collection("other", tenant=collection.tenant)
        put(other, {"x.md": "# Zebra\n\nStripes.\n"})
        assert 'read_sections(path="other:x.md"' in text_of(call("search_docs", query="zebra stripes"))


class TestTableOfContents:
    def test_it_lists_sections_with_their_sizes(self, call: CallTool) -> None:
        text = text_of(call("table_of_contents", path="start/guide.md"))
        assert "- Guide · section_id: guide · level 1" in text
        assert "    - Linux · section_id: guide/install/linux · level 3" in text

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
        assert estimate_tokens(text) <= 8_000
        assert text.count("- Part ") == 50
        shown = text.count("- Detail ")
        assert 100 < shown < 400
        assert f"[{5_000 - shown} of 5051 sections left out; the rest: table_of_contents(path=" in text.splitlines()[-1]

    def test_its_pieces_name_every_section_of_a_very_long_page(self, call: CallTool, collection: Collection) -> None:
        parts = "".join(
            f"## Part {n}\n\n" + "".join(f"### Detail {n} {m}\n\nx\n\n" for m in range(100)) for n in range(12)
        )
        put(collection, {"long.md": f"# Long\n\n{parts}", "flat.md": "## Flat\n\nx\n\n" * 900})
        for path, count in (("long.md", 1 + 12 + 1_200), ("flat.md", 900)):
            ids: set[str] = set()
            cursor = None
            while True:
                data = data_of(call("table_of_contents", path=path, cursor=cursor, format="json"))
                found = [section["id"] for section in data["sections"]]
                assert len(found) > 100 or data["next_cursor"] is None
                ids |= set(found)
                cursor = data["next_cursor"]
                if cursor is None:
                    break
            assert len(ids) == count

    def test_it_fills_its_room_with_the_first_sections_of_a_flat_page(
        self, call: CallTool, collection: Collection
    ) -> None:
        versions = "".join(f"## Version 1.{n}.0 released\n\nfix {n}\n\n" for n in range(400))
        put(collection, {"changes.md": f"# Changelog of the product\n\n{versions}"})
        first = text_of(call("table_of_contents", path="changes.md"))
        assert 7_900 < estimate_tokens(first) <= 8_000
        cursor = first.rpartition('cursor="')[2].partition('"')[0]
        second = text_of(call("table_of_contents", path="changes.md", cursor=cursor))
        last = [line.split(" released")[0].strip() for line in first.splitlines() if "Version" in line][-1]
        number = int(last.split(".")[1])
        assert f"- Version 1.{number + 1}.0 released" in second.splitlines()[3]
        assert "left out" not in second
        assert "- Version 1.399.0 released" in second

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

    def test_it_says_that_an_empty_page_is_empty(self, call: CallTool) -> None:
        assert "This document is empty." in text_of(call("table_of_contents", path="empty.md"))


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


class TestGetDocPage:
    def test_it_gives_the_page(self, call: CallTool) -> None:
        text = text_of(call("get_doc_page", path="start/guide.md"))
        assert "# Guide\n\nWelcome to the guide.\n\n## Install" in text
        assert "keywords:" not in text

    @pytest.mark.parametrize(
        "path",
        ["start/guide", "./start/guide.md", "/start/guide.md", "manual:start/guide.md", "start/guide.md#install"],
    )
    def test_it_forgives_how_a_path_is_written(self, call: CallTool, path: str) -> None:
        assert "Welcome" in text_of(call("get_doc_page", path=path))

    def test_it_takes_an_id_and_a_source_url(self, call: CallTool) -> None:
        document = Document.objects.get(path="faq.md")
        Document.objects.filter(pk=document.pk).update(source_url="https://docs.example.com/faq")
        assert "Ask about" in text_of(call("get_doc_page", document_id=str(document.pk)))
        assert "Ask about" in text_of(call("get_doc_page", url="https://docs.example.com/faq#top"))

    def test_it_gives_named_sections(self, call: CallTool) -> None:
        text = text_of(call("get_doc_page", path="start/guide.md", sections=["guide/configure"]))
        assert "Write the file." in text
        assert "Welcome" not in text

    @pytest.mark.parametrize(
        "content",
        [
            "# Long\n\n" + "".join(f"## Part {n}\n\n{'some words ' * n}\n\n" for n in range(120)),
            "# One\n\n" + "One paragraph.\n\n" * 2000,
            "word " * 9000,
            "x" * 30_000,
            "全文検索の設定" * 2000,
        ],
        ids=["sections", "paragraphs", "line", "word", "kanji"],
    )
    def test_its_pieces_joined_are_the_page(self, call: CallTool, collection: Collection, content: str) -> None:
        put(collection, {"long.md": content})
        pieces: list[str] = []
        cursor = None
        while True:
            data = data_of(call("get_doc_page", path="long.md", cursor=cursor, max_tokens=1500, format="json"))
            assert data["tokens"] <= 1500
            pieces.append(data["content"])
            cursor = data["next_cursor"]
            if cursor is None:
                break
        assert "".join(pieces) == content
        assert len(pieces) > 2

    def test_it_says_how_a_long_page_goes_on(self, call: CallTool, collection: Collection) -> None:
        put(collection, {"long.md": "# One\n\n" + "One paragraph.\n\n" * 5000})
        text = text_of(call("get_doc_page", path="long.md"))
        assert estimate_tokens(text) <= 8_000
        assert 'next: get_doc_page(path="long.md", cursor="' in text

    def test_it_refuses_a_cursor_of_another_page_or_caller(self, call: CallTool, collection: Collection) -> None:
        put(
            collection,
            {"long.md": "# One\n\n" + "One paragraph.\n\n" * 5000, "other.md": "# Two\n\n" + "More.\n\n" * 5000},
        )
        stranger = make_principal(collection)
        cursor = data_of(call("get_doc_page", path="long.md", format="json"))["next_cursor"]
        assert not call("get_doc_page", path="long.md", cursor=cursor).get("isError")
        for other in (
            call("get_doc_page", path="other.md", cursor=cursor),
            call("get_doc_page", principal=stranger, path="long.md", cursor=cursor),
        ):
            assert error_of(other)["code"] == "INVALID_PARAMETER"

    def test_it_names_close_paths_for_one_that_is_not_there(self, call: CallTool) -> None:
        error = error_of(call("get_doc_page", path="start/giude.md"))
        assert error["code"] == "DOCUMENT_NOT_FOUND"
        assert "start/guide.md" in error["message"]

    def test_it_lists_the_collections_that_share_a_path(self, call: CallTool, collection: Collection) -> None:
        put(make_collection("other", tenant=collection.tenant), {"faq.md": "# Other\n\nWords.\n"})
        error = error_of(call("get_doc_page", path="faq.md"))
        assert error["code"] == "INVALID_PARAMETER"
        assert error["details"]["paths"] == ["manual:faq.md", "other:faq.md"]
        assert "# Other" in text_of(call("get_doc_page", path="other:faq.md"))

    def test_it_does_not_find_a_document_removed_meanwhile(self, call: CallTool, collection: Collection) -> None:
        from collections_app.ingest import remove_documents

        remove_documents(collection, [Document.objects.get(path="faq.md").pk])
        assert error_of(call("get_doc_page", path="faq.md"))["code"] == "DOCUMENT_NOT_FOUND"


class TestListDocPages:
    def test_it_lists_pages_with_what_they_are(self, call: CallTool) -> None:
        text = text_of(call("list_doc_pages"))
        assert "- start/guide.md · Guide · How to begin · keywords: start, basics · 205b · start" in text

    def test_it_goes_on_where_a_cursor_says(self, call: CallTool, collection: Collection) -> None:
        put(collection, {f"page-{n:03}.md": f"# Page {n}\n\nx\n" for n in range(25)})
        paths: list[str] = []
        cursor = None
        while True:
            data = data_of(call("list_doc_pages", limit=10, cursor=cursor, format="json"))
            assert data["total"] == 28
            paths += [document["path"] for document in data["documents"]]
            cursor = data["next_cursor"]
            if cursor is None:
                break
        assert paths == sorted(paths)
        assert len(set(paths)) == len(paths) == 28

    def test_it_filters_by_category_and_names_those_there_are(self, call: CallTool) -> None:
        assert [d["path"] for d in data_of(call("list_doc_pages", category="start", format="json"))["documents"]] == [
            "start/guide.md"
        ]
        assert "Categories: start." in text_of(call("list_doc_pages", category="nope"))

    def test_it_shows_failed_documents_to_writers_only(self, call: CallTool, collection: Collection) -> None:
        put(collection, {"bad.md": "---\n: [\n---\n"})
        assert "bad.md" not in text_of(call("list_doc_pages"))
        assert error_of(call("list_doc_pages", status="failed"))["code"] == "INVALID_PARAMETER"
        writer = make_principal(collection, scopes=[Scope.READ, Scope.WRITE])
        text = text_of(call("list_doc_pages", principal=writer, status="failed"))
        assert "bad.md" in text
        assert "PARSE_ERROR" in text

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
        assert 'Not among them: 1 that are pending: list_doc_pages(status="pending")' in everything
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
        cursor = None
        while True:
            data = data_of(call("list_doc_pages", limit=1, cursor=cursor, format="json"))
            seen += [document["path"] for document in data["documents"]]
            cursor = data["next_cursor"]
            if cursor is None:
                break
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

    def test_it_refuses_a_forged_cursor(self, call: CallTool) -> None:
        assert error_of(call("list_doc_pages", cursor="WzEsMl0:x:y"))["code"] == "INVALID_PARAMETER"


class TestListCollections:
    def test_it_lists_what_the_key_may_read(self, call: CallTool, collection: Collection) -> None:
        Collection.objects.filter(pk=collection.pk).update(description="All about it.", version="2.1")
        put(make_collection("foreign"), {"a.md": "# A\n"})
        text = text_of(call("list_collections"))
        assert "**manual** · Manual · 2.1 · 3 documents" in text
        assert "All about it." in text
        assert "foreign" not in text

    def test_it_pages(self, call: CallTool, collection: Collection) -> None:
        for n in range(5):
            make_collection(f"more-{n}", tenant=collection.tenant)
        slugs: list[str] = []
        cursor = None
        while True:
            data = data_of(call("list_collections", limit=2, cursor=cursor, format="json"))
            slugs += [c["slug"] for c in data["collections"]]
            cursor = data["next_cursor"]
            if cursor is None:
                break
        assert slugs == ["manual", *(f"more-{n}" for n in range(5))]

    def test_it_tells_context_and_limits_on_request(self, call: CallTool) -> None:
        data = data_of(call("list_collections", include=["context", "limits", "history"], format="json"))
        assert data["context"]["documents"] == {"success": 3}
        assert data["limits"]["requests"] > 0
        assert data["history"] == []

    def test_its_pages_leave_none_out(self, call: CallTool, collection: Collection) -> None:
        for n in range(60):
            other = make_collection(f"c{n:03}", tenant=collection.tenant)
            Collection.objects.filter(pk=other.pk).update(name="n" * 100, description="文" * 500)
        seen: list[str] = []
        cursor = None
        while True:
            text = text_of(call("list_collections", limit=100, cursor=cursor))
            assert estimate_tokens(text) <= 8_000
            slugs = [line.split("**")[1] for line in text.splitlines() if line.startswith("- **")]
            assert text.startswith(f"{len(slugs)} of 61 collections")
            seen += slugs
            if "Next page" not in text:
                break
            cursor = text.rpartition('cursor="')[2].partition('"')[0]
        assert seen == ["manual", *(f"c{n:03}" for n in range(60))]

    def test_its_context_names_so_many_collections_only(self, call: CallTool, collection: Collection) -> None:
        Collection.objects.bulk_create(
            Collection(tenant=collection.tenant, slug=f"c{n:03}", name="C") for n in range(150)
        )
        context = data_of(call("list_collections", limit=1, include="context", format="json"))["context"]
        assert (len(context["collections"]), context["collection_count"]) == (100, 151)

    def test_it_tells_a_key_its_own_last_searches(self, call: CallTool, collection: Collection) -> None:
        for n in range(12):
            call("search_docs", query=f"question {n}")
        call("search_docs", principal=make_principal(collection), query="another key's question")
        history = data_of(call("list_collections", include="history", format="json"))["history"]
        assert [event["query"] for event in history] == [f"question {n}" for n in range(11, 1, -1)]


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
    for nobody in (none.make_principal(), Principal()):
        assert NOTHING_VISIBLE in text_of(call("search_docs", principal=nobody, query="stripes"))
        assert NOTHING_VISIBLE in text_of(call("list_collections", principal=nobody))


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
    "search_docs": ({"query": "archive manager"}, 12),
    "table_of_contents": ({"path": "start/guide.md"}, 3),
    "read_sections": ({"path": "start/guide.md", "section_ids": ["guide/install"]}, 4),
    "get_doc_page": ({"path": "start/guide.md"}, 3),
    "list_doc_pages": ({}, 3),
    "list_collections": ({}, 2),
    "ask_docs": ({"question": "archive manager"}, 12),
    "ingest_document": ({"path": "new.md", "content": "# New"}, 13),
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
