"""How long calls took, as counts for a few ranges of milliseconds, from which quantiles can be estimated. PURE."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

# The inclusive upper bounds of the ranges; the last range has none. Rows are stored in these terms: change them only with a migration.
BOUNDS_MS = (5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000)
BUCKETS = len(BOUNDS_MS) + 1


def find_bucket(duration_ms: float) -> int:
    return bisect_left(BOUNDS_MS, duration_ms)


def estimate_quantile_ms(counts: Sequence[int], share: float) -> float | None:
    """Estimates the time within which this share of the calls ended, as if calls were spread evenly over their range; None without calls.

    As Prometheus' histogram_quantile. Above the last bound it is that bound.
    """
    wanted = sum(counts) * share
    if not wanted:
        return None
    below = 0
    for count, start, end in zip(counts, (0, *BOUNDS_MS), BOUNDS_MS, strict=False):
        if below + count >= wanted:
            return start + (end - start) * (wanted - below) / count
        below += count
    return float(BOUNDS_MS[-1])
