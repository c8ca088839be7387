"""Time limits for database calls that the client enforces. `statement_timeout` is enforced by the server: a silent one enforces nothing.

The system notices by keepalives that a host is away, but not that a server hangs, for example on its disk: the server's system keeps
answering.
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

# How often psycopg checks for an interrupt.
INTERRUPT_SECONDS = 0.1
# At most so many writes per wait; more might fill the socket.
MAX_UNASKED_WRITES = 8


class Deadline(NamedTuple):
    """`at` is by the monotonic clock; `seconds` is how long it was when it was set."""

    at: float
    seconds: float


_deadline: ContextVar[Deadline | None] = ContextVar("deadline", default=None)

T = TypeVar("T")


def find_sooner(deadline: Deadline | None, seconds: float) -> Deadline:
    """The sooner one of `deadline` and the deadline in so many seconds."""
    own = Deadline(time.monotonic() + seconds, seconds)
    return min(own, deadline) if deadline else own


@contextmanager
def answering_within(seconds: float) -> Iterator[None]:
    """In the block, this thread waits at most so long for databases. Then it gets OperationalError, and the session is closed.

    Opening a session is limited by its `connect_timeout` instead.
    """
    token = _deadline.set(find_sooner(_deadline.get(), seconds))
    try:
        yield
    finally:
        _deadline.reset(token)


class PatientConnection(Connection[Any]):
    """A session that waits for each answer at most `patience` seconds (None: for ever), or as long as answering_within says."""

    patience: float | None = None

    @classmethod
    def connect(cls, conninfo: str = "", *, patience: float | None = None, **options: Any) -> Self:  # type: ignore[override]
        session = super().connect(conninfo, **options)
        session.patience = patience
        return session

    def wait(self, gen: PQGen[T], interval: float = INTERRUPT_SECONDS, timeout: float | None = None) -> T:
        """Everything that psycopg waits for passes through here: statements, commits, a pool's checks."""
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
            self.pgconn.finish()  # its state is unknown
            raise OperationalError(f"it said nothing for {deadline.seconds:g} s") from error


def write_unasked(gen: PQGen[T]) -> PQGen[T]:
    """Writes at once, instead of first asking whether the socket accepts data, which it nearly always does.

    Each time it is asked, another thread may run, and this one would wait for the interpreter before it has sent anything.
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
