from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from collections_app.limits import waiting_slots
from collections_app.limits.waiting_slots import get_slots, make_slots
from tests.meeting import Meeting, do_at_once


@pytest.fixture(autouse=True)
def _fresh_slots() -> Iterator[None]:
    make_slots.cache_clear()
    yield
    make_slots.cache_clear()


def test_all_threads_of_a_process_have_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    making = Meeting()
    monkeypatch.setattr(waiting_slots, "Semaphore", making.visit)
    do_at_once(get_slots, get_slots)
    assert making.visits == 1


@pytest.mark.parametrize(("threads", "pool", "at_once"), [(8, 0, 4), (1, 0, 1), (8, 4, 2), (4, 20, 2), (8, 1, 1)])
def test_half_of_the_threads_and_of_their_connections_may_wait(
    settings: Any, threads: int, pool: int, at_once: int
) -> None:
    sizes = {"web_threads": threads, "database_pool_size": pool}
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update=sizes)
    slots = get_slots()
    taken = 0
    while slots.acquire(blocking=False):
        taken += 1
    assert taken == at_once
