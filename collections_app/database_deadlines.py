"""A deadline of our own for what a database is asked. `statement_timeout` is the server's: one that is silent keeps none."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Lock, Timer

from django.db import DEFAULT_DB_ALIAS, InterfaceError, OperationalError, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from psycopg import Error


@contextmanager
def answering_within(seconds: float, alias: str = DEFAULT_DB_ALIAS) -> Iterator[None]:
    """This thread's session ends when the block takes longer, and whoever waits for it goes on: OperationalError.

    A session that is just being opened is not ended: `connect_timeout` bounds that.
    """
    watch = Watch(seconds, connections[alias])
    watch.start()
    try:
        yield
    except (OperationalError, InterfaceError) as error:
        if watch.has_ended_session():
            raise OperationalError(f"it said nothing for {seconds:g} s") from error
        raise
    finally:
        watch.cancel()


class Watch(Timer):
    def __init__(self, seconds: float, database: BaseDatabaseWrapper) -> None:
        super().__init__(seconds, self.end_session)
        self.daemon = True
        self.database = database
        self.lock = Lock()
        self._has_ended_session = False

    def end_session(self) -> None:
        with self.lock:
            if not self.finished.is_set():
                self._has_ended_session = hang_up(self.database)

    def has_ended_session(self) -> bool:
        """Asked by who hears of the end, which is sooner than hang_up() returns."""
        with self.lock:
            return self._has_ended_session

    def cancel(self) -> None:
        """Afterwards the session is left alone for certain."""
        with self.lock:
            super().cancel()


def hang_up(database: BaseDatabaseWrapper) -> bool:
    """Whether there was a session. Its socket is shut, not closed, so that nobody else gets its number meanwhile."""
    with suppress(OSError, Error):
        if database.connection is not None:
            with socket.socket(fileno=os.dup(database.connection.fileno())) as own:
                own.shutdown(socket.SHUT_RDWR)
                return True
    return False
