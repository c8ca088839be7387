"""A server that hangs is given up. Its process is frozen for these tests: the system goes on taking what is sent to it."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
from django.db import OperationalError, connection, connections

from docsmcp_site.database.postgresql_backend import base

pytestmark = pytest.mark.django_db(transaction=True)

SOON_SECONDS = 0.2
PATIENCE_SECONDS = 2
ALIAS = "own"


@pytest.fixture
def make_database() -> Iterator[Callable[..., base.DatabaseWrapper]]:
    """A way of its own to the tests' database, which is not the embedded one to it."""
    connection.ensure_connection()
    info = connection.connection.info
    address = {"HOST": info.host, "PORT": info.port, "USER": info.user, "PASSWORD": info.password, "NAME": info.dbname}
    made: list[base.DatabaseWrapper] = []

    def make(**options: Any) -> base.DatabaseWrapper:
        changes = {"OPTIONS": options, "CONN_HEALTH_CHECKS": True, "CONN_MAX_AGE": 0 if "pool" in options else None}
        database = base.DatabaseWrapper({**connection.settings_dict, **address, **changes}, ALIAS)
        connections[ALIAS] = database
        made.append(database)
        return database

    yield make
    for database in made:
        database.close()
        database.close_pool()
    del connections[ALIAS]


def ask(database: base.DatabaseWrapper, statement: str = "SELECT pg_backend_pid()") -> Any:
    with database.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchone()[0]


@contextmanager
def impatient() -> Iterator[None]:
    """Sessions are looked at for no longer than a moment, in which one that is well may not answer on a busy machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(base, "LOOK_SECONDS", SOON_SECONDS)
        yield


@contextmanager
def frozen(pid: int) -> Iterator[None]:
    os.kill(pid, signal.SIGSTOP)
    try:
        with impatient():
            yield
    finally:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)


def test_a_statement_is_waited_for_as_long_as_the_patience_lasts(make_database: Callable[..., Any]) -> None:
    database = make_database(patience=PATIENCE_SECONDS)
    with frozen(ask(database)), pytest.raises(OperationalError, match="it said nothing for 2 s"):
        ask(database)
    assert not database.is_usable()
    database.close()
    assert ask(database) > 0


def test_who_has_no_limit_waits(make_database: Callable[..., Any]) -> None:
    database = make_database()
    ask(database)
    with impatient():
        assert ask(database, f"SELECT pg_sleep({SOON_SECONDS * 2})::text") == ""


def test_a_session_that_hangs_is_not_used_again(make_database: Callable[..., Any]) -> None:
    database = make_database()
    first = ask(database)
    database.close_if_unusable_or_obsolete()  # as before each request
    assert ask(database) == first
    database.close_if_unusable_or_obsolete()
    with frozen(first):
        assert ask(database) != first


def test_a_pool_gives_no_session_that_hangs(make_database: Callable[..., Any]) -> None:
    pool = {"min_size": 1, "max_size": 1, "timeout": 30, "connection_class": base.PooledConnection}
    database = make_database(pool=pool)
    first = ask(database)
    database.close()
    with frozen(first):
        assert ask(database) != first
