"""Whether threads ever are at the same place at once, where only one of them may be."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, BrokenBarrierError

# How long the first who comes waits for another, who must not come.
SECONDS = 0.5


class Meeting:
    """A place: `visits` were made to it, and two of them met there or did not."""

    def __init__(self) -> None:
        self._barrier = Barrier(2)
        self.visits = 0
        self.has_met = False

    def visit(self, *arguments: object) -> None:
        self.visits += 1
        try:
            self._barrier.wait(SECONDS)
            self.has_met = True
        except BrokenBarrierError:
            pass


def do_at_once(*tasks: Callable[[], object]) -> None:
    """Each in a thread of its own, to its end. Raises what they raise."""
    with ThreadPoolExecutor(len(tasks)) as pool:
        for each in [pool.submit(task) for task in tasks]:
            each.result()
