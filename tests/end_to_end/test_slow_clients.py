"""Clients that connect and say nothing, stop in the middle, or stay: others are answered, by the web server and by nginx before it."""

from __future__ import annotations

import http.client
import json
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from threading import Event, Thread

import pytest
from django.core.management import call_command
from pytest_django.plugin import DjangoDbBlocker

from docsmcp_site.processes.web_server import LINGER_SECONDS, STALLED_SECONDS, set_limits
from tests.factories import make_collection, make_tenant, put
from tests.mcp_app.fake_tools import make_message
from tests.running_nginx import NGINX, running_nginx
from tests.running_web_server import running_web_server

pytestmark = pytest.mark.django_db(transaction=True)

FEW = {"WEB_WORKERS": "1", "WEB_THREADS": "4", "MCP_RATE_LIMIT_REQUESTS": "1000000"}
PING = json.dumps(make_message("ping"))
HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
# Less than a stalled client is given: who waited for one would be too late.
PATIENCE_SECONDS = STALLED_SECONDS / 2


@pytest.fixture(scope="module")
def port(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[int]:
    """Of a web server that all these clients come to, one kind after the other. What it writes at its end is nothing for other tests."""
    with running_web_server(**FEW) as port:
        yield port
    with django_db_blocker.unblock():
        call_command("flush", interactive=False, verbosity=0)


def connect(port: int) -> http.client.HTTPConnection:
    return http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)


def ping(connection: http.client.HTTPConnection) -> int:
    connection.request("POST", "/mcp", PING, HEADERS)
    response = connection.getresponse()
    response.read()
    return response.status


@contextmanager
def opening(port: int, count: int, said: bytes = b"") -> Iterator[None]:
    """So many connections at once, each of which has said so much."""
    with ExitStack() as stack:
        for _ in range(count):
            client = stack.enter_context(closing(socket.create_connection(("127.0.0.1", port), PATIENCE_SECONDS)))
            client.sendall(said)
        yield


@pytest.mark.any_database
def test_connections_that_say_nothing_keep_nobody_waiting(port: int) -> None:
    with opening(port, 100), closing(connect(port)) as client:
        assert ping(client) == 200


@pytest.mark.any_database
def test_connections_that_are_kept_keep_nobody_waiting(port: int) -> None:
    with ExitStack() as stack:
        for _ in range(300):
            assert ping(stack.enter_context(closing(connect(port)))) == 200
        with closing(connect(port)) as client:
            assert ping(client) == 200


@contextmanager
def dripping(port: int, count: int, said: bytes) -> Iterator[None]:
    """So many clients that go on at 6 KB a second after they have said that."""
    done = Event()

    def drip(client: socket.socket) -> None:
        with suppress(OSError):
            while not done.wait(0.25):
                client.sendall(b" " * 1_500)

    with ExitStack() as stack:
        clients = [
            stack.enter_context(socket.create_connection(("127.0.0.1", port), PATIENCE_SECONDS)) for _ in range(count)
        ]
        threads = [Thread(target=drip, args=(client,)) for client in clients]
        for client, thread in zip(clients, threads, strict=True):
            client.sendall(said)
            thread.start()
        try:
            yield
        finally:
            done.set()
            for thread in threads:
                thread.join()


@pytest.mark.any_database
@pytest.mark.parametrize("length", [900_000, 9_000_000])
def test_messages_that_drip_in_keep_nobody_waiting(port: int, length: int) -> None:
    said = (
        f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    )
    with dripping(port, 4, said.encode()), closing(connect(port)) as client:
        assert [ping(client) for _ in range(3)] == [200] * 3


@pytest.mark.any_database
def test_answers_that_are_hardly_read_keep_nobody_waiting(port: int) -> None:
    put(
        make_collection("docs", tenant=make_tenant("acme"), is_public=True),
        {"a.md": "# A\n\n" + "words and more\n" * 200_000},
    )
    said = b"GET /docs/acme/docs/llms-full.txt HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with ExitStack() as stack:
        for _ in range(4):
            reader = stack.enter_context(socket.socket())
            reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            reader.connect(("127.0.0.1", port))
            reader.sendall(said)
            assert reader.recv(1)
        client = stack.enter_context(closing(connect(port)))
        assert [ping(client) for _ in range(3)] == [200] * 3


@pytest.mark.any_database
def test_the_refusal_of_a_large_body_is_seen_by_who_sends_it(port: int) -> None:
    with closing(connect(port)) as client:
        client.request("POST", "/mcp", b" " * 5_000_000, HEADERS)
        response = client.getresponse()
        assert (response.status, response.headers["Connection"]) == (413, "close")


@pytest.mark.any_database
def test_a_client_that_stays_after_the_end_keeps_nobody_waiting() -> None:
    """gunicorn would wait for each of them in the thread that takes connections."""
    said = b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
    with running_web_server(**FEW | {"WEB_THREADS": "8"}) as port:
        with closing(connect(port)) as client:
            assert ping(client) == 200  # the first of a process takes longer
        with opening(port, 6, said), closing(connect(port)) as client:
            began = time.monotonic()
            assert ping(client) == 200
            assert time.monotonic() - began < LINGER_SECONDS


@pytest.mark.any_database
def test_a_read_that_stalls_ends() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        set_limits(listener)
        for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
            assert int.from_bytes(listener.getsockopt(socket.SOL_SOCKET, option, 16)[:8], "little") == STALLED_SECONDS


@pytest.mark.skipif(not NGINX, reason="needs nginx: make test-services")
def test_nginx_holds_slow_and_idle_clients() -> None:
    with running_web_server(**FEW, TRUSTED_PROXIES="127.0.0.0/8") as web, running_nginx(web) as port:
        half = (
            b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{"
        )
        with (
            opening(port, 2_000),
            opening(port, 200, half[:40]),
            opening(port, 200, half),
            closing(connect(port)) as client,
        ):
            assert [ping(client) for _ in range(10)] == [200] * 10
