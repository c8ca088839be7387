"""How long PostgreSQL may work at a statement of a search: no question holds a worker for long."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import OperationalError, connection, transaction
from django.db.backends.utils import CursorWrapper
from psycopg.errors import QueryCanceled

from collections_app.exceptions import InternalError
from collections_app.postgres import prepared_cursor

STATEMENT_SECONDS = 5
# Compiling a statement, which PostgreSQL does to those that it takes to be dear, takes longer than a search: it knows few of their costs.
SETTINGS = {"statement_timeout": f"{STATEMENT_SECONDS}s", "jit": "off"}
RETRY_SECONDS = 10


class SearchTooSlow(InternalError):
    """Nothing is broken: other words, or another moment, may do."""

    retryable = True

    def __init__(self) -> None:
        super().__init__(
            f"The search was stopped after {STATEMENT_SECONDS} s. Ask with fewer and rarer words, name a collection, or try again later.",
            retry_after=RETRY_SECONDS,
        )


@contextmanager
def limiting_time() -> Iterator[None]:
    """Where the statements of open_cursor() and limited_transaction() are. Raises SearchTooSlow."""
    try:
        yield
    except OperationalError as error:
        if isinstance(error.__cause__, QueryCanceled):
            raise SearchTooSlow from None
        raise


def open_cursor(**settings: str) -> CursorWrapper:
    """For the statements of every search: each has so many seconds."""
    return prepared_cursor.open_cursor(**SETTINGS, **settings)


@contextmanager
def limited_transaction() -> Iterator[None]:
    """For others: one transaction, in which each statement has so many seconds."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "SELECT set_config(name, value, true) FROM unnest(%s::text[], %s::text[]) AS setting (name, value)",
            [[*SETTINGS], [*SETTINGS.values()]],
        )
        yield
