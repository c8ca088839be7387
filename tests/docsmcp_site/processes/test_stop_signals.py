from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import suppress

import pytest

from docsmcp_site.processes.stop_signals import SIGNALS, listening_to_signals


@pytest.fixture(autouse=True)
def _handlers_as_they_were() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in SIGNALS}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_interrupts_what_runs(number: signal.Signals) -> None:
    with listening_to_signals(), pytest.raises(KeyboardInterrupt):
        signal.raise_signal(number)


def test_a_request_whose_exception_was_thrown_away_is_still_there_to_be_checked() -> None:
    with listening_to_signals() as request:
        request.check()
        with suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)
        with pytest.raises(KeyboardInterrupt):
            request.check()


def test_the_end_is_not_interrupted_by_a_second_signal() -> None:
    with listening_to_signals():
        with suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGINT)


def test_it_leaves_a_hangup_ignored_that_nohup_ignores() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    with listening_to_signals():
        signal.raise_signal(signal.SIGHUP)


def test_it_hears_an_interrupt_that_a_shell_ignores_for_what_is_in_the_background() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with listening_to_signals(), pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_handlers_are_put_back() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with listening_to_signals():
        assert signal.getsignal(signal.SIGTERM) != before
    assert signal.getsignal(signal.SIGTERM) == before
