"""What holds for every path: a page that is there is read by it, and for one that is not others are suggested."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from collections_app.access.principal import Scope
from collections_app.jobs import NewUpload, accept_uploads
from collections_app.models import Collection
from collections_app.naming.paths import compose
from tests.factories import make_collection, make_principal, put
from tests.mcp_app.tools.conftest import CallTool, data_of, error_of, text_of

pytestmark = pytest.mark.django_db

names = st.text(
    st.characters(categories=["L", "N", "M"], include_characters=" -_.#%()&+,'", max_codepoint=0x2FFFF),
    min_size=1,
    max_size=20,
).filter(lambda name: name.strip(" .") == name)
paths = st.lists(names, min_size=1, max_size=4).map("/".join).map(compose)
examples = settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])


@examples
@given(path=paths)
def test_a_page_that_is_there_is_read(call: CallTool, collection: Collection, path: str) -> None:
    [file] = put(collection, {f"{path}.md": "# Its heading\n\nIts gyroscope.\n"})
    assume(file.outcome in ("indexed", "unchanged", "duplicate"))
    for asked in (file.path, f"./{file.path}", f"manual:{file.path}"):
        assert "Its gyroscope." in text_of(call("get_doc_page", path=asked))


@pytest.mark.parametrize(
    "asked",
    [
        "É/e\u0301.md",
        "E\u0301/e\u0301",
        "manual:E\u0301/é.md",
        "E%CC%81/e%CC%81.md",
        "e\u0301.md",
        "E\u0301/e\u0301.html",
    ],
)
def test_letters_may_be_decomposed_as_macos_has_them(call: CallTool, collection: Collection, asked: str) -> None:
    put(collection, {"É/é.md": "# Its heading\n\nIts gyroscope.\n"})
    assert "Its gyroscope." in text_of(call("get_doc_page", path=asked))


def test_a_folder_may_be_decomposed(call: CallTool, collection: Collection) -> None:
    put(collection, {"É/é.md": "# Its heading\n"})
    assert "É/é.md" in text_of(call("list_doc_pages", folder="E\u0301"))


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
        assert ("None is called nearly so. There are, for example: " in error["message"]) == (first == "empty.md")

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

    def test_they_are_from_the_innermost_folder_of_an_address(self, call: CallTool, collection: Collection) -> None:
        put(collection, {f"boats/{name}.md": "# Page\n" for name in ("a", "b", "small/y", "small/z")})
        error = error_of(call("get_doc_page", path="https://docs.example.org/boats/small/qqqqqqqq/"))
        assert error["details"]["suggestions"] == ["boats/small/y.md", "boats/small/z.md", "boats/a.md", "boats/b.md"]

    @pytest.mark.parametrize(
        ("path", "suggestions"),
        [
            ("boats/sail.md", ["doc/boats/sail-and-rig.md", "doc/boats/new-sails.md", "doc/kites/sail-area.md"]),
            ("https://docs.example.org/latest/kites/sail/", ["doc/kites/sail-area.md", "doc/boats/sail-and-rig.md"]),
            ("boats/rig", ["doc/boats/sail-and-rig.md"]),
            ("boats/qqqqqqqq.md", ["doc/boats/new-sails.md", "doc/boats/sail-and-rig.md"]),
            ("boats/la", ["doc/boats/new-sails.md", "doc/boats/sail-and-rig.md"]),
        ],
    )
    def test_they_have_all_words_of_the_name_or_are_in_a_folder_of_that_name_anywhere(
        self, call: CallTool, collection: Collection, path: str, suggestions: list[str]
    ) -> None:
        names = ("boats/sail-and-rig", "boats/new-sails", "kites/sail-area", "kites/other")
        put(collection, {f"doc/{name}.md": "# Page\n" for name in names})
        error = error_of(call("get_doc_page", path=path))
        assert error["details"]["suggestions"][: len(suggestions)] == suggestions

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


OLD = "versioned_docs/version-"


class TestAddresses:
    """A page is opened by a link to it that somebody pasted, and by the end of its path."""

    @pytest.fixture(autouse=True)
    def libraries(self, collection: Collection) -> None:
        for slug, library, version, folder in (
            ("rabbit-3-13", "rabbit", "3.13", "versions/3.13/"),
            ("rabbit-4-2", "rabbit", "4.2", "versions/4.2/"),
            ("uv", "", "", "docs/concepts/"),
            ("nats", "", "", ""),
        ):
            each = make_collection(slug, tenant=collection.tenant)
            Collection.objects.filter(pk=each.pk).update(library=library, version=version)
            names = ("indexes", "cache") if slug == "uv" else ("consumers", "queues")
            put(
                each, {f"{folder}{name}.md": f"# {name}\n\nOf {slug}.\n\n## Timeout\n\nIt is long.\n" for name in names}
            )

    @pytest.mark.parametrize(
        ("asked", "taken"),
        [
            ("https://github.com/astral-sh/uv/blob/main/docs/concepts/indexes.md", "uv:docs/concepts/indexes.md"),
            ("https://docs.astral.sh/uv/concepts/indexes/", "uv:docs/concepts/indexes.md"),
            ("concepts/indexes.md", "uv:docs/concepts/indexes.md"),
            ("Concepts/Indexes.html?x=1", "uv:docs/concepts/indexes.md"),
            ("indexes", "uv:docs/concepts/indexes.md"),
            ("https://www.rabbit.com/docs/consumers", "rabbit-4-2:versions/4.2/consumers.md"),
            ("https://www.rabbit.com/docs/3.13/consumers", "rabbit-3-13:versions/3.13/consumers.md"),
            ("rabbit:docs/consumers.md", "rabbit-4-2:versions/4.2/consumers.md"),
            ("https://nats.io/consumers.html", "nats:consumers.md"),
            ("https://kubernetes.io/docs/nats/consumers", "nats:consumers.md"),  # not this server's address
        ],
    )
    @pytest.mark.parametrize("fragment", ["", "#timeout"])
    def test_it_is_told_what_it_was_taken_for(self, call: CallTool, asked: str, taken: str, fragment: str) -> None:
        path = asked + fragment
        text = text_of(call("get_doc_page", path=path))
        assert f"\n[taken for {taken}]\n" in text
        assert ('[only "Timeout";' in text) == bool(fragment)
        for tool, more in (
            ("get_doc_page", {}),
            ("table_of_contents", {}),
            ("read_sections", {"section_ids": ["timeout"]}),
        ):
            assert f"\n[taken for {taken}]\n" in text_of(call(tool, path=path, **more))
            assert data_of(call(tool, path=path, format="json", **more))["taken_for"] == taken

    @pytest.mark.parametrize(
        ("asked", "first"),
        [
            ("x/consumers", "nats:consumers.md"),  # two libraries have it
            ("https://example.org/docs/consumers", "nats:consumers.md"),
            ("kafka/indexes.md", "uv:docs/concepts/indexes.md"),  # its folder is another one
        ],
    )
    def test_what_is_not_sure_is_suggested_with_the_fragment(self, call: CallTool, asked: str, first: str) -> None:
        error = error_of(call("get_doc_page", path=f"{asked}#timeout"))
        assert error["details"]["suggestions"][0] == first
        assert error["message"].endswith(f'With its fragment: get_doc_page(path="{first}#timeout").')

    def test_lines_of_a_file_in_a_repository_are_no_fragment_of_a_page(self, call: CallTool) -> None:
        error = error_of(call("get_doc_page", path="x/consumers.py#L2-L40"))
        assert error["details"]["suggestions"]
        assert "#L2" not in error["message"].partition(". ")[2]

    @pytest.mark.parametrize("more", [{}, {"version": "latest"}, {"version": "all"}, {"collection": "all"}])
    @pytest.mark.parametrize(
        "asked",
        [
            "kafka/indexes.md",
            "notes/release-4.2",
            "https://github.com/facebook/react/blob/main/CHANGELOG.md",
            "https://github.com/facebook/react/blob/main/README.md",
            "https://github.com/facebook/react/blob/main/docs/README.md",
            "https://github.com/facebook/react/blob/main/docs/install.md",
            "github.com/facebook/react/blob/main/CHANGELOG.md",
            "https://github.com/nats-io/nats/blob/main/README.md",
        ],
    )
    def test_a_page_of_another_project_is_not_sure(self, call: CallTool, asked: str, more: dict[str, str]) -> None:
        """Whatever version is asked for."""
        files = ("CHANGELOG.md", "docs/README.md", "docs/install.md", "notes/release-4.md", "main.md")
        put(Collection.objects.get(slug="nats"), {file: f"# {file}\n\nOf NATS.\n" for file in files})
        assert error_of(call("get_doc_page", path=asked, **more))["code"] == "DOCUMENT_NOT_FOUND"

    @pytest.mark.parametrize(
        ("path", "more"),
        [
            ("uv:kafka/indexes.md", {}),
            ("uv:kafka/indexes.md", {"version": "latest"}),
            ("kafka/indexes.md", {"collection": "uv"}),
            ("kafka/indexes.md", {"collection": "uv", "version": "latest"}),
        ],
    )
    def test_its_name_is_enough_in_the_collection_that_is_named(
        self, call: CallTool, path: str, more: dict[str, str]
    ) -> None:
        assert "[taken for uv:docs/concepts/indexes.md]" in text_of(call("get_doc_page", path=path, **more))

    def test_of_pages_of_one_name_it_is_the_only_one_of_that_file(self, call: CallTool) -> None:
        """Others of its name that have another ending are other files."""
        put(
            Collection.objects.get(slug="uv"),
            {"docs/faq.rst": "FAQ\n===\n\nOf uv.\n", "docs/more/terms.md": "# Terms\n"},
        )
        put(Collection.objects.get(slug="nats"), {"about/faq.txt": "Of NATS.\n", "about/terms.md": "# Terms\n"})
        assert "[taken for uv:docs/faq.rst]" in text_of(call("get_doc_page", path="faq.rst"))
        for path in ("terms.md", "x/faq"):
            error = error_of(call("get_doc_page", path=path))
            assert {each.partition(":")[0] for each in error["details"]["suggestions"]} >= {"uv", "nats"}

    @pytest.mark.parametrize(
        ("asked", "taken", "others"),
        [
            ("https://www.uv.dev/guide/start#go", "docs/guide/start.md", [f"{OLD}2.x/guide", f"{OLD}1.x/guide"]),
            ("guide/start.html", "docs/guide/start.md", [f"{OLD}2.x/guide", f"{OLD}1.x/guide"]),
            ("https://uv.dev/1.x/guide/start", f"{OLD}1.x/guide/start.md", ["docs/guide", f"{OLD}2.x/guide"]),
            ("https://uv.dev/docs/1.x/guide/start", f"{OLD}1.x/guide/start.md", ["docs/guide", f"{OLD}2.x/guide"]),
        ],
    )  # fmt: skip
    def test_of_pages_in_folders_of_several_versions_it_is_the_newest_or_the_one_that_is_named(
        self, call: CallTool, asked: str, taken: str, others: list[str]
    ) -> None:
        folders = (f"{OLD}1.x", "docs", f"{OLD}2.x")
        text = "# Start\n\n## Go\n\nAs in {}.\n"
        put(
            Collection.objects.get(slug="uv"),
            {f"{folder}/guide/start.md": text.format(folder) for folder in folders},
        )
        answer = text_of(call("get_doc_page", path=asked, max_tokens=1000))
        assert f"[taken for uv:{taken}]\n[one of several versions; also there: uv:" in answer
        data = data_of(call("get_doc_page", path=asked, format="json"))
        assert data["path"] == taken
        assert [each.removesuffix("/start.md") for each in data["other_versions"]] == [
            f"uv:{other}" for other in others
        ]

    def test_of_versions_and_a_page_elsewhere_it_is_the_one_in_the_folder_of_the_address(self, call: CallTool) -> None:
        folders = (f"{OLD}1.x/", "docs/", "static/")
        put(
            Collection.objects.get(slug="uv"),
            {f"{folder}guide/start.md": f"# Start\n\nOf {folder}.\n" for folder in folders},
        )
        assert (
            data_of(call("get_doc_page", path="https://uv.dev/docs/next/guide/start", format="json"))["path"]
            == "docs/guide/start.md"
        )

    def test_pages_of_one_name_in_other_folders_are_no_versions(self, call: CallTool) -> None:
        put(
            Collection.objects.get(slug="uv"),
            {f"docs/{folder}/start.md": f"# Start\n\nOf {folder}.\n" for folder in ("pip", "tool")},
        )
        assert error_of(call("get_doc_page", path="https://uv.dev/start"))["code"] == "DOCUMENT_NOT_FOUND"

    def test_nothing_is_sure_where_not_all_of_that_name_are_looked_at(
        self, call: CallTool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        nats = Collection.objects.get(slug="nats")
        put(nats, {f"{folder}/overview.md": f"# {folder}\n" for folder in ("a/intro", "b", "c", "zeta/intro")})
        monkeypatch.setattr("collections_app.documents.endings.MAX_ENDING_ALIKE", 4)
        assert "[taken for nats:zeta/intro/overview.md]" in text_of(call("get_doc_page", path="x/zeta/intro/overview"))
        monkeypatch.setattr("collections_app.documents.endings.MAX_ENDING_ALIKE", 3)
        for path in ("x/zeta/intro/overview", "nats:x/zeta/intro/overview"):
            assert error_of(call("get_doc_page", path=path))["code"] == "DOCUMENT_NOT_FOUND"

    @pytest.mark.parametrize("path", ["guide/begin", "guide/begin.html", "./guide/begin#timeout"])
    def test_a_page_of_that_very_path_goes_before_a_collection_of_the_folders_name(
        self, call: CallTool, collection: Collection, path: str
    ) -> None:
        put(make_collection("guide", tenant=collection.tenant), {"begin.md": "# Begin\n\nOf the collection.\n"})
        assert "Of the collection." in text_of(call("get_doc_page", path="guide/begin"))
        put(Collection.objects.get(slug="nats"), {"guide/begin.rst": "Begin\n=====\n\nTimeout\n-------\n\nOf NATS.\n"})
        assert "Of NATS." in text_of(call("get_doc_page", path=path))

    @pytest.mark.parametrize(
        "path",
        ["uv/docs/concepts/indexes.md", "{tenant}/uv/docs/concepts/indexes", "./uv/docs/concepts/indexes.md#timeout"],
    )
    def test_the_collection_may_stand_before_it_as_a_folder(
        self, call: CallTool, collection: Collection, path: str
    ) -> None:
        text = text_of(call("get_doc_page", path=path.format(tenant=collection.tenant.slug)))
        assert "· uv · docs/concepts/indexes.md ·" in text
        assert "[taken for" not in text

    def test_nothing_is_taken_from_what_the_caller_may_not_see(self, call: CallTool, collection: Collection) -> None:
        put(make_collection("secret"), {"docs/plans/merger.md": "# Merger\n"})
        for path in ("plans/merger.md", "https://secret.com/plans/merger", "secret/docs/plans/merger.md"):
            message = error_of(call("get_doc_page", path=path))["message"]
            assert "secret:" not in message
            assert "docs/plans/merger" not in message.replace(path, "")

    def test_of_two_versions_the_newest_is_opened_and_the_other_named(
        self, call: CallTool, collection: Collection
    ) -> None:
        for each in Collection.objects.filter(library="rabbit"):
            put(each, {"both.md": f"# Both\n\nOf {each.version}.\n"})
        for tool, more in (
            ("get_doc_page", {}),
            ("table_of_contents", {}),
            ("read_sections", {"section_ids": ["both"]}),
        ):
            text = text_of(call(tool, path="both.md", **more))
            assert "[version 4.2, the newest that has it; also there: rabbit-3-13:both.md]" in text
            data = data_of(call(tool, path="both.md", format="json", **more))
            assert (data["collection"], data["other_versions"]) == ("rabbit-4-2", ["rabbit-3-13:both.md"])
            older = data_of(call(tool, path="both.md", version="3.13", format="json", **more))
            assert (older["collection"], "other_versions" in older) == ("rabbit-3-13", False)
            text = text_of(call(tool, path="rabbit-4-2:both.md", version="3.13", **more))
            assert "[rabbit-4-2 is version 4.2; read rabbit-3-13 as version asks.]" in text
        error = error_of(call("get_doc_page", path="uv:docs/concepts/indexes.md", version="3.13"))
        assert "Version '3.13' is not here" in error["message"]
        error = error_of(call("get_doc_page", path="both.md", version="5"))
        assert "indexed: 4.2, 3.13" in error["message"]


class TestUnread:
    """Who may write is told of a document that could not be read; others are told what there is."""

    @pytest.fixture(autouse=True)
    def broken(self, collection: Collection) -> None:
        put(make_collection("other", tenant=collection.tenant), {"x/zzz.md": "# Zzz\n"})
        put(collection, {"broken.md": "---\ntitle: [x\n---\n# A\n"})

    @pytest.mark.parametrize("path", ["broken.md", "manual:broken", "manual/broken.md", "./broken.md#a"])
    def test_it_says_why(self, call: CallTool, collection: Collection, path: str) -> None:
        error = error_of(call("get_doc_page", principal=make_principal(collection, scopes=Scope), path=path))
        assert error["code"] == "DOCUMENT_NOT_FOUND"
        assert error["message"].startswith("broken.md in manual could not be indexed: PARSE_ERROR front matter, line ")
        assert 'ingestion_status(path="manual:broken.md")' in error["message"]
        assert "There is no document" in error_of(call("get_doc_page", path=path))["message"]

    @pytest.mark.parametrize("path", ["sent.md", "manual:sent", "manual/sent.md", "broken.md"])
    def test_of_what_was_sent_it_says_that_it_is_still_to_be_read(
        self, call: CallTool, collection: Collection, path: str
    ) -> None:
        accept_uploads(collection, [NewUpload("sent.md", b"# A\n"), NewUpload("broken.md", b"# Mended\n")])
        error = error_of(call("get_doc_page", principal=make_principal(collection, scopes=Scope), path=path))
        assert error["code"] == "DOCUMENT_NOT_FOUND"
        assert ".md in manual was sent and is still to be read. ingestion_status(path=" in error["message"]
        assert "There is no document" in error_of(call("get_doc_page", path=path))["message"]

    @pytest.mark.parametrize("path", ["manual:zzz.md", "manual:x/zzz.md", "manual:nosuch.md"])
    def test_suggestions_keep_to_the_collection_that_is_named(self, call: CallTool, path: str) -> None:
        suggestions = error_of(call("get_doc_page", path=path))["details"]["suggestions"]
        assert suggestions
        assert all(each.startswith("manual:") for each in suggestions)


API = """openapi: 3.0.0
info: {title: Rigging, version: "1"}
paths:
  /sails/{id}/limits:
    patch: {summary: "Update sailLimits", operationId: updateLimits, responses: {"200": {description: ok}}}
    get: {summary: List all limits, operationId: list_limits, responses: {"200": {description: ok}}}
