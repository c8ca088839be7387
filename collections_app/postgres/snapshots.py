"""Several statements that see the database as it was at one moment."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def seeing_one_moment() -> Iterator[None]:
    """In the block, concurrent writes are not seen, and nothing can be written. Has no effect within a transaction that has begun."""
    if connection.in_atomic_block:
        yield
        return
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield
