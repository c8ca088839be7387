"""Circuit breakers for what is outside: after five failures in a row nobody asks for a minute, two successes close it again.

Their state is in Django's cache, and so that of all processes. What is called, and what counts as its failure, the caller says.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import cache as keep
from typing import Any

import pybreaker
import structlog
from django.core.cache import cache

from collections_app.exceptions import UpstreamUnavailable

FAILURES_TO_OPEN = 5
OPEN_SECONDS = 60
SUCCESSES_TO_CLOSE = 2
# While it is half-open one call at a time tries, in all processes; one that never tells how it ended blocks for so long.
TRIAL_SECONDS = 30

logger = structlog.get_logger(__name__)


class CircuitOpen(UpstreamUnavailable):
    """Nobody asks this upstream at the moment; `retry_after` says for how long."""


@contextmanager
def guarding(upstream: str, *failures: type[Exception]) -> Iterator[None]:
    """For a call to `upstream`. Raises CircuitOpen in place of calling it.

    `failures` are the upstream's fault, and count. Anything else that is raised, such as the caller's giving up, says nothing about it.
    """
    circuit = get_circuit(upstream)
    circuit.check()
    try:
        yield
    except failures:
        circuit.report(is_failure=True)
        raise
    circuit.report(is_failure=False)


@keep
def get_circuit(upstream: str) -> Circuit:
    return Circuit(upstream)


class Circuit:
    """pybreaker calls what it guards within a lock: one at a time. So the call is made outside, and then told to it."""

    def __init__(self, upstream: str) -> None:
        self._upstream = upstream
        self._storage = CacheStorage(upstream)
        self._breaker = pybreaker.CircuitBreaker(
            fail_max=FAILURES_TO_OPEN,
            reset_timeout=OPEN_SECONDS,
            success_threshold=SUCCESSES_TO_CLOSE,
            state_storage=self._storage,
            listeners=[StateLog()],
            name=upstream,
        )

    @property
    def state(self) -> str:
        """`closed`, `open` or `half-open`."""
        return self._storage.state

    def check(self) -> None:
        """Raises CircuitOpen unless a call may be made now."""
        state = self._storage.state
        if state == pybreaker.STATE_CLOSED:
            return
        wait_seconds = self._get_wait_seconds() if state == pybreaker.STATE_OPEN else 0
        if wait_seconds > 0 or not self._storage.begin_trial():
            raise CircuitOpen(
                f"The {self._upstream} failed several times in a row, and is left alone for a while.",
                retry_after=max(1, math.ceil(wait_seconds)),
            )

    def report(self, *, is_failure: bool) -> None:
        """Count how a call ended. One that ends while the circuit is open was begun before, and no longer counts."""
        with suppress(pybreaker.CircuitBreakerError, _Failed):
            self._breaker.call(_fail if is_failure else _succeed)
        self._storage.end_trial()

    def _get_wait_seconds(self) -> float:
        opened_at = self._storage.opened_at
        return OPEN_SECONDS - (datetime.now(UTC) - opened_at).total_seconds() if opened_at else 0


class _Failed(Exception):
    pass


def _fail() -> None:
    raise _Failed


def _succeed() -> None:
    pass


class CacheStorage(pybreaker.CircuitBreakerStorage):
    """Where pybreaker keeps a circuit: an entry for each of its values, without an end. What was never written is closed and zero."""

    @property
    def state(self) -> str:
        return str(cache.get(self._key("state"), pybreaker.STATE_CLOSED))

    @state.setter
    def state(self, state: str) -> None:
        cache.set(self._key("state"), state, None)

    @property
    def counter(self) -> int:
        return int(cache.get(self._key("failures"), 0))

    def increment_counter(self) -> None:
        self._count("failures")

    def reset_counter(self) -> None:
        cache.delete(self._key("failures"))

    @property
    def success_counter(self) -> int:
        return int(cache.get(self._key("successes"), 0))

    def increment_success_counter(self) -> None:
        self._count("successes")

    def reset_success_counter(self) -> None:
        cache.delete(self._key("successes"))

    @property
    def opened_at(self) -> datetime | None:
        moment = cache.get(self._key("opened_at"))
        return None if moment is None else datetime.fromtimestamp(moment, UTC)

    @opened_at.setter
    def opened_at(self, moment: datetime) -> None:
        cache.set(self._key("opened_at"), moment.timestamp(), None)

    def begin_trial(self) -> bool:
        """Whether nobody else tries just now."""
        return bool(cache.add(self._key("trial"), 1, TRIAL_SECONDS))

    def end_trial(self) -> None:
        cache.delete(self._key("trial"))

    def _count(self, name: str) -> None:
        cache.add(self._key(name), 0, None)
        cache.incr(self._key(name))

    def _key(self, name: str) -> str:
        return f"circuit:{self.name.replace(' ', '-')}:{name}"


class StateLog(pybreaker.CircuitBreakerListener):
    """Each process logs the change when it notices it."""

    def state_change(self, cb: pybreaker.CircuitBreaker, old_state: Any, new_state: Any) -> None:
        log = logger.info if new_state.name == pybreaker.STATE_CLOSED else logger.warning
        log("circuit_state", upstream=cb.name, state=new_state.name, was=old_state.name if old_state else None)

    def failure(self, cb: pybreaker.CircuitBreaker, exc: BaseException) -> None:
        logger.warning("upstream_failure", upstream=cb.name, failures=cb.fail_counter)
