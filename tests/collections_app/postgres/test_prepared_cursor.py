"""A cursor whose statements are prepared by the server, each with settings of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError, ProgrammingError, connection, transaction
from django.test.utils import CaptureQueriesContext
from psycopg.pq import Trace

from collections_app.postgres.prepared_cursor import (
    PLANNED_ANEW,
    PLANNED_ONCE,
    open_cursor,
    write_array,
    write_text_array,
)

pytestmark = pytest.mark.django_db(transaction=True)

LIMIT = "SELECT current_setting('statement_timeout')"


@pytest.fixture(autouse=True)
def new_connection() -> Iterator[None]:
    """On which nothing is prepared yet."""
    connection.close()
    yield
    connection.close()


def ask(sql: str, *values: Any, **settings: str) -> Any:
    with open_cursor(**settings) as cursor:
        cursor.execute(sql, values)
        return cursor.fetchone()[0]


def list_prepared() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement FROM pg_prepared_statements")
        return [row[0] for row in cursor.fetchall()]


def test_what_comes_often_is_prepared() -> None:
    for number in range(4):
        assert ask("SELECT %s::bigint + 1", number) == number + 1
        ask(f"SELECT {number}")
    assert list_prepared() == ["SELECT $1::bigint + 1"]


def test_what_is_planned_once_is_prepared_at_once() -> None:
    assert ask("SELECT %s::bigint + 2", 1, **PLANNED_ONCE) == 3
    assert ask("SELECT %s::bigint + 3", 1, **PLANNED_ANEW) == 4
    assert list_prepared() == ["SELECT $1::bigint + 2"]


@pytest.mark.parametrize(("settings", "counted"), [(PLANNED_ONCE, "generic_plans"), (PLANNED_ANEW, "custom_plans")])
def test_it_is_planned_as_often_as_is_said(settings: dict[str, str], counted: str) -> None:
    for number in range(20):
        ask(
            "SELECT count(*) FROM unnest(%s::bigint[]) AS given (id), pg_class WHERE oid = id",
            write_array([number]),
            **settings,
        )
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {counted}, generic_plans + custom_plans FROM pg_prepared_statements WHERE statement ~ 'pg_class'"  # noqa: S608
        )
        ((planned, executed),) = cursor.fetchall()
    assert planned == executed >= 10


def test_values_of_any_size_are_one_statement() -> None:
    for values in ([1], [1, 70_000], [1 << 40]):
        assert ask("SELECT cardinality(%s::bigint[])", write_array(values)) == len(values)
    assert len(list_prepared()) == 1


def test_texts_arrive_as_they_are() -> None:
    values = ["plain", "", 'a "quoted" one', "back\\slash", "{a,b}", "NULL", "'lexeme':*AB"]
    assert ask("SELECT %s::text[]", write_text_array(values)) == values


def test_a_setting_holds_for_its_statement_alone() -> None:
    before = ask(LIMIT)
    assert ask(LIMIT, statement_timeout="7s") == "7s"
    assert ask(LIMIT) == before
    notices: list[str | None] = []
    connection.connection.add_notice_handler(lambda notice: notices.append(notice.message_primary))
    with transaction.atomic():
        assert ask(LIMIT, statement_timeout="8s") == "8s"
    assert ask(LIMIT) == before
    assert notices == [], "that a transaction was begun twice"


def test_a_statement_and_its_settings_are_sent_without_a_pause(tmp_path: Path) -> None:
    connection.ensure_connection()
    session = connection.connection.pgconn
    file = tmp_path / "messages"
    with file.open("w") as messages:
        session.trace(messages.fileno())
        session.set_trace_flags(Trace.SUPPRESS_TIMESTAMPS)
        assert ask(LIMIT, statement_timeout="7s") == "7s"
        session.untrace()
    sent = [kind for side, _, kind, *_ in map(str.split, file.read_text().splitlines()) if side == "F"]
    assert sent == [*["Parse", "Bind", "Describe", "Execute"] * 2, "Sync"]  # by itself psycopg would also send a Flush


def test_a_statement_that_fails_leaves_the_connection_as_it_was() -> None:
    before = ask(LIMIT)
    with pytest.raises(OperationalError, match="timeout"):
        ask("SELECT pg_sleep(20)", statement_timeout="50ms")
    with pytest.raises(ProgrammingError, match="no_such"):
        ask("SELECT no_such(1)", statement_timeout="5s")
    assert ask(LIMIT) == before


@pytest.mark.parametrize("settings", [{}, PLANNED_ONCE])
def test_a_statement_that_could_not_be_prepared_is_not_taken_for_prepared(settings: dict[str, str]) -> None:
    """As where a migration locks its table for a moment. The attempt to prepare it is one of these."""
    for times in range(4):
        sql = f"SELECT count(*) - count(*) + {times} FROM sql_features"  # noqa: S608
        for _ in range(times):
            ask(sql, search_path="information_schema", **settings)
        with pytest.raises(ProgrammingError, match="sql_features"):
            ask(sql, search_path="public", **settings)
        assert ask(sql, search_path="information_schema", **settings) == times


def test_it_is_seen_by_those_who_watch_statements() -> None:
    with CaptureQueriesContext(connection) as watched:
        for _ in range(4):
            ask("SELECT %s::text", "secret", **PLANNED_ONCE)
    assert [query["sql"] for query in watched.captured_queries] == ["SELECT $1::text"] * 4


def test_a_statement_prepared_for_a_table_as_it_was_is_prepared_anew() -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE shelf (book text)")
        cursor.execute("INSERT INTO shelf VALUES ('a')")
        for _ in range(3):
            assert ask("SELECT book FROM shelf WHERE book = %s::text", "a") == "a"
        cursor.execute("DROP TABLE shelf")
        cursor.execute("CREATE TEMPORARY TABLE shelf (number int, book text)")
        cursor.execute("INSERT INTO shelf VALUES (1, 'a')")
    assert ask("SELECT book FROM shelf WHERE book = %s::text", "a") == "a"
