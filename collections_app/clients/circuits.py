"""Circuit breakers for upstreams and sites: after five failures in a row nobody calls for a minute; two successes close the circuit.

The state of an upstream is in Django's cache, shared by all processes; that of a site belongs to its reader alone (MemoryStorage). The
caller decides what is called, and what counts as a failure.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import cache as keep
from time import monotonic
from typing import Any

import pybreaker
import structlog
from django.core.cache import cache

from collections_app.exceptions import UpstreamUnavailable
from collections_app.metrics import CIRCUIT_CHANGES

FAILURES_TO_OPEN = 5
OPEN_SECONDS = 60
SUCCESSES_TO_CLOSE = 2
# While a circuit is half-open, one call at a time may try, in all processes; one that never reports its end blocks for this long.
TRIAL_SECONDS = 30
# When to retry while another call is trying.
BUSY_RETRY_SECONDS = 5

logger = structlog.get_logger(__name__)


class CircuitOpen(UpstreamUnavailable):
    """Nobody calls this upstream at the moment; `retry_after` says for how long."""


@contextmanager
def guarding(upstream: str, *failures: type[Exception]) -> Iterator[None]:
    """A call to `upstream` in this block counts for its circuit. If that is open, raises CircuitOpen before the block runs.

    `failures` are the upstream's fault, and count. Any other exception, for example because the caller gave up, says nothing about it.
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
    """pybreaker holds a lock while it calls what it guards, so calls would be serial. So the call is made outside, and reported to it."""

    def __init__(self, upstream: str, storage: CacheStorage | MemoryStorage | None = None) -> None:
        self._upstream = upstream
        self._storage = storage or CacheStorage(upstream)
        self._breaker = pybreaker.CircuitBreaker(
            fail_max=FAILURES_TO_OPEN,
            reset_timeout=OPEN_SECONDS,
            success_threshold=SUCCESSES_TO_CLOSE,
            state_storage=self._storage,
            listeners=[UpstreamLog() if isinstance(self._storage, CacheStorage) else StateLog()],
            name=upstream,
        )

    @property
    def state(self) -> str:
        """`closed`, `open` or `half-open`."""
        return self._storage.state

    def check(self) -> None:
        """Raises CircuitOpen unless a call may be made now."""
        wait_seconds = self._get_wait_seconds()
        if wait_seconds > 0:
            raise CircuitOpen(
                f"The {self._upstream} failed several times in a row, and is left alone for a while.",
                retry_after=math.ceil(wait_seconds),
            )

    def report(self, *, is_failure: bool) -> None:
        """Counts how a call ended. A call that ends while the circuit is open began before, and no longer counts."""
        with suppress(pybreaker.CircuitBreakerError, _Failed):
            self._breaker.call(_fail if is_failure else _succeed)
        self._storage.end_trial()

    def _get_wait_seconds(self) -> float:
        """0 if the caller may call; if the circuit is half-open, the caller is then the only one."""
        state = self._storage.state
        if state == pybreaker.STATE_CLOSED:
            return 0
        opened_at = self._storage.opened_at
        if state == pybreaker.STATE_OPEN and opened_at:
            left = OPEN_SECONDS - (datetime.now(UTC) - opened_at).total_seconds()
            if left > 0:
                return left
        return 0 if self._storage.begin_trial() else BUSY_RETRY_SECONDS


class _Failed(Exception):
    pass


def _fail() -> None:
    raise _Failed


def _succeed() -> None:
    pass


class CacheStorage(pybreaker.CircuitBreakerStorage):
    """Stores a circuit's values for pybreaker, each in an entry that does not expire. A value never written means closed, or zero.

    While the cache is away values count as never written, so everybody may call.
    """

    @property
    def state(self) -> str:
        return str(self._get("state", pybreaker.STATE_CLOSED))

    @state.setter
    def state(self, state: str) -> None:
        self._set("state", state)

    @property
    def counter(self) -> int:
        return int(self._get("failures", 0))

    def increment_counter(self) -> None:
        self._count("failures")

    def reset_counter(self) -> None:
        self._delete("failures")

    @property
    def success_counter(self) -> int:
        return int(self._get("successes", 0))

    def increment_success_counter(self) -> None:
        self._count("successes")

    def reset_success_counter(self) -> None:
        self._delete("successes")

    @property
    def opened_at(self) -> datetime | None:
        moment = self._get("opened_at", None)
        return None if moment is None else datetime.fromtimestamp(moment, UTC)

    @opened_at.setter
    def opened_at(self, moment: datetime) -> None:
        self._set("opened_at", moment.timestamp())

    def begin_trial(self) -> bool:
        """Whether nobody else is trying at the moment."""
        return bool(tolerate(True, cache.add, self._key("trial"), 1, TRIAL_SECONDS))

    def end_trial(self) -> None:
        self._delete("trial")

    def _get(self, name: str, default: Any) -> Any:
        return tolerate(default, cache.get, self._key(name), default)

    def _set(self, name: str, value: Any) -> None:
        tolerate(None, cache.set, self._key(name), value, None)

    def _delete(self, name: str) -> None:
        tolerate(None, cache.delete, self._key(name))

    def _count(self, name: str) -> None:
        tolerate(None, cache.add, self._key(name), 0, None)
        tolerate(None, cache.incr, self._key(name))

    def _key(self, name: str) -> str:
        return f"circuit:{self.name.replace(' ', '-')}:{name}"


class MemoryStorage(pybreaker.CircuitMemoryStorage):
    """Stores a circuit in this process only: threads that fetch pages use no database."""

    def __init__(self) -> None:
        super().__init__(pybreaker.STATE_CLOSED)
        self._trial_ends = 0.0

    def begin_trial(self) -> bool:
        """Whether nobody else is trying at the moment."""
        now = monotonic()
        is_free = self._trial_ends <= now
        if is_free:
            self._trial_ends = now + TRIAL_SECONDS
        return is_free

    def end_trial(self) -> None:
        self._trial_ends = 0.0


def tolerate(default: Any, act: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return act(*arguments)
    except Exception as error:  # each cache raises its own
        logger.warning("circuit_unknown", reason=type(error).__name__)
        return default


class StateLog(pybreaker.CircuitBreakerListener):
    """Each process logs the change when it notices it."""

    def state_change(self, cb: pybreaker.CircuitBreaker, old_state: Any, new_state: Any) -> None:
        log = logger.info if new_state.name == pybreaker.STATE_CLOSED else logger.warning
        log("circuit_state", upstream=cb.name, state=new_state.name, was=old_state.name if old_state else None)


class UpstreamLog(StateLog):
    """Also counts changes and logs failures. Not for sites: upstreams are few, but sites are without number."""

    def state_change(self, cb: pybreaker.CircuitBreaker, old_state: Any, new_state: Any) -> None:
        CIRCUIT_CHANGES.labels(str(cb.name), str(new_state.name)).inc()
        super().state_change(cb, old_state, new_state)

    def failure(self, cb: pybreaker.CircuitBreaker, exc: BaseException) -> None:
        logger.warning("upstream_failure", upstream=cb.name, failures=cb.fail_counter)