"""


@pytest.mark.parametrize(
    ("asked", "section"),
    [
        ("https://docs.example.org/reference/api/settings/update-saillimits", "patch-sails-id-limits"),
        ("/api-reference/limits/update-sail-limits", "patch-sails-id-limits"),
        ("/reference/updatelimits", "patch-sails-id-limits"),
        ("/reference/list-all-limits?playground=open#body", "get-sails-id-limits"),
        ("/reference/list-limits", "get-sails-id-limits"),
        ("/reference/update", ""),
        ("/reference/!", ""),
    ],
)
def test_a_page_of_an_operation_leads_to_where_the_api_description_has_it(
    call: CallTool, collection: Collection, asked: str, section: str
) -> None:
    put(collection, {"openapi.yaml": API})
    error = error_of(call("get_doc_page", path=asked))
    found = [each for each in error["details"]["suggestions"] if each.startswith("openapi.yaml#")]
    assert [each.rpartition("/")[2] for each in found] == ([section] if section else [])
    for each in found:
        method = section.partition("-")[0].upper()
        assert f'[only "{method} /sails/{{id}}/limits"' in text_of(call("get_doc_page", path=each))


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("https://docs.example.org/harbour/latest/quays/mooring", "At the quay."),
        ("quays/mooring", "At the quay."),
        ("https://git.example.org/o/r/blob/main/docs/modules/quays/pages/mooring.adoc", "At the quay."),
        ("https://docs.example.org/latest/tides/start.html", "The tides begin."),
        ("https://harbour.example.org/begin", "At the root."),
    ],
)
def test_a_page_of_antora_is_known_by_its_address_on_its_site(
    call: CallTool, collection: Collection, asked: str, said: str
) -> None:
    put(
        collection,
        {
            "docs/modules/quays/pages/mooring.adoc": "= Mooring\n\nAt the quay.\n",
            "docs/modules/tides/pages/start.adoc": "= Start\n\nThe tides begin.\n",
            "docs/modules/quays/pages/start.adoc": "= Start\n\nThe quays begin.\n",
            "docs/modules/ROOT/pages/begin.adoc": "= Begin\n\nAt the root.\n",
        },
    )
    assert said in text_of(call("get_doc_page", path=asked, collection="manual"))


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("https://docs.example.org/guides/sails/hoisting", "Up it goes."),
        ("/guides/sails/hoisting", "Up it goes."),
        ("guides/sails/hoisting#slowly", "Hand over hand."),
        ("guides/2.sails/1.hoisting", "Up it goes."),
        ("https://docs.example.org/guides/sails", "All sails."),
        ("https://docs.example.org/guides/anchors/dropping/", "Down it goes."),
        ("guides/anchors/404-errors", "It is not found."),
        ("guides/anchors/errors", "All errors."),
    ],
)
def test_numbers_that_order_files_are_no_part_of_an_address(
    call: CallTool, collection: Collection, asked: str, said: str
) -> None:
    put(
        collection,
        {
            "guides/2.sails/0.index.md": "# Sails\n\nAll sails.\n",
            "guides/2.sails/1.hoisting.md": "# Hoisting\n\nUp it goes.\n\n## Slowly\n\nHand over hand.\n",
            "guides/03-anchors/01 - dropping.md": "# Dropping\n\nDown it goes.\n",
            "guides/03-anchors/404-errors.md": "# 404\n\nIt is not found.\n",
            "guides/03-anchors/errors.md": "# Errors\n\nAll errors.\n",
        },
    )
    assert said in text_of(call("get_doc_page", path=asked))


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("https://manual.example.org/latest/quays/", "All quays."),
        ("https://manual.example.org/latest/quays/index/", "All quays."),
        ("https://manual.example.org/latest/tides/", "All tides."),
        ("https://manual.example.org/docs/ebb/and-flow.html", "All tides."),
        ("https://manual.example.org/moon/", "All tides."),
        ("https://manual.example.org/latest/Stars/", "All stars."),
        ("https://manual.example.org/rig/", "All rigs."),
        ("https://manual.example.org/latest/sails/old", "A sail of old."),
    ],
)
def test_a_page_is_known_by_the_addresses_in_its_front_matter(
    call: CallTool, collection: Collection, asked: str, said: str
) -> None:
    put(
        collection,
        {
            "_quays/index.md": "# Quays\n\nAll quays.\n",
            "_sea/tides/more.md": "---\npermalink: /tides/\nredirect_from:\n  - /ebb/and-flow/\n  - /moon\n---\n# Tides\n\nAll tides.\n",
            "_sea/moods/tides.md": "# Moods\n\nOf tides.\n",
            "sky/night.md": "---\naliases: [/stars/]\n---\n# Stars\n\nAll stars.\n",
            "_sails/all.md": "---\nslug: /rig\nredirect_from: /sails/old/\n---\n# Rigs\n\nAll rigs.\n",
            "_sails/old.md": "# Old\n\nA sail of old.\n",
        },
    )
    assert said in text_of(call("get_doc_page", path=asked, collection="manual"))


@pytest.mark.parametrize(
    "asked",
    [
        "https://hexdocs.example.org/manual/tides-and-quays.html#ebb",
        "How-tos/Tides-and-Quays",
        "tides%20and%20quays.html",
    ],
)
def test_a_page_whose_name_has_blanks_is_known_by_its_name_with_hyphens(
    call: CallTool, collection: Collection, asked: str
) -> None:
    put(collection, {"guides/How tos/Tides and Quays.md": "# Tides and quays\n\nBoth.\n\n## Ebb\n\nLow.\n"})
    assert "Low." in text_of(call("get_doc_page", path=asked, collection="manual"))


def test_an_address_is_answered_with_pages_of_the_collection_that_its_host_names(
    call: CallTool, collection: Collection
) -> None:
    put(make_collection("acme", tenant=collection.tenant), {"docs/index.md": "# Home\n", "use.md": "# Use\n"})
    put(make_collection("other", tenant=collection.tenant), {"install.md": "# Install\n", "README.md": "# Other\n"})
    put(make_collection("third", tenant=collection.tenant), {"one/ui.md": "# UI\n", "two/ui.md": "# UI\n"})
    for asked in ("https://docs.acme.org/en/latest/#x", "https://www.acme.org/", "https://acme.dev/3.2/install/help"):
        error = error_of(call("get_doc_page", path=asked))
        assert {each.partition(":")[0] for each in error["details"]["suggestions"]} == {"acme"}
        assert ("Its site begins with: acme:docs/index.md." in error["message"]) is ("install" not in asked)
        assert "With its fragment" not in error["message"]
    assert "Its site" not in error_of(call("get_doc_page", path="https://elsewhere.example/#x"))["message"]
    assert (
        error_of(call("get_doc_page", path="https://third.dev/ui#x"))["details"]["suggestions"][0] == "third:one/ui.md"
    )


def test_of_many_pages_with_one_end_of_an_address_it_is_that_with_the_longest(
    call: CallTool, collection: Collection
) -> None:
    pages = {f"v{n:02}/setup.md": f"---\nslug: overview\n---\n# Setup\n\nNumber {n}.\n" for n in range(60)}
    put(collection, {**pages, "gear.md": "---\nslug: /gear/overview\n---\n# Gears\n\nAll of them.\n"})
    asked = {"path": "https://manual.example.org/gear/overview", "collection": "manual"}
    assert "All of them." in text_of(call("get_doc_page", **asked))
    asked["path"] = "https://manual.example.org/overview"
    assert "Number 59." in text_of(call("get_doc_page", **asked))
