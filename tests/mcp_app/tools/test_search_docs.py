"""What search_docs answers, and what it offers beside words: filters, code, versions; what it says to who asks again or finds nothing."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from collections_app.indexing.index_version import bump_index_version
from collections_app.indexing.languages import change_language
from collections_app.ingest.removal import remove_documents
from collections_app.jobs import ensure_upload_source
from collections_app.jobs.moves import keep_told
from collections_app.models import Collection, Pin
from collections_app.text.tokens import estimate_tokens
from tests.factories import make_collection, make_principal, make_tenant, put
from tests.mcp_app.tools.conftest import CallTool, data_of, error_of, text_of

pytestmark = pytest.mark.django_db


class TestAnswer:
    def test_it_gives_sections_with_snippets_and_the_next_call(self, call: CallTool) -> None:
        text = text_of(call("search_docs", query="package manager"))
        assert "1. **Guide › Install › Linux**" in text
        assert "section_id: guide/install/linux" in text
        assert "Use the package manager." in text
        assert 'Next: read_sections(path="start/guide.md", section_ids=["guide/install/linux"])' in text
        assert "mode keyword" in text

    def test_it_passes_over_a_heading_without_text(self, call: CallTool, collection: Collection) -> None:
        put(collection, {"index.md": "#\n\n![Logo](logo.png) Sprockets.\n\n## Gaskets\n\nRound ones.\n"})
        assert "1. **index**\n" in text_of(call("search_docs", query="sprockets"))
        assert "1. **index › Gaskets**\n" in text_of(call("search_docs", query="round gaskets"))

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

    @pytest.mark.parametrize(
        ("address", "page"),
        [
            ("https://docs.example.org/en/20/start/guide/", "start/guide.md"),
            ("<https://docs.example.org/start/guide.html#linux>", "start/guide.md#linux"),
            ("https://docs.example.org/faq?tab=1", "faq.md"),
        ],
    )
    def test_the_page_whose_address_is_asked_for_is_opened_next(self, call: CallTool, address: str, page: str) -> None:
        text = text_of(call("search_docs", query=address))
        assert f"That is the address of {page}." in text
        assert "No section here has" not in text
        assert f'Next: get_doc_page(path="{page}")' in text
        data = data_of(call("search_docs", query=address, format="json"))
        assert data["notice"].endswith(f"That is the address of {page}.")
        assert "# " in text_of(call("get_doc_page", path=page))

    @pytest.mark.parametrize("query", ["https://docs.example.org/sails", "what is https://docs.example.org/faq", "faq"])
    def test_other_questions_open_no_page(self, call: CallTool, query: str) -> None:
        assert "That is the address" not in text_of(call("search_docs", query=query))

    def test_an_address_of_another_site_is_not_that_of_the_only_page_of_its_name(self, call: CallTool) -> None:
        elsewhere = "https://boats.example.net/of/others/faq"
        assert "[taken for manual:faq.md]" in text_of(call("get_doc_page", path=elsewhere, collection="manual"))
        assert "That is the address" not in text_of(call("search_docs", query=elsewhere, collection="manual"))

    def test_an_address_tells_nothing_of_pages_that_a_caller_may_not_read(self, call: CallTool) -> None:
        put(make_collection("harbour", tenant=make_tenant("others")), {"mooring-rules.md": "# Rules\n\nMoor well.\n"})
        text = text_of(call("search_docs", query="https://docs.example.org/mooring-rules"))
        assert "harbour" not in text
        assert "That is the address" not in text

    def test_a_page_that_is_gone_has_no_address(self, call: CallTool, collection: Collection) -> None:
        put(collection, {"mooring-rules.md": "# Rules\n\nMoor well.\n"})
        query = "https://docs.example.org/mooring-rules"
        assert "That is the address of mooring-rules.md." in text_of(call("search_docs", query=query))
        remove_documents(collection, [collection.documents.get(path="mooring-rules.md").pk])
        bump_index_version(collection)
        assert "That is the address" not in text_of(call("search_docs", query=query))

    def test_where_an_address_leads_is_not_remembered(self, call: CallTool, collection: Collection) -> None:
        source = ensure_upload_source(collection)
        for page in ("start/guide.md", "faq.md"):
            keep_told(source, {"/old/mooring-rules": page})
            text = text_of(call("search_docs", query="https://docs.example.org/old/mooring-rules"))
            assert f"That is the address of {page}." in text

    def test_closest_paths_are_not_looked_for_in_vain(self, call: CallTool, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("collections_app.documents.lookup.explain_missing", None)
        assert "docs.example.org/sails" in text_of(call("search_docs", query="https://docs.example.org/sails"))

    @pytest.mark.parametrize("max_tokens", [100, 150, 300])
    def test_a_page_by_its_address_stays_within_the_budget(
        self, call: CallTool, collection: Collection, max_tokens: int
    ) -> None:
        name = f"{'long-folder/' * 30}guide"
        put(collection, {f"{name}.md": "# Guide\n\nThe guide in a long folder.\n"})
        query = f"https://example.org/{name}#{'fragment-' * 40}"
        assert estimate_tokens(text_of(call("search_docs", query=query, max_tokens=max_tokens))) <= max_tokens

    @pytest.mark.parametrize("alias", ["q", "question", "userQuery", "topic"])
    def test_it_takes_what_models_send(self, call: CallTool, alias: str) -> None:
        arguments = {alias: "archive", "max_results": "1", "mode": None}
        assert len(data_of(call("search_docs", **arguments, format="json"))["results"]) == 1

    def test_it_says_what_occurs_when_nothing_is_found(self, call: CallTool) -> None:
        text = text_of(call("search_docs", query="archivex"))
        assert "No section was found" in text
        assert "close: archive" in text

    def test_it_says_in_how_many_more_collections_nothing_is_found(
        self, call: CallTool, collection: Collection
    ) -> None:
        for number in range(12):
            make_collection(f"more-{number:02}", tenant=collection.tenant)
        first = text_of(call("search_docs", query="xyzzyqux")).splitlines()[0]
        assert "more-00" in first
        assert first.endswith(" and 3 more.")

    def test_it_says_which_words_no_section_has(self, call: CallTool) -> None:
        text = text_of(call("search_docs", query="archive E_WIDGET_9999"))
        assert 'No section here has "E_WIDGET_9999".\n\n1. ' in text
        data = data_of(call("search_docs", query="archive E_WIDGET_9999", format="json"))
        assert [word["word"] for word in data["words"]] == ["E_WIDGET_9999"]
        assert data["results"]
        assert "No section here" not in text_of(call("search_docs", query="archive"))

    def test_it_stays_within_the_budget(self, call: CallTool, collection: Collection) -> None:
        put(collection, {f"{n}.md": f"# Turbine {n}\n\n{'The turbine turns and turns. ' * 30}\n" for n in range(60)})
        for form in ("markdown", "json"):
            for budget in (300, 1000):
                result = call("search_docs", query="turbine", limit=50, max_tokens=budget, format=form)
                assert estimate_tokens(result["content"][0]["text"]) <= budget
                assert "left_out" in str(result) or "left out to stay within" in str(result)

    @pytest.mark.parametrize(
        "name", ["", "of the second kind that was built ", "in the hall of the power station by the river "]
    )
    @pytest.mark.parametrize("max_tokens", [100, 120, 140, 200])
    def test_what_is_left_out_is_told_whole_within_a_small_budget(
        self, call: CallTool, collection: Collection, name: str, max_tokens: int
    ) -> None:
        put(collection, {f"{n}.md": f"# Turbine {name}{n}\n\n{'The turbine turns. ' * 30}\n" for n in range(5)})
        text = text_of(call("search_docs", query="turbine", max_tokens=max_tokens))
        assert estimate_tokens(text) <= max_tokens
        assert re.search(r"\n\n\[[2-4] more results left out( to stay within \d+ tokens; .* 20000)?\]\n\nNext: ", text)
        assert "1. **Turbine" in text

    def test_it_names_collections_when_there_are_several(self, call: CallTool, collection: Collection) -> None:
        other = make_collection("other", tenant=collection.tenant)
        put(other, {"x.md": "# Zebra\n\nStripes.\n"})
        assert 'read_sections(path="other:x.md"' in text_of(call("search_docs", query="zebra stripes"))

    @pytest.mark.parametrize(
        "named",
        [
            {"collection": "other,manual"},
            {"collection": " Manual , other,,OTHER"},
            {"collection": ["manual", "other"]},
            {"collections": '["manual", "other"]'},
            {"collection": ["manual", "", "other"]},
        ],
    )
    def test_several_collections_are_searched_and_no_others(
        self, call: CallTool, collection: Collection, named: dict[str, Any]
    ) -> None:
        for slug in ("other", "third"):
            put(make_collection(slug, tenant=collection.tenant), {"x.md": "# Archive\n\nStripes.\n"})
        data = data_of(call("search_docs", query="archive stripes", **named, format="json"))
        assert {hit["collection"] for hit in data["results"]} == {"manual", "other"}
        text = text_of(call("search_docs", query="archive stripes", **named, category="nowhere"))
        assert re.search(
            r'Next: search_docs\(query="archive stripes", collection="(manual,other|other,manual)"\)$', text
        )

    @pytest.mark.parametrize("named", ["manual,", [" manual"], ["manual", ""], "MANUAL,manual"])
    def test_one_may_be_named_as_several(self, call: CallTool, collection: Collection, named: Any) -> None:
        put(make_collection("other", tenant=collection.tenant), {"x.md": "# Archive\n"})
        data = data_of(call("search_docs", query="archive", collection=named, format="json"))
        assert {hit["collection"] for hit in data["results"]} == {"manual"}

    @pytest.mark.parametrize("named", [" , ", ["", " "], []])
    def test_no_name_is_all_of_them(self, call: CallTool, collection: Collection, named: Any) -> None:
        put(make_collection("other", tenant=collection.tenant), {"x.md": "# Archive\n"})
        data = data_of(call("search_docs", query="archive", collection=named, format="json"))
        assert {hit["collection"] for hit in data["results"]} == {"manual", "other"}

    def test_so_many_names_that_they_fill_the_answer_are_not_repeated(
        self, call: CallTool, collection: Collection
    ) -> None:
        slugs = [make_collection(f"{'very-' * 10}{n}", tenant=collection.tenant).slug for n in range(8)]
        text = text_of(call("search_docs", query="zebra", collection=slugs, max_tokens=100))
        assert estimate_tokens(text) <= 100

    def test_of_several_collections_each_must_be_there(self, call: CallTool, collection: Collection) -> None:
        make_collection("other", tenant=collection.tenant)
        error = error_of(call("search_docs", query="archive", collection="manual,othr"))
        assert error["code"] == "COLLECTION_NOT_FOUND"
        assert "There is no collection 'othr'. Did you mean other?" in error["message"]


class TestNarrowing:
    @pytest.mark.parametrize(
        "filters", [{"path": {"$contains": "faq"}}, '{"path": {"$eq": "faq.md"}}', {"category": {"$ne": "start"}}]
    )
    def test_it_takes_filters_as_models_send_them(self, call: CallTool, filters: Any) -> None:
        data = data_of(call("search_docs", query="archive", filters=filters, format="json"))
        assert [hit["path"] for hit in data["results"]] == ["faq.md"]

    def test_it_refuses_filters_in_words_that_help(self, call: CallTool) -> None:
        error = error_of(call("search_docs", query="archive", filters={"path": {"$like": "x"}}))
        assert error["code"] == "INVALID_PARAMETER"
        assert "$contains" in error["details"]["operators"]
        assert "keywords" in error["details"]["fields"]

    def test_it_shows_code_in_the_language(self, call: CallTool, collection: Collection) -> None:
        put(collection, {"code.md": "# Unpack\n\nUnpack the archive.\n\n```python\nshutil.unpack_archive('a')\n```\n"})
        text = text_of(call("search_docs", query="unpack archive", code="py"))
        assert "\n```python\nshutil.unpack_archive('a')\n```" in text
        assert "1 section in manual for" in text
        assert "There is code in python" in text_of(call("search_docs", query="unpack archive", code="rust"))


class TestVersions:
    @pytest.fixture(autouse=True)
    def library(self, collection: Collection) -> None:
        for version in ("13", "14"):
            other = make_collection(f"next-{version}", tenant=collection.tenant)
            Collection.objects.filter(pk=other.pk).update(library="next", version=version)
            put(other, {"routing.md": f"# Routing\n\nThe router of {version}.\n"})

    def test_the_newest_is_served_and_said(self, call: CallTool) -> None:
        data = data_of(call("search_docs", query="router", format="json"))
        assert [(hit["collection"], hit["version"]) for hit in data["results"]] == [("next-14", "14")]
        assert "in next-14 (version 14; also there: 13)" in text_of(call("search_docs", query="router", library="next"))

    def test_versions_that_were_left_out_are_told_where_several_collections_are_searched(self, call: CallTool) -> None:
        text = text_of(call("search_docs", query="router"))
        assert "Not searched, unless `version` or `collection` asks for it: next 13.\n\n1. " in text
        assert "Not searched" not in text_of(call("search_docs", query="archive"))
        assert "Not searched" not in text_of(call("search_docs", query="router", library="next"))
        for where in ({}, {"library": "next"}):
            data = data_of(call("search_docs", query="router", format="json", **where))
            assert data["not_searched"] == {"next": "13"}
        assert "not_searched" not in data_of(call("search_docs", query="archive", format="json"))

    def test_those_of_a_library_that_name_no_version_are_told_as_collections(
        self, call: CallTool, collection: Collection
    ) -> None:
        for slug in ("next-daily", "next-nightly"):
            other = make_collection(slug, tenant=collection.tenant)
            Collection.objects.filter(pk=other.pk).update(library="next")
            put(other, {"routing.md": "# Routing\n\nThe router of tomorrow.\n"})
        left_out = "13, collection next-daily, collection next-nightly"
        assert f"unless `version` or `collection` asks for it: next {left_out}." in text_of(
            call("search_docs", query="router")
        )
        assert f"in next-14 (version 14; also there: {left_out})" in text_of(
            call("search_docs", query="router", library="next")
        )
        assert "in next-nightly (also there: 14, 13, collection next-daily)" in text_of(
            call("search_docs", query="router", collection="next-nightly")
        )
        Collection.objects.filter(library="next").update(version="")
        data = data_of(call("search_docs", query="router", format="json"))
        assert data["not_searched"] == {"next": "collection next-14, collection next-daily, collection next-nightly"}

    def test_each_name_by_each_version_is_looked_for_once_and_not_without_end(self, call: CallTool) -> None:
        again = data_of(
            call("search_docs", query="router", collection="next," * 150, version="13,14," * 20, format="json")
        )
        assert {hit["version"] for hit in again["results"]} == {"13", "14"}
        names, versions = ",".join(f"a{n}" for n in range(90)), ",".join(map(str, range(30)))
        error = error_of(call("search_docs", query="router", collection=names, version=versions))
        assert error["code"] == "INVALID_PARAMETER"
        assert "Name fewer of them." in error["message"]

    @pytest.mark.parametrize("name", ["latest", "Stable", "current"])
    def test_a_word_for_the_newest_is_the_newest(self, call: CallTool, name: str) -> None:
        for named in ({"collection": "next"}, {"collection": "next-13"}, {}):
            data = data_of(call("search_docs", query="router", version=name, format="json", **named))
            assert [hit["version"] for hit in data["results"]] == ["14"]

    def test_a_page_of_the_newest_is_read_by_the_librarys_name(self, call: CallTool) -> None:
        assert "The router of 14." in text_of(call("get_doc_page", path="next:routing.md"))

    def test_a_page_of_nearly_the_name_is_told_from_that_of_other_versions(self, call: CallTool) -> None:
        text = text_of(call("search_docs", query="routimg"))
        assert text.endswith('Next: table_of_contents(path="next-14:routing.md")')
        assert "router of 14" in text_of(call("get_doc_page", path="next-14:routing.md"))
        error = error_of(call("get_doc_page", path="ruoting.md"))
        assert error["details"]["suggestions"] == ["next-13:routing.md", "next-14:routing.md"]

    def test_the_one_asked_for_is_served_and_can_be_read(self, call: CallTool) -> None:
        text = text_of(call("search_docs", query="router", collection="next", version="13"))
        assert "next-13 13" in text
        assert 'read_sections(path="next-13:routing.md"' in text
        read = call("read_sections", path="next-13:routing.md", section_ids=["routing"])
        assert "The router of 13." in text_of(read)

    def test_a_collection_that_is_named_is_not_left_for_another_version_without_a_word(self, call: CallTool) -> None:
        said = "next-13 is version 13; searched next-14 as version asks."
        other = {"query": "router", "collection": "next-14", "version": "14"}
        asked = {"query": "router", "collection": "next-13", "version": "14"}
        assert said not in text_of(call("search_docs", **other))
        heading = text_of(call("search_docs", **asked)).splitlines()[0]
        assert heading.startswith("1 section in next-14 (version 14; also there: 13)")
        assert heading.endswith(f" · {said}")
        assert text_of(call("search_docs", **asked)).startswith("Unchanged: ")
        assert data_of(call("search_docs", format="json", **asked))["notice"] == said
        assert "notice" not in data_of(call("search_docs", format="json", **other))
        assert said in text_of(call("search_docs", query="zebra", collection="next-13", version="14"))

    def test_one_that_the_question_names_is_told_where_it_was_not_searched(self, call: CallTool) -> None:
        said = 'The question names 13, which was not searched: version="13" does.'
        assert said in text_of(call("search_docs", query="router in v13", collection="next"))
        for asked in ({"query": "router in v13", "version": "14"}, {"query": "router in v14"}, {"query": "13 routers"}):
            assert "The question names" not in text_of(call("search_docs", **asked))
        both = {"query": "router from v13 to 14", "collection": "next-13,next-14"}
        assert "The question names" not in text_of(call("search_docs", **both))

    def test_a_version_of_a_library_that_is_not_what_was_found_is_not_told(
        self, call: CallTool, collection: Collection
    ) -> None:
        put(
            make_collection("gears", tenant=collection.tenant),
            {"v.md": "# Moving\n\nMoving gearboxes from v13 to v14.\n"},
        )
        assert "The question names" not in text_of(call("search_docs", query="moving gearboxes from v13"))
        assert "The question names 13" in text_of(call("search_docs", query="router in v13"))

    def test_what_is_said_of_a_named_version_is_said_to_who_asked_so(
        self, call: CallTool, collection: Collection
    ) -> None:
        """Others ask the same with the version that is searched, and are given what is remembered."""
        named = {"query": "router in v13", "collection": "next"}
        for asked, is_told in ((named, True), ({**named, "version": "14"}, False), (named, True)):
            text = text_of(call("search_docs", principal=make_principal(collection), **asked))
            assert ("The question names 13" in text) == is_told

    def test_one_that_is_not_there_is_refused_with_those_that_are(self, call: CallTool) -> None:
        error = error_of(call("search_docs", query="router", collection="next", version="15"))
        assert "Version '15' is not here; indexed: 14, 13." in error["message"]

    @pytest.mark.parametrize(
        "where",
        [
            {"collection": ["next-13", "next-14"]},
            {"collection": "next-14,next-13"},
            {"collection": "next", "version": "13,14"},
            {"collection": "next", "version": [13, "14"]},
            {"collection": "next", "version": "all"},
            {"version": "*"},
        ],
    )
    def test_those_that_were_searched_are_not_told_as_left_out(self, call: CallTool, where: dict[str, Any]) -> None:
        assert "Not searched" not in text_of(call("search_docs", query="router", **where))
        data = data_of(call("search_docs", query="router", format="json", **where))
        assert {hit["version"] for hit in data["results"]} == {"13", "14"}
        assert "not_searched" not in data

    def test_of_several_those_that_were_left_out_are_told_once(self, call: CallTool, collection: Collection) -> None:
        older = make_collection("next-12", tenant=collection.tenant)
        Collection.objects.filter(pk=older.pk).update(library="next", version="12")
        data = data_of(call("search_docs", query="router", collection="next-14,next-13", format="json"))
        assert data["not_searched"] == {"next": "12"}

    @pytest.mark.parametrize("name", ["next-13 13", "Next 13", "NEXT-13 13"])
    def test_a_collection_is_known_as_answers_print_it(self, call: CallTool, name: str) -> None:
        data = data_of(call("search_docs", query="router", collection=name, format="json"))
        assert [hit["collection"] for hit in data["results"]] == ["next-13"]

    @pytest.mark.parametrize("name", ["Next docs", "nexxt", "next documentation"])
    def test_the_nearest_collection_is_suggested_first(self, call: CallTool, collection: Collection, name: str) -> None:
        make_collection("docsmcp", tenant=collection.tenant)
        message = error_of(call("search_docs", query="router", collection=name))["message"]
        assert "Did you mean next-14 or next-13? There are: docsmcp, " in message


class TestLimit:
    def test_one_above_the_most_is_the_most(self, call: CallTool, collection: Collection) -> None:
        put(collection, {f"page-{n}.md": f"# Page {n}\n\nThe turbine {n}.\n" for n in range(60)})
        data = data_of(call("search_docs", query="turbine", limit=500, format="json", max_tokens=20_000))
        assert (len(data["results"]), data["notice"]) == (50, "limit is 50 at most.")
        assert "notice" not in data_of(call("search_docs", query="turbine", limit=50, format="json", max_tokens=20_000))

    @pytest.mark.parametrize("name", ["page", "offset", "cursor"])
    def test_who_asks_for_the_next_page_is_told_what_to_do(self, call: CallTool, name: str) -> None:
        message = error_of(call("search_docs", query="archive", **{name: 2}))["message"]
        assert (
            f"'{name}' is not an argument (a search has one page: raise limit, up to 50, or ask more precisely)"
            in message
        )


@pytest.mark.parametrize("name", ["path", "folder", "directory", "filename"])
def test_a_place_to_search_is_refused_with_the_filter_that_means_it(
    call: CallTool, collection: Collection, name: str
) -> None:
    error = error_of(call("search_docs", query="archive", **{name: 'start/"a"'}))
    assert (
        f'\'{name}\' is not an argument (filters={{"path": {{"$contains": "start/\\"a\\""}}}} searches there)'
        in error["message"]
    )
    assert '$contains": "…"' in error_of(call("search_docs", query="archive", **{name: "a" * 300}))["message"]
    data = data_of(call("search_docs", query="archive", filters={"path": {"$contains": "start/"}}, format="json"))
    assert {hit["path"] for hit in data["results"]} == {"start/guide.md"}


class TestRepeats:
    def test_the_same_again_is_told_what_to_read(self, call: CallTool) -> None:
        text_of(call("search_docs", query="package manager"))
        for _ in range(2):
            again = text_of(call("search_docs", query="package  manager"))
            assert again.startswith("Unchanged: ")
            assert again.endswith('Next: read_sections(path="start/guide.md", section_ids=["guide/install/linux"])')
            assert "- Linux · start/guide.md · section_id: guide/install/linux\n" in again

    def test_what_they_are_is_told_to_who_has_not_seen_them_and_how_to_have_them(
        self, call: CallTool, collection: Collection
    ) -> None:
        put(collection, {f"{n}.md": f"# Wheels\n\n## Wheel of cart {n}\n\nRound.\n" for n in range(9)})
        first = text_of(call("search_docs", query="wheel"))
        again = text_of(call("search_docs", query="wheel"))
        shown = re.findall(r"section_id: (\S+)", first)
        assert re.findall(r"section_id: (\S+)", again) == shown[:3]
        assert f"the same {len(shown)} sections" in again
        assert len(again) < len(first) / 2
        assert "another limit, or format json" in again
        for other in ({"limit": 20}, {"format": "json"}):
            whole = call("search_docs", query="wheel", **other)["content"][0]["text"]
            assert all(section_id in whole for section_id in shown)

    @pytest.mark.parametrize("max_tokens", [100, 150])
    def test_it_fits_a_small_budget(self, call: CallTool, max_tokens: int) -> None:
        asked = {"query": "package manager", "max_tokens": max_tokens}
        text_of(call("search_docs", **asked))
        again = text_of(call("search_docs", **asked))
        assert again.startswith("Unchanged: ")
        assert estimate_tokens(again) <= max_tokens
        assert "Next: read_sections(" in again

    def test_data_is_given_whole_and_says_so(self, call: CallTool) -> None:
        first, second = (data_of(call("search_docs", query="archive", format="json")) for _ in range(2))
        assert (first["cached"], first["unchanged"], second["cached"], second["unchanged"]) == (
            False,
            False,
            True,
            True,
        )
        assert first["results"] == second["results"]

    @pytest.mark.parametrize(
        "change", [{"limit": 3}, {"max_tokens": 2000}, {"format": "json"}, {"query": "the archive"}]
    )
    def test_another_question_is_answered(self, call: CallTool, change: dict[str, Any]) -> None:
        text_of(call("search_docs", query="archive"))
        assert "Unchanged" not in str(call("search_docs", **{"query": "archive", **change}))

    def test_what_changed_since_is_answered(self, call: CallTool, collection: Collection) -> None:
        text_of(call("search_docs", query="archive"))
        put(collection, {"more.md": "# Archive\n\nMore of it.\n"})
        assert "more.md" in text_of(call("search_docs", query="archive"))


class TestHelp:
    def test_it_leads_to_the_collection_that_has_the_words(self, call: CallTool, collection: Collection) -> None:
        put(make_collection("other", tenant=collection.tenant), {"z.md": "# Zebra\n\nStripes.\n"})
        text = text_of(call("search_docs", query="zebra stripes", collection="manual"))
        assert text.endswith('Next: search_docs(query="zebra stripes", collection="other")')

    def test_of_hits_by_chance_none_is_to_be_read_at_once(self, call: CallTool, collection: Collection) -> None:
        question = "archive of quokka wombats"
        text = text_of(call("search_docs", query=question))
        assert "may be about something else" in text
        [*_, last] = text.splitlines()
        assert last.startswith("Next: search_docs with other words; only if result 1 fits: read_sections(path=")
        put(make_collection("zoo", tenant=collection.tenant), {"q.md": "# Quokka\n\nLike wombats.\n"})
        text = text_of(call("search_docs", query=question, collection="manual"))
        assert text.endswith(f'Next: search_docs(query="{question}", collection="zoo")')

    @pytest.mark.parametrize(
        ("narrowing", "said"),
        [
            ({"category": "guides"}, "Categories: start."),
            ({"filters": {"format": "adoc"}}, "Formats: markdown."),
            ({"filters": {"format": ["adoc"], "category": "x"}}, "Categories: start. Formats: markdown."),
            (
                {"filters": {"path": "guide.md"}},
                'path is compared as a whole; {"path": "folder/"} takes all in a folder, {"path": {"$contains": "…"}} a part of the path.',
            ),
            ({"code": "rust"}, "Only sections with rust code"),
        ],
        ids=["category", "format", "both", "path", "code"],
    )
    def test_it_leads_to_the_same_without_what_left_the_words_out(
        self, call: CallTool, collection: Collection, narrowing: dict[str, Any], said: str
    ) -> None:
        put(make_collection("other", tenant=collection.tenant), {"z.md": "# Archive\n\nAnother archive.\n"})
        text = text_of(call("search_docs", query="archive", collection="manual", **narrowing))
        assert said in text
        assert text.endswith('Next: search_docs(query="archive", collection="manual")')
        text = text_of(call("search_docs", query="archive", **narrowing))
        assert text.endswith('Next: search_docs(query="archive")')

    @pytest.mark.parametrize(
        ("filters", "opened"),
        [
            ({"path": "start"}, '{"path": "start/"}'),
            ({"path": "/start"}, '{"path": "start/"}'),
            ({"path": ["start", "end"]}, '{"path": {"$in": ["start/", "end"]}}'),
            (
                {"path": "start", "format": {"$ne": "pdf", "$in": ["md"]}},
                '{"path": "start/", "format": {"$ne": "pdf", "$in": ["markdown"]}}',
            ),
        ],
    )
    def test_it_leads_into_the_folder_that_was_named_like_a_page(
        self, call: CallTool, collection: Collection, filters: dict[str, Any], opened: str
    ) -> None:
        text = text_of(call("search_docs", query="archive", filters=filters))
        assert text.endswith(f'Next: search_docs(query="archive", collection="manual", filters={opened})')
        assert "section_id:" in text_of(call("search_docs", query="archive", filters=json.loads(opened)))
        text = text_of(call("search_docs", query="archive", filters=filters | {"path": "star"}))
        assert text.endswith('Next: search_docs(query="archive", collection="manual")')

    def test_it_says_that_a_filter_is_an_argument(self, call: CallTool) -> None:
        error = error_of(call("search_docs", query="archive", filters={"collection": "manual"}))
        assert "collection is an argument beside filters." in error["message"]

    def test_it_names_a_word_without_the_signs_around_it(self, call: CallTool) -> None:
        assert "- zebra: does not occur here" in text_of(call("search_docs", query="What is a zebra?"))

    def test_it_tells_the_language_of_documents_that_are_not_in_english(
        self, call: CallTool, collection: Collection
    ) -> None:
        assert "documents here are in" not in text_of(call("search_docs", query="What is a zebra?"))
        change_language(collection, "german")
        assert "Most documents here are in German: words of another language may find little." in text_of(
            call("search_docs", query="zebra")
        )
        text = text_of(call("search_docs", query="What is a zebra?"))
        assert "The question seems to be in English; ask in German, which most documents here are in." in text
        assert "- What:" not in text
        make_collection("other", tenant=collection.tenant)
        assert "documents here are in" not in text_of(call("search_docs", query="What is a zebra?"))

    def test_a_question_of_words_that_are_nowhere_is_told_that_documents_are_in_english(self, call: CallTool) -> None:
        text = text_of(call("search_docs", query="Wozu dient jemandem überhaupt Zebrafleisch?"))
        assert "Most documents here are in English: words of another language may find little." in text

    def test_a_question_of_names_alone_is_not_told_in_which_language_documents_are(self, call: CallTool) -> None:
        assert "documents here are in" not in text_of(call("search_docs", query="ZebraSet, wombat_map"))
        assert "documents here are in" in text_of(call("search_docs", query="ZebraSet für Wombats"))

    def test_a_question_with_their_stop_words_is_not_told_in_which_language_documents_are(self, call: CallTool) -> None:
        text = text_of(call("search_docs", query="how do I mend zebras for wombats"))
        assert "No section was found" in text
        assert "documents here are in" not in text

    def test_words_of_another_language_have_no_close_spellings(self, call: CallTool, collection: Collection) -> None:
        put(collection, {"z.md": "# Archiv\n\nZebrax\n"})
        for question in (
            "wie finde ich eine Zebras und was ist das",
            "wie finde ich eine Zebras für Archiv und was ist das",
        ):
            text = text_of(call("search_docs", query=question))
            assert "The question seems to be in German" in text
            assert "close:" not in text
        assert "close: Zebrax" in text_of(call("search_docs", query="finding a Zebras for Archiv"))

    def test_it_leads_to_another_collection_only_for_half_of_the_missing_words(
        self, call: CallTool, collection: Collection
    ) -> None:
        put(make_collection("zoo", tenant=collection.tenant), {"q.md": "# Quokka\n\nAn animal.\n"})
        text = text_of(call("search_docs", query="quokka wombat", collection="manual"))
        assert text.endswith('Next: search_docs(query="quokka wombat", collection="zoo")')
        text = text_of(call("search_docs", query="quokka wombat numbat", collection="manual"))
        assert 'collection="zoo"' not in text

    def test_hits_are_not_passed_over_for_a_collection_with_one_of_two_missing_words(
        self, call: CallTool, collection: Collection
    ) -> None:
        zoo = make_collection("zoo", tenant=collection.tenant)
        put(zoo, {"q.md": "# Quokka\n\nAn animal.\n"})
        text = text_of(call("search_docs", query="archive of quokka wombats", collection="manual"))
        assert "Next: search_docs with other words; only if result 1 fits: read_sections(path=" in text
        assert "documents here are in" not in text  # the words are of another subject, not of another language
        assert "documents here are in" in text_of(
            call("search_docs", query="archive of numbat wombats", collection="manual")
        )

    def test_hits_without_one_of_two_words_are_read_only_if_they_fit(
        self, call: CallTool, collection: Collection
    ) -> None:
        put(make_collection("zoo", tenant=collection.tenant), {"q.md": "# Quokka\n\nAn animal.\n"})
        text = text_of(call("search_docs", query="quokka archive", collection="manual"))
        assert 'No section here has "quokka" (in zoo: 1)' in text
        assert "Next: search_docs with other words; only if result 1 fits: read_sections(path=" in text
        for complete in ("archive", "What is the archive?"):
            text = text_of(call("search_docs", query=complete, collection="manual"))
            assert "Next: read_sections(path=" in text

    def test_it_leads_to_words_that_are_spelled_nearly_so(self, call: CallTool) -> None:
        text = text_of(call("search_docs", query="What is an archivx?"))
        assert text.endswith('Next: search_docs(query="What is an archive?", collection="manual")')

    def test_it_spells_no_question_whose_words_are_mostly_of_another_language(self, call: CallTool) -> None:
        text = text_of(call("search_docs", query="Wozu dient archivx jemandem überhaupt?"))
        assert "close: archive" in text
        assert text.endswith("Next: search_docs with other words, or list_doc_pages to see what there is.")

    def test_a_word_of_collections_of_several_languages_is_told_once(
        self, call: CallTool, collection: Collection
    ) -> None:
        make_german(collection)
        text = text_of(call("search_docs", query="xylophonic zebras"))
        assert text.count("- xylophonic: does not occur here") == 1
        assert text.count("- zebras: ") == 1

    def test_a_word_that_one_of_the_languages_has_is_told_as_there(
        self, call: CallTool, collection: Collection
    ) -> None:
        make_german(collection)
        text = text_of(call("search_docs", query="stripes", category="nowhere"))
        assert [line for line in text.splitlines() if line.startswith("- ")] == ["- stripes: occurs in 1 section here"]

    def test_a_word_with_a_typing_error_is_searched_as_it_was_meant(self, call: CallTool) -> None:
        text = text_of(call("search_docs", query="What is an archvie?"))
        assert 'Searched for "archive" instead of "archvie".' in text
        assert "No section here has" not in text  # said once is enough
        assert text.endswith('Next: read_sections(path="faq.md", section_ids=["faq"])')

    def test_a_word_is_spelled_otherwise_where_it_stands_alone(self, call: CallTool, collection: Collection) -> None:
        put(collection, {"carts.md": "# Gadgets\n\nThe carts of marts, and `grow_linear`.\n"})
        text = text_of(call("search_docs", query="scartxes cartx"))
        assert text.endswith('Next: search_docs(query="scartxes carts", collection="manual")')
        text = text_of(call("search_docs", query="gorw_linaer"))
        assert 'query="grow_linear"' in text

    def test_a_long_section_is_read_from_the_word_that_was_searched(
        self, call: CallTool, collection: Collection
    ) -> None:
        put(collection, {"long.md": f"# Gadgets\n\nThe lighthouse.\n\n{'Words that fill it. ' * 2_000}\n"})
        text = text_of(call("search_docs", query="lighthuose"))
        assert 'near="lighthouse"' in text

    def test_what_was_excluded_is_told_with_how_to_look_for_it(self, call: CallTool) -> None:
        text = text_of(call("search_docs", query='zebra -"archive file" -archive'))
        assert 'Excluded were: archive file, archive; "-archive file" "-archive" looks for them, minus and all.' in text

    def test_it_leads_to_a_page_of_nearly_the_name(self, call: CallTool) -> None:
        text = text_of(call("search_docs", query="guidex"))
        assert "Pages of nearly this name: start/guide.md." in text
        assert text.endswith('Next: table_of_contents(path="start/guide.md")')

    @pytest.mark.parametrize(("query", "said"), [("?! …", "only signs"), ("the of and", "too common")])
    def test_it_says_why_nothing_was_looked_up(self, call: CallTool, query: str, said: str) -> None:
        assert said in text_of(call("search_docs", query=query))


def test_a_pinned_answer_is_marked(call: CallTool, collection: Collection) -> None:
    Pin.objects.create(tenant=collection.tenant, collection=collection, question="how to begin", path="faq.md")
    bump_index_version(collection)
    text = text_of(call("search_docs", query="How to begin?"))
    assert "1. **FAQ**\nmanual · faq.md · section_id: faq · pinned" in text


def test_what_is_remembered_costs_little(
    call: CallTool, collection: Collection, django_assert_num_queries: Any
) -> None:
    text_of(call("search_docs", query="archive"))
    other = make_principal(collection)
    with django_assert_num_queries(4):  # collections, what is remembered, that it was told, the history
        assert "1. **" in text_of(call("search_docs", principal=other, query="archive"))
    with django_assert_num_queries(3):
        assert "Unchanged" in text_of(call("search_docs", principal=other, query="archive"))


def make_german(beside: Collection) -> Collection:
    german = make_collection("handbuch", tenant=beside.tenant, language="german")
    put(german, {"zoo.md": "# Gehege\n\nStreifen heißen stripes.\n"})
    return german


def test_a_long_section_is_read_from_the_match_on(call: CallTool, collection: Collection) -> None:
    settings = "".join(f"- `ship.sail{n}`: how many of sail {n} there are.\n\n" for n in range(2500))
    put(collection, {"settings.md": f"# Settings\n\n{settings}- `ship.anchor`: how deep it goes.\n"})
    text = text_of(call("search_docs", query="ship.anchor depth"))
    assert text.endswith(
        'Next: get_doc_page(path="settings.md", sections=["settings"], near="ship.anchor depth", max_tokens=1000)'
    )
    page = text_of(call("get_doc_page", path="settings.md", sections=["settings"], near="ship.anchor depth"))
    assert page.endswith("\n\n- `ship.anchor`: how deep it goes.")
