"""Recognises that the database is away, full or failing over: nobody's mistake, and over in a while. Callers are told when to retry.

A mistake in a statement is no outage: such errors are reported like any other failure.
"""

from __future__ import annotations

import structlog
from django.db import DatabaseError, InterfaceError, OperationalError
from django.db import InternalError as InternalDatabaseError

from collections_app.exceptions import InternalError, summarise

RETRY_SECONDS = 5
# SQLSTATE of a write to a server that has become a replica.
READ_ONLY = "25006"

logger = structlog.get_logger(__name__)


class DatabaseUnavailable(InternalError):
    retryable = True

    def __init__(self) -> None:
        super().__init__(
            f"The server's database does not answer just now. Try again in {RETRY_SECONDS} s.",
            retry_after=RETRY_SECONDS,
        )


def find_outage(error: BaseException | None) -> DatabaseUnavailable | None:
    """The error to report instead of this one, which is logged in one line: the same traceback from every request is of no use."""
    if not is_outage(error):
        return None
    logger.error("database_unavailable", reason=summarise(error))
    return DatabaseUnavailable()


def is_lost(error: BaseException) -> bool:
    """Whether the database did not answer at all, so that it is pointless to ask it anything else."""
    return is_outage(error) and getattr(error.__cause__, "sqlstate", None) is None


def is_outage(error: BaseException | None) -> bool:
    if not isinstance(error, DatabaseError):
        return isinstance(error, InterfaceError)
    state = getattr(error.__cause__, "sqlstate", None)
    # psycopg itself raises InternalError if a session breaks off in the middle of an answer.
    is_broken = isinstance(error, InternalDatabaseError) and state is None
    return isinstance(error, OperationalError) or is_broken or state == READ_ONLY
