"""How much processor time rendering a page may take. It is checked between steps; the size of what each step is given keeps it short.

Nearly every lexer and Markdown renderer takes quadratic time on some text, so none of them is trusted to end in time.
"""

from __future__ import annotations

from collections.abc import Callable
from time import thread_time


class AllowanceSpent(Exception):
    """The rest of the page is to be shown plain."""


class Allowance:
    """`clock` returns seconds of this thread's work, so that a page's look does not depend on how busy the machine is."""

    def __init__(self, seconds: float, clock: Callable[[], float] = thread_time) -> None:
        self._clock = clock
        self._end = clock() + seconds

    def is_spent(self) -> bool:
        return self._clock() > self._end

    def check(self) -> None:
        """Raises AllowanceSpent."""
        if self.is_spent():
            raise AllowanceSpent
