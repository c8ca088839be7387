"""Before its migrations this version asks nothing of the tables, and says when to come back; afterwards it serves, behind its wall."""

from __future__ import annotations

import json
from collections.abc import Iterator
from unittest import mock

import pytest
from django.db import OperationalError
from django.test import Client
from pytest_django.fixtures import Settings

from collections_app.postgres import row_security
from docsmcp_site.middleware import readiness, tenant_wall
from docsmcp_site.settings import MIDDLEWARE

pytestmark = pytest.mark.django_db

CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list_collections", "arguments": {}}}


@pytest.fixture(autouse=True)
def _as_shipped(settings: Settings) -> Iterator[None]:
    settings.MIDDLEWARE = MIDDLEWARE
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"database_row_security": "auto"})
    forget()
    yield
    forget()


def forget() -> None:
    """As in a process that has just started."""
    readiness.is_all_migrated.cache_clear()
    tenant_wall.is_there.cache_clear()


@pytest.fixture
def client() -> Client:
    return Client(raise_request_exception=False)


def test_before_its_migrations_callers_are_told_when_to_come_back(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readiness, "is_migration_due", lambda: True)
    for path in ("/api/collections", "/docs/"):
        response = client.get(path)
        assert (response.status_code, response["Retry-After"]) == (503, "5"), path
    over_mcp = client.post("/mcp", json.dumps(CALL), "application/json", headers={"authorization": "Bearer dmcp_x_y"})
    assert (over_mcp.status_code, over_mcp["Retry-After"]) == (503, "5")
    assert over_mcp.json()["error"]["data"]["retryable"] is True
    assert client.get("/", headers={"accept": "application/json"}).status_code == 200


def test_after_them_it_serves_behind_the_wall(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that looked for the wall on the tables of the version before would go without it until it ends."""
    monkeypatch.setattr(readiness, "is_migration_due", lambda: True)
    with monkeypatch.context() as before:
        before.setattr(row_security, "READ_BEHIND_WALL", "a_view_of_this_version")
        assert client.get("/api/collections").status_code == 503
    monkeypatch.setattr(readiness, "is_migration_due", lambda: False)
    assert client.get("/api/collections").status_code == 200
    assert tenant_wall.is_there() is row_security.is_available()


def test_what_was_found_is_not_looked_for_again(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    look = mock.Mock(return_value=False)
    monkeypatch.setattr(readiness, "is_migration_due", look)
    for _ in range(2):
        assert client.get("/api/collections").status_code == 200
    assert look.call_count == 1


def test_a_database_that_is_away_is_asked_once(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    look = mock.Mock(side_effect=OperationalError("connection refused"))
    monkeypatch.setattr(readiness, "is_migration_due", look)
    assert client.get("/api/collections").status_code == 503
    assert look.call_count == 1
