from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collections_app.access.principal import Principal, Scope
from mcp_app.dispatching.dispatcher import get_dispatcher
from mcp_app.dispatching.method_table import METHODS
from mcp_app.protocol.identity import SERVER_INFO, get_instructions
from mcp_app.protocol.jsonrpc import INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, PARSE_ERROR, dump_json
from mcp_app.protocol.revisions import (
    HEADER_MISMATCH,
    SERVER_INFO_KEY,
    UNSUPPORTED_PROTOCOL_VERSION,
    Era,
    RoutingHeaders,
)
from tests.mcp_app.fake_tools import (
    DISPATCHER,
    LEGACY,
    META,
    MODERN,
    READER,
    TOOLS,
    WRITER,
    ask,
    ask_modern,
    call_tool,
    make_headers,
    make_message,
)


class TestHandshake:
    @pytest.mark.requirement("lifecycle.same-version", "lifecycle.capabilities")
    @pytest.mark.parametrize("version", LEGACY)
    def test_initialize_agrees_to_a_version_of_ours(self, version: str) -> None:
        reply, answer = ask(make_message("initialize", {"protocolVersion": version, "capabilities": {}}))
        assert reply.http_status == 200
        assert answer["result"] == {
            "protocolVersion": version,
            "capabilities": {"tools": {}},
            "serverInfo": SERVER_INFO,
            "instructions": get_instructions(TOOLS),
        }

    @pytest.mark.requirement("lifecycle.counter-offer")
    @pytest.mark.parametrize("params", [{"protocolVersion": "2031-01-01"}, {"protocolVersion": MODERN}, {}])
    def test_initialize_makes_a_counter_offer_for_any_other(self, params: dict[str, Any]) -> None:
        assert ask(make_message("initialize", params))[1]["result"]["protocolVersion"] == "2025-11-25"

    @pytest.mark.requirement("stateless.no-handshake")
    def test_nothing_has_to_come_first(self) -> None:
        assert "tools" in ask(make_message("tools/list"))[1]["result"]

    @pytest.mark.requirement("lifecycle.ping")
    def test_ping_is_answered(self) -> None:
        assert ask(make_message("ping", id="p"))[1] == {"jsonrpc": "2.0", "id": "p", "result": {}}

    @pytest.mark.requirement("message.notification")
    @pytest.mark.parametrize(
        "method", ["notifications/initialized", "notifications/cancelled", "notifications/strange"]
    )
    def test_notifications_get_no_answer(self, method: str) -> None:
        reply, answer = ask({"jsonrpc": "2.0", "method": method})
        assert (reply.http_status, answer) == (202, None)


class TestModernEra:
    @pytest.mark.requirement("version.discover", "tools.capability")
    def test_discover_says_what_is_served(self) -> None:
        reply, answer = ask_modern("server/discover")
        result = answer["result"]
        assert reply.http_status == 200
        assert result["supportedVersions"] == [MODERN]
        assert result["capabilities"] == {"tools": {}}
        assert result["instructions"] == get_instructions(TOOLS)
        assert (result["resultType"], result["cacheScope"]) == ("complete", "private")
        assert result["_meta"][SERVER_INFO_KEY] == SERVER_INFO

    @pytest.mark.requirement("version.removed-methods")
    @pytest.mark.parametrize(
        "method", ["initialize", "ping", "logging/setLevel", "resources/list", "subscriptions/listen", "nope", ""]
    )
    def test_removed_undeclared_and_unknown_methods_are_not_found(self, method: str) -> None:
        reply, answer = ask_modern(method)
        assert (reply.http_status, answer["error"]["code"], answer["id"]) == (404, METHOD_NOT_FOUND, 1)

    @pytest.mark.requirement("http.header-mismatch", "message.id-echoed")
    @pytest.mark.parametrize(
        ("message", "headers", "code"),
        [
            (make_message("tools/list"), RoutingHeaders(MODERN, "tools/list"), INVALID_PARAMS),
            (make_message("tools/list", modern=True), RoutingHeaders(MODERN, "ping"), HEADER_MISMATCH),
            (make_message("tools/list", modern=True), RoutingHeaders("2025-11-25"), HEADER_MISMATCH),
            (make_message("tools/list", modern=True), RoutingHeaders(), HEADER_MISMATCH),
            (make_message("tools/list"), RoutingHeaders("2031-01-01"), UNSUPPORTED_PROTOCOL_VERSION),
            ({"jsonrpc": "2.0", "id": 1}, RoutingHeaders(MODERN), INVALID_REQUEST),
        ],
    )
    def test_a_bad_envelope_is_a_bad_request_with_the_id(
        self, message: Any, headers: RoutingHeaders, code: int
    ) -> None:
        reply, answer = ask(message, headers=headers)
        assert (reply.http_status, answer["error"]["code"], answer["id"]) == (400, code, 1)

    def test_a_posted_response_is_refused(self) -> None:
        reply, answer = ask({"jsonrpc": "2.0", "id": 5, "result": {}}, headers=RoutingHeaders(MODERN))
        assert (reply.http_status, answer["error"]["code"]) == (400, INVALID_REQUEST)
        assert "id" not in answer

    def test_an_unknown_tool_does_not_look_like_an_old_server(self) -> None:
        reply, answer = ask_modern("tools/call", {"name": "nope"})
        assert (reply.http_status, answer["error"]["code"]) == (200, INVALID_PARAMS)


