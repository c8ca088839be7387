"""How requests travel: over connections to checked addresses only, each within its deadline. Knows no statuses and no pages.

httpx supports neither, so this is a transport of our own over httpcore, which does.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from threading import Lock
from time import monotonic
from typing import Any
from weakref import WeakSet

import certifi
import httpcore
import httpx

from collections_app.clients.addresses import AddressGuard

# A request runs in the thread that makes it, so its streams find its deadline here.
_deadline: ContextVar[float] = ContextVar("deadline")


class DeadlinePassed(Exception):
    """An exchange as a whole took longer than its time limit."""


@contextmanager
def limit_time(seconds: float) -> Iterator[None]:
    """This thread's requests in the block end with DeadlinePassed after this many seconds, even if bytes keep coming."""
    token = _deadline.set(monotonic() + seconds)
    try:
        yield
    finally:
        _deadline.reset(token)


def make_ssl_context() -> ssl.SSLContext:
    """Verifies certificates against this system's authorities (and SSL_CERT_FILE), and Mozilla's."""
    context = ssl.create_default_context()
    context.load_verify_locations(certifi.where())
    return context


class GuardedTransport(httpx.BaseTransport):
    """Sends requests to addresses that the guard accepts. Raises the guard's FetchError, httpcore's errors and DeadlinePassed.

    Closing it also ends the requests of other threads, including connections in the making, which the pool does not know.
    """

    def __init__(self, guard: AddressGuard, ssl_context: ssl.SSLContext, max_connections: int) -> None:
        self._streams = _OpenStreams()
        self._pool = httpcore.ConnectionPool(
            ssl_context=ssl_context,
            max_connections=max_connections,
            network_backend=_GuardedBackend(guard, self._streams),
        )

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        url = httpcore.URL(
            scheme=request.url.raw_scheme,
            host=request.url.raw_host,
            port=request.url.port,
            target=request.url.raw_path,
        )
        response = self._pool.handle_request(
            httpcore.Request(
                request.method, url, headers=request.headers.raw, content=request.stream, extensions=request.extensions
            )
        )
        return httpx.Response(response.status, headers=response.headers, stream=_Body(response))

    def close(self) -> None:
        self._streams.close()
        self._pool.close()


class _OpenStreams:
    """The streams of a transport, until it is closed."""

    def __init__(self) -> None:
        self._streams: WeakSet[_DeadlineStream] = WeakSet()
        self._is_closed = False
        self._lock = Lock()

    def add(self, stream: _DeadlineStream) -> _DeadlineStream:
        """Raises httpcore's ConnectError, with the stream closed, if the transport is closed."""
        with self._lock:
            if not self._is_closed:
                self._streams.add(stream)
                return stream
        stream.close()
        raise httpcore.ConnectError("The client was closed")

    def close(self) -> None:
        with self._lock:
            self._is_closed = True
            streams = list(self._streams)
        for stream in streams:
            stream.break_off()


class _Body(httpx.SyncByteStream):
    def __init__(self, response: httpcore.Response) -> None:
        self._response = response

    def __iter__(self) -> Iterator[bytes]:
        yield from self._response.iter_stream()

    def close(self) -> None:
        self._response.close()


class _GuardedBackend(httpcore.NetworkBackend):
    """Connects to the addresses that were checked. TLS still verifies the host name, which httpcore takes from the URL."""

    def __init__(self, guard: AddressGuard, streams: _OpenStreams) -> None:
        self._guard = guard
        self._streams = streams
        self._backend = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        *others, last = self._guard.resolve(host, port)
        for address in others:
            try:
                return self._connect(address, port, timeout)
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                continue
        return self._connect(last, port, timeout)

    def _connect(self, address: str, port: int, timeout: float | None) -> httpcore.NetworkStream:
        stream = self._backend.connect_tcp(address, port, _get_time_left(timeout))
        return self._streams.add(_DeadlineStream(stream, self._streams))


class _DeadlineStream(httpcore.NetworkStream):
    """A stream none of whose operations outlasts the deadline."""

    def __init__(self, stream: httpcore.NetworkStream, streams: _OpenStreams) -> None:
        self._stream = stream
        self._streams = streams

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, _get_time_left(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, _get_time_left(timeout))

    def close(self) -> None:
        self._stream.close()

    def break_off(self) -> None:
        """Makes another thread that waits for it get an error at once, which closing alone does not do."""
        with suppress(OSError):  # it is closed, or the other side has left
            self._stream.get_extra_info("socket").shutdown(socket.SHUT_RDWR)
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        stream = self._stream.start_tls(ssl_context, server_hostname, _get_time_left(timeout))
        return self._streams.add(_DeadlineStream(stream, self._streams))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def _get_time_left(timeout: float | None) -> float | None:
    if (deadline := _deadline.get(None)) is None:
        return timeout
    if (left := deadline - monotonic()) <= 0:
        raise DeadlinePassed
    return left if timeout is None else min(timeout, left)
