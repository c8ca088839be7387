"""Locks of a database session that keep processes out of each other's way; they end with the process that holds them.

Knows no rows: each user of locks has its own class of locks, and numbers within it. Refuses a connection through a pooler, which may
give the session, and its locks, to others.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from collections_app.exceptions import InternalError

# The connection for locks, if the process otherwise connects through a pooler.
DIRECT = "direct"
# Until the transaction ends; works through a pooler too. To be sent on its own: the next statement then sees what was waited for.
SHARE_UNTIL_END = "SELECT pg_advisory_xact_lock_shared(%s, %s)"
TAKE_UNTIL_END = "SELECT pg_advisory_xact_lock(%s, %s)"
TAKE = "SELECT CASE WHEN %s IN (0, pg_backend_pid()) THEN pg_try_advisory_lock(%s, %s) END"


class PooledDatabase(InternalError):
    def __init__(self) -> None:
        super().__init__(
            "DATABASE_URL leads to a connection pooler, through which no process can hold a lock: "
            "name the database itself in DATABASE_DIRECT_URL."
        )


@contextmanager
def holding_lock(lock_class: int, number: int) -> Iterator[bool]:
    """Holds the lock during the block; yields false if another session has it. Raises PooledDatabase."""
    connection = get_connection()
    connection.ensure_connection()
    with connection.cursor() as cursor:
        cursor.execute(TAKE, [get_told_pid(connection), lock_class, number])
        is_held = cursor.fetchone()[0]
    if is_held is None:
        raise PooledDatabase
    session = connection.connection
    try:
        yield is_held
    finally:
        # If the session is gone, so is the lock; another session never had it.
        if is_held and connection.connection is session and connection.is_usable():
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [lock_class, number])


def check_direct() -> None:
    """Raises PooledDatabase if no lock could be held."""
    connection = get_connection()
    connection.ensure_connection()
    with connection.cursor() as cursor:
        cursor.execute("SELECT %s IN (0, pg_backend_pid())", [get_told_pid(connection)])
        if not cursor.fetchone()[0]:
            raise PooledDatabase


def get_connection() -> BaseDatabaseWrapper:
    return connections[DIRECT if DIRECT in connections.settings else DEFAULT_DB_ALIAS]


def get_told_pid(connection: BaseDatabaseWrapper) -> int:
    """The session's process id as told to the client when it connected; a pooler invents one. 0 if the operator vouches for the connection
    (DATABASE_DIRECT_URL)."""
    return 0 if settings.DOCSMCP.database_direct_url else int(connection.connection.info.backend_pid)
