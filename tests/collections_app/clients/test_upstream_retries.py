from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
import stamina
from stamina.instrumentation import RetryDetails, get_on_retry_hooks, set_on_retry_hooks

from collections_app.clients.upstream_retries import NotBegun, retry_not_begun
from collections_app.exceptions import UpstreamUnavailable

waits: list[float] = []


@pytest.fixture(autouse=True)
def scheduled(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No wait takes any time; what it would have taken is noted."""
    waits.clear()
    hooks = get_on_retry_hooks()

    def note(details: RetryDetails) -> None:
        waits.append(round(details.wait_for, 6))  # a difference of sums

    set_on_retry_hooks([note])
    monkeypatch.setattr("tenacity.nap.time.sleep", lambda seconds: None)
    yield
    set_on_retry_hooks(hooks)


def refuse(retry_after_seconds: float = 0.0) -> str:
    raise NotBegun(UpstreamUnavailable("Busy."), retry_after_seconds)


def test_waits_grow_and_come_to_an_end() -> None:
    with pytest.raises(UpstreamUnavailable, match="Busy"):
        retry_not_begun(refuse, attempts=5, deadline=time.monotonic() + 60)
    assert len(waits) == 4
    assert all(
        least <= wait <= most for least, wait, most in zip((0.25, 0.5, 1, 2), waits, (0.5, 0.75, 1.25, 2), strict=True)
    )


def test_the_server_is_waited_for_as_long_as_it_says() -> None:
    with pytest.raises(UpstreamUnavailable):
        retry_not_begun(lambda: refuse(7.0), attempts=3, deadline=time.monotonic() + 60)
    assert waits == [7.0, 7.0]


def test_nobody_is_waited_for_past_the_callers_time() -> None:
    with pytest.raises(UpstreamUnavailable):
        retry_not_begun(lambda: refuse(7.0), attempts=3, deadline=time.monotonic() + 5)
    assert waits == []


def test_what_was_begun_is_not_asked_again() -> None:
    def fail() -> str:
        raise UpstreamUnavailable("Broken off.")

    with pytest.raises(UpstreamUnavailable, match="Broken off"):
        retry_not_begun(fail, attempts=3, deadline=time.monotonic() + 5)
    assert waits == []
    assert stamina.is_active()
