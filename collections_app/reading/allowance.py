"""How much of a processor a page may take to be rendered. It is looked at between steps, each of which is short by what is given to it.

Nearly every lexer and every Markdown renderer takes quadratic time on some text: none of them is trusted to end in time.
"""

from __future__ import annotations

from collections.abc import Callable
from time import thread_time


class AllowanceSpent(Exception):
    """What is left of the page is to be shown plain."""


class Allowance:
    """`clock` gives seconds of this thread's work, so that how busy the machine is does not decide about what a page looks like."""

    def __init__(self, seconds: float, clock: Callable[[], float] = thread_time) -> None:
        self._clock = clock
        self._end = clock() + seconds

    def is_spent(self) -> bool:
        return self._clock() > self._end

    def check(self) -> None:
        """Raises AllowanceSpent."""
        if self.is_spent():
            raise AllowanceSpent
