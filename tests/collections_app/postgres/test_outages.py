"""While the database is away every surface says so in its own words, and when to come back."""

from __future__ import annotations

import json
from typing import Any

import psycopg
import pytest
from django.db import DatabaseError, InterfaceError, InternalError, OperationalError, ProgrammingError
from django.test import Client
from structlog.testing import capture_logs

from collections_app.models.tenants import ApiKeyQuerySet
from collections_app.postgres.outages import RETRY_SECONDS, find_outage

KEY = {"authorization": "Bearer some-key"}


def fail(*_: object, **__: object) -> Any:
    raise OperationalError("connection to server at 10.0.0.7 failed: Connection refused")


@pytest.fixture
def _away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ApiKeyQuerySet, "find_by_secret", fail)


def call(client: Client, method: str, **params: Any) -> Any:
    message = {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}
    return client.post("/mcp", message, content_type="application/json", headers=KEY)


def is_advice(details: dict[str, Any]) -> bool:
    return details == {"retryable": True, "retry_after": RETRY_SECONDS}


@pytest.mark.usefixtures("_away")
def test_mcp_answers_with_a_json_rpc_error_that_says_when_to_come_back(client: Client) -> None:
    response = call(client, "tools/list")
    answer = response.json()
    assert (response.status_code, response["retry-after"]) == (503, str(RETRY_SECONDS))
    assert (answer["id"], answer["error"]["code"]) == (7, -32603)
    assert is_advice(answer["error"]["data"])
    assert "10.0.0.7" not in response.content.decode()


@pytest.mark.usefixtures("_away")
def test_the_rest_api_says_when_to_come_back(client: Client) -> None:
    response = client.get("/api/collections", headers=KEY)
    assert (response.status_code, response["retry-after"]) == (503, str(RETRY_SECONDS))
    assert is_advice(response.json()["error"]["details"])


@pytest.mark.parametrize("accept", ["text/html", "application/json"])
def test_pages_say_when_to_come_back(client: Client, monkeypatch: pytest.MonkeyPatch, accept: str) -> None:
    monkeypatch.setattr("django.db.backends.base.base.BaseDatabaseWrapper.ensure_connection", fail)
    client.raise_request_exception = False
    response = client.get("/docs/some/thing/", headers={"accept": accept})
    assert (response.status_code, response["retry-after"]) == (503, str(RETRY_SECONDS))
    assert b"10.0.0.7" not in response.content


@pytest.mark.django_db
def test_a_tool_that_loses_the_database_says_when_to_come_back(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("collections_app.cached_search.search", fail)
    message = {"name": "search_docs", "arguments": {"query": "a word"}}
    response = client.post(
        "/mcp",
        json.dumps({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": message}),
        content_type="application/json",
    )
    result = response.json()["result"]
    assert result["isError"]
    assert is_advice(result["structuredContent"]["error"]["details"])


@pytest.mark.django_db
def test_a_method_that_loses_the_database_says_when_to_come_back(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mcp_app.resources.get_visible_collections", fail)
    message = {"jsonrpc": "2.0", "id": 7, "method": "resources/read", "params": {"uri": "docs://context"}}
    error = client.post("/mcp", message, content_type="application/json").json()["error"]
    assert error["code"] == -32603
    assert is_advice(error["data"])


def make_refused(cause: Exception) -> DatabaseError:
    error = DatabaseError("refused")
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    "error",
    [
        OperationalError("gone"),
        InterfaceError("connection already closed"),
        InternalError("received 2 results from command 'BEGIN'"),
        make_refused(psycopg.errors.ReadOnlySqlTransaction("cannot execute INSERT in a read-only transaction")),
    ],
)
def test_an_outage_is_logged_in_a_line(error: Exception) -> None:
    with capture_logs() as logs:
        assert find_outage(error)
    assert [(entry["event"], "exc_info" in entry) for entry in logs] == [("database_unavailable", False)]


@pytest.mark.parametrize("error", [ProgrammingError("no such column"), ValueError("x"), None])
def test_a_mistake_is_no_outage(error: Exception | None) -> None:
    assert find_outage(error) is None
