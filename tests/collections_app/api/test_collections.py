"""Collections over REST."""

from __future__ import annotations

from typing import Any

import pytest

from collections_app.access.principal import Scope
from collections_app.indexing.languages import rebuild_due
from collections_app.models import Collection
from tests.collections_app.api.conftest import Caller, code_of, make_caller, make_member
from tests.factories import make_collection, make_tenant


def test_a_key_sees_its_collections_and_how_many_documents_can_be_read(
    reader: Caller, collection: Collection, strange: Collection
) -> None:
    status, page = reader.get("collections")
    assert status == 200
    [entry] = page["results"]
    assert (entry["slug"], entry["tenant"], entry["documents"]) == ("manual", collection.tenant.slug, 2)
    assert page["next_cursor"] is None
    assert reader.get("collections/manual") == (200, entry)
    assert reader.get(f"collections/{collection.tenant.slug}:MANUAL") == (200, entry)


def test_a_granted_key_sees_what_was_granted(collection: Collection) -> None:
    other = make_collection("other", tenant=collection.tenant)
    caller = make_caller(collection.tenant, collections=[other])
    assert [entry["slug"] for entry in caller.get("collections")[1]["results"]] == ["other"]
    assert code_of(caller.get("collections/manual")) == (404, "COLLECTION_NOT_FOUND")


def test_anybody_sees_what_is_public(anybody: Caller, collection: Collection) -> None:
    make_collection("open", is_public=True)
    assert [entry["slug"] for entry in anybody.get("collections")[1]["results"]] == ["open"]
    assert anybody.get("collections/open")[0] == 200
    assert code_of(anybody.get("collections/manual")) == (404, "COLLECTION_NOT_FOUND")


def test_lists_go_on_by_cursor(reader: Caller, collection: Collection) -> None:
    for number in range(4):
        make_collection(f"more-{number}", tenant=collection.tenant)
    seen, cursor = [], ""
    while True:
        _, page = reader.get(f"collections?limit=2{f'&cursor={cursor}' if cursor else ''}")
        seen += [entry["slug"] for entry in page["results"]]
        if not (cursor := page["next_cursor"]):
            break
    assert seen == ["manual", "more-0", "more-1", "more-2", "more-3"]


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("limit=many", "limit"),
        ("cursor=forged", "cursor"),
        ("limti=3", "limti: is not known here. Did you mean limit?"),
    ],
)
def test_a_wrong_question_is_refused_by_name(reader: Caller, query: str, named: str) -> None:
    answer = reader.get(f"collections?{query}")
    assert code_of(answer) == (400, "INVALID_PARAMETER")
    assert named in answer[1]["error"]["message"]


class TestMaking:
    def test_a_key_of_all_collections_makes_one(self, writer: Caller, collection: Collection) -> None:
        status, made = writer.post("collections", {"slug": "Notes", "name": "Notes", "language": "german"})
        assert (status, made["slug"], made["language"], made["is_public"]) == (201, "notes", "german", False)
        row = Collection.objects.get(slug="notes")
        assert (row.tenant, row.name, row.is_language_settled) == (collection.tenant, "Notes", True)

    def test_versions_of_a_library_name_it(self, writer: Caller, collection: Collection) -> None:
        for slug, version in (("next-14", "14"), ("next-15", "15")):
            given = {"slug": slug, "version": version, "library": "next"}
            status, made = writer.post("collections", given)
            assert (status, made["library"]) == (201, "next")
        assert writer.get("collections/next")[1]["slug"] == "next-15"
        assert writer.get("collections/manual")[1]["library"] == ""

    @pytest.mark.parametrize("library", ["next js", "a/b", "x" * 64, ["next"], None])
    def test_a_library_is_named_as_a_slug(self, writer: Caller, library: Any) -> None:
        assert code_of(writer.post("collections", {"slug": "a", "library": library})) == (400, "INVALID_PARAMETER")

    def test_its_language_may_be_found_out(self, writer: Caller) -> None:
        assert writer.post("collections", {"slug": "notes"})[1]["language"] == "english"
        assert not Collection.objects.get(slug="notes").is_language_settled

    def test_a_slug_that_is_taken_is_refused(self, writer: Caller) -> None:
        assert code_of(writer.post("collections", {"slug": "manual"})) == (400, "INVALID_PARAMETER")

    @pytest.mark.parametrize(
        "given",
        [{}, {"slug": "../etc"}, {"slug": "a", "language": "klingon"}, {"slug": "a", "nmae": "A"}, ["a"], "a"],
    )
    def test_what_is_no_collection_is_refused(self, writer: Caller, given: Any) -> None:
        assert code_of(writer.post("collections", given)) == (400, "INVALID_PARAMETER")
        assert Collection.objects.count() == 1

    def test_keys_that_only_read_or_are_granted_some_make_none(self, reader: Caller, collection: Collection) -> None:
        assert code_of(reader.post("collections", {"slug": "notes"})) == (403, "FORBIDDEN")
        granted = make_caller(collection.tenant, collections=[collection])
        assert code_of(granted.post("collections", {"slug": "notes"})) == (403, "FORBIDDEN")

    @pytest.mark.parametrize(("role", "status"), [("viewer", 403), ("editor", 201), ("owner", 201)])
    def test_members_by_their_role(self, collection: Collection, role: str, status: int) -> None:
        assert make_member(collection.tenant, role).post("collections", {"slug": "notes"})[0] == status

    def test_who_is_in_several_tenants_names_one(self, collection: Collection) -> None:
        make_tenant("second")
        root = make_member(None, is_superuser=True)
        assert code_of(root.post("collections", {"slug": "notes"})) == (400, "INVALID_PARAMETER")
        assert root.post("collections", {"slug": "notes", "tenant": "second"})[1]["tenant"] == "second"


