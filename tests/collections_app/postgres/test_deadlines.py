"""A database that says nothing is not waited for."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test import Client
from psycopg import Connection
from psycopg.waiting import Ready, Wait

from collections_app.postgres.deadlines import MAX_UNASKED_WRITES, answering_within, write_unasked
from collections_app.postgres.prepared_cursor import open_cursor
from docsmcp_site.doctor.findings import Verdict, ok
from docsmcp_site.middleware import readiness

pytestmark = pytest.mark.django_db(transaction=True)

LONG = 60


@pytest.fixture(autouse=True)
def silent_session() -> Iterator[None]:
    """This thread's, which goes on working at what it was asked although nobody waits any more: it is ended afterwards."""
    ask("SELECT 1")
    session = connection.connection.info.backend_pid
    yield
    connection.close()
    ask(f"SELECT pg_terminate_backend({session})")


def ask(statement: str) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchone()


def test_it_is_given_up_after_the_deadline() -> None:
    with pytest.raises(OperationalError, match=r"it said nothing for 0\.1 s"), answering_within(0.1):
        ask(f"SELECT pg_sleep({LONG})")
    connection.close()
    assert ask("SELECT 1") == (1,)


def test_what_answers_in_time_keeps_its_session() -> None:
    with answering_within(LONG):
        first = ask("SELECT pg_backend_pid()")
    assert ask("SELECT pg_backend_pid()") == first


def test_other_failures_are_told_as_they_are() -> None:
    with pytest.raises(OperationalError, match="terminating connection"), answering_within(LONG):
        ask("SELECT pg_terminate_backend(pg_backend_pid())")


def test_a_server_whose_database_is_silent_is_not_ready(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def wait() -> Verdict:
        ask(f"SELECT pg_sleep({LONG})")
        return ok("it answers")

    monkeypatch.setattr(readiness, "check_database", wait)
    monkeypatch.setattr(readiness, "DEADLINE_SECONDS", 0.1)
    readiness.EXAMINED.forget()
    response = client.get("/readyz", headers={"host": "127.0.0.1:8001"})
    assert response.status_code == 503
    assert "it said nothing for 0.1 s" in response.json()["parts"]["database"]["what"]
    readiness.EXAMINED.forget()


def exchange(*wanted: Wait) -> Generator[Any, Any, tuple[Any, ...]]:
    """Waits for these one after the other, and returns what it was told of each."""
    told: tuple[Any, ...] = ()
    for each in wanted:
        told = (*told, (yield each))
    return told


def test_a_socket_is_asked_before_it_is_read_and_not_before_it_is_written() -> None:
    waiting = write_unasked(exchange(Wait.W, Wait.RW, Wait.R, Wait.RW))
    assert next(waiting) is Wait.R
    with pytest.raises(StopIteration) as ended:
        waiting.send(Ready.R)
    assert ended.value.value == (Ready.W, Ready.W, Ready.R, Ready.W)


def test_that_is_so_of_whatever_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    ask("SELECT 1")
    asked: list[list[Wait]] = []
    with monkeypatch.context() as waiting:
        waiting.setattr(Connection, "wait", lambda session, generator, *limits: asked.append(list(generator)))
        connection.connection.wait(exchange(Wait.RW))
        connection.connection.wait(exchange(Wait.R))
    assert asked == [[], [Wait.R]]


def test_one_that_is_written_again_and_again_is_asked() -> None:
    assert next(write_unasked(exchange(*[Wait.RW] * MAX_UNASKED_WRITES, Wait.RW))) is Wait.RW


def test_a_statement_larger_than_the_socket_takes_at_once_arrives_whole() -> None:
    with open_cursor(statement_timeout="1min") as cursor:
        cursor.execute("SELECT length(%s::text), right(%s::text, 3)", ["x" * 20_000_000, "y" * 20_000_000 + "end"])
        assert cursor.fetchone() == (20_000_000, "end")
