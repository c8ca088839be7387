"""Runs something slow in a thread of its own, so that the caller can report progress, or leave. It does not know what the slow work is."""

from __future__ import annotations

from collections.abc import Callable, Generator
from concurrent.futures import wait
from threading import Semaphore
from typing import TypeVar

from collections_app.daemon_threads import start
from collections_app.exceptions import UpstreamUnavailable

STEP_SECONDS = 1.0
# After so long, another call is likely to be done.
BUSY_RETRY_SECONDS = 5

T = TypeVar("T")


class TooBusy(UpstreamUnavailable):
    """The greatest number of calls is already waiting."""

    def __init__(self) -> None:
        super().__init__("Too many calls wait for an answer or a job just now.", retry_after=BUSY_RETRY_SECONDS)


def wait_for(work: Callable[[], T], slots: Semaphore) -> Generator[None, None, T]:
    """Run `work` in a thread; yields each second, then returns or raises what `work` does. Raises TooBusy if no slot or thread is free.

    The caller may leave at any yield; then `work` goes on to its end and keeps its slot until then. It must not use the database.
    """
    if not slots.acquire(blocking=False):
        raise TooBusy

    def hold() -> T:
        try:
            return work()
        finally:
            slots.release()

    try:
        future = start(hold, "upstream")
    except RuntimeError:  # the system has none left
        slots.release()
        raise TooBusy from None
    while not wait([future], STEP_SECONDS).done:
        yield
    return future.result()
