"""The Django backend over the embedded server."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError
from django.db.utils import ConnectionHandler
from pytest_django import DjangoDbBlocker

from docsmcp_site.database.embedded_postgres import EmbeddedPostgres
from tests.docsmcp_site.embedded_server import get_postmaster, is_running, run_python

# The Django backend


@pytest.fixture
def make_connection(server_dir: Path, django_db_blocker: DjangoDbBlocker) -> Iterator[Callable[..., Any]]:
    opened: list[Any] = []

    def make(name: str | None = "docsmcp", **options: Any) -> Any:
        settings = {
            "ENGINE": "docsmcp_site.database.embedded_backend",
            "NAME": name,
            "OPTIONS": {"data_dir": str(server_dir), **options},
        }
        opened.append(ConnectionHandler({"default": settings})["default"])
        return opened[-1]

    with django_db_blocker.unblock():
        yield make
        for connection in opened:
            connection.close()


def fetch_one(connection: Any, query: str) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(query)
        return cursor.fetchone()[0]


def test_the_backend_starts_the_server_at_the_first_connection(
    server_dir: Path, make_connection: Callable[..., Any]
) -> None:
    EmbeddedPostgres(server_dir).stop()
    connection = make_connection()
    assert not is_running(server_dir)

    assert fetch_one(connection, "SELECT current_database()") == "docsmcp"
    assert connection.vendor == "postgresql"
    assert connection.pg_version >= 180000


def test_the_backend_connects_to_the_database_that_a_test_runner_made(make_connection: Callable[..., Any]) -> None:
    connection = make_connection()
    with connection._nodb_cursor() as cursor:
        cursor.execute("DROP DATABASE IF EXISTS test_docsmcp")
        cursor.execute("CREATE DATABASE test_docsmcp")
    connection.settings_dict["NAME"] = "test_docsmcp"

    assert fetch_one(connection, "SELECT current_database()") == "test_docsmcp"


def test_the_backend_revives_a_killed_server_at_the_next_connection(
    server_dir: Path, make_connection: Callable[..., Any]
) -> None:
    connection = make_connection()
    assert fetch_one(connection, "SELECT 1") == 1
    params = connection.get_connection_params()
    os.kill(get_postmaster(server_dir), signal.SIGKILL)
    connection.close()

    with closing(connection.get_new_connection(params)) as revived:
        assert revived.execute("SELECT 1").fetchone() == (1,)
    assert fetch_one(connection, "SELECT 1") == 1


def test_the_backend_notices_that_the_server_has_hung_up(make_connection: Callable[..., Any]) -> None:
    connection, other = make_connection(), make_connection()
    assert fetch_one(connection, "SELECT 1") == 1
    assert connection.is_usable()
    number = fetch_one(connection, "SELECT pg_backend_pid()")
    assert fetch_one(other, f"SELECT pg_terminate_backend({number}, 5000)")
    assert not connection.is_usable()
    connection.health_check_enabled, connection.health_check_done = True, False  # as at the beginning of a request
    assert fetch_one(connection, "SELECT 1") == 1


def test_the_backend_says_as_operational_error_why_there_is_no_database(
    make_connection: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")

    with pytest.raises(OperationalError, match="runs on Linux only: set DATABASE_URL"):
        make_connection().ensure_connection()


def test_the_backend_refuses_a_pool(make_connection: Callable[..., Any]) -> None:
    with pytest.raises(ImproperlyConfigured, match="does not take the option pool"):
        make_connection(pool=True).get_connection_params()


USE_AND_RELEASE = """
import django
from django.conf import settings
settings.configure(DATABASES={
    "default": {
        "ENGINE": "docsmcp_site.database.embedded_backend", "NAME": "docsmcp", "OPTIONS": {"data_dir": sys.argv[1]}
    }
})
from django.db import connection
from docsmcp_site.database import embedded_backend

def say():
    print(os.path.exists(sys.argv[1] + "/postgres/cluster/data/postmaster.pid"), flush=True)

embedded_backend.release()
say()
connection.ensure_connection()
connection.close()
if not (child := os.fork()):
    connection.ensure_connection()
    embedded_backend.release()
    os._exit(0)
os.waitpid(child, 0)
say()
connection.ensure_connection()
embedded_backend.release()
say()
"""


def test_the_backend_lets_go_of_a_server_that_the_process_used_but_not_of_others_or_in_a_forked_child(
    server: EmbeddedPostgres, server_dir: Path
) -> None:
    said = run_python(USE_AND_RELEASE, server_dir)

    assert said.split() == ["True", "True", "False"]
    assert not is_running(server_dir)
