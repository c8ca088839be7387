"""A process counts by itself: each caller alone, each window anew, and never more callers than it may know."""

from __future__ import annotations

import pytest

from collections_app.limits import own_counts
from collections_app.limits.own_counts import OwnCounts


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [1_000.0]
    monkeypatch.setattr("collections_app.limits.own_counts.time.time", lambda: now[0])
    return now


def test_each_caller_is_counted_alone_and_each_window_anew(clock: list[float]) -> None:
    counts = OwnCounts()
    assert [counts.add(caller, 300) for caller in ("ann", "ann", "ben")] == [(1, 200), (2, 200), (1, 200)]
    assert counts.add("ann", 300, 0) == (2, 200), "who looks is not counted"
    clock[0] = 1_199.5
    assert counts.add("ann", 300) == (3, 1)
    clock[0] = 1_200
    assert counts.add("ann", 300) == (1, 300)


def test_it_forgets_who_was_not_there_for_longest(clock: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_counts, "CALLERS", 2)
    counts = OwnCounts()
    assert [counts.add(caller, 300)[0] for caller in ("ann", "ben", "ann", "cat", "ann", "ben")] == [1, 1, 2, 1, 3, 1]
