"""Waits for something slow in a thread of its own, so that the caller can report, and leave. It knows nothing of what is slow."""

from __future__ import annotations

from collections.abc import Callable, Generator
from concurrent.futures import wait
from threading import Semaphore
from typing import TypeVar

from collections_app.daemon_threads import start
from collections_app.exceptions import UpstreamUnavailable

STEP_SECONDS = 1.0
# When somebody else is likely to be done.
BUSY_RETRY_SECONDS = 5

T = TypeVar("T")


class TooBusy(UpstreamUnavailable):
    """As many calls as there may be are waiting already."""

    def __init__(self) -> None:
        super().__init__("Too many calls wait for an answer or a job just now.", retry_after=BUSY_RETRY_SECONDS)


def wait_for(work: Callable[[], T], slots: Semaphore) -> Generator[None, None, T]:
    """What `work` returns or raises, for the caller's request; yields each second until then. Raises TooBusy where no slot is free, or no
    thread to be had.

    The caller may leave at any yield. `work` then ends by itself, keeps its slot until it does, and must not use the database.
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
