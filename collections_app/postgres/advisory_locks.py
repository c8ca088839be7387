"""Locks of a database session, by which processes keep out of each other's way: they go with the process that has them.

Knows no rows; whoever takes a lock has a class of locks of its own, and numbers in it. Refuses a connection through a pooler, which may
give the session, and its locks, to others.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from collections_app.exceptions import InternalError

# The connection for locks, where the process has its other ones by a pooler.
DIRECT = "direct"
# Until the transaction ends; by whatever connection, a pooler's too. In a statement of its own: the one after it sees what was waited for.
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
    """Have the lock for as long as the block lasts; false where another session has it. Raises PooledDatabase."""
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
        # With the session gone the lock is gone too, and another one never had it.
        if is_held and connection.connection is session and connection.is_usable():
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [lock_class, number])


def check_direct() -> None:
    """Raises PooledDatabase where no lock could be held."""
    connection = get_connection()
    connection.ensure_connection()
    with connection.cursor() as cursor:
        cursor.execute("SELECT %s IN (0, pg_backend_pid())", [get_told_pid(connection)])
        if not cursor.fetchone()[0]:
            raise PooledDatabase


def get_connection() -> BaseDatabaseWrapper:
    return connections[DIRECT if DIRECT in connections.settings else DEFAULT_DB_ALIAS]


def get_told_pid(connection: BaseDatabaseWrapper) -> int:
    """The session's process as the client was told when it connected: a pooler makes a number up. 0 where the operator's word counts."""
    return 0 if settings.DOCSMCP.database_direct_url else int(connection.connection.info.backend_pid)
