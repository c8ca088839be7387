"""Classifies PostgreSQL errors (caused by the text, by another writer, or by the server), and retries after another writer.

Codes: https://www.postgresql.org/docs/current/errcodes-appendix.html
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from django.db import DatabaseError, connection, transaction

Result = TypeVar("Result")

DISK_FULL, QUERY_CANCELED = "53100", "57014"
UNIQUE_VIOLATION, DEADLOCK = "23505", "40P01"
# Each retry is only needed if yet another writer adds one of the same new paths at the same moment.
MAX_ATTEMPTS = 5
# Connection, insufficient resources, operator intervention, system error, internal error.
_SERVER_CLASSES = ("08", "53", "57", "58", "XX")


def get_state(error: DatabaseError) -> str:
    """The SQLSTATE of the error, five characters; empty if the connection itself failed."""
    return getattr(error.__cause__, "sqlstate", None) or ""


def is_about_the_text(error: DatabaseError) -> bool:
    """Whether the same statement may succeed with less or other text in it."""
    state = get_state(error)
    return bool(state) and not state.startswith(_SERVER_CLASSES)


def is_disk_full(error: DatabaseError) -> bool:
    return get_state(error) == DISK_FULL


def is_canceled(error: DatabaseError) -> bool:
    """Whether the statement was cancelled, or timed out."""
    return get_state(error) == QUERY_CANCELED


def is_overtaken(error: DatabaseError) -> bool:
    """Whether another writer was first; a new attempt will find what it has written."""
    return get_state(error) in (UNIQUE_VIOLATION, DEADLOCK)


def in_transaction(write: Callable[[], Result]) -> Result:
    """Call `write` in a transaction and return its result; try again in a new transaction if another writer was first."""
    connection.ensure_connection()
    session = connection.connection
    for _ in range(MAX_ATTEMPTS - 1):
        try:
            with transaction.atomic():
                return write()
        except DatabaseError as error:
            # A new session does not hold the locks of the run.
            if not is_overtaken(error) or connection.connection is not session:
                raise
    with transaction.atomic():
        return write()