class TestChanging:
    def test_a_writer_describes_it_anew(self, writer: Caller, collection: Collection) -> None:
        status, changed = writer.ask("patch", "collections/manual", {"description": "How it works", "version": "2"})
        assert (status, changed["description"], changed["version"], changed["name"]) == (
            200,
            "How it works",
            "2",
            "Manual",
        )
        collection.refresh_from_db()
        assert collection.description == "How it works"

    def test_a_collection_becomes_a_version_of_a_library_and_none_again(
        self, writer: Caller, collection: Collection
    ) -> None:
        for library in ("manuals", ""):
            assert writer.ask("patch", "collections/manual", {"library": library})[1]["library"] == library
            collection.refresh_from_db()
            assert collection.library == library

    def test_another_language_has_the_queue_index_it_anew(self, writer: Caller, collection: Collection) -> None:
        status, changed = writer.ask("patch", "collections/manual", {"language": "german", "name": "Handbuch"})
        assert (status, changed["language"], changed["name"]) == (200, "german", "Handbuch")
        assert collection.reindexing.by_queue
        assert rebuild_due() == 1
        assert writer.ask("patch", "collections/manual", {"language": "german"})[0] == 200
        assert rebuild_due() == 0

    @pytest.mark.parametrize("given", [{"slug": "other"}, {"language": "klingon"}, {"name": ""}, {"name": "x" * 201}])
    def test_what_stays_as_it_is_is_refused(self, writer: Caller, given: dict[str, str]) -> None:
        assert code_of(writer.ask("patch", "collections/manual", given)) == (400, "INVALID_PARAMETER")

    @pytest.mark.parametrize("given", [{"is_public": True}, {"content_policy": "flag"}])
    def test_only_owners_decide_who_reads_and_what_is_stripped(
        self, writer: Caller, collection: Collection, given: dict[str, Any]
    ) -> None:
        assert code_of(writer.ask("patch", "collections/manual", given)) == (403, "FORBIDDEN")
        editor = make_member(collection.tenant, "editor")
        assert code_of(editor.ask("patch", "collections/manual", given)) == (403, "FORBIDDEN")
        status, changed = make_member(collection.tenant, "owner").ask("patch", "collections/manual", given)
        assert status == 200
        assert changed.items() >= given.items()

    def test_a_library_of_several_versions_is_none_of_them(self, writer: Caller, collection: Collection) -> None:
        make_collection("newer", tenant=collection.tenant)
        Collection.objects.update(library="manuals")
        Collection.objects.filter(slug="newer").update(version="2")
        uploaded = {"path": "a.md", "content": "x"}
        for method, path, data in (
            ("patch", "collections/manuals", {"name": "Mine"}),
            ("post", "collections/manuals/uploads", uploaded),
            ("delete", "collections/manuals/documents/faq.md", None),
        ):
            answer = writer.ask(method, path, data)
            assert code_of(answer) == (400, "INVALID_PARAMETER")
            assert answer[1]["error"]["details"] == {"collections": ["manual", "newer"]}
        assert writer.get("collections/manuals")[1]["slug"] == "newer"
        assert writer.ask("delete", "collections/manual/documents/faq.md")[0] == 204

    def test_all_of_them_are_not_one(self, writer: Caller, collection: Collection) -> None:
        assert code_of(writer.ask("patch", "collections/all", {"name": "Mine"})) == (404, "COLLECTION_NOT_FOUND")
        assert code_of(writer.get("collections/*/documents")) == (404, "COLLECTION_NOT_FOUND")

    def test_reading_is_not_enough(self, reader: Caller, collection: Collection, anybody: Caller) -> None:
        Collection.objects.update(is_public=True)
        for caller in (reader, anybody, make_member(collection.tenant, "viewer")):
            assert code_of(caller.ask("patch", "collections/manual", {"name": "Mine"})) == (403, "FORBIDDEN")

    def test_an_editor_elsewhere_does_not_write_where_it_views(self, collection: Collection) -> None:
        member = make_member(collection.tenant, "viewer")
        elsewhere = make_tenant()
        user = elsewhere.memberships.model.objects.get(tenant=collection.tenant).user
        elsewhere.memberships.create(user=user, role="editor")
        assert code_of(member.ask("patch", "collections/manual", {"name": "Mine"})) == (403, "FORBIDDEN")

    def test_there_is_no_deletion(self, writer: Caller) -> None:
        assert code_of(writer.ask("delete", "collections/manual")) == (405, "METHOD_NOT_ALLOWED")


@pytest.mark.parametrize("scopes", [[Scope.ASK], [Scope.WRITE]])
def test_reading_needs_the_scope_read(collection: Collection, scopes: list[Scope]) -> None:
    assert code_of(make_caller(collection.tenant, scopes).get("collections")) == (403, "FORBIDDEN")
