from __future__ import annotations

from collections.abc import Generator
from threading import Event, Semaphore, Thread

import pytest

from collections_app.answering import waiting
from collections_app.answering.waiting import TooBusy, wait_for


def get_result(steps: Generator[None, None, object]) -> object:
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


def test_it_reports_until_the_work_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "STEP_SECONDS", 0.001)
    done = Event()
    steps = wait_for(lambda: done.wait(10), Semaphore(1))
    assert next(steps) is None
    done.set()
    assert get_result(steps) is True


def test_a_slot_is_given_back_where_the_system_has_no_thread_left(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(thread: Thread) -> None:
        raise RuntimeError("can't start new thread")

    slots = Semaphore(1)
    monkeypatch.setattr(Thread, "start", refuse)
    with pytest.raises(TooBusy):
        next(wait_for(lambda: None, slots))
    assert slots.acquire(blocking=False)


@pytest.mark.parametrize("error", [ValueError("no"), TimeoutError("its own"), KeyboardInterrupt()])
def test_what_the_work_raises_is_raised(error: BaseException) -> None:
    def work() -> None:
        raise error

    with pytest.raises(type(error)):
        list(wait_for(work, Semaphore(1)))


def test_a_slot_is_kept_as_long_as_the_work_goes_on_also_when_nobody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "STEP_SECONDS", 0.001)
    done, slots = Event(), Semaphore(1)
    steps = wait_for(lambda: done.wait(10), slots)
    next(steps)
    steps.close()
    with pytest.raises(TooBusy) as error:
        next(wait_for(done.wait, slots))
    assert error.value.details["retry_after"] > 0
    done.set()
    assert slots.acquire(timeout=10)
