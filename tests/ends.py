"""What is to end, and without a fault ends at once: a test of it fails, where it would hang for good."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

SECONDS = 20


@contextmanager
def ends() -> Iterator[None]:
    """Fails after SECONDS. Regular expressions, too, are interrupted by signals. In the main thread only."""

    def fail(number: int, frame: FrameType | None) -> None:
        raise AssertionError(f"It has not ended after {SECONDS} seconds.")

    before = signal.signal(signal.SIGALRM, fail)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
