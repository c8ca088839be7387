"""Waiting for something that is away: the log says when the outage begins and when it has ended, not each try.

Knows no rows. Waits only for an outage of the database; any other failure would not be mended by waiting.
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
    """An outage of something that is asked repeatedly; logged when it begins and when it has ended."""

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
    """A connection that stays open, so that nobody stops the embedded server, and a server that was killed is started again."""

    def __init__(self) -> None:
        self.outage = Outage("database")
        self.next_try = 0.0

    def keep(self) -> None:
        """To be called regularly. A server that cannot start is tried less and less often."""
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
    """The result of `ask`, which is called again while the database is away; `wait` is called in between, with a number of seconds."""
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
    """Connects unless we are connected. Django by itself would keep a lost connection."""
    if connection.connection is None or not connection.is_usable():
        connection.close()
        connection.ensure_connection()


def iter_delays() -> Iterator[float]:
    """Delays that double each time, up to the longest."""
    delay = FIRST_DELAY_SECONDS
    while True:
        yield delay
        delay = min(2 * delay, LONGEST_DELAY_SECONDS)
