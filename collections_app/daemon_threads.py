"""Work in a thread of its own that nobody waits for who does not want to, the end of the process neither. It knows nothing of the work.

concurrent.futures joins the threads of its pools when a process ends, however long these take.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from contextvars import copy_context
from threading import Thread
from typing import TypeVar

T = TypeVar("T")


def start(work: Callable[[], T], name: str) -> Future[T]:
    """What `work` returns or raises, whenever that is. It has the caller's context, such as the id of its request.

    It must not use the database: each thread would open a connection. Raises RuntimeError where the system has no thread left.
    """
    future: Future[T] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:  # it belongs to the one who waits
            future.set_exception(error)

    Thread(target=copy_context().run, args=[run], name=name, daemon=True).start()
    return future
