"""A cursor for the statements of every request: PostgreSQL parses each text once per connection, and sends rows in binary form.

For SQL whose text is nearly always the same. The server binds the values, so each must stand where PostgreSQL can infer its type
(`%s::bigint[]`; arrays are cheapest as text, see write_array). A statement's settings are written to the server together with it, and end
with it, or with the transaction around it. One such setting says whether the statement is planned only once (PLANNED_ONCE); otherwise
PostgreSQL decides. Talking to libpq directly would save 45 of a statement's 150 µs, too little to give up psycopg.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Self

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.utils import CursorWrapper
from psycopg import Connection, Cursor, Error, Pipeline
from psycopg._queries import PostgresQuery
from psycopg.abc import PQGen
from psycopg.generators import send

# For statements whose best plan does not depend on the values. They are prepared at once, since until then each execution would be planned.
# PostgreSQL assumes ten elements for an unknown array, so it takes a plan for the array at hand to be cheaper than a general one, and plans
# each time.
PLANNED_ONCE = {"plan_cache_mode": "force_generic_plan"}
# For statements whose best index depends on the values.
PLANNED_ANEW = {"plan_cache_mode": "force_custom_plan"}


class _OneWrite(Pipeline):
    """Statements that are written together at the end of the block, after one that begins a transaction if Django wants one. psycopg's own
    pipeline has four writes for two statements, and each wakes the server."""

    def _communicate_gen(self) -> PQGen[None]:
        yield from ()

    def _exit_gen(self) -> PQGen[None]:
        yield from self._sync_gen()

    def _sync_gen(self) -> PQGen[None]:
        self._enqueue_sync()
        while self.command_queue:
            self.command_queue.popleft()()
        yield from send(self.pgconn)
        yield from self._fetch_gen(flush=False)


class PreparedCursor(Cursor[Any]):
    def __init__(self, session: Connection[Any], settings: Mapping[str, str]) -> None:
        super().__init__(session)
        self.settings = dict(settings)
        self._query = None  # Django's log of statements reads this
        self._is_planned_once = PLANNED_ONCE.items() <= self.settings.items()

    def execute(self, query: Any, params: Any = None, **_: Any) -> Self:
        """Without a transaction around it, the statement and its settings form one of their own."""
        if not self.settings:
            return super().execute(query, params, binary=True)
        chosen = ", ".join(["set_config(%s, %s, true)"] * len(self.settings))
        values = [each for setting in self.settings.items() for each in setting]
        session = self.connection
        session._pipeline = _OneWrite(session)
        try:
            with session._pipeline:
                super().execute(f"SELECT {chosen}", values)
                super().execute(query, params, prepare=self._is_planned_once or None, binary=True)
        except Error:
            session._prepared.clear()  # in a pipeline psycopg takes for prepared what could not be
            raise
        finally:
            session._pipeline = None
        self.nextset()
        return self

    def _convert_query(self, query: Any, params: Any = None) -> PostgresQuery:
        """Psycopg sets `_query` only of statements that are not prepared."""
        self._query = converted = super()._convert_query(query, params)
        return converted


def open_cursor(**settings: str) -> CursorWrapper:
    """A cursor of Django's kind, which its wrappers see; `settings` apply to its statements only."""
    database = connections[DEFAULT_DB_ALIAS]
    database.close_if_health_check_failed()
    database.ensure_connection()
    make = database.make_debug_cursor if database.queries_logged else database.make_cursor
    wrapper: CursorWrapper = make(PreparedCursor(database.connection, settings))  # type: ignore[arg-type]  # so says its stub
    return wrapper


def write_array(values: Iterable[int]) -> str:
    """Numbers in PostgreSQL's text form of an array. psycopg would look for the smallest type of each number, and prepare a statement for
    each type."""
    return f"{{{','.join(map(str, values))}}}"


def write_text_array(values: Iterable[str]) -> str:
    """Texts in PostgreSQL's text form of an array; also for COPY, where psycopg would take longer for each list than for the rest of its
    row."""
    escaped = (value.replace("\\", "\\\\").replace('"', '\\"') for value in values)
    return "{" + ",".join(f'"{value}"' for value in escaped) + "}"
