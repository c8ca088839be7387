"""Django's cache in PostgreSQL, for all processes: each operation is one statement, and counting is atomic.

Values are pickled; whole numbers are stored as such, for `incr`. Time is the database's. Expired entries count as
absent, and the queue deletes them (tasks.sweep_cache). Django's own DatabaseCache takes two or more statements for each
write, counts its rows for culling, and loses counts.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Mapping
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.db import connection

from collections_app.postgres.prepared_cursor import open_cursor
from collections_app.postgres.row_security import as_owner

LIVES = "(expires IS NULL OR expires > clock_timestamp())"
GET = f"SELECT key, value, count FROM collections_app_cacheentry WHERE key = ANY(%(keys)s::text[]) AND {LIVES}"  # noqa: S608
# Ordered by key, so that two writers of the same entries wait for each other but never deadlock.
SET = """
INSERT INTO collections_app_cacheentry AS old (key, value, count, expires)
SELECT key, value, count, clock_timestamp() + %(seconds)s * interval '1 second'
FROM unnest(%(keys)s::text[], %(values)s::bytea[], %(counts)s::bigint[]) AS new (key, value, count) ORDER BY key COLLATE "C"
ON CONFLICT (key) DO UPDATE SET value = excluded.value, count = excluded.count, expires = excluded.expires
"""
ADD = f"{SET} WHERE NOT (old.expires IS NULL OR old.expires > clock_timestamp())"
INCREASE = f"""
UPDATE collections_app_cacheentry SET count = count + %(delta)s WHERE key = %(key)s AND count IS NOT NULL AND {LIVES} RETURNING count
"""  # noqa: S608
TOUCH = f"""
UPDATE collections_app_cacheentry SET expires = clock_timestamp() + %(seconds)s * interval '1 second' WHERE key = %(key)s AND {LIVES}
"""  # noqa: S608
DELETE = f"DELETE FROM collections_app_cacheentry WHERE key = %(key)s AND {LIVES}"  # noqa: S608
CLEAR = "DELETE FROM collections_app_cacheentry WHERE starts_with(key, %(prefix)s)"
SWEEP = "DELETE FROM collections_app_cacheentry WHERE expires <= clock_timestamp()"


class PostgresCache(BaseCache):
    """`CACHES["default"]["BACKEND"]`; it needs no LOCATION."""

    def __init__(self, location: str, params: dict[str, Any]) -> None:
        super().__init__(params)

    def add(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """Sets the value unless there is one; returns whether it was set."""
        return execute(ADD, self.make_rows({key: value}, timeout, version)) == 1

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        return self.get_many([key], version).get(key, default)

    def get_many(self, keys: Iterable[str], version: int | None = None) -> dict[str, Any]:
        wanted = {self.make_key(key, version): key for key in keys}
        with as_owner(), open_cursor() as cursor:
            cursor.execute(GET, {"keys": list(wanted)})
            return {wanted[key]: load(value, count) for key, value, count in cursor.fetchall()}

    def set(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        self.set_many({key: value}, timeout, version)

    def set_many(
        self, data: Mapping[str, Any], timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> list[str]:
        """The keys that could not be set: none."""
        execute(SET, self.make_rows(data, timeout, version))
        return []

    def touch(self, key: str, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        seconds = self.get_seconds(timeout)
        return execute(TOUCH, {"key": self.make_key(key, version), "seconds": seconds}) == 1

    def delete(self, key: str, version: int | None = None) -> bool:
        return execute(DELETE, {"key": self.make_key(key, version)}) == 1

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        """Adds to the count; the time of expiry stays. Raises ValueError if there is no such number."""
        with connection.cursor() as cursor:
            cursor.execute(INCREASE, {"key": self.make_key(key, version), "delta": delta})
            row = cursor.fetchone()
        if row is None:
            raise ValueError(f"Key {key!r} not found")
        return int(row[0])

    def clear(self) -> None:
        execute(CLEAR, {"prefix": f"{self.key_prefix}:"})

    def make_rows(self, data: Mapping[str, Any], timeout: Any, version: int | None) -> dict[str, Any]:
        return {
            "keys": [self.make_key(key, version) for key in data],
            "values": [None if is_number(value) else pickle.dumps(value) for value in data.values()],
            "counts": [value if is_number(value) else None for value in data.values()],
            "seconds": self.get_seconds(timeout),
        }

    def get_seconds(self, timeout: Any) -> float | None:
        """None is for ever; 0 or less has expired already."""
        return self.default_timeout if timeout is DEFAULT_TIMEOUT else timeout


def execute(statement: str, values: Mapping[str, Any]) -> int:
    """The number of rows written."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return int(cursor.rowcount)


def is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def load(value: bytes | None, count: int | None) -> Any:
    return count if value is None else pickle.loads(value)  # noqa: S301  only this module writes the table


def delete_expired() -> int:
    """Deletes expired entries; returns how many."""
    return execute(SWEEP, {})
