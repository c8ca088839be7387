"""When a model's server is asked again: after a wait that doubles, with jitter, or when it says; a few times, within the caller's time.

Only for requests that it has certainly not begun. Knows no requests. Uses stamina; the waits of retries.py end when a run does.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

import stamina

from collections_app.clients.transport import limit_time
from collections_app.exceptions import UpstreamUnavailable

FIRST_WAIT_SECONDS = 0.25
MAX_WAIT_SECONDS = 2.0
JITTER_SECONDS = 0.25

# Too many requests; service unavailable.
REFUSALS = frozenset({429, 503})

T = TypeVar("T")


class NotBegun(Exception):
    """`error` is raised if this was the last attempt."""

    def __init__(self, error: UpstreamUnavailable, retry_after_seconds: float = 0.0) -> None:
        super().__init__(error.message)
        self.error = error
        self.retry_after_seconds = retry_after_seconds


def retry_not_begun(attempt: Callable[[], T], *, attempts: int, deadline: float) -> T:
    """The result of `attempt`, which is called up to `attempts` times while it raises NotBegun; until `deadline` (time.monotonic()) in
    all."""
    retries = stamina.retry_context(
        on=_make_rule(deadline),
        attempts=attempts,
        timeout=deadline - time.monotonic(),
        wait_initial=FIRST_WAIT_SECONDS,
        wait_max=MAX_WAIT_SECONDS,
        wait_jitter=JITTER_SECONDS,
    )
    try:
        for made in retries:
            with made, limit_time(deadline - time.monotonic()):
                return attempt()
    except NotBegun as failure:
        raise failure.error from None
    raise AssertionError("there is always an attempt")


def _make_rule(deadline: float) -> Callable[[Exception], bool | float]:
    """Retries after the time that the server names, if it names one and the deadline allows it."""

    def judge(error: Exception) -> bool | float:
        if not isinstance(error, NotBegun):
            return False
        wait_seconds = max(error.retry_after_seconds, FIRST_WAIT_SECONDS + JITTER_SECONDS)
        if time.monotonic() + wait_seconds >= deadline:
            return False
        return error.retry_after_seconds or True

    return judge
