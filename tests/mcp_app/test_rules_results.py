"""Rules that hold for what every method answers, over a registry with something of every kind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest

from mcp_app.entries import Call
from mcp_app.protocol import revisions
from mcp_app.protocol.jsonrpc import INTERNAL_ERROR, PARSE_ERROR
from mcp_app.protocol.revisions import MODERN_REVISIONS, SERVER_INFO_KEY, TTL_MS
from mcp_app.transports import stdio
from tests.mcp_app.fake_registry import REGISTRY, SHELF, ask, ask_modern, make_modern, read, send
from tests.mcp_app.fake_tools import READER, WRITER

REQUESTS: list[tuple[str, dict[str, Any]]] = [
    ("server/discover", {}),
    ("tools/list", {}),
    ("tools/call", {"name": "show"}),
    ("tools/call", {"name": "break_late"}),
    ("resources/list", {}),
    ("resources/templates/list", {}),
    ("resources/read", {"uri": "test://text"}),
    ("prompts/list", {}),
    ("prompts/get", {"name": "plain"}),
    (
        "completion/complete",
        {"ref": {"type": "ref/resource", "uri": SHELF}, "argument": {"name": "path", "value": ""}},
    ),
]
CALLS = {"tools/call", "prompts/get", "completion/complete"}
LISTS = ("tools/list", "resources/list", "resources/templates/list", "prompts/list")

REFUSED: list[tuple[str, dict[str, Any]]] = [
    ("nope", {}),
    ("ping", {}),
    ("tools/call", {"name": "nope"}),
    ("tools/call", {"name": "need_sampling"}),
    ("resources/read", {"uri": "test://gone"}),
    ("prompts/get", {"name": "nope"}),
    ("completion/complete", {}),
    ("tools/list", {"cursor": "nope"}),
]


@pytest.mark.requirement("result.type", "meta.server-info")
@pytest.mark.parametrize(("method", "params"), REQUESTS)
def test_every_result_says_its_type_and_its_server(method: str, params: dict[str, Any]) -> None:
    result = ask_modern(method, params)["result"]
    assert result["resultType"] == "complete"
    assert result["_meta"][SERVER_INFO_KEY]["name"] == "docsmcp"


@pytest.mark.requirement("caching.hints", "caching.calls")
@pytest.mark.parametrize(("method", "params"), REQUESTS)
def test_what_is_no_call_says_how_long_it_holds(method: str, params: dict[str, Any]) -> None:
    result = ask_modern(method, params)["result"]
    assert ({"ttlMs", "cacheScope"} <= result.keys()) is (method not in CALLS)
    assert result.get("ttlMs", 0) >= 0
    assert (method in TTL_MS) is (method not in CALLS)


@pytest.mark.requirement("caching.scope")
def test_every_page_of_a_list_is_private() -> None:
    params: dict[str, Any] = {}
    scopes = []
    while True:
        result = ask_modern("resources/list", params, WRITER)["result"]
        scopes.append(result["cacheScope"])
        if "nextCursor" not in result:
            break
        params = {"cursor": result["nextCursor"]}
    assert scopes == ["private"] * 3


@pytest.mark.requirement("meta.unknown-ignored")
def test_unknown_keys_of_meta_change_nothing() -> None:
    usual = ask_modern("tools/list")
    message = make_modern("tools/list")
    message["params"]["_meta"] |= {"traceparent": "00-0-0-00", "example.com/thing": {"deep": [1]}}
    assert read(send(message)) == [usual]


@pytest.mark.requirement("stateless.lists")
@pytest.mark.parametrize("method", LISTS)
def test_what_came_before_changes_no_list(method: str) -> None:
    before = ask_modern(method)
    for name, params in REQUESTS + REFUSED:
        ask_modern(name, params)
    ask("initialize", {"protocolVersion": "2024-11-05"})
    ask_modern(method, principal=WRITER)
    assert ask_modern(method) == before


@pytest.mark.requirement("resources.uri")
def test_every_listed_uri_is_one() -> None:
    for resource in REGISTRY.iter_resources(Call(WRITER, MODERN_REVISIONS[-1])):
        parts = urlsplit(resource.uri)
        assert parts.scheme
        assert resource.uri.isascii()
        assert " " not in resource.uri


@pytest.mark.requirement("message.reserved-codes", "message.error-code")
@pytest.mark.parametrize(("method", "params"), REFUSED)
def test_no_retired_code_reaches_a_modern_client(method: str, params: dict[str, Any]) -> None:
    error = ask_modern(method, params)["error"]
    assert type(error["code"]) is int
    assert error["code"] not in {-32002, -32042}
    assert error["message"]


@pytest.mark.requirement("message.own-codes")
def test_codes_of_our_own_are_outside_the_reserved_range() -> None:
    own = (revisions.ENDPOINT_NOT_FOUND, stdio.UNAUTHORIZED, stdio.TOO_LARGE)
    assert all(code > -32000 for code in own)
    assert all(-32768 <= code <= -32000 for code in (PARSE_ERROR, INTERNAL_ERROR, *iter_codes_of_the_revision()))


def iter_codes_of_the_revision() -> Iterator[int]:
    yield revisions.HEADER_MISMATCH
    yield revisions.MISSING_CLIENT_CAPABILITY
    yield revisions.UNSUPPORTED_PROTOCOL_VERSION


@pytest.mark.requirement("progress.grows", "progress.stops", "http.related-only")
def test_progress_grows_under_its_token_and_ends_with_the_answer() -> None:
    message = make_modern("tools/call", {"name": "count"}, progressToken="mine")
    *reports, answer = [report for report in read(send(message, may_stream=True)) if report]
    assert [report["params"]["progressToken"] for report in reports] == ["mine", "mine"]
    done = [report["params"]["progress"] for report in reports]
    assert done == sorted(set(done))
    assert not any("id" in report for report in reports)
    assert "result" in answer


@pytest.mark.requirement("cancellation.unknown")
@pytest.mark.parametrize("params", [{}, {"requestId": 99}, {"requestId": None, "reason": 5}])
def test_a_cancellation_of_nothing_is_taken(params: dict[str, Any]) -> None:
    reply = send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})
    assert (reply.http_status, reply.body) == (202, None)


@pytest.mark.requirement("rounds.methods")
@pytest.mark.parametrize("method", [*LISTS, "server/discover", "completion/complete"])
def test_lists_never_ask_back(method: str) -> None:
    params = dict(REQUESTS)[method] | {"inputResponses": {"name": "Ada"}, "requestState": "forged"}
    able: dict[str, Any] = {"elicitation": {}, "sampling": {}, "roots": {}}
    assert ask_modern(method, params, READER, able)["result"]["resultType"] == "complete"
