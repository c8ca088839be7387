"""A trial is what an agent would get, and leaves no trace of an agent."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from collections_app.access.authentication import authenticate
from collections_app.access.principal import Scope
from collections_app.models import ApiKey, Collection, DailyUsage, SearchEvent
from collections_app.text.tokens import estimate_tokens
from mcp_app.entries import Tool
from mcp_app.product import REGISTRY
from mcp_app.trial import Trial, try_tool
from tests.factories import make_collection, make_principal, put

pytestmark = pytest.mark.django_db


@pytest.fixture
def docs() -> Collection:
    collection = make_collection("guide")
    put(
        collection, {"llama.md": "# Llamas\n\nA llama is tall.\n", "alpaca.md": "# Alpacas\n\nAn alpaca is no llama.\n"}
    )
    return collection


def search(collection: Collection, **arguments: Any) -> Trial:
    found = try_tool("search_docs", make_principal(collection), {"query": "llama", **arguments})
    assert found is not None
    return found


def call(client: Client, secret: str, arguments: dict[str, Any]) -> str:
    """What an agent with this key gets."""
    message = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "search_docs", "arguments": arguments},
    }
    sent = client.post(
        "/mcp", json.dumps(message), content_type="application/json", headers={"Authorization": f"Bearer {secret}"}
    )
    text: str = sent.json()["result"]["content"][0]["text"]
    return text


QUESTIONS: list[dict[str, Any]] = [
    {"query": "llama"},
    {"query": "xylophone"},
    {"query": "llama", "limit": 99},
    {"query": "llama", "collection": "nowhere"},
]


@pytest.mark.parametrize("arguments", QUESTIONS)
def test_the_text_is_that_of_an_agent(client: Client, docs: Collection, arguments: dict[str, Any]) -> None:
    _, secret = ApiKey.objects.issue(tenant=docs.tenant, name="agent")
    trial = try_tool("search_docs", authenticate(secret), arguments)
    assert trial is not None
    assert trial.text == call(client, secret, arguments)
    assert trial.tokens == estimate_tokens(trial.text)


def test_it_says_whether_it_was_remembered(docs: Collection) -> None:
    assert [search(docs).is_cached, search(docs).is_cached] == [False, True]


def test_it_is_in_no_history(docs: Collection) -> None:
    search(docs)
    assert not SearchEvent.objects.exists()
    assert not DailyUsage.objects.exists()


def test_an_agent_is_not_told_that_it_asked_before(client: Client, docs: Collection) -> None:
    _, secret = ApiKey.objects.issue(tenant=docs.tenant, name="agent")
    for _ in range(2):
        try_tool("search_docs", authenticate(secret), {"query": "llama"})
    assert "Unchanged" not in call(client, secret, {"query": "llama"})


def test_nor_is_a_person_told_that_the_agent_did(client: Client, docs: Collection) -> None:
    _, secret = ApiKey.objects.issue(tenant=docs.tenant, name="agent")
    call(client, secret, {"query": "llama"})
    trial = try_tool("search_docs", authenticate(secret), {"query": "llama"})
    assert trial is not None
    assert "Unchanged" not in trial.text


def test_an_error_is_the_one_that_an_agent_reads(docs: Collection) -> None:
    trial = search(docs, mode="clairvoyant")
    assert trial.is_error
    assert "must be one of" in trial.text


def test_a_tool_outside_the_scopes_is_none(docs: Collection) -> None:
    assert try_tool("ask_docs", make_principal(docs), {"question": "llama"}) is None
    asking = try_tool("ask_docs", make_principal(docs, scopes=[Scope.ASK]), {"question": "llama"})
    assert asking is not None
    assert "Llamas" in asking.text


def test_a_failure_of_the_tool_is_told_without_its_reason(docs: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> Any:
        raise RuntimeError("/a/path of the machine")

    tool = REGISTRY.find_tool("search_docs", make_principal(docs))
    assert tool is not None
    broken = Tool(**{name: getattr(tool, name) for name in ("name", "title", "description", "params")}, run=fail)
    monkeypatch.setattr(REGISTRY, "find_tool", lambda *_: broken)
    trial = search(docs)
    assert trial.is_error
    assert "/a/path" not in trial.text
