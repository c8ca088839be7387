"""Which collections there are, and what a key is told of itself."""

from __future__ import annotations

from typing import Any

import pytest

from collections_app.access.principal import Scope
from collections_app.jobs import NewUpload, accept_uploads
from collections_app.models import Collection, IngestJob, Tenant
from collections_app.text.tokens import estimate_tokens
from mcp_app.tools.list_collections import make_extras
from tests.factories import make_collection, make_principal, put
from tests.mcp_app.tools.conftest import CallTool, data_of, error_of, iter_data, text_of

pytestmark = pytest.mark.django_db


class TestListCollections:
    def test_it_lists_what_the_key_may_read(self, call: CallTool, collection: Collection) -> None:
        Collection.objects.filter(pk=collection.pk).update(description="All about it.", version="2.1", library="man")
        put(make_collection("foreign"), {"a.md": "# A\n"})
        text = text_of(call("list_collections"))
        assert "**manual** · Manual · version 2.1 · of library man · 3 documents" in text
        assert "All about it." in text
        assert "foreign" not in text
        [told] = data_of(call("list_collections", format="json"))["collections"]
        assert (told["library"], told["version"]) == ("man", "2.1")

    def test_it_tells_another_language_than_english(self, call: CallTool, collection: Collection) -> None:
        assert "English" not in text_of(call("list_collections"))
        Collection.objects.filter(pk=collection.pk).update(language="german")
        assert "**manual** · Manual · 3 documents · in German · updated" in text_of(call("list_collections"))
        assert data_of(call("list_collections", format="json"))["collections"][0]["language"] == "german"

    def test_it_tells_who_may_send_documents_again_how_many_are_not_read(
        self, call: CallTool, collection: Collection
    ) -> None:
        put(collection, {"broken.md": "---\ntitle: [\n---\n", "odd.md": "---\ntitle: [\n---\n"})
        writer = make_principal(collection, scopes=[Scope.READ, Scope.WRITE])
        assert " · 3 documents, 2 failed · " in text_of(call("list_collections", writer))
        assert " · 3 documents · " in text_of(call("list_collections"))
        [told] = data_of(call("list_collections", writer, format="json"))["collections"]
        assert (told["documents"], told["not_served"]) == (3, {"failed": 2})

    @pytest.mark.parametrize(
        ("pages", "about"),
        [
            ({"README.md": "---\ndescription: Ships\n and sails.\n---\n# A\n", "index.md": "# B\n"}, "Ships and sails."),
            ({"docs/index.rst": "All of ships\n============\n\nWords.\n", "a/index.md": "# A\n"}, "All of ships"),
            ({"docs/index.md": "# Long\n", "README.md": f"# {'Ship ' * 90}\n"}, "Ship Ship"),
            ({"index.md": "# Ships.\n", "a.md": "# Sails\n\nThey are.\n", "b/c.md": f"# C\n\n{'c ' * 900}\n"}, "Pages: Sails, Ships., C"),
            ({"x/index.md": "# Low\n", "b.md": "# B\n", "a.md": "# Large\n\nWords.\n"}, "Pages: Large, B, Low"),
            ({"README.md": "# README\n", "docs/index.md": "# All of ships\n\nx\n"}, "All of ships"),
            ({"blog/a.md": f"# Post\n\n{'a ' * 900}\n", "docs/use/a.md": "# Sails\n"}, "Pages: Sails, Post"),
            ({"README.md": "# A\n\n[![B](b.svg)](b)\n\n**Ships** of [all](a.md) kinds\nsail. Ours too.\n"}, "Ships of all kinds sail."),
            ({"README.md": "# Of all\n\n## Build\n\nTo build it say so.\n"}, "Of all"),
            ({"README.md": "# The ships\n\n- A list of all ships here.\n\nMore below\n"}, "The ships"),
            ({"README.md": "# A\n\n```\nx\n\nRun this in it.\n```\n\n    Not so.\n\nAll, e.g. ours, sail.\n"}, "All, e.g. ours, sail."),
            ({"README.md": "# SHIPS\n\nShort.\n", "b.md": "# B\n"}, "Pages: SHIPS, B"),
            ({f"v{n}/{name}.md": f"# {name}\n" for n in "123" for name in ("Sail", "Oar", "Mast")}, "Pages: Mast, Sail, Oar"),
            ({"README.md": "# A\n\n[![B](b.svg)](b)\n\n## About\n\nAll of them sail.\n"}, "All of them sail."),
            ({"README.md": "# A\n\nThis repo is for ships.\n", "index.md": "# All of them\n"}, "All of them"),
            ({"README.md": "# A\n\nThis repo is for ships.\n", "index.md": "# B\n\nAll of them sail.\n"}, "All of them sail."),
            ({"README.md": "# A\n\nThis repo is for ships.\n", "b.md": "# B\n\nAll of them sail.\n"}, "This repo is for ships."),
            ({"README.md": "# A\n\nAll of them sail. See this repo.\n"}, "All of them sail."),
            ({"README.md": "---\ntitle: [\n---\n"}, ""),
            ({}, ""),
        ],
    )  # fmt: skip
    def test_one_without_a_description_is_told_by_its_pages(
        self, call: CallTool, collection: Collection, pages: dict[str, str], about: str
    ) -> None:
        ships = make_collection("ships", tenant=collection.tenant)
        put(ships, pages)
        *_, line = text_of(call("list_collections")).split("**ships**")[1].splitlines()
        told = line.strip() if about else ""
        assert told.startswith(about)
        assert len(told) <= 153
        [*_, data] = data_of(call("list_collections", format="json"))["collections"]
        assert (data["description"], data.get("about", "")) == ("", told)
        Collection.objects.filter(pk=ships.pk).update(description="Ours.")
        assert text_of(call("list_collections")).endswith("\n  Ours.")

    def test_that_is_one_statement_for_all_and_none_where_all_are_described(
        self, call: CallTool, collection: Collection, django_assert_num_queries: Any
    ) -> None:
        for n in range(5):
            put(make_collection(f"more-{n}", tenant=collection.tenant), {"README.md": f"# About {n}\n"})
        with django_assert_num_queries(3):
            assert "About 4" in text_of(call("list_collections"))
        Collection.objects.update(description="Ours.")
        with django_assert_num_queries(2):
            text_of(call("list_collections"))

    def test_it_says_where_the_list_ends(self, call: CallTool) -> None:
        text = text_of(call("r2r_list_collections", offset=5))
        assert text == "The list ends here: it has 1 collection. Leave out the cursor to begin at the first."

    def test_it_takes_what_to_include_in_one_text(self, call: CallTool) -> None:
        data = data_of(call("list_collections", include="context, LIMITS", format="json"))
        assert {"context", "limits"} <= data.keys()
        message = error_of(call("list_collections", include="context,limit"))["message"]
        assert "did you mean 'limits'?" in message

    def test_it_pages(self, call: CallTool, collection: Collection) -> None:
        for n in range(5):
            make_collection(f"more-{n}", tenant=collection.tenant)
        slugs: list[str] = []
        for data in iter_data(call, "list_collections", limit=2):
            slugs += [c["slug"] for c in data["collections"]]
        assert slugs == ["manual", *(f"more-{n}" for n in range(5))]

    def test_it_tells_context_and_limits_on_request(self, call: CallTool) -> None:
        data = data_of(call("list_collections", include=["context", "limits", "history"], format="json"))
        assert data["context"]["documents"] == {"success": 3}
        assert data["limits"]["requests"] > 0
        assert data["history"] == []

    def test_its_context_counts_what_waits_to_be_read_for_who_may_upload(self, collection: Collection) -> None:
        job = accept_uploads(collection, [NewUpload(f"{n}.md", b"# New\n") for n in range(2)])
        writer, reader = (make_principal(collection, scopes=scopes) for scopes in ({Scope.WRITE}, {Scope.READ}))
        told = make_extras(writer, [collection], ["context"])["context"]["documents"]
        assert told == {"success": 3, "pending": 2}
        assert make_extras(reader, [collection], ["context"])["context"]["documents"] == {"success": 3}
        IngestJob.objects.filter(pk=job.pk).update(state="running")
        assert make_extras(writer, [collection], ["context"])["context"]["documents"] == {"success": 3, "processing": 2}

    def test_it_tells_who_may_add_documents_how_many(self, collection: Collection) -> None:
        writer, reader = (make_principal(collection, scopes=scopes) for scopes in ({Scope.WRITE}, {Scope.READ}))
        assert "storage" not in make_extras(writer, [collection], ["limits"])["limits"]
        Tenant.objects.filter(pk=collection.tenant_id).update(max_documents=5)
        told = make_extras(writer, [collection], ["limits"])["limits"]["storage"]
        assert (told["documents"], told["max_documents"], told["max_bytes"]) == (3, 5, None)
        assert "storage" not in make_extras(reader, [collection], ["limits"])["limits"]

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
