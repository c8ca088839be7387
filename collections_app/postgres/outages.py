"""A database that is away, full or changing places: nobody's mistake, and over in a while. Whoever asks is told when to come back.

Refuses to take a mistake in a statement for that: such errors are told as any other failure.
"""

from __future__ import annotations

import structlog
from django.db import DatabaseError, InterfaceError, OperationalError
from django.db import InternalError as InternalDatabaseError

from collections_app.exceptions import InternalError, summarise

RETRY_SECONDS = 5
# SQLSTATE of a write to a server that became a replica.
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
    """What to tell instead of this error, which is logged in a line: there is no use in the same traceback from every request."""
    if not is_outage(error):
        return None
    logger.error("database_unavailable", reason=summarise(error))
    return DatabaseUnavailable()


def is_lost(error: BaseException) -> bool:
    """Whether it did not answer at all: then there is no use in asking it something else."""
    return is_outage(error) and getattr(error.__cause__, "sqlstate", None) is None


def is_outage(error: BaseException | None) -> bool:
    if not isinstance(error, DatabaseError):
        return isinstance(error, InterfaceError)
    state = getattr(error.__cause__, "sqlstate", None)
    # The driver itself says InternalError when a session breaks off in the middle of an answer.
    is_broken = isinstance(error, InternalDatabaseError) and state is None
    return isinstance(error, OperationalError) or is_broken or state == READ_ONLY
