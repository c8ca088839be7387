"""What is asked again and again while it is away: told when the outage begins and when it has ended, not at each try.

Knows no rows. Refuses to wait for what no waiting mends: only an outage of the database is waited for, no other failure.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TypeVar

import structlog
from django.db import Error, connection

from collections_app.exceptions import get_first_line
from collections_app.postgres.outages import is_outage

FIRST_DELAY_SECONDS, LONGEST_DELAY_SECONDS = 0.5, 15.0

logger = structlog.get_logger(__name__)

T = TypeVar("T")


class Outage:
    """Of what is asked again and again: told when it begins, and when it has ended."""

    def __init__(self, what: str) -> None:
        self.what, self.lasts = what, False

    def go_on(self, error: Exception) -> None:
        if not self.lasts:
            logger.warning(f"{self.what}_away", reason=get_first_line(error))
        self.lasts = True

    def end(self) -> None:
        if self.lasts:
            logger.warning(f"{self.what}_back")
        self.lasts = False


class KeptConnection:
    """A connection that stays open: nobody stops the embedded server meanwhile, and one that was killed is started again."""

    def __init__(self) -> None:
        self.outage = Outage("database")
        self.next_try = 0.0

    def keep(self) -> None:
        """To be called every now and then. A server that cannot start is tried the less often, the longer that lasts."""
        if time.monotonic() < self.next_try:
            return
        try:
            connect()
        except Error as error:
            if not self.outage.lasts:
                self.delays = iter_delays()
            self.outage.go_on(error)
            self.next_try = time.monotonic() + next(self.delays)
        else:
            self.outage.end()


def wait_for_database(ask: Callable[[], T], wait: Callable[[float], object] = time.sleep) -> T:
    """What `ask` returns, which is called again for as long as the database is away; in between `wait`, with how many seconds."""
    outage, delays = Outage("database"), iter_delays()
    while True:
        try:
            connect()
            answer = ask()
        except Error as error:
            if not is_outage(error):
                raise
            outage.go_on(error)
            wait(next(delays))
        else:
            outage.end()
            return answer


def is_database_away() -> bool:
    try:
        connect()
    except Error:
        return True
    return False


def connect() -> None:
    """Unless we are. Django by itself keeps a connection that was lost."""
    if connection.connection is None or not connection.is_usable():
        connection.close()
        connection.ensure_connection()


def iter_delays() -> Iterator[float]:
    """Twice as long each time, up to the longest."""
    delay = FIRST_DELAY_SECONDS
    while True:
        yield delay
        delay = min(2 * delay, LONGEST_DELAY_SECONDS)
