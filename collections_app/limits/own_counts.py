"""Counts kept by this process alone while the shared counters are away: less exact, but enough to slow down who guesses.

Bounded: of the callers in a window it remembers the latest.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from threading import Lock

CALLERS = 10_000


class OwnCounts:
    """Counts in fixed windows of `window_seconds`, for the threads of one process."""

    def __init__(self) -> None:
        self._counts: OrderedDict[str, tuple[int, int]] = OrderedDict()
        self._lock = Lock()

    def add(self, caller: str, window_seconds: int, times: int = 1) -> tuple[int, int]:
        """How often the caller came in this window, these times included, and for how many seconds it still lasts, at least one."""
        window, past_seconds = divmod(int(time.time()), window_seconds)
        with self._lock:
            last_window, count = self._counts.pop(caller, (window, 0))
            count = count + times if last_window == window else times
            self._counts[caller] = (window, count)
            if len(self._counts) > CALLERS:
                self._counts.popitem(last=False)
        return count, window_seconds - past_seconds

    def clear(self) -> None:
        with self._lock:
            self._counts.clear()
