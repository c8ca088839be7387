"""A client's connection that waits for a request, but not for one that trickles in: each of its bytes would keep a thread for a while.

How long a client may keep a thread waiting is a purse of seconds: waiting is paid from it, and what arrives fills it again. So an
upload may take as long as it needs, and who sends a byte now and then is left after RECEIVE_SECONDS.
"""

from __future__ import annotations

import errno
import socket
import time

RECEIVE_SECONDS = 10.0
SLOWEST_BYTES_PER_SECOND = 5_000


class PatientSocket(socket.socket):
    """Takes the place of a connected socket."""

    def __init__(self, connected: socket.socket) -> None:
        super().__init__(connected.family, connected.type, connected.proto, fileno=connected.detach())
        self.begin_request()

    def begin_request(self) -> None:
        self._seconds_left = RECEIVE_SECONDS

    def recv(self, size: int, flags: int = 0) -> bytes:
        """Raises BlockingIOError, as a wait that SO_RCVTIMEO ends does, when the purse is empty."""
        began = time.monotonic()
        data = super().recv(size, flags)
        self._seconds_left += len(data) / SLOWEST_BYTES_PER_SECOND - (time.monotonic() - began)
        self._seconds_left = min(self._seconds_left, RECEIVE_SECONDS)
        if self._seconds_left < 0:
            raise BlockingIOError(errno.EAGAIN, "the request came too slowly")
        return data
