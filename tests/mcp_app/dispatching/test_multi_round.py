"""Calls that ask the client back, of the revision 2026-07-28."""

from __future__ import annotations

from typing import Any

import pytest
from django.core import signing

from collections_app.access.principal import Principal
from mcp_app.dispatching import multi_round
from mcp_app.dispatching.multi_round import open_state, seal_state
from tests.mcp_app.fake_registry import ASK_NAME, ask, ask_modern, make_modern, send
from tests.mcp_app.fake_tools import READER, WRITER

ABLE: dict[str, Any] = {"elicitation": {}}
GREET = {"name": "greet", "arguments": {"a": 1}}


def greet(params: dict[str, Any], principal: Principal = READER) -> Any:
    return ask_modern("tools/call", params, principal, ABLE)


@pytest.mark.requirement("rounds.ask")
def test_the_first_round_asks_and_hands_out_a_state() -> None:
    result = greet(GREET)["result"]
    assert (result["resultType"], result["inputRequests"]) == ("input_required", ASK_NAME)
    assert "content" not in result
    assert isinstance(result["requestState"], str)


@pytest.mark.requirement("rounds.extra")
def test_the_next_round_brings_both_back() -> None:
    state = greet(GREET)["result"]["requestState"]
    result = greet(GREET | {"requestState": state, "inputResponses": {"name": "Ada", "more": 1}})["result"]
    assert (result["resultType"], result["content"][0]["text"]) == ("complete", 'Ada {"asked": 1}')


@pytest.mark.requirement("rounds.again")
@pytest.mark.parametrize("answers", [None, {}, {"other": 1}])
def test_without_the_answer_it_asks_again(answers: Any) -> None:
    assert greet(GREET | {"inputResponses": answers})["result"]["resultType"] == "input_required"


@pytest.mark.requirement("rounds.malformed")
@pytest.mark.parametrize("answers", [[], "name", 5])
def test_answers_must_be_an_object(answers: Any) -> None:
    assert greet(GREET | {"inputResponses": answers})["error"]["code"] == -32602


@pytest.mark.requirement("rounds.state", "rounds.state-bound")
def test_a_state_is_good_for_the_same_call_and_caller_only() -> None:
    state = greet(GREET)["result"]["requestState"]
    for changed in (
        state[:-1] + ("B" if state[-1] == "A" else "A"),
        "A" + state,
        state.upper(),
        "",
        5,
        {"a": 1},
        "ü\0",
    ):
        assert greet(GREET | {"requestState": changed})["error"]["code"] == -32602
    assert greet({**GREET, "arguments": {"a": 2}, "requestState": state})["error"]["code"] == -32602
    assert greet(GREET | {"requestState": state}, WRITER)["error"]["code"] == -32602
    assert "result" in greet(GREET | {"requestState": state})


@pytest.mark.requirement("rounds.state-expires")
def test_an_old_state_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    sealed = seal_state(1, READER, "tools/call", GREET)
    assert open_state(sealed, READER, "tools/call", GREET) == 1
    later = signing.time.time() + multi_round.MAX_AGE_SECONDS + 1  # type: ignore[attr-defined]
    monkeypatch.setattr(signing.time, "time", lambda: later)  # type: ignore[attr-defined]
    with pytest.raises(Exception, match="too old"):
        open_state(sealed, READER, "tools/call", GREET)


@pytest.mark.requirement("rounds.declared")
def test_only_what_the_client_can_do_is_asked() -> None:
    message = make_modern("tools/call", GREET, {"sampling": {}})
    assert send(message).http_status == 400
    error = ask_modern("tools/call", GREET, capabilities={"sampling": {}})["error"]
    assert (error["code"], error["data"]) == (-32021, {"requiredCapabilities": {"elicitation": {}}})


@pytest.mark.requirement("meta.missing-capability")
def test_a_tool_may_need_a_capability() -> None:
    call = {"name": "need_sampling"}
    error = ask_modern("tools/call", call)["error"]
    assert (error["code"], error["data"]) == (-32021, {"requiredCapabilities": {"sampling": {}}})
    assert "result" in ask_modern("tools/call", call, capabilities={"sampling": {}})


@pytest.mark.requirement("rounds.methods")
def test_a_prompt_may_ask_too() -> None:
    result = ask_modern("prompts/get", {"name": "ask_first"}, capabilities=ABLE)["result"]
    assert result["resultType"] == "input_required"
    assert "requestState" not in result


def test_a_resource_may_ask_too() -> None:
    uri = {"uri": "test://a/ask"}
    result = ask_modern("resources/read", uri, capabilities=ABLE)["result"]
    assert result["resultType"] == "input_required"
    assert "ttlMs" not in result
    answered = uri | {"inputResponses": {"name": "Ada"}}
    assert "contents" in ask_modern("resources/read", answered, capabilities=ABLE)["result"]


def test_legacy_clients_cannot_be_asked() -> None:
    assert ask("tools/call", GREET)["error"]["code"] == -32602
    assert ask("prompts/get", {"name": "ask_first"})["error"]["code"] == -32602
