"""How a reading ends early: it regularly asks whether the run should stop. What it does then is up to the reading."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from collections_app.sources import ShouldStop

ASK_EVERY_SECONDS = 0.5


class Stopped(Exception):
    """The run should end early. Raised and caught within a reading, which then returns no more files."""


def make_check(should_stop: ShouldStop) -> Callable[[], None]:
    """A function to be called at each step. It raises Stopped; it asks at most twice a second."""
    next_time = 0.0

    def check() -> None:
        nonlocal next_time
        if monotonic() >= next_time:
            next_time = monotonic() + ASK_EVERY_SECONDS
            if should_stop():
                raise Stopped

    return check
