"""A request that trickles in is given up; one that is merely long is not."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator

import pytest

from docsmcp_site.patient_socket import RECEIVE_SECONDS, SLOWEST_BYTES_PER_SECOND, PatientSocket

Pair = tuple[PatientSocket, socket.socket]


@pytest.fixture
def pair() -> Iterator[Pair]:
    """The server's end, and the client's."""
    own, client = socket.socketpair()
    with PatientSocket(own) as server, client:
        yield server, client


class Clock:
    """Every look at it takes so many seconds."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
        self.now, self.seconds = 0.0, seconds
        monkeypatch.setattr(time, "monotonic", self.look)

    def look(self) -> float:
        self.now += self.seconds
        return self.now


def receive(pair: Pair, count: int, size: int = 1) -> int:
    """How many of so many pieces arrived before it was given up."""
    server, client = pair
    for number in range(count):
        client.sendall(b"x" * size)
        try:
            assert server.recv(65_536) == b"x" * size
        except BlockingIOError:
            return number
    return count


def test_a_byte_now_and_then_is_given_up(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    Clock(monkeypatch, RECEIVE_SECONDS / 4)
    assert receive(pair, 100) == 4


def test_a_long_request_may_take_as_long_as_it_needs(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch, 1)
    assert receive(pair, 200, SLOWEST_BYTES_PER_SECOND) == 200
    assert clock.now > 10 * RECEIVE_SECONDS


def test_what_came_fast_does_not_pay_for_trickling_later(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    Clock(monkeypatch, RECEIVE_SECONDS / 4)
    receive(pair, 2, 60_000)
    assert receive(pair, 100) == 4


def test_each_request_of_a_connection_has_its_own_time(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    Clock(monkeypatch, RECEIVE_SECONDS / 4)
    for _ in range(3):
        assert receive(pair, 3) == 3
        pair[0].begin_request()
