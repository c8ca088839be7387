"""What an error of PostgreSQL is about: the text that was written, another writer, or the server; and what is done about another writer.

Codes: https://www.postgresql.org/docs/current/errcodes-appendix.html
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from django.db import DatabaseError, connection, transaction

Result = TypeVar("Result")

DISK_FULL, QUERY_CANCELED = "53100", "57014"
UNIQUE_VIOLATION, DEADLOCK = "23505", "40P01"
# Each further one takes another writer that brings a new path of the same few in the same moment.
MAX_ATTEMPTS = 5
# Connection, insufficient resources, operator intervention, system error, internal error.
_SERVER_CLASSES = ("08", "53", "57", "58", "XX")


def get_state(error: DatabaseError) -> str:
    """The five characters of its SQLSTATE; empty when the connection itself failed."""
    return getattr(error.__cause__, "sqlstate", None) or ""


def is_about_the_text(error: DatabaseError) -> bool:
    """Whether the same statement may go through with less or other text in it."""
    state = get_state(error)
    return bool(state) and not state.startswith(_SERVER_CLASSES)


def is_disk_full(error: DatabaseError) -> bool:
    return get_state(error) == DISK_FULL


def is_canceled(error: DatabaseError) -> bool:
    """Whether somebody ended the statement, or it took longer than it may."""
    return get_state(error) == QUERY_CANCELED


def is_overtaken(error: DatabaseError) -> bool:
    """Whether another writer was first: what it has written is found by the next attempt."""
    return get_state(error) in (UNIQUE_VIOLATION, DEADLOCK)


def in_transaction(write: Callable[[], Result]) -> Result:
    """What `write` gives, done in a transaction; in a new one where another writer was first."""
    connection.ensure_connection()
    session = connection.connection
    for _ in range(MAX_ATTEMPTS - 1):
        try:
            with transaction.atomic():
                return write()
        except DatabaseError as error:
            # Another session has not the locks of a run.
            if not is_overtaken(error) or connection.connection is not session:
                raise
    with transaction.atomic():
        return write()
