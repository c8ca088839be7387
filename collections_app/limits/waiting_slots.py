"""How many calls may wait at once in a process of the web server, for a model or for the end of a job. Does not wait itself.

They may occupy half of its threads and of the connections that these share, so the other half keeps serving, however slow the waiting is.
"""

from __future__ import annotations

from functools import cache
from threading import Lock, Semaphore

from django.conf import settings

_making = Lock()


def get_slots() -> Semaphore:
    """The process's slots. A call that gets none (`acquire(blocking=False)`) answers at once; a slot is released after the wait."""
    with _making:
        return make_slots()


@cache
def make_slots() -> Semaphore:
    config = settings.DOCSMCP
    at_once = min(config.web_threads, config.database_pool_size or config.web_threads)
    return Semaphore(max(1, at_once // 2))
