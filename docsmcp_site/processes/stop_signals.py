"""SIGINT, SIGTERM and SIGHUP as one request to stop: at once where that is possible, and never lost.

The request interrupts what runs, as KeyboardInterrupt. Python throws an exception away that is raised in a destructor,
so whoever works for long also asks `check`. Refuses to be asked twice: the end is not to be interrupted. Leaves a
SIGHUP that is ignored as it is: that is what `nohup` does.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class StopRequest:
    """Nothing is asked for at first."""

    def __init__(self) -> None:
        self.is_made = False

    def make(self, *_: object) -> None:
        """A signal handler."""
        if not self.is_made:
            self.is_made = True
            raise KeyboardInterrupt

    def check(self) -> None:
        """Raises KeyboardInterrupt once the request was made, however often it is called."""
        if self.is_made:
            raise KeyboardInterrupt


def take_signals(handler: Callable[..., object]) -> None:
    """From now on, but for a SIGHUP that is ignored."""
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