class TestLegacyEra:
    @pytest.mark.parametrize(
        "method", ["server/discover", "resources/list", "prompts/list", "logging/setLevel", "nope"]
    )
    def test_unknown_methods_are_errors_that_travel_with_200(self, method: str) -> None:
        reply, answer = ask(make_message(method))
        assert (reply.http_status, answer["error"]["code"]) == (200, METHOD_NOT_FOUND)

    @pytest.mark.requirement("lifecycle.bare-results")
    def test_results_carry_nothing_of_the_modern_era(self) -> None:
        assert set(ask(make_message("tools/list"))[1]["result"]) == {"tools"}

    def test_a_posted_response_is_accepted(self) -> None:
        assert ask({"jsonrpc": "2.0", "id": 5, "result": {}})[0].http_status == 202

    def test_what_is_no_message_is_a_bad_request(self) -> None:
        reply, answer = ask(b"{")
        assert (reply.http_status, answer["error"]["code"]) == (400, PARSE_ERROR)
        assert "id" not in answer


class TestToolsList:
    @pytest.mark.requirement("tools.order")
    def test_it_lists_what_the_caller_may_use_in_a_fixed_order(self) -> None:
        names = [tool["name"] for tool in ask(make_message("tools/list"), WRITER)[1]["result"]["tools"]]
        assert names == [tool.name for tool in TOOLS]
        names = [tool["name"] for tool in ask(make_message("tools/list"), READER)[1]["result"]["tools"]]
        assert names == [tool.name for tool in TOOLS[:-1]]

    @pytest.mark.parametrize("cursor", ["abc", "", 5])
    def test_it_has_one_page(self, cursor: Any) -> None:
        assert ask(make_message("tools/list", {"cursor": cursor}))[1]["error"]["code"] == INVALID_PARAMS

    def test_a_null_cursor_is_none(self) -> None:
        assert "result" in ask(make_message("tools/list", {"cursor": None}))[1]


