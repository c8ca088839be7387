"""How many calls may wait at once in a process of the web server, for a model or for the end of a job. It waits for nothing itself.

They have half of its threads, and half of the connections that these share: however slow that is, the other half goes on serving.
"""

from __future__ import annotations

from functools import cache
from threading import Lock, Semaphore

from django.conf import settings

_making = Lock()


def get_slots() -> Semaphore:
    """The process's slots. Whoever gets none (`acquire(blocking=False)`) answers at once; a slot is given back when the wait is over."""
    with _making:
        return make_slots()


@cache
def make_slots() -> Semaphore:
    config = settings.DOCSMCP
    at_once = min(config.web_threads, config.database_pool_size or config.web_threads)
    return Semaphore(max(1, at_once // 2))
