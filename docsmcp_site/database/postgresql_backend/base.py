"""Django's PostgreSQL backend over sessions that give up a server which says nothing: OPTIONS["patience"], in seconds."""

from __future__ import annotations

from typing import Any

import psycopg
from django.db.backends.postgresql import base

from collections_app.postgres.deadlines import PatientConnection, answering_within

# How long a session that was kept, or lay in a pool, may take to show that it is alive.
LOOK_SECONDS = 2


class Driver:
    """psycopg, as Django asks for it."""

    connect = staticmethod(PatientConnection.connect)

    def __getattr__(self, name: str) -> Any:
        return getattr(psycopg, name)


class PooledConnection(PatientConnection):
    """What a pool is to be made of, as its option `connection_class`."""

    def execute(self, *arguments: Any, **options: Any) -> psycopg.Cursor[Any]:
        """How a pool looks at a session before it gives it away. Django has cursors of its own."""
        with answering_within(LOOK_SECONDS):
            return super().execute(*arguments, **options)


class DatabaseWrapper(base.DatabaseWrapper):
    Database = Driver()  # type: ignore[assignment]  # its stub wants the module

    def is_usable(self) -> bool:
        with answering_within(LOOK_SECONDS):
            return super().is_usable()
