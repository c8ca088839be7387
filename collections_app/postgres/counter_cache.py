"""Counters in PostgreSQL for django-ratelimit, with one statement per counted request.

django-ratelimit counts in a way that any Django cache supports: `add` creates a counter, and if there is one already, `incr` adds to
it. Here `add` creates none, but keeps the lifetime for the `incr` that follows, which does both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT

from collections_app.postgres.cache import PostgresCache
from collections_app.postgres.prepared_cursor import open_cursor
from collections_app.postgres.row_security import as_owner

# Expiry need not be checked: the key names the window, so it is not reused.
COUNT = """
INSERT INTO collections_app_cacheentry AS old (key, count, expires)
SELECT %s::text, %s::bigint, clock_timestamp() + %s::float8 * interval '1 second' WHERE {condition}
ON CONFLICT (key) DO UPDATE SET count = old.count + excluded.count RETURNING count
"""


class NotCounted(Exception):
    """The condition does not hold."""


class Condition:
    """Conditions in SQL that must all hold, with their values."""

    def __init__(self, conditions: Sequence[str] = (), values: Sequence[Any] = ()) -> None:
        self.text = " AND ".join(conditions) or "true"
        self.values = values

    def check(self) -> None:
        """Raises NotCounted if it does not hold."""
        with as_owner(), open_cursor() as cursor:
            cursor.execute(f"SELECT WHERE {self.text}", self.values)
            if cursor.fetchone() is None:
                raise NotCounted


class CounterCache(PostgresCache):
    """`CACHES["counters"]["BACKEND"]`. Django gives each thread an instance of its own."""

    seconds: float | None = None
    condition = Condition()

    @contextmanager
    def counting_only_if(self, condition: Condition) -> Iterator[None]:
        """Checks the condition in the counting statement: if it does not hold, nothing is counted, and `incr` raises NotCounted."""
        self.condition = condition
        try:
            yield
        finally:
            del self.condition

    def add(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """Always false, as if there were a counter already."""
        self.seconds = self.get_seconds(timeout)
        return False

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        """The new count; `delta` for a new counter."""
        name = self.make_and_validate_key(key, version)
        with as_owner(), open_cursor() as cursor:
            cursor.execute(
                COUNT.format(condition=self.condition.text), [name, delta, self.seconds, *self.condition.values]
            )
            row = cursor.fetchone()
        if row is None:
            raise NotCounted
        return int(row[0])
