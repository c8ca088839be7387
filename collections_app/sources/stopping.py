"""How a reading ends early: it asks, now and then, whether the run is to stop. What it does then is its own affair."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from collections_app.sources import ShouldStop

ASK_EVERY_SECONDS = 0.5


class Stopped(Exception):
    """The run is to end early. Raised and caught within a reading, which then gives no more files."""


def make_check(should_stop: ShouldStop) -> Callable[[], None]:
    """To be called at each step. Raises Stopped; asks at most twice a second."""
    next_time = 0.0

    def check() -> None:
        nonlocal next_time
        if monotonic() >= next_time:
            next_time = monotonic() + ASK_EVERY_SECONDS
            if should_stop():
                raise Stopped

    return check
