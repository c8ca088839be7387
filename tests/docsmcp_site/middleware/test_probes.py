"""What watches the server: it is answered by any name, tells strangers little, and tells the truth when a part is away."""

from __future__ import annotations

import shutil
import socket
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client
from pytest_django.fixtures import Settings

from docsmcp_site.doctor.findings import fail
from docsmcp_site.middleware import readiness

TOKEN = "a-token-of-the-tests"
AFAR: dict[str, Any] = {"REMOTE_ADDR": "192.0.2.7"}
PROBES = ["/livez", "/readyz", "/health"]


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Client:
    """As something on this machine asks, each time after what was found before is forgotten."""
    monkeypatch.setattr(readiness, "REMEMBERED_SECONDS", 0.0)
    readiness.EXAMINED.forget()
    return Client(headers={"host": "127.0.0.1:8001"})


@pytest.fixture
def with_token(settings: Settings) -> None:
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"metrics_token": TOKEN})


@pytest.mark.django_db
@pytest.mark.parametrize("path", [*PROBES, "/metrics"])
def test_it_answers_by_any_address_and_only_to_reading(client: Client, path: str) -> None:
    response = client.get(path, headers={"host": "10.1.2.3:8001"})
    assert response.status_code == 200
    assert response["Cache-Control"] == "no-store"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert client.post(path, headers={"host": "127.0.0.1"}).status_code == 405


def test_liveness_asks_no_database(client: Client) -> None:
    assert client.get("/livez").json() == {"status": "ok"}


@pytest.mark.django_db
def test_who_asks_often_has_the_database_asked_once_a_second(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readiness, "REMEMBERED_SECONDS", 600.0)
    assert client.get("/readyz").status_code == 200
    monkeypatch.setattr(readiness, "check_database", lambda: fail("it does not answer", "start it"))
    assert client.get("/readyz").status_code == client.get("/health").status_code == 200
    assert client.get("/health").json()["status"] != "unavailable"
    readiness.EXAMINED.forget()
    assert client.get("/readyz").status_code == 503
    readiness.EXAMINED.forget()


@pytest.mark.django_db
def test_it_stays_ready_and_says_so_when_redis_is_away(client: Client, settings: Settings) -> None:
    assert "broker" not in client.get("/health").json()["parts"]
    with socket.socket() as nobody_listens:
        nobody_listens.bind(("127.0.0.1", 0))
        url = f"redis://127.0.0.1:{nobody_listens.getsockname()[1]}/0"
        settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"redis_url": url})
        health = client.get("/health").json()
        assert client.get("/readyz").status_code == 200
    assert (health["status"], health["parts"]["broker"]["state"]) == ("degraded", "fail")
    assert "Redis does not answer" in health["parts"]["broker"]["what"]


@pytest.mark.django_db
def test_it_is_ready_when_what_it_needs_is_there(client: Client) -> None:
    body = client.get("/readyz").json()
    assert body["status"] == "ok"
    assert {name for name, part in body["parts"].items() if part["state"] == "ok"} >= {"database", "migrations"}


@pytest.mark.django_db
def test_it_is_not_ready_without_a_database(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise OperationalError("connection refused\nby something at 192.0.2.1")

    monkeypatch.setattr(readiness, "check_database", refuse)
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["status"] == "unavailable"
    assert response.json()["parts"]["database"]["state"] == "fail"
    assert client.get("/health").json()["status"] == "unavailable"
    assert client.get("/livez").status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize(("free", "state"), [(10**12, "ok"), (10**6, "fail")])
def test_without_a_database_the_disk_is_looked_at_all_the_same(
    client: Client, monkeypatch: pytest.MonkeyPatch, free: int, state: str
) -> None:
    monkeypatch.setattr(readiness, "run", lambda check: fail("the database does not serve", "see its log"))
    fill_disk(monkeypatch, free)
    for path in ("/readyz", "/health"):
        parts = client.get(path).json()["parts"]
        assert (parts["database"]["state"], parts["disk"]["state"]) == ("fail", state)
        assert parts["disk"]["what"].endswith("free in DATA_DIR")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("keeps", "status", "state"),
    [
        ({}, 503, "fail"),
        ({"database_url": "postgresql://db/docs"}, 503, "fail"),
        ({"database_url": "postgresql://db/docs", "secret_key": "k" * 50}, 200, "warn"),
    ],
    ids=["the database", "the secret key", "nothing"],
)
def test_a_full_disk_takes_away_only_who_keeps_something_there(
    client: Client, monkeypatch: pytest.MonkeyPatch, settings: Settings, keeps: dict[str, str], status: int, state: str
) -> None:
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"database_url": "", "secret_key": "", **keeps})
    fill_disk(monkeypatch, 10**6)
    response = client.get("/readyz")
    assert (response.status_code, response.json()["parts"]["disk"]["state"]) == (status, state)


def fill_disk(monkeypatch: pytest.MonkeyPatch, free: int) -> None:
    usage = type(shutil.disk_usage("/"))(10**13, 0, free)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)


@pytest.mark.django_db
def test_it_is_not_ready_before_its_migrations(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    readiness.is_all_migrated.cache_clear()
    monkeypatch.setattr(readiness, "is_migration_due", lambda: True)
    assert client.get("/readyz").status_code == 503
    monkeypatch.setattr(readiness, "is_migration_due", lambda: False)
    assert client.get("/readyz").status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize("check", ["check_worker", "check_tasks", "check_upstreams"])
def test_it_stays_ready_when_a_queue_or_an_upstream_fails(
    client: Client, monkeypatch: pytest.MonkeyPatch, check: str
) -> None:
    monkeypatch.setattr(readiness, check, lambda: fail("it stands still", "start it"))
    response = client.get("/readyz")
    assert response.status_code == 200
    assert {"state": "fail", "what": "it stands still", "mend": "start it"} in response.json()["parts"].values()
    assert client.get("/health").json()["status"] == "degraded"


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/readyz", "/health"])
def test_strangers_are_told_states_alone(client: Client, path: str) -> None:
    parts = client.get(path, **AFAR).json()["parts"]
    assert parts["database"] == "ok"
    assert set(parts.values()) <= {"ok", "warn", "fail"}


@pytest.mark.django_db
@pytest.mark.usefixtures("with_token")
def test_the_token_opens_details_and_metrics_from_afar(client: Client) -> None:
    bearer = {"authorization": f"Bearer {TOKEN}"}
    assert client.get("/metrics", headers=bearer, **AFAR).status_code == 200
    assert "what" in client.get("/readyz", headers=bearer, **AFAR).json()["parts"]["database"]


@pytest.mark.django_db
@pytest.mark.usefixtures("with_token")
@pytest.mark.parametrize(
    ("environ", "headers"),
    [
        (AFAR, {}),
        (AFAR, {"authorization": "Bearer not-this-token-but-another"}),
        ({}, {"x-forwarded-for": "127.0.0.1"}),
        ({}, {"host": "rebound.example"}),
    ],
    ids=["from afar", "another token", "through a proxy", "by a website's name"],
)
def test_metrics_are_absent_for_anybody_else(client: Client, environ: dict[str, Any], headers: dict[str, str]) -> None:
    refused = client.get("/metrics", headers=headers, **environ)
    absent = client.get("/metricz", headers=headers, **environ)
    assert refused.status_code == absent.status_code
    assert refused.status_code in {400, 404}
    assert b"docsmcp_calls" not in refused.content
