"""A cursor for the statements of every request: PostgreSQL parses each text once for a connection, and sends rows as binary.

That is for SQL whose text is nearly always the same. The server binds the values, so each must stand where PostgreSQL can tell its type
(`%s::bigint[]`; arrays are cheapest as text, see write_array). Settings of a statement go with it in the same message and end with it, or
with the transaction that it is in; whether it is planned once too is one of them (PLANNED_ONCE), else PostgreSQL's choice. An exchange of
our own over libpq would take 45 µs less of a statement's 150, which is no reason to leave psycopg's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Self

from django.db import connection
from django.db.backends.utils import CursorWrapper
from psycopg import Connection, Cursor

# For statements whose plan is the same whatever the values. Of an array that it does not know PostgreSQL expects ten members: it takes a
# plan for the one at hand to be cheaper than one for any, and makes it each time.
PLANNED_ONCE = {"plan_cache_mode": "force_generic_plan"}
# For those where which index helps depends on the values.
PLANNED_ANEW = {"plan_cache_mode": "force_custom_plan"}


class PreparedCursor(Cursor[Any]):
    def __init__(self, session: Connection[Any], settings: Mapping[str, str]) -> None:
        super().__init__(session)
        self.settings = dict(settings)
        self._query = None  # where Django's log of statements looks

    def execute(self, query: Any, params: Any = None, **_: Any) -> Self:
        """Without a transaction around it, it is one of its own together with its settings."""
        if not self.settings:
            return super().execute(query, params, binary=True)
        chosen = ", ".join(["set_config(%s, %s, true)"] * len(self.settings))
        values = [each for setting in self.settings.items() for each in setting]
        with self.connection.pipeline():
            super().execute(f"SELECT {chosen}", values)
            super().execute(query, params, binary=True)
        self.nextset()
        return self


def open_cursor(**settings: str) -> CursorWrapper:
    """Django's own kind of cursor, seen by its wrappers; `settings` are set for its statements alone."""
    connection.close_if_health_check_failed()
    connection.ensure_connection()
    make = connection.make_debug_cursor if connection.queries_logged else connection.make_cursor
    wrapper: CursorWrapper = make(PreparedCursor(connection.connection, settings))  # type: ignore[arg-type]  # so says its stub
    return wrapper


def write_array(values: Iterable[int]) -> str:
    """Numbers as PostgreSQL reads an array of them: psycopg would look at each number for its smallest type, and prepare for each type
    anew."""
    return f"{{{','.join(map(str, values))}}}"


def write_text_array(values: Iterable[str]) -> str:
    """Texts as PostgreSQL reads an array of them; for COPY too, where psycopg would take longer over each list than over all else of its
    row."""
    escaped = (value.replace("\\", "\\\\").replace('"', '\\"') for value in values)
    return "{" + ",".join(f'"{value}"' for value in escaped) + "}"
