"""A lock that another session holds, as another process does that works at the same thing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def held_lock(*key: int) -> Iterator[None]:
    """For the length of the block; it is free when the block has ended. `key` is one number, or a class of locks and a number in it."""
    other, arguments = connection.copy(), ", ".join(["%s"] * len(key))
    try:
        with other.cursor() as cursor:
            cursor.execute(f"SELECT pg_advisory_lock({arguments})", key)
            try:
                yield
            finally:  # a session that is closed gives it back a moment later
                cursor.execute(f"SELECT pg_advisory_unlock({arguments})", key)
    finally:
        other.close()


def wait_until_free(*key: int) -> None:
    """Until no other session holds it: one whose process was killed does so until PostgreSQL has noticed."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"SELECT pg_advisory_xact_lock({', '.join(['%s'] * len(key))})", key)


@contextmanager
def held_table(name: str) -> Iterator[None]:
    """Another session reads the table, as a backup does: nobody may change what it is made of until the block has ended."""
    other = connection.copy()
    try:
        other.set_autocommit(False)
        with other.cursor() as cursor:
            cursor.execute(f"LOCK TABLE {name} IN ACCESS SHARE MODE")
        yield
    finally:
        other.close()
