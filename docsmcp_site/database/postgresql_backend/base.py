"""Django's PostgreSQL backend, with sessions that give up a server that says nothing for OPTIONS["patience"] seconds."""

from __future__ import annotations

from typing import Any

import psycopg
from django.db.backends.postgresql import base

from collections_app.postgres.deadlines import PatientConnection, answering_within

# How many seconds a session that was kept, or lay in a pool, may take to prove that it is alive.
LOOK_SECONDS = 2


class Driver:
    """psycopg, with the names that Django uses."""

    connect = staticmethod(PatientConnection.connect)

    def __getattr__(self, name: str) -> Any:
        return getattr(psycopg, name)


class PooledConnection(PatientConnection):
    """The class of a pool's connections (its option `connection_class`)."""

    def execute(self, *arguments: Any, **options: Any) -> psycopg.Cursor[Any]:
        """A pool checks a session by this method before it gives it away. Django uses cursors of its own."""
        with answering_within(LOOK_SECONDS):
            return super().execute(*arguments, **options)


class DatabaseWrapper(base.DatabaseWrapper):
    Database = Driver()  # type: ignore[assignment]  # its stub wants the module

    def is_usable(self) -> bool:
        with answering_within(LOOK_SECONDS):
            return super().is_usable()
