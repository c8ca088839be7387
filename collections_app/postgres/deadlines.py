"""Deadlines of our own for what a database is asked. `statement_timeout` is the server's: one that is silent keeps none.

A host that is away is noticed by the system, by keepalives; a server that hangs, on its disk for one, is not: its system goes on
saying that it is there.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple, Self, TypeVar

from psycopg import Connection, OperationalError
from psycopg.abc import PQGen
from psycopg.errors import _WaitTimeout
from psycopg.waiting import Ready, Wait

# How often psycopg looks whether it is interrupted.
INTERRUPT_SECONDS = 0.1
# So often in one wait; then the socket may be full. A statement with its settings writes twice in each of three waits.
MAX_UNASKED_WRITES = 8


class Deadline(NamedTuple):
    """`at` by the monotonic clock; `seconds`: how long it was when it was set."""

    at: float
    seconds: float


_deadline: ContextVar[Deadline | None] = ContextVar("deadline", default=None)

T = TypeVar("T")


def find_sooner(deadline: Deadline | None, seconds: float) -> Deadline:
    """The deadline, or the one in so many seconds."""
    own = Deadline(time.monotonic() + seconds, seconds)
    return min(own, deadline) if deadline else own


@contextmanager
def answering_within(seconds: float) -> Iterator[None]:
    """In the block, this thread waits for databases for no longer: OperationalError, and the session is closed.

    A session that is just being opened is bounded by its `connect_timeout`.
    """
    token = _deadline.set(find_sooner(_deadline.get(), seconds))
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
        gen = write_unasked(gen)
        deadline = _deadline.get() if self.patience is None else find_sooner(_deadline.get(), self.patience)
        if deadline is None:
            return super().wait(gen, interval, timeout)
        left = max(deadline.at - time.monotonic(), 0.0)
        if timeout is not None and timeout <= left:
            return super().wait(gen, interval, timeout)
        try:
            return super().wait(gen, interval, left)
        except _WaitTimeout as error:
            self.pgconn.finish()  # who knows what it was in the middle of
            raise OperationalError(f"it said nothing for {deadline.seconds:g} s") from error


def write_unasked(gen: PQGen[T]) -> PQGen[T]:
    """Writes are tried at once, not when the socket has said that it takes them, which it nearly always does.

    Each time it is asked another thread may go on, and this one wait for the interpreter before it has sent anything.
    """
    left = MAX_UNASKED_WRITES
    try:
        wanted = next(gen)
        while True:
            if wanted & Wait.W and left:
                left -= 1
                wanted = gen.send(Ready.W)
            else:
                wanted = gen.send((yield wanted))
    except StopIteration as ended:
        value: T = ended.value
        return value
