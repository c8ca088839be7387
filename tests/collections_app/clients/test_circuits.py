from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.cache import cache
from structlog.testing import capture_logs

from collections_app.clients.circuits import (
    FAILURES_TO_OPEN,
    OPEN_SECONDS,
    SUCCESSES_TO_CLOSE,
    CacheStorage,
    Circuit,
    CircuitOpen,
    MemoryStorage,
    get_circuit,
    guarding,
)
from collections_app.metrics import CIRCUIT_CHANGES


class Broken(Exception):
    pass


@pytest.fixture(autouse=True)
def own_cache(settings: Any) -> Iterator[None]:
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "circuits"}}
    get_circuit.cache_clear()
    cache.clear()
    yield
    get_circuit.cache_clear()


def call(error: Exception | None = None) -> None:
    with guarding("model", Broken):
        if error:
            raise error


def open_circuit() -> None:
    for _ in range(FAILURES_TO_OPEN):
        with suppress(Broken):
            call(Broken())


def let_time_pass(seconds: float = OPEN_SECONDS + 1) -> None:
    CacheStorage("model").opened_at = datetime.now(UTC) - timedelta(seconds=seconds)


def state() -> str:
    return get_circuit("model").state


def test_failures_in_a_row_open_it() -> None:
    for _ in range(FAILURES_TO_OPEN - 1):
        with suppress(Broken):
            call(Broken())
    assert state() == "closed"
    with pytest.raises(Broken):
        call(Broken())
    assert state() == "open"
    with pytest.raises(CircuitOpen) as error:
        call()
    assert 0 < error.value.details["retry_after"] <= OPEN_SECONDS
    assert error.value.details["retryable"]


def test_a_success_between_begins_the_count_anew() -> None:
    for _ in range(FAILURES_TO_OPEN):
        for _ in range(FAILURES_TO_OPEN - 1):
            with suppress(Broken):
                call(Broken())
        call()
    assert state() == "closed"


def test_other_errors_and_a_caller_that_leaves_do_not_count() -> None:
    for error in [ValueError(), KeyError()] * FAILURES_TO_OPEN:
        with suppress(ValueError, KeyError):
            call(error)
    with pytest.raises(GeneratorExit), guarding("model", Broken):
        raise GeneratorExit
    assert state() == "closed"


def test_after_a_minute_one_call_tries_and_two_successes_close_it() -> None:
    open_circuit()
    let_time_pass()
    call()
    assert state() == "half-open"
    for _ in range(SUCCESSES_TO_CLOSE - 1):
        call()
    assert state() == "closed"
    call()


def test_a_failure_of_the_trial_opens_it_again() -> None:
    open_circuit()
    let_time_pass()
    with pytest.raises(Broken):
        call(Broken())
    assert state() == "open"
    with pytest.raises(CircuitOpen):
        call()


def test_while_one_tries_the_others_do_not() -> None:
    open_circuit()
    let_time_pass()
    with guarding("model", Broken), pytest.raises(CircuitOpen):
        call()
    call()


def test_what_was_begun_before_it_opened_does_not_count() -> None:
    with guarding("model", Broken):
        open_circuit()
    assert state() == "open"


def test_another_process_sees_the_same_state() -> None:
    """A process has circuits of its own over the cache that all share."""
    open_circuit()
    elsewhere = Circuit("model")
    with pytest.raises(CircuitOpen):
        elsewhere.check()
    let_time_pass()
    for _ in range(SUCCESSES_TO_CLOSE + 1):  # one that was opened elsewhere may count its first success twice
        elsewhere.check()
        elsewhere.report(is_failure=False)
    get_circuit("model").check()
    assert state() == "closed"


def test_other_upstreams_are_not_touched() -> None:
    open_circuit()
    with guarding("another", Broken):
        pass


def test_without_a_cache_everybody_may_call(settings: Any) -> None:
    settings.CACHES = {
        "default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": "redis://127.0.0.1:1"}
    }
    for _ in range(FAILURES_TO_OPEN + 1):
        with pytest.raises(Broken):
            call(Broken())


@pytest.mark.django_db
def test_it_works_over_the_products_own_cache(settings: Any) -> None:
    settings.CACHES = {"default": {"BACKEND": "collections_app.postgres.cache.PostgresCache"}}
    open_circuit()
    assert state() == "open"
    let_time_pass()
    for _ in range(SUCCESSES_TO_CLOSE):
        call()
    assert state() == "closed"


def test_a_sites_circuit_logs_its_changes_and_counts_none() -> None:
    circuit = Circuit("site docs.example.com", MemoryStorage())
    with capture_logs() as logs:
        for _ in range(FAILURES_TO_OPEN):
            circuit.report(is_failure=True)
    assert [(entry["event"], entry["upstream"], entry["state"]) for entry in logs] == [
        ("circuit_state", "site docs.example.com", "open")
    ]
    assert not [
        sample
        for metric in CIRCUIT_CHANGES.collect()
        for sample in metric.samples
        if "site" in sample.labels["upstream"]
    ]