class TestToolsCall:
    def test_markdown_comes_as_text_alone(self) -> None:
        result = call_tool("echo_query", {"q": "words", "limit": "5"})
        assert set(result) == {"content"}
        assert [block["type"] for block in result["content"]] == ["text"]
        assert "query=words, limit=5" in result["content"][0]["text"]

    @pytest.mark.requirement("tools.structured")
    def test_json_comes_as_structure_and_as_the_same_text(self) -> None:
        result = call_tool("echo_query", {"query": "wörter", "format": "json"})
        assert result["structuredContent"]["query"] == "wörter"
        assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
        assert '{"query":"wörter"' in result["content"][0]["text"]
        assert "isError" not in result

    def test_the_tool_knows_the_collection_that_the_endpoint_is_narrowed_to(self) -> None:
        message = make_message("tools/call", {"name": "echo_query", "arguments": {"query": "a", "format": "json"}})
        _, answer = ask(message, narrowed_to=("acme", "guide"))
        assert answer["result"]["structuredContent"]["narrowed_to"] == ["acme", "guide"]

    @pytest.mark.parametrize("extra", [{}, {"arguments": None}, {"arguments": {}}])
    def test_arguments_may_be_absent(self, extra: dict[str, Any]) -> None:
        answer = ask(make_message("tools/call", {"name": "take_note"} | extra), WRITER)[1]
        assert answer["result"]["content"][0]["text"] == "written=True"

    @pytest.mark.requirement("tools.unknown", "tools.malformed", "tools.name-case")
    @pytest.mark.parametrize(
        "params",
        [
            {},
            {"name": None},
            {"name": 5},
            {"name": ["echo_query"]},
            {"name": "echo_query", "arguments": []},
            {"name": "echo_query", "arguments": "query"},
            {"name": "echo_query", "arguments": 0},
            {"name": "nope"},
            {"name": "ECHO_QUERY"},
            {"name": ""},
        ],
    )
    def test_a_malformed_call_or_an_unknown_tool_is_a_protocol_error(self, params: dict[str, Any]) -> None:
        assert ask(make_message("tools/call", params))[1]["error"]["code"] == INVALID_PARAMS

    def test_an_unknown_tool_is_told_with_the_closest_name(self) -> None:
        answer = ask(make_message("tools/call", {"name": "echo_qeury"}))[1]
        assert answer["error"]["message"] == "Unknown tool: echo_qeury. Did you mean echo_query?"

    @pytest.mark.requirement("tools.access")
    def test_a_forbidden_tool_looks_like_one_that_does_not_exist(self) -> None:
        forbidden = ask(make_message("tools/call", {"name": "take_note"}), READER)[1]
        assert forbidden["error"] == {"code": INVALID_PARAMS, "message": "Unknown tool: take_note."}

    @pytest.mark.requirement("tools.bad-arguments")
    def test_bad_arguments_are_a_tool_error_that_stands_alone(self) -> None:
        result = call_tool("echo_query", {"querry": "x"})
        text = result["content"][0]["text"]
        assert result["isError"] is True
        assert "did you mean 'query'" in text
        assert result["structuredContent"]["error"]["code"] == "INVALID_PARAMETER"
        assert result["structuredContent"]["error"]["message"] == text

    def test_what_a_caller_can_mend_is_a_tool_error(self) -> None:
        result = call_tool("find_nothing", {"path": "a.md"})
        message = "No document at a.md. Call list_doc_pages."
        assert result == {
            "content": [{"type": "text", "text": message}],
            "structuredContent": {
                "error": {"code": "DOCUMENT_NOT_FOUND", "message": message, "details": {"path": "a.md"}}
            },
            "isError": True,
        }

    def test_a_passing_failure_says_when_to_try_again(self) -> None:
        assert call_tool("wait_for_nobody")["structuredContent"]["error"]["details"] == {
            "retryable": True,
            "retry_after": 5,
        }

    @pytest.mark.requirement("tools.failure")
    @pytest.mark.parametrize(
        ("name", "arguments"), [("break_down", {}), ("say_unsayable", {}), ("say_unsayable", {"format": "json"})]
    )
    def test_what_nobody_foresaw_is_logged_and_told_without_its_text(
        self, name: str, arguments: dict[str, Any], logs: list[dict[str, Any]]
    ) -> None:
        result = call_tool(name, arguments)
        assert result["isError"] is True
        assert result["structuredContent"]["error"]["code"] == "INTERNAL_ERROR"
        assert result["structuredContent"]["error"]["details"] == {"retryable": False}
        assert "secret" not in json.dumps(result)
        assert [entry["exc_info"] for entry in logs if entry["event"] == "mcp_tool_failure"] == [True]

    @pytest.mark.requirement("message.internal-error")
    def test_what_breaks_outside_a_tool_is_an_internal_error(
        self, monkeypatch: pytest.MonkeyPatch, logs: list[dict[str, Any]]
    ) -> None:
        def break_handler(*args: Any) -> dict[str, Any]:
            raise RuntimeError("secret detail")

        monkeypatch.setitem(METHODS[Era.LEGACY], "ping", break_handler)
        reply, answer = ask(make_message("ping", id=8))
        assert (reply.http_status, answer["id"], answer["error"]["code"]) == (200, 8, -32603)
        assert "secret" not in json.dumps(answer)
        assert any(entry.get("exc_info") for entry in logs)


class TestRecord:
    def test_one_record_says_who_called_what_and_how_it_ended(self, logs: list[dict[str, Any]]) -> None:
        message = make_message("tools/call", {"name": "echo_query", "arguments": {"query": "private"}}, modern=True)
        ask(message, WRITER, headers=make_headers(message))
        [record] = logs
        assert record.pop("duration_ms") >= 0
        assert record == {
            "event": "mcp_call",
            "log_level": "info",
            "method": "tools/call",
            "tool": "echo_query",
            "era": "modern",
            "protocol_version": MODERN,
            "client": "test-client",
            "key_id": 7,
            "outcome": "ok",
        }

    @pytest.mark.parametrize(
        ("message", "outcome"),
        [
            (make_message("tools/call", {"name": "find_nothing", "arguments": {"path": "p"}}), "DOCUMENT_NOT_FOUND"),
            (make_message("tools/call", {"name": "nope"}), "-32602"),
            (make_message("nope"), "-32601"),
            ({"id": 1}, "-32600"),
        ],
    )
    def test_the_outcome_is_the_code_of_the_error(
        self, message: dict[str, Any], outcome: str, logs: list[dict[str, Any]]
    ) -> None:
        ask(message)
        assert [record["outcome"] for record in logs] == [outcome]

    def test_a_handshake_is_recorded_with_the_version_agreed_on(self, logs: list[dict[str, Any]]) -> None:
        ask(make_message("initialize", {"protocolVersion": "2025-06-18", "clientInfo": {"name": "c"}}))
        assert (logs[0]["protocol_version"], logs[0]["client"], logs[0]["era"]) == ("2025-06-18", "c", "legacy")

    def test_it_knows_no_arguments_and_cuts_what_clients_say(self, logs: list[dict[str, Any]]) -> None:
        ask(make_message("initialize", {"clientInfo": {"name": "n" * 5000}}))
        ask(make_message("m" * 5000))
        ask(make_message("tools/call", {"name": "t" * 5000, "arguments": {"query": "private"}}))
        assert len(json.dumps(logs)) < 2000
        assert "private" not in json.dumps(logs)

    def test_notifications_leave_none(self, logs: list[dict[str, Any]]) -> None:
        ask({"jsonrpc": "2.0", "method": "notifications/initialized"})
        assert logs == []


