"""What a queue makes and waits for before it works."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest import mock

import pytest
from django.core.management import call_command
from django.db import OperationalError
from django.utils import timezone
from pytest_django.fixtures import Settings
from structlog.testing import capture_logs

from collections_app.exceptions import InvalidParameter
from collections_app.models import ApiKey
from docsmcp_site.database import preparation
from docsmcp_site.processes import outages, queue_cluster

pytestmark = pytest.mark.django_db
SECRET = "a-key-of-the-operator"


@pytest.fixture
def start(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Everything but the cluster's own processes, which would be forked from the tests."""
    monkeypatch.setattr(queue_cluster, "run", lambda on_running: True)
    monkeypatch.setattr("docsmcp_site.management.commands.run_qcluster.connection.close", lambda: None)

    def run(**values: Any) -> None:
        settings.DOCSMCP = settings.DOCSMCP.model_copy(update=values)
        call_command("run_qcluster")

    return run


def test_only_an_open_file_can_be_told_that_it_runs() -> None:
    with pytest.raises(InvalidParameter, match="--ready-fd 99999: no open file"):
        call_command("run_qcluster", ready_fd=99999)


def test_it_makes_the_configured_key_once(start: Callable[..., None]) -> None:
    start(mcp_api_key=SECRET)
    start(mcp_api_key=SECRET)
    [key] = ApiKey.objects.all()
    assert key.is_usable(timezone.now())
    assert ApiKey.objects.find_by_secret(SECRET) == key


def test_without_one_it_makes_no_key(start: Callable[..., None]) -> None:
    start()
    assert not ApiKey.objects.exists()


def test_it_makes_no_revoked_key_anew(start: Callable[..., None]) -> None:
    start(mcp_api_key=SECRET)
    ApiKey.objects.update(revoked=timezone.now())
    start(mcp_api_key=SECRET)
    assert ApiKey.objects.get().revoked


def test_it_works_on_no_tables_of_an_older_version(start: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody migrates while it waits."""
    is_due = mock.Mock(side_effect=[True, True, False])
    looks: list[int] = []
    monkeypatch.setattr(preparation, "is_migration_due", is_due)
    monkeypatch.setattr(preparation, "TABLES_INTERVAL_SECONDS", 0)
    ensure = "docsmcp_site.management.commands.run_qcluster.ensure_schedules"
    monkeypatch.setattr(ensure, lambda: looks.append(is_due.call_count))
    start()
    assert looks == [3]


def test_it_waits_for_a_database_that_is_away(start: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    """Three exits would end all of `docsmcp up`."""
    look = mock.Mock(
        side_effect=[OperationalError("connection refused\nIs it running?"), OperationalError("starting"), None]
    )
    monkeypatch.setattr("docsmcp_site.management.commands.run_qcluster.check_direct", look)
    monkeypatch.setattr(outages, "FIRST_DELAY_SECONDS", 0)
    with capture_logs() as logs:
        start(mcp_api_key=SECRET)
    assert look.call_count == 3
    assert [(log["event"], log.get("reason")) for log in logs] == [
        ("database_away", "connection refused"),
        ("database_back", None),
    ]
    assert ApiKey.objects.count() == 1
