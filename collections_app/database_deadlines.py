"""Deadlines of our own for what a database is asked. `statement_timeout` is the server's: one that is silent keeps none.

A host that is away is noticed by the system, by keepalives; a server that hangs, on its disk for one, is not: its system goes on
saying that it is there.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Self, TypeVar

from psycopg import Connection, OperationalError
from psycopg.abc import PQGen
from psycopg.errors import _WaitTimeout

# How often psycopg looks whether it is interrupted.
INTERRUPT_SECONDS = 0.1

_deadline: ContextVar[float] = ContextVar("deadline", default=float("inf"))

T = TypeVar("T")


@contextmanager
def answering_within(seconds: float) -> Iterator[None]:
    """In the block, this thread waits for databases for no longer: OperationalError, and the session is closed.

    A session that is just being opened is bounded by its `connect_timeout`.
    """
    token = _deadline.set(min(_deadline.get(), time.monotonic() + seconds))
    try:
        yield
    finally:
        _deadline.reset(token)


class PatientConnection(Connection[Any]):
    """A session that waits for each answer for `patience` seconds at most, or as long as answering_within says; None: for ever."""

    patience: float | None = None

    @classmethod
    def connect(cls, conninfo: str = "", *, patience: float | None = None, **options: Any) -> Self:  # type: ignore[override]
        session = super().connect(conninfo, **options)
        session.patience = patience
        return session

    def wait(self, gen: PQGen[T], interval: float = INTERRUPT_SECONDS, timeout: float | None = None) -> T:
        """Whatever psycopg waits for comes by here: statements, commits, the looks of a pool."""
        seconds = self.get_seconds()
        if timeout is not None and (seconds is None or timeout <= seconds):
            return super().wait(gen, interval, timeout)
        try:
            return super().wait(gen, interval, seconds)
        except _WaitTimeout as error:
            self.pgconn.finish()  # who knows what it was in the middle of
            raise OperationalError(f"it said nothing for {seconds or 0:.1f} s") from error

    def get_seconds(self) -> float | None:
        """How long the next answer may take."""
        deadline = _deadline.get()
        if deadline == float("inf"):
            return self.patience
        left = max(deadline - time.monotonic(), 0.0)
        return left if self.patience is None else min(left, self.patience)