def test_the_products_own_tools_are_fit_to_serve_and_cost_little_context() -> None:
    tools = [tool.describe() for tool in get_dispatcher().registry.visible_tools(Principal(scopes=frozenset(Scope)))]
    assert [tool["name"] for tool in tools][:3] == ["search_docs", "table_of_contents", "read_sections"]
    assert len(dump_json({"tools": tools})) <= 8000


SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters())  # surrogates too
    | st.sampled_from(["2.0", "tools/call", "tools/list", "initialize", "echo_query", MODERN, "2025-11-25", META])
)
JSON_VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4), max_leaves=10
)
NESTED = st.integers(0, 400).map(lambda depth: json.loads("[" * depth + "]" * depth) if depth else [])
HOSTILE = JSON_VALUES | NESTED
ENVELOPES = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.just("2.0") | HOSTILE,
        "id": st.integers() | st.text() | HOSTILE,
        "method": st.sampled_from([name for methods in METHODS.values() for name in methods]) | HOSTILE,
        "params": st.fixed_dictionaries(
            {},
            optional={
                "name": st.sampled_from([tool.name for tool in TOOLS]) | HOSTILE,
                "arguments": st.dictionaries(st.sampled_from(["query", "limit", "q", "path"]), HOSTILE) | HOSTILE,
                "_meta": st.just(META) | st.dictionaries(st.sampled_from([*META]), HOSTILE) | HOSTILE,
                "cursor": HOSTILE,
                "protocolVersion": HOSTILE,
                "clientInfo": st.fixed_dictionaries({"name": HOSTILE}) | HOSTILE,
            },
        )
        | HOSTILE,
        "result": HOSTILE,
    },
)
BODIES = (
    ENVELOPES.map(lambda message: json.dumps(message).encode())
    | HOSTILE.map(lambda value: json.dumps(value).encode())
    | st.binary(max_size=200)
    | ENVELOPES.map(lambda message: json.dumps(message).encode()[:-1])
    | ENVELOPES.map(lambda message: json.dumps(message).encode("utf-16"))
)
VERSIONS = st.none() | st.sampled_from([*LEGACY, MODERN, "2031-01-01"]) | st.text(max_size=20)
HEADERS = st.none() | st.builds(
    RoutingHeaders,
    VERSIONS,
    st.none() | st.sampled_from(["tools/call", "tools/list"]) | st.text(max_size=20),
    st.none() | st.sampled_from(["echo_query", "=?base64?ZWNob19xdWVyeQ==?="]) | st.text(max_size=20),
)


def read_id(body: bytes) -> Any:
    """The id that the sender of these bytes may expect back."""
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return None
    request_id = message.get("id") if isinstance(message, dict) else None
    return request_id if isinstance(request_id, int | str) and not isinstance(request_id, bool) else None


@pytest.mark.requirement("message.one-outcome", "message.id-echoed")
@given(BODIES, HEADERS, st.sampled_from([READER, WRITER, Principal(scopes=frozenset({Scope.ASK}))]))
def test_hostile_messages_get_at_most_one_answer_with_the_right_id(
    body: bytes, headers: RoutingHeaders | None, principal: Principal
) -> None:
    reply = DISPATCHER.handle(body, principal, headers=headers)
    if reply.body is None:
        assert reply.http_status == 202
        return
    answer = json.loads(reply.body)
    assert reply.http_status in {200, 400, 404}
    assert ("result" in answer) != ("error" in answer)
    assert answer.get("id") in {None, read_id(body)}
    if reply.http_status != 400:
        assert answer["id"] == read_id(body)
        assert type(answer["id"]) is type(read_id(body))
    if "error" in answer:
        assert answer["error"]["code"] != -32603
