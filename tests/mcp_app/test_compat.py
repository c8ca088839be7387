"""Names of the systems that this one replaces: unlisted, working."""

from __future__ import annotations

import json
from typing import Any

import pytest
from mcp_types import CallToolResult

from collections_app.access.principal import Principal, Scope
from collections_app.exceptions import InvalidParameter
from collections_app.models import Collection
from collections_app.text.tokens import estimate_tokens
from mcp_app.compat import OLDER_TOOLS, OlderTool, Translation, translate_arguments
from mcp_app.dispatching.dispatcher import get_dispatcher
from mcp_app.entries import Call
from tests.factories import make_collection, make_principal, put
from tests.mcp_app.fake_tools import READER, WRITER, make_message

PAGES = {f"page-{number}.md": f"# Page {number}\n\nThe lever number {number}.\n" for number in range(5)}


@pytest.fixture
def collection(db: None) -> Collection:
    collection = make_collection("nats-server")
    put(collection, PAGES)
    return collection


@pytest.fixture
def reader(collection: Collection) -> Principal:
    return make_principal(collection)


def send(method: str, params: dict[str, Any], principal: Principal, **options: Any) -> Any:
    reply = get_dispatcher().handle(json.dumps(make_message(method, params)).encode(), principal, **options)
    assert reply.body
    return json.loads(reply.body)


def call(tool: str, principal: Principal, profile: str = "", **arguments: Any) -> Any:
    answer = send("tools/call", {"name": tool, "arguments": arguments}, principal, profile=profile)
    return answer.get("result") or answer


def text_of(result: Any) -> str:
    assert not result.get("isError"), result
    return str(result["content"][0]["text"])


def translate(tool: str, principal: Principal = READER, **arguments: Any) -> Any:
    """The tool's name and arguments now; None for what is no older name."""
    translated = Translation().translate_arguments(Call(principal, "2025-11-25"), tool, arguments)
    return None if translated is None else (Translation().find_tool_name(tool), translated)


class TestTable:
    @pytest.mark.parametrize(
        ("tool", "arguments", "expected"),
        [
            ("search_documentation", {"query": "q"}, ("search_docs", {"limit": 5, "query": "q"})),
            ("search_documentation", {"query": "q", "max_results": 20}, ("search_docs", {"limit": 20, "query": "q"})),
            ("search_documentation", {"doc_type": "all"}, ("search_docs", {"limit": 5})),
            ("search_documentation", {"doc_type": "nats"}, ("search_docs", {"limit": 5, "collection": "nats"})),
            ("get_document", {"document_id": "a.md"}, ("get_doc_page", {"document_id": "a.md"})),
            ("list_documentation_files", {"doc_type": "All"}, ("list_doc_pages", {})),
            ("search_documentation", {"top_k": 3}, ("search_docs", {"top_k": 3})),
            ("search_documentation", {"limit": None}, ("search_docs", {"limit": 5})),
            ("r2r_search", {"search_mode": "basic"}, ("search_docs", {"mode": "semantic"})),
            ("r2r_search", {"search_mode": "ADVANCED"}, ("search_docs", {"mode": "hybrid"})),
            ("r2r_search", {"search_mode": "custom"}, ("search_docs", {})),
            ("r2r_search", {"search_mode": "Keyword"}, ("search_docs", {"mode": "keyword"})),
            ("r2r_search", {"search_mode": " ", "max_results": ""}, ("search_docs", {})),
            ("r2r_search", {"collection_id": None}, ("search_docs", {})),
            (
                "r2r_rag_query",
                {"query": "q", "collection_id": "c", "max_tokens": 9},
                ("ask_docs", {"question": "q", "collection": "c", "max_tokens": 9}),
            ),
            (
                "r2r_ingest_document",
                {"file_path": "/srv/a.md", "run_async": False, "ingestion_mode": "hi-res"},
                ("ingest_document", {"file_path": "/srv/a.md", "wait": 25}),
            ),
            ("r2r_ingest_document", {"run_async": "True"}, ("ingest_document", {"wait": 0})),
            ("r2r_ingest_document", {"run_async": 0}, ("ingest_document", {"wait": 25})),
            ("r2r_monitor_task", {"task_id": "7"}, ("ingestion_status", {"job_id": "7"})),
            ("r2r_list_documents", {"status_filter": "failed"}, ("list_doc_pages", {"status": "failed"})),
            ("r2r_list_documents", {"status_filter": "all"}, ("list_doc_pages", {})),
            ("r2r_list_documents", {"status_filter": "ALL"}, ("list_doc_pages", {})),
            ("r2r_list_documents", {"offset": 0, "limit": 3}, ("list_doc_pages", {"limit": 3})),
            ("r2r_list_documents", {"offset": "", "limit": 3}, ("list_doc_pages", {"limit": 3})),
        ],
    )
    def test_older_names_and_arguments_mean_newer_ones(
        self, tool: str, arguments: dict[str, Any], expected: tuple[str, dict[str, Any]]
    ) -> None:
        assert translate(tool, **arguments) == expected

    @pytest.mark.parametrize(
        ("tool", "arguments", "said"),
        [
            (
                "r2r_search",
                {"search_mode": "odd"},
                "search_mode must be one of basic, advanced, custom, keyword, semantic, hybrid, not 'odd'.",
            ),
            ("r2r_search", {"search_mode": ["basic"]}, "search_mode must be one of basic,"),
            ("r2r_search", {"max_results": "many"}, "max_results must be 1 to 20, not many; limit takes more."),
            ("r2r_list_documents", {"status_filter": "odd"}, "status_filter must be one of success,"),
            ("r2r_ingest_document", {"run_async": 5}, "run_async must be one of true, false, not '5'."),
            ("r2r_list_documents", {"offset": "x"}, "offset must be a whole number from 0 to 999999999, not x."),
            ("r2r_list_collections", {"offset": -1}, "offset must be a whole number from 0 to 999999999, not -1."),
            ("r2r_list_documents", {"offset": True}, "not true."),
            ("r2r_list_documents", {"offset": 1.5}, "not 1.5."),
            ("r2r_list_documents", {"offset": [2]}, "not [2]."),
            ("r2r_list_documents", {"offset": 10**30}, "offset must be a whole number from 0 to 999999999, not 1000"),
        ],
    )
    def test_what_an_older_argument_does_not_take_is_refused_by_its_older_name(
        self, tool: str, arguments: dict[str, Any], said: str
    ) -> None:
        with pytest.raises(InvalidParameter) as refused:
            translate(tool, **arguments)
        assert said in refused.value.message

    def test_who_may_write_sees_every_status(self) -> None:
        assert translate("r2r_list_documents", WRITER, status_filter="all")[1] == {"status": "all"}

    @pytest.mark.parametrize(
        "name", ["search", "fetch", "r2r_", "search_docs ", "SEARCH_DOCUMENTATION", "", "x" * 5000]
    )
    def test_other_names_are_none(self, name: str) -> None:
        assert translate(name) is None

    def test_an_argument_goes_by_its_tools_own_table_first(self) -> None:
        older = OlderTool("old", "search_docs", {"doc_type": "category"})
        arguments = translate_arguments(Call(READER, "2025-11-25"), older, {"doc_type": "all"}, None)
        assert arguments == {"category": "all"}


