"""Waits for something slow in a thread of its own, so that the caller can report, and leave. It knows nothing of what is slow."""

from __future__ import annotations

from collections.abc import Callable, Generator
from concurrent.futures import Future, wait
from threading import Semaphore, Thread
from typing import TypeVar

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
    """What `work` returns or raises; yields each second until then. Raises TooBusy where no slot is free, or no thread to be had.

    The caller may leave at any yield. `work` then ends by itself, keeps its slot until it does, and must not use the database: each
    thread would open a connection.
    """
    if not slots.acquire(blocking=False):
        raise TooBusy
    future: Future[T] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:  # it belongs to the one who waits
            future.set_exception(error)
        finally:
            slots.release()

    # A daemon: a server that stops does not wait for a model.
    try:
        Thread(target=run, name="upstream", daemon=True).start()
    except RuntimeError:  # the system has none left
        slots.release()
        raise TooBusy from None
    while not wait([future], STEP_SECONDS).done:
        yield
    return future.result()
