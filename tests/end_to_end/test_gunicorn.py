"""The endpoint behind the server that it ships with: bodies of every kind, and clients that hang up."""

from __future__ import annotations

import http.client
import json
import os
import re
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from mcp_app.transports.views import MAX_BODY_BYTES
from tests.docsmcp_site.embedded_server import make_open_dir
from tests.mcp_app.fake_tools import make_message

PING = json.dumps(make_message("ping", id=41)).encode()
HEAD = b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
DEADLINE_SECONDS = 240


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """Where gunicorn listens. In the end its log must hold no traceback."""
    for directory in make_open_dir():
        log = directory / "log"
        with serving(directory, log) as port:
            yield port
        written = log.read_text()
    assert "Traceback" not in written


@contextmanager
def serving(directory: Path, log: Path) -> Iterator[int]:
    arguments = [
        "--bind",
        "127.0.0.1:0",
        "--workers",
        "1",
        "--worker-class",
        "gthread",
        "--threads",
        "2",
        "--no-control-socket",
    ]
    environment = os.environ | {"DATA_DIR": str(directory), "DJANGO_SETTINGS_MODULE": "docsmcp_site.settings"}
    with log.open("wb") as stream:
        process = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", *arguments, "tests.end_to_end.fake_site:application"],
            stdout=stream,
            stderr=stream,
            env=environment,
        )
    try:
        yield wait_for_port(process, log)
    finally:
        process.terminate()
        process.wait(DEADLINE_SECONDS)


def wait_for_port(process: subprocess.Popen[bytes], log: Path) -> int:
    deadline = time.monotonic() + DEADLINE_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        if match := re.search(r"Listening at: http://127\.0\.0\.1:(\d+)", log.read_text()):
            return int(match[1])
        time.sleep(0.05)
    raise AssertionError(log.read_text())


def post(port: int, body: Any, **headers: str) -> tuple[int, Any]:
    """The status and the JSON answer; an iterable body goes out in chunks."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=DEADLINE_SECONDS)
    try:
        connection.request("POST", "/mcp", body, {"Content-Type": "application/json", **headers})
        response = connection.getresponse()
        return response.status, json.loads(response.read())
    finally:
        connection.close()


def send_and_hang_up(port: int, request: bytes) -> None:
    """Send bytes, then reset the connection without waiting for anything."""
    with socket.create_connection(("127.0.0.1", port), DEADLINE_SECONDS) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.sendall(request)


@pytest.mark.parametrize("body", [PING, [PING], [PING[:10], PING[10:]]], ids=["whole", "chunk", "chunks"])
def test_a_body_may_come_whole_or_in_chunks(port: int, body: Any) -> None:
    assert post(port, body) == (200, {"jsonrpc": "2.0", "id": 41, "result": {}})


@pytest.mark.parametrize("megabytes", [2, 8, 40])
@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_that_is_too_large_is_refused_and_the_client_gets_to_know(
    port: int, megabytes: int, chunked: bool
) -> None:
    pieces = [PING, *[b" " * MAX_BODY_BYTES] * megabytes]
    try:
        status, answer = post(port, pieces if chunked else b"".join(pieces))
    except (BrokenPipeError, ConnectionResetError):
        assert megabytes >= 8  # nobody reads on for ever
    else:
        # Of a body whose length is announced nothing is read, so not the id either.
        assert (status, answer["error"]["code"], answer.get("id")) == (413, -31413, 41 if chunked else None)
    assert post(port, PING)[0] == 200


@pytest.mark.parametrize(
    "request_bytes",
    [
        HEAD + b"Content-Length: 1000\r\n\r\n" + PING,
        HEAD + b"Content-Length: 1000\r\n\r\n",
        HEAD + f"Content-Length: {len(PING)}\r\n\r\n".encode() + PING,
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\nZZ\r\n{",
        HEAD,
    ],
    ids=["mid-body", "no body", "before the answer", "mid-chunk", "bad chunk", "mid-headers"],
)
def test_clients_that_hang_up_harm_no_other(port: int, request_bytes: bytes) -> None:
    for _ in range(6):
        send_and_hang_up(port, request_bytes)
    assert post(port, PING) == (200, {"jsonrpc": "2.0", "id": 41, "result": {}})


def test_broken_chunks_are_a_bad_request(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), DEADLINE_SECONDS) as connection:
        connection.sendall(HEAD + b"Transfer-Encoding: chunked\r\n\r\nZZ\r\n{\r\n0\r\n\r\n")
        assert connection.recv(100).startswith(b"HTTP/1.1 400 ")


def make_reporting_request(steps: int) -> bytes:
    """One whole HTTP request for a call that reports so many times before it answers."""
    call = {"name": "report_progress", "arguments": {"steps": steps}, "_meta": {"progressToken": "p"}}
    body = json.dumps(make_message("tools/call", call)).encode()
    return HEAD + f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body


def test_progress_arrives_as_events_and_the_stream_ends_with_the_answer(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), DEADLINE_SECONDS) as connection:
        connection.sendall(make_reporting_request(3))
        response = http.client.HTTPResponse(connection)
        response.begin()
        events = response.read().decode().split("\n\n")
    assert response.getheader("Content-Type") == "text/event-stream"
    assert events.pop() == ""
    assert [event.split("\n")[0] for event in events] == ["event: message"] * 4
    answer = json.loads(events[-1].partition("data: ")[2])
    assert answer["result"]["content"][0]["text"] == "steps=3"


def test_clients_that_leave_a_stream_harm_no_other(port: int) -> None:
    for _ in range(6):
        with socket.create_connection(("127.0.0.1", port), DEADLINE_SECONDS) as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.sendall(make_reporting_request(200_000))
            assert connection.recv(12) == b"HTTP/1.1 200"
    assert post(port, PING)[0] == 200