class TestTools:
    def test_they_are_not_listed(self, reader: Principal) -> None:
        names = {tool["name"] for tool in send("tools/list", {}, reader)["result"]["tools"]}
        assert not names & {older.name for older in OLDER_TOOLS} | names & {"search", "fetch"}

    @pytest.mark.parametrize(
        ("tool", "arguments", "expected"),
        [
            ("search_documentation", {"query": "lever", "doc_type": "nats-server"}, "5 sections in"),
            ("search_nats_server_docs", {"query": "lever"}, "5 sections in"),
            ("search_nats-server_docs", {"query": "lever"}, "5 sections in"),
            ("retrieve_nats_server_doc", {"document_id": "page-3.md"}, "The lever number 3."),
            ("get_document", {"filename": "page-2.md"}, "The lever number 2."),
            ("list_documentation_files", {}, "5 of 5 documents"),
            ("r2r_search", {"query": "lever", "limit": 2, "collection_id": "nats-server"}, "2 sections in"),
            ("r2r_list_documents", {"limit": 2, "offset": 2}, "page-2.md"),
            ("r2r_list_collections", {}, "nats-server"),
        ],
    )
    def test_they_answer(self, tool: str, arguments: dict[str, Any], expected: str, reader: Principal) -> None:
        assert expected in text_of(call(tool, reader, **arguments))

    def test_an_offset_goes_on_where_the_page_before_ended(self, reader: Principal) -> None:
        def list_paths(offset: Any) -> list[str]:
            result = call("r2r_list_documents", reader, limit=2, offset=offset, format="json")
            return [document["path"] for document in result["structuredContent"]["documents"]]

        assert [list_paths(offset) for offset in (0, "2", 4, 5, 900)] == [
            ["page-0.md", "page-1.md"],
            ["page-2.md", "page-3.md"],
            ["page-4.md"],
            [],
            [],
        ]

    def test_an_offset_into_search_results_leaves_out_the_first(self, reader: Principal) -> None:
        def search(**arguments: Any) -> list[str]:
            result = call("r2r_search", reader, query="lever", format="json", **arguments)
            return [hit["path"] for hit in result["structuredContent"]["results"]]

        whole = search()
        assert len(whole) == 5
        assert [search(offset=offset, limit=2) for offset in (0, "2", 4)] == [whole[:2], whole[2:4], whole[4:]]
        assert text_of(call("r2r_search", reader, query="lever", offset=3)).startswith("2 sections")
        later = call("r2r_search", reader, query="lever", offset=4, limit=1, format="json")["structuredContent"]
        assert later["cached"], "each page is cut from what the first one found"
        past = call("r2r_search", reader, query="lever", offset=5)
        assert "There are 5 results, and offset 5 leaves none of them." in past["content"][0]["text"]
        assert call("search_docs", reader, query="lever", offset=1)["isError"] is True

    @pytest.mark.parametrize("tool", ["search_documentation", "search_nats_server_docs", "r2r_search"])
    @pytest.mark.parametrize("number", [0, 21, "25", -1])
    def test_max_results_are_one_to_twenty(self, tool: str, number: Any, reader: Principal) -> None:
        error = call(tool, reader, query="lever", max_results=number)["structuredContent"]["error"]
        assert error["code"] == "INVALID_PARAMETER"
        assert "1" in error["message"]
        assert "20" in error["message"]
        assert "sections" in text_of(call(tool, reader, query="lever", max_results=20))

    @pytest.mark.parametrize("name", ["max_results", "status_filter", "search_mode"])
    def test_a_text_of_very_many_digits_is_refused(self, name: str, reader: Principal) -> None:
        answer = call("search_documentation", reader, query="lever", **{name: "9" * 5000})
        assert answer["structuredContent"]["error"]["code"] == "INVALID_PARAMETER"

    @pytest.mark.parametrize("tool", ["search_documentation", "search_nats_server_docs"])
    def test_without_a_number_they_are_five(self, tool: str, reader: Principal, collection: Collection) -> None:
        put(collection, {f"more-{n}.md": f"# More {n}\n\nThe lever number {n}.\n" for n in range(5)})
        assert text_of(call(tool, reader, query="lever")).startswith("5 sections")

    def test_a_number_out_of_bounds_tells_nobody_of_a_tool(self, collection: Collection) -> None:
        asker = make_principal(collection, scopes=[Scope.ASK])
        answer = call("search_documentation", asker, query="lever", max_results=99)
        assert answer["error"]["code"] == -32602

    def test_an_offset_into_collections_works_too(self, collection: Collection) -> None:
        make_collection("second", tenant=collection.tenant)
        reader = make_principal(collection)
        slugs = [
            [
                c["slug"]
                for c in call("r2r_list_collections", reader, offset=offset, format="json")["structuredContent"][
                    "collections"
                ]
            ]
            for offset in (1, 2)
        ]
        assert slugs == [["second"], []]

    @pytest.mark.parametrize(
        ("tool", "arguments"),
        [("r2r_search", {"query": "lever", "search_mode": "odd"}), ("r2r_list_documents", {"offset": "x"})],
    )
    def test_what_is_refused_by_an_older_name_is_a_result(
        self, reader: Principal, tool: str, arguments: dict[str, Any]
    ) -> None:
        assert call(tool, reader, **arguments)["structuredContent"]["error"]["code"] == "INVALID_PARAMETER"

    def test_what_the_new_tool_refuses_is_said_by_the_new_tool(self, reader: Principal) -> None:
        result = call("r2r_search", reader, query="lever", mode="odd")
        assert result["isError"] is True
        assert "keyword, semantic, hybrid" in result["content"][0]["text"]
        result = call("r2r_list_documents", reader, offset=5, collection_id="nope")
        assert result["structuredContent"]["error"]["code"] == "COLLECTION_NOT_FOUND"

    def test_a_name_of_a_collection_that_is_not_the_keys_is_an_unknown_tool(self, reader: Principal) -> None:
        foreign = make_collection("plans")
        put(foreign, {"secret.md": "# Secret\n\nPlans.\n"})
        answers = [call(name, reader, query="secret") for name in ("search_plans_docs", "search_plant_docs")]
        assert [answer["error"]["code"] for answer in answers] == [-32602, -32602]
        assert answers[0]["error"]["message"].replace("plans", "plant") == answers[1]["error"]["message"]

    def test_an_older_name_of_a_tool_outside_the_scopes_is_unknown(self, collection: Collection) -> None:
        asker = make_principal(collection, scopes=[Scope.ASK])
        assert call("r2r_search", asker, query="lever")["error"]["code"] == -32602


