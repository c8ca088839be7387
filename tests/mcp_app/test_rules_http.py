"""Rules of the transport that need HTTP to be seen: headers, statuses, streams."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from mcp_app.transports import views
from tests.mcp_app import fake_registry
from tests.mcp_app.fake_tools import META, MODERN, make_message

pytestmark = pytest.mark.usefixtures("config", "registry")

CALL = make_message("tools/call", {"name": "count"}, modern=True)
HEADERS = {"MCP-Protocol-Version": MODERN, "Mcp-Method": "tools/call", "Mcp-Name": "count"}


@pytest.fixture
def registry(config: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Something of every kind behind the endpoint."""
    monkeypatch.setattr(views.McpView, "dispatcher", fake_registry.DISPATCHER)


def post(message: Any, headers: dict[str, str] | None = None) -> Any:
    return Client().post("/mcp", json.dumps(message), "application/json", headers=headers or {})


@pytest.mark.requirement("http.header-names")
@pytest.mark.parametrize("spell", [str.lower, str.upper, str.title])
def test_header_names_are_taken_in_any_case_and_values_are_not(spell: Any) -> None:
    assert post(CALL, {spell(name): value for name, value in HEADERS.items()}).status_code == 200
    for name in ("Mcp-Method", "Mcp-Name"):
        answer = post(CALL, HEADERS | {name: HEADERS[name].upper()})
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32020)


@pytest.mark.requirement("http.encoded-header")
def test_a_header_in_base64_is_the_name_that_it_encodes() -> None:
    assert post(CALL, HEADERS | {"Mcp-Name": "=?base64?Y291bnQ=?="}).status_code == 200
    assert post(CALL, HEADERS | {"Mcp-Name": "=?base64?Y291bnQy?="}).status_code == 400


@pytest.mark.requirement("http.unknown-parameter-header")
def test_a_parameter_header_that_no_tool_asks_for_is_ignored() -> None:
    assert post(CALL, HEADERS | {"Mcp-Param-Region": "eu"}).json() == post(CALL, HEADERS).json()


@pytest.mark.requirement("http.unsupported-version", "http.unknown-version-header")
def test_a_version_that_is_not_served_is_a_bad_request() -> None:
    unknown = make_message("tools/list") | {
        "params": {"_meta": META | {"io.modelcontextprotocol/protocolVersion": "x"}}
    }
    for message in (unknown, make_message("tools/list")):
        answer = post(message, {"MCP-Protocol-Version": "x", "Mcp-Method": "tools/list"})
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32022)


@pytest.mark.requirement("http.notification-refused")
@pytest.mark.parametrize("headers", [{"MCP-Protocol-Version": "2031-01-01"}, {"X-Api-Key": "wrong"}])
def test_a_notification_that_is_not_accepted_gets_an_error(headers: dict[str, str]) -> None:
    answer = post({"jsonrpc": "2.0", "method": "notifications/cancelled"}, headers)
    assert 400 <= answer.status_code < 500
    assert "id" not in answer.json()


@pytest.mark.requirement("http.no-responses")
def test_a_posted_response_is_a_bad_request() -> None:
    assert post({"jsonrpc": "2.0", "id": 1, "result": {}}, {"MCP-Protocol-Version": MODERN}).status_code == 400


@pytest.mark.requirement("http.json-or-events", "http.stream-ends", "http.unbuffered")
def test_a_stream_ends_with_the_answer_and_is_not_held_back() -> None:
    message = json.loads(json.dumps(CALL))
    message["params"]["_meta"] = META | {"progressToken": "p"}
    plain, stream = post(CALL, HEADERS), post(message, HEADERS)
    assert plain["Content-Type"] == "application/json"
    assert (stream.status_code, stream["Content-Type"]) == (200, "text/event-stream")
    assert (stream["X-Accel-Buffering"], stream["Cache-Control"]) == ("no", "no-cache, no-transform")
    events = b"".join(stream.streaming_content).decode().removesuffix("\n\n").split("\n\n")
    messages = [json.loads(event.partition("data: ")[2]) for event in events if not event.startswith(":")]
    assert ["id" in message for message in messages] == [False, False, True]
    assert events[-1].endswith(json.dumps(messages[-1], separators=(",", ":"), ensure_ascii=False))


@pytest.mark.requirement("http.authentication")
def test_who_asks_is_told_by_each_request_alone() -> None:
    client = Client()
    resources = make_message("resources/list")

    def count(key: str | None) -> int:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        listed = client.post("/mcp", json.dumps(resources), "application/json", headers=headers).json()
        return len(listed["result"]["resources"])

    assert (count(None), count("dmcp_good"), count(None)) == (3, 50, 3)
