"""A connection that waits for a slow client, but not for one that trickles, since each of its bytes would keep a thread for a while.

A purse of seconds bounds how long a client may keep a thread waiting: waiting is paid from it, and each byte that goes over refills it.
There are two. A client that has emptied the first is slow, and needs one of the process's places for slow clients, so that these never
occupy all threads. A client that has emptied the second trickles, and is dropped. So an upload may take as long as it needs; a request
that is not large also has a time limit in total.
"""

from __future__ import annotations

import errno
import select
import socket
import time
from threading import Semaphore
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

# A client that keeps to this rate needs no place.
QUICK_SECONDS = 2.0
QUICK_BYTES_PER_SECOND = 100_000
# A client that keeps to this rate is never dropped.
SLOWEST_BYTES_PER_SECOND = 5_000
RECEIVE_SECONDS = 10.0
# Longer than for receiving: the kernel reports room for an answer only once it has passed on half of UNSENT_BYTES.
SEND_SECONDS = 30.0
UNSENT_BYTES = 128 * 1024
# A time limit for a whole request, unless its body is announced as larger than SMALL_BYTES, as an upload's is.
SMALL_BYTES = 1024**2
SMALL_SECONDS = 60.0


class Purse:
    """Seconds to wait. Never more than at the beginning: having been fast does not pay for trickling later."""

    def __init__(self, seconds: float, bytes_per_second: float) -> None:
        self.most = self.left = seconds
        self._bytes_per_second = bytes_per_second

    def fill(self, size_bytes: int) -> None:
        self.left = min(self.most, self.left + size_bytes / self._bytes_per_second)


class PatientSocket(socket.socket):
    """Replaces a connected socket. `places` are the places for slow clients.

    A wait that is too long raises BlockingIOError, as does one that SO_RCVTIMEO or SO_SNDTIMEO ends.
    """

    def __init__(self, connected: socket.socket, places: Semaphore) -> None:
        super().__init__(connected.family, connected.type, connected.proto, fileno=connected.detach())
        self._places = places
        self._has_place = False
        self.begin_request()

    def begin_request(self) -> None:
        self._quick = Purse(QUICK_SECONDS, QUICK_BYTES_PER_SECOND)
        self._receiving = Purse(RECEIVE_SECONDS, SLOWEST_BYTES_PER_SECOND)
        self._sending = Purse(SEND_SECONDS, SLOWEST_BYTES_PER_SECOND)
        self._in_total = Purse(SMALL_SECONDS, float("inf"))

    def expect_upload(self) -> None:
        """The rest of this request may take as long as it needs."""
        self._in_total = Purse(float("inf"), float("inf"))

    def end_request(self) -> None:
        if self._has_place:
            self._has_place = False
            self._places.release()

    def recv(self, size: int, flags: int = 0) -> bytes:
        data = self._receive(size, flags)
        self._quick.fill(len(data))
        self._receiving.fill(len(data))
        return data

    def sendall(self, data: ReadableBuffer, flags: int = 0) -> None:
        left = memoryview(data)
        while left:
            try:
                sent = self.send(left, flags | socket.MSG_DONTWAIT)
            except BlockingIOError:
                self._wait(select.POLLOUT, self._sending)
                continue
            self._quick.fill(sent)
            self._sending.fill(sent)
            left = left[sent:]

    def _receive(self, size: int, flags: int) -> bytes:
        """Does not wait if data is there. If gunicorn set a timeout, which is short, waits for data first."""
        if (seconds := self.gettimeout()) is not None:
            self._wait(select.POLLIN, self._receiving, self._in_total, Purse(seconds, float("inf")))
            return super().recv(size, flags)
        while True:
            try:
                return super().recv(size, flags | socket.MSG_DONTWAIT)
            except BlockingIOError:
                self._wait(select.POLLIN, self._receiving, self._in_total)

    def _wait(self, event: int, *purses: Purse) -> None:
        """Waits for the client. Raises BlockingIOError if a purse is empty, or if the client is slow and no place is free."""
        while True:
            most = min(purse.left for purse in purses)
            seconds = max(0.0, most if self._has_place else min(most, self._quick.left))
            began = time.monotonic()
            is_ready = wait_for(self, event, seconds)
            elapsed = time.monotonic() - began
            for purse in (self._quick, *purses):
                purse.left -= elapsed
            if is_ready:
                return
            if most <= seconds or not self._take_place():
                raise BlockingIOError(errno.EAGAIN, "the client is too slow")

    def _take_place(self) -> bool:
        self._has_place = self._has_place or self._places.acquire(blocking=False)
        return self._has_place


def wait_for(own: socket.socket, event: int, seconds: float) -> bool:
    """Whether it happened in that time, or the connection ended."""
    poller = select.poll()
    poller.register(own, event)
    return bool(poller.poll(seconds * 1000))