class TestUris:
    @pytest.mark.parametrize(
        ("older", "uri"),
        [
            ("r2r://current-project/context", "docs://context"),
            ("r2r://search/history", "docs://search-history"),
            ("techdoc://manual/nats-server", "docs://nats-server"),
        ],
    )
    def test_they_read_as_the_newer_ones(self, older: str, uri: str, reader: Principal) -> None:
        old, new = (send("resources/read", {"uri": name}, reader)["result"]["contents"][0] for name in (older, uri))
        assert old == new | {"uri": older}

    @pytest.mark.parametrize("uri", ["techdoc://manual/plans", "techdoc://manual", "r2r://other", "techdoc://a/b/c"])
    def test_the_missing_stay_missing(self, uri: str, reader: Principal) -> None:
        assert send("resources/read", {"uri": uri}, reader)["error"]["data"] == {"uri": uri}


class TestOpenAiProfile:
    def test_it_lists_search_and_fetch_with_one_argument_each(self, reader: Principal) -> None:
        tools = send("tools/list", {}, reader, profile="openai")["result"]["tools"]
        assert [tool["name"] for tool in tools] == ["search", "fetch"]
        assert [list(tool["inputSchema"]["properties"]) for tool in tools] == [["query"], ["id"]]

    def test_results_are_json_in_one_text_block(self, reader: Principal) -> None:
        result = call("search", reader, "openai", query="lever number 3")
        assert CallToolResult.model_validate(result).structured_content is None
        assert len(result["content"]) == 1
        first = json.loads(text_of(result))["results"][0]
        assert first == {
            "id": "nats-server:page-3.md",
            "title": "Page 3",
            "url": "docs://nats-server/page-3.md",
        }
        page = json.loads(text_of(call("fetch", reader, "openai", id=first["id"])))
        assert page == {
            "id": first["id"],
            "title": "Page 3",
            "text": "# Page 3\n\nThe lever number 3.\n",
            "url": first["url"],
            "metadata": {"collection": "nats-server", "path": "page-3.md", "complete": "true"},
        }

    @pytest.mark.parametrize("line", ["One paragraph.\n\n", 'a "quoted"\\path\t\n', "\u5168\u6587\u691c\u7d22\n"])
    def test_a_long_page_comes_in_pieces_that_say_how_it_goes_on(
        self, collection: Collection, reader: Principal, line: str
    ) -> None:
        content = "# Long\n\n" + line * 5_000
        put(collection, {"long.md": content})
        page_id, pieces = "nats-server:long.md", list[str]()
        next_id: str | None = page_id
        while next_id:
            answer = text_of(call("fetch", reader, "openai", id=next_id))
            assert estimate_tokens(answer) <= 8_000
            page = json.loads(answer)
            assert (page["id"], page["metadata"]["complete"]) == (page_id, "false")
            next_id = page["metadata"].get("next_id")
            text, _, notice = page["text"].partition("\n\n[the page goes on; next: ")
            assert notice == (f'fetch(id="{next_id}")]' if next_id else "")
            pieces.append(text)
        assert "".join(pieces) == content
        assert len(pieces) > 2

    def test_a_piece_of_an_older_version_is_refused(self, collection: Collection, reader: Principal) -> None:
        put(collection, {"long.md": "# Long\n\n" + "One paragraph.\n\n" * 5_000})
        next_id = json.loads(text_of(call("fetch", reader, "openai", id="long.md")))["metadata"]["next_id"]
        put(collection, {"long.md": "# Long\n\n" + "Another paragraph.\n\n" * 5_000})
        refused = call("fetch", reader, "openai", id=next_id)
        assert refused["isError"]
        assert 'Begin again: fetch(id="nats-server:long.md")' in refused["content"][0]["text"]

    def test_a_page_is_one_result(self, collection: Collection, reader: Principal) -> None:
        put(collection, {"long.md": "# Long\n\n## A\n\nZebra.\n\n## B\n\nZebra.\n"})
        assert len(json.loads(text_of(call("search", reader, "openai", query="zebra")))["results"]) == 1

    def test_nothing_found_is_an_empty_list(self, reader: Principal) -> None:
        assert json.loads(text_of(call("search", reader, "openai", query="zzzz"))) == {"results": []}

    @pytest.mark.parametrize(
        ("tool", "arguments"), [("search", {}), ("search", {"query": ""}), ("fetch", {"id": "no.md"})]
    )
    def test_mistakes_are_told(self, tool: str, arguments: dict[str, Any], reader: Principal) -> None:
        assert call(tool, reader, "openai", **arguments)["isError"] is True

    def test_foreign_pages_are_not_found(self, reader: Principal) -> None:
        foreign = make_collection("plans")
        put(foreign, {"secret.md": "# Secret\n\nPlans.\n"})
        assert call("fetch", reader, "openai", id="plans:secret.md")["isError"] is True
        assert json.loads(text_of(call("search", reader, "openai", query="secret plans"))) == {"results": []}

    def test_elsewhere_these_names_are_unknown(self, reader: Principal) -> None:
        assert call("fetch", reader, id="page-3.md")["error"]["code"] == -32602

    def test_the_other_tools_answer_there_too(self, reader: Principal) -> None:
        assert "5 of 5" in text_of(call("list_doc_pages", reader, "openai"))
