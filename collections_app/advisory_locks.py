"""Locks of a database session, by which processes keep out of each other's way: they go with the process that has them.

Knows no rows; whoever takes a lock has a class of locks of its own, and numbers in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection


@contextmanager
def holding_lock(lock_class: int, number: int) -> Iterator[bool]:
    """Have the lock for as long as the block lasts; false where another session has it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [lock_class, number])
        is_held = bool(cursor.fetchone()[0])
    session = connection.connection
    try:
        yield is_held
    finally:
        # With the session gone the lock is gone too, and another one never had it.
        if is_held and connection.connection is session and connection.is_usable():
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [lock_class, number])
