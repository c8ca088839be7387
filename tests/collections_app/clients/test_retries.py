"""Retries: how many, after which delays, and what stands in the end."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collections_app.clients.retries import MAX_DELAY_SECONDS, RETRIES, TryAgain, find_retry_after, get_delay, retry


def fail_times(count: int, retry_after_seconds: float = 0.0) -> list[float]:
    """The delays when so many attempts fail."""
    delays: list[float] = []
    failures = iter([TryAgain(retry_after_seconds)] * count)

    def attempt() -> str:
        if failure := next(failures, None):
            raise failure
        return "done"

    assert retry(attempt, delays.append) == "done"
    return delays


@given(st.integers())
def test_delays_grow_each_with_less_than_a_second_of_jitter(seed: int) -> None:
    random.seed(seed)
    delays = fail_times(RETRIES)
    assert [int(delay) for delay in delays] == [1, 2, 4, 8, 16]
    assert delays == sorted(delays)


@given(st.integers(1, 1000), st.floats(0, 1e9))
def test_no_delay_is_longer_than_the_cap_or_shorter_than_asked_below_it(
    number: int, retry_after_seconds: float
) -> None:
    delay = get_delay(number, retry_after_seconds)
    assert min(retry_after_seconds, MAX_DELAY_SECONDS) <= delay <= MAX_DELAY_SECONDS
    assert delay >= min(2.0 ** (number - 1), MAX_DELAY_SECONDS)


def test_it_gives_up_after_five_retries() -> None:
    attempts: list[int] = []
    delays: list[float] = []

    def attempt() -> None:
        attempts.append(1)
        raise TryAgain

    with pytest.raises(TryAgain):
        retry(attempt, delays.append)
    assert (len(attempts), len(delays)) == (6, 5)


def test_it_does_not_repeat_what_cannot_pass() -> None:
    delays: list[float] = []
    with pytest.raises(ValueError, match="bad"):
        retry(lambda: int("bad"), delays.append)
    assert delays == []


def test_it_waits_as_long_as_the_server_asks() -> None:
    assert fail_times(2, retry_after_seconds=30) == [30, 30]


def test_a_wait_that_raises_ends_the_retries() -> None:
    def attempt() -> None:
        raise TryAgain

    def give_up(seconds: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        retry(attempt, give_up)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [("120", 120), (" 7 ", 7), ("0", 0), ("-5", 0), ("", 0), ("soon", 0), ("nan", 0), ("inf", 0), ("Sat, 99 Foo", 0)],
)
def test_it_reads_retry_after_in_seconds(header: str, seconds: float) -> None:
    assert find_retry_after(header) == seconds


@pytest.mark.parametrize(("offset_seconds", "low", "high"), [(100, 90, 100), (-100, 0, 0)])
def test_it_reads_retry_after_as_a_date(offset_seconds: int, low: float, high: float) -> None:
    when = datetime.now(UTC) + timedelta(seconds=offset_seconds)
    assert low <= find_retry_after(format_datetime(when, usegmt=True)) <= high
