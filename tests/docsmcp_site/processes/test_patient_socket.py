"""A client that trickles is given up; one that is merely slow is not, and slow ones never have all threads."""

from __future__ import annotations

import select
import socket
import time
from collections.abc import Iterator
from threading import Semaphore

import pytest

from docsmcp_site.processes import patient_socket
from docsmcp_site.processes.patient_socket import (
    QUICK_SECONDS,
    RECEIVE_SECONDS,
    SEND_SECONDS,
    SLOWEST_BYTES_PER_SECOND,
    SMALL_SECONDS,
    PatientSocket,
)


class Client:
    """Of whom the server waits each time for so many seconds, in which it sends or takes so many bytes."""

    def __init__(self, end: socket.socket, monkeypatch: pytest.MonkeyPatch) -> None:
        self.end, self.now = end, 0.0
        self.seconds, self.size = 1.0, 1
        self._until: float | None = None
        monkeypatch.setattr(time, "monotonic", lambda: self.now)
        monkeypatch.setattr(patient_socket, "wait_for", self.wait_for)

    def wait_for(self, own: socket.socket, event: int, seconds: float) -> bool:
        self._until = self.now + self.seconds if self._until is None else self._until
        if self._until > self.now + seconds:
            self.now += seconds
            return False
        self.now, self._until = max(self.now, self._until), None
        if event == select.POLLIN:
            self.end.sendall(b"x" * self.size)
        else:
            self.end.recv(self.size)
        return True


@pytest.fixture
def places() -> Semaphore:
    return Semaphore(1)


@pytest.fixture
def server(places: Semaphore) -> Iterator[PatientSocket]:
    own, other = socket.socketpair()
    with PatientSocket(own, places) as server:
        server.other = other  # type: ignore[attr-defined]  # its end is the client's
        yield server
    other.close()


@pytest.fixture
def client(server: PatientSocket, monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    with server.other as end:  # type: ignore[attr-defined]
        yield Client(end, monkeypatch)


def receive(server: PatientSocket, count: int) -> int:
    """How many of so many pieces arrived before it was given up."""
    for number in range(count):
        try:
            server.recv(65_536)
        except BlockingIOError:
            return number
    return count


def send(server: PatientSocket, size: int) -> bool:
    """Whether all of it was taken."""
    try:
        server.sendall(b"x" * size)
    except BlockingIOError:
        return False
    return True


def test_a_byte_now_and_then_is_given_up(server: PatientSocket, client: Client) -> None:
    assert receive(server, 100) == RECEIVE_SECONDS
    assert client.now == pytest.approx(RECEIVE_SECONDS, abs=0.01)


def test_an_upload_may_take_as_long_as_it_needs(server: PatientSocket, client: Client) -> None:
    client.size = SLOWEST_BYTES_PER_SECOND
    server.expect_upload()
    assert receive(server, 200) == 200
    assert client.now == 200


def test_a_small_request_may_not(server: PatientSocket, client: Client) -> None:
    client.size = 2 * SLOWEST_BYTES_PER_SECOND
    assert receive(server, 200) == SMALL_SECONDS


def test_what_came_fast_does_not_pay_for_trickling_later(server: PatientSocket, client: Client) -> None:
    client.size = 60_000
    receive(server, 2)
    client.size = 1
    assert receive(server, 100) == RECEIVE_SECONDS


def test_each_request_of_a_connection_has_its_own_time(server: PatientSocket, client: Client) -> None:
    for _ in range(3):
        assert receive(server, 9) == 9
        server.end_request()
        server.begin_request()


def test_who_reads_slowly_is_given_all_of_it(server: PatientSocket, client: Client) -> None:
    client.size, client.seconds = 20_000, 2
    assert send(server, 3_000_000)
    assert client.now > 5 * SEND_SECONDS


def test_who_hardly_reads_is_given_up(server: PatientSocket, client: Client) -> None:
    client.size = 1_400
    assert not send(server, 3_000_000)
    assert SEND_SECONDS <= client.now < 2 * SEND_SECONDS


@pytest.mark.parametrize("work", [lambda server: receive(server, 100) == 100, lambda server: send(server, 1_000_000)])
def test_a_slow_client_needs_a_place(server: PatientSocket, client: Client, places: Semaphore, work: object) -> None:
    assert callable(work)
    client.size, client.seconds = 20_000, 0.5
    assert places.acquire(blocking=False)
    assert not work(server)
    assert QUICK_SECONDS <= client.now < 2 * QUICK_SECONDS
    places.release()
    server.begin_request()
    assert work(server)
    assert not places.acquire(blocking=False)
    server.end_request()
    assert places.acquire(blocking=False)


def test_a_quick_one_needs_none(server: PatientSocket, client: Client, places: Semaphore) -> None:
    assert places.acquire(blocking=False)
    client.size, client.seconds = 60_000, 0.5
    server.expect_upload()
    assert receive(server, 200) == 200
    assert client.now == 100


def test_waits_that_gunicorn_bounds_are_paid_for_too(server: PatientSocket, client: Client) -> None:
    server.settimeout(5)
    assert receive(server, 100) == RECEIVE_SECONDS
