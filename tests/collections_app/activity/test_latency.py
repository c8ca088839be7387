from __future__ import annotations

import pytest

from collections_app.activity.latency import BOUNDS_MS, BUCKETS, estimate_quantile_ms, find_bucket


def count(*durations_ms: float) -> list[int]:
    counts = [0] * BUCKETS
    for duration_ms in durations_ms:
        counts[find_bucket(duration_ms)] += 1
    return counts


@pytest.mark.parametrize(("duration_ms", "bucket"), [(0, 0), (5, 0), (5.1, 1), (10_000, 10), (10_001, 11), (1e9, 11)])
def test_a_duration_is_in_one_range_the_ends_included(duration_ms: float, bucket: int) -> None:
    assert find_bucket(duration_ms) == bucket


def test_without_calls_there_is_no_estimate() -> None:
    assert estimate_quantile_ms(count(), 0.5) is None


def test_the_median_lies_in_the_range_of_the_middle_call() -> None:
    median_ms = estimate_quantile_ms(count(1, 2, 60, 70, 80, 900, 2_000), 0.5)
    assert median_ms is not None
    assert 50 < median_ms <= 100


def test_the_slowest_of_twenty_is_above_the_95th_percentile() -> None:
    counts = count(*[8.0] * 19, 4_000)
    assert estimate_quantile_ms(counts, 0.95) == pytest.approx(10)
    last = estimate_quantile_ms(counts, 0.99)
    assert last is not None
    assert 2_500 < last <= 5_000


def test_above_the_last_bound_it_is_that_bound() -> None:
    assert estimate_quantile_ms(count(60_000), 0.5) == BOUNDS_MS[-1]
