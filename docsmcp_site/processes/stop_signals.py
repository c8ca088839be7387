"""Turns SIGINT, SIGTERM and SIGHUP into one request to stop: immediate if possible, and never lost.

The request interrupts what runs, as KeyboardInterrupt. Python drops an exception that is raised in a destructor, so code
that works for long also calls `check`. A second signal has no effect: the end is not to be interrupted. An ignored
SIGHUP stays ignored, as `nohup` wants it.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class StopRequest:
    """Initially, no stop is requested."""

    def __init__(self) -> None:
        self.is_made = False

    def make(self, *_: object) -> None:
        """The signal handler."""
        if not self.is_made:
            self.is_made = True
            raise KeyboardInterrupt

    def check(self) -> None:
        """Raises KeyboardInterrupt once a stop is requested, at every call."""
        if self.is_made:
            raise KeyboardInterrupt


def take_signals(handler: Callable[..., object]) -> None:
    """Installs the handler, except for a SIGHUP that is ignored."""
    for number in SIGNALS:
        if number != signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)


@contextmanager
def listening_to_signals() -> Iterator[StopRequest]:
    request = StopRequest()
    before = {number: signal.getsignal(number) for number in SIGNALS}
    take_signals(request.make)
    try:
        yield request
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
