"""Limits how long PostgreSQL may work on a statement of a search, so that no question blocks a worker for long."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import OperationalError, connection, transaction
from django.db.backends.utils import CursorWrapper
from psycopg.errors import QueryCanceled

from collections_app.exceptions import InternalError
from collections_app.postgres import prepared_cursor

STATEMENT_SECONDS = 5
# JIT compilation is off: PostgreSQL misjudges the cost of these statements, and compiling one takes longer than a search.
SETTINGS = {"statement_timeout": f"{STATEMENT_SECONDS}s", "jit": "off"}
RETRY_SECONDS = 10


class SearchTooSlow(InternalError):
    """A statement ran into the time limit. Nothing is broken: other words, or another time, may work."""

    retryable = True

    def __init__(self) -> None:
        super().__init__(
            f"The search was stopped after {STATEMENT_SECONDS} s. Ask with fewer and rarer words, name a collection, or try again later.",
            retry_after=RETRY_SECONDS,
        )


@contextmanager
def limiting_time() -> Iterator[None]:
    """The block around open_cursor() and limited_transaction(): raises SearchTooSlow when one of their statements took too long."""
    try:
        yield
    except OperationalError as error:
        if isinstance(error.__cause__, QueryCanceled):
            raise SearchTooSlow from None
        raise


def open_cursor(**settings: str) -> CursorWrapper:
    """A cursor for the statements of every search (prepared), each limited to STATEMENT_SECONDS."""
    return prepared_cursor.open_cursor(**SETTINGS, **settings)


@contextmanager
def limited_transaction() -> Iterator[None]:
    """For other statements, such as the ORM's: a transaction in which each is limited to STATEMENT_SECONDS."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "SELECT set_config(name, value, true) FROM unnest(%s::text[], %s::text[]) AS setting (name, value)",
            [[*SETTINGS], [*SETTINGS.values()]],
        )
        yield
