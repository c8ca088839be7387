"""Calls that report before they answer."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcp_app.protocol.revisions import SERVER_INFO_KEY
from tests.mcp_app import fake_registry
from tests.mcp_app.fake_registry import ask, make_log_level, make_modern, read, send
from tests.mcp_app.fake_tools import make_message


def call_legacy(name: str, token: Any = None, **options: Any) -> list[Any]:
    params: dict[str, Any] = {"name": name}
    if token is not None:
        params["_meta"] = {"progressToken": token}
    return read(send(make_message("tools/call", params), may_stream=True, **options))


def call_modern(name: str, **meta: Any) -> list[Any]:
    return read(send(make_modern("tools/call", {"name": name}, **meta), may_stream=True))


def methods_of(messages: list[Any]) -> list[str]:
    return [message.get("method", "answer") if message else "working" for message in messages]


@pytest.mark.requirement("progress.token")
@pytest.mark.parametrize("token", ["p1", 0, 7])
def test_progress_comes_before_the_answer_with_the_clients_token(token: Any) -> None:
    messages = call_modern("count", progressToken=token)
    first, last = messages[0], messages[-1]
    assert first == {
        "jsonrpc": "2.0",
        "method": "notifications/progress",
        "params": {"progressToken": token, "progress": 0, "total": 2},
    }
    assert messages[-2]["params"] == {"progressToken": token, "progress": 2, "total": 2, "message": "done"}
    assert (last["id"], last["result"]["content"][0]["text"]) == (1, "counted=2")
    assert SERVER_INFO_KEY in last["result"]["_meta"]


def test_what_is_not_wanted_after_the_first_report_says_only_that_the_call_goes_on() -> None:
    kinds = methods_of(call_modern("count", progressToken="p"))
    assert kinds == ["notifications/progress", *["working"] * 3, "notifications/progress", "answer"]


@pytest.mark.requirement("progress.token-type")
@pytest.mark.parametrize("token", [None, True, 1.5, ["p"], {}])
def test_without_a_usable_token_there_is_one_answer(token: Any) -> None:
    [answer] = call_modern("count", progressToken=token)
    assert answer["result"]["content"][0]["text"] == "counted=2"


def test_a_transport_that_carries_one_message_gets_the_answer_alone() -> None:
    message = make_message("tools/call", {"name": "count", "_meta": {"progressToken": "p"}})
    reply = send(message)
    assert reply.messages is None
    assert json.loads(reply.body or b"")["result"]["content"][0]["text"] == "counted=2"


@pytest.mark.requirement("logging.opt-in")
def test_log_messages_go_to_modern_clients_that_name_a_level_and_no_lower() -> None:
    assert methods_of(call_modern("count", **make_log_level("info"))) == [
        "notifications/message",
        "working",
        "working",
        "working",
        "answer",
    ]
    assert methods_of(call_modern("count", **make_log_level("debug"))).count("notifications/message") == 2


@pytest.mark.requirement("logging.level")
@pytest.mark.parametrize("level", ["loud", "INFO", "", 3, None, ["info"]])
def test_a_level_that_there_is_not_is_refused(level: Any) -> None:
    reply = send(make_modern("tools/call", {"name": "count"}, **make_log_level(level)), may_stream=True)
    [answer] = read(reply)
    assert (reply.http_status, answer["error"]["code"]) == (400, -32602)
    assert "debug, info" in answer["error"]["message"]


def test_log_messages_go_to_legacy_clients_of_a_registry_that_declares_them() -> None:
    messages = call_legacy("count")
    assert methods_of(messages).count("notifications/message") == 2
    assert messages[0]["params"] == {"level": "info", "data": "half way", "logger": "counter"}


@pytest.mark.parametrize(("name", "code"), [("fail_late", "DOCUMENT_NOT_FOUND"), ("break_late", "INTERNAL_ERROR")])
def test_a_failure_after_the_first_report_is_the_answer(name: str, code: str) -> None:
    progress, answer = call_legacy(name, "p")
    assert progress["method"] == "notifications/progress"
    assert answer["result"]["structuredContent"]["error"]["code"] == code
    assert "secret" not in json.dumps(answer)


def test_a_call_past_its_deadline_is_ended() -> None:
    fake_registry.closed.clear()
    [answer] = call_legacy("never_end", "p")
    assert answer["result"]["structuredContent"]["error"]["code"] == "UPSTREAM_UNAVAILABLE"
    assert fake_registry.closed == ["never_end"]


@pytest.mark.requirement("http.disconnect")
def test_a_client_that_hangs_up_ends_the_call(logs: list[dict[str, Any]]) -> None:
    fake_registry.closed.clear()
    reply = send(make_message("tools/call", {"name": "count", "_meta": {"progressToken": 1}}), may_stream=True)
    assert reply.messages is not None
    next(reply.messages)
    reply.messages.close()
    assert fake_registry.closed == ["count"]
    assert [record["outcome"] for record in logs] == ["disconnected"]


def test_a_call_is_recorded_when_it_ends(logs: list[dict[str, Any]]) -> None:
    reply = send(make_message("tools/call", {"name": "count", "_meta": {"progressToken": 1}}), may_stream=True)
    assert logs == []
    read(reply)
    assert [record["outcome"] for record in logs] == ["ok"]


def test_a_refusal_before_the_first_report_is_no_stream() -> None:
    reply = send(make_message("tools/call", {"name": "count", "arguments": {"a": 1}, "_meta": {"progressToken": 1}}))
    assert reply.messages is None
    assert ask("tools/call", {"name": "nope"}, may_stream=True)["error"]["code"] == -32602
