"""An outage of what is asked again and again: told once, waited for longer and longer, and over by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest import mock

import psycopg
import pytest
from django.db import OperationalError, ProgrammingError, connection, connections
from structlog.testing import capture_logs

from docsmcp_site.processes import outages
from docsmcp_site.processes.outages import KeptConnection, is_database_away, wait_for_database

GONE = psycopg.OperationalError("gone\nfor good")


def connecting(outcome: Any) -> Any:
    return mock.patch.object(connections["default"], "connect", side_effect=outcome)


@pytest.mark.django_db(transaction=True)
def test_it_connects_again_when_the_connection_was_lost() -> None:
    kept = KeptConnection()
    kept.keep()
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        lost = cursor.fetchone()[0]
    connection.connection.close()  # what a server that is killed leaves behind
    kept.keep()
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        assert cursor.fetchone()[0] != lost


@pytest.mark.django_db(transaction=True)
def test_a_database_that_cannot_start_is_told_once_and_tried_less_and_less_often(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As every half second while `docsmcp up` runs."""
    now = 1000.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    kept = KeptConnection()
    connection.close()
    with capture_logs() as logs:
        tried = []
        with connecting(GONE) as connect:
            while now < 1060:
                before = connect.call_count
                kept.keep()
                tried += [now - 1000] * (connect.call_count - before)
                now += 0.5
        now += outages.LONGEST_DELAY_SECONDS
        kept.keep()
    assert tried == [0, 0.5, 1.5, 3.5, 7.5, 15.5, 30.5, 45.5]
    assert [(log["event"], log.get("reason")) for log in logs] == [("database_away", "gone"), ("database_back", None)]


@pytest.mark.django_db
def test_who_waits_for_a_database_is_answered_when_it_is_back() -> None:
    waited: list[float] = []
    ask = mock.Mock(side_effect=[OperationalError("gone\nfor good"), OperationalError("starting up"), "an answer"])
    with capture_logs() as logs:
        assert wait_for_database(ask, waited.append) == "an answer"
    assert waited == [0.5, 1.0]
    assert [log["event"] for log in logs] == ["database_away", "database_back"]


@pytest.mark.django_db
def test_nobody_waits_for_a_mistake() -> None:
    with pytest.raises(ProgrammingError):
        wait_for_database(mock.Mock(side_effect=ProgrammingError("no such table")), fail_to_wait)


def fail_to_wait(seconds: float) -> None:
    raise AssertionError(seconds)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("break_it", "is_away"), [(lambda: connecting(GONE), True), (mock.MagicMock, False)])
def test_it_is_found_out_whether_the_database_is_away(break_it: Callable[[], Any], is_away: bool) -> None:
    connection.close()
    with break_it():
        assert is_database_away() is is_away
