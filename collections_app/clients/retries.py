"""When a failed request is repeated: after 1, 2, 4, 8 and 16 seconds, each with up to a second more, or when the server says.

Knows no requests; an attempt that may be repeated raises TryAgain. Uses tenacity, not stamina, because the waits have to end when a run
does.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

import tenacity

RETRIES = 5
FIRST_DELAY_SECONDS = 1.0
MAX_DELAY_SECONDS = 60.0
MAX_JITTER_SECONDS = 1.0

T = TypeVar("T")

Wait = Callable[[float], None]
"""Waits so many seconds; raises when the caller is to give up instead."""


class TryAgain(Exception):
    """This attempt failed, but the next may succeed."""

    def __init__(self, retry_after_seconds: float = 0.0) -> None:
        super().__init__()
        self.retry_after_seconds = retry_after_seconds


def retry(attempt: Callable[[], T], wait: Wait, retries: int = RETRIES) -> T:
    """The result of `attempt`, which is called once and then up to `retries` times while it raises TryAgain. Raises the last of these."""
    retrying = tenacity.Retrying(
        stop=tenacity.stop_after_attempt(retries + 1),
        wait=_get_wait,
        retry=tenacity.retry_if_exception_type(TryAgain),
        sleep=wait,
        reraise=True,
    )
    return retrying(attempt)


def get_delay(retry_number: int, retry_after_seconds: float = 0.0) -> float:
    """Seconds before the retry with this number, counted from 1."""
    backoff = FIRST_DELAY_SECONDS * 2.0 ** (retry_number - 1) + random.uniform(0, MAX_JITTER_SECONDS)  # noqa: S311
    return min(MAX_DELAY_SECONDS, max(backoff, retry_after_seconds))


def find_retry_after(header: str) -> float:
    """Seconds from now, from a Retry-After header: seconds or a date (RFC 9110, 10.2.3). 0 if it is absent or invalid."""
    with suppress(ValueError):
        seconds = float(header)
        return seconds if math.isfinite(seconds) and seconds > 0 else 0.0
    with suppress(ValueError, TypeError, OverflowError):
        when = parsedate_to_datetime(header)
        return max(0.0, (when.replace(tzinfo=when.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
    return 0.0


def _get_wait(state: tenacity.RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome else None
    return get_delay(state.attempt_number, error.retry_after_seconds if isinstance(error, TryAgain) else 0.0)
