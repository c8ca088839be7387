"""Servers for the time of a measurement: this product's, a peer's, and a client that calls their tools."""

from __future__ import annotations

import http.client
import itertools
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, perf_counter, sleep
from typing import Any
from urllib.parse import urlsplit

START_SECONDS = 60


@contextmanager
def serve(docs: Path, data: Path, **settings: str) -> Iterator[tuple[dict[str, str], subprocess.Popen[str]]]:
    """`docsmcp up`, ready; gives what it printed. The rate limit is lifted."""
    port = str(find_free_port())
    command = [sys.executable, "-m", "docsmcp_site.command_line", "up", str(docs), "--json"]
    command += ["--data-dir", str(data), "--port", port]
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    environment |= {"MCP_RATE_LIMIT_REQUESTS": "1000000", "LOG_LEVEL": "WARNING", **settings}
    began = perf_counter()
    with run(command, environment) as process:
        assert process.stdout
        line = process.stdout.readline()
        if not line:
            raise SystemExit("docsmcp up did not get ready")
        print(f"ready after {perf_counter() - began:.1f} s")
        yield json.loads(line), process


@contextmanager
def serve_fts5(docs: Path, data: Path, processes: int) -> Iterator[tuple[str, int]]:
    """The official SDK over SQLite's FTS5: its address, and its first process."""
    port = find_free_port()
    command = [sys.executable, "-m", "benchmarks.peers.fts5_server", str(docs), str(data), str(port), str(processes)]
    with run(command, dict(os.environ)) as process:
        wait_for_port(port)
        yield f"http://127.0.0.1:{port}/mcp", process.pid


@contextmanager
def run(command: list[str], environment: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


def find_free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def wait_for_port(port: int) -> None:
    deadline = monotonic() + START_SECONDS
    while monotonic() < deadline:
        with socket.socket() as caller:
            if caller.connect_ex(("127.0.0.1", port)) == 0:
                return
        sleep(0.1)
    raise SystemExit("The peer's server did not get ready")


class Client:
    """Calls tools over one connection."""

    def __init__(self, url: str, key: str) -> None:
        self.address = urlsplit(url)
        self.headers = {
            "Authorization": f"Bearer {key}",
            "Content-Type": "application/json",
            "Accept": "application/json",
        }
        self.connection = http.client.HTTPConnection(self.address.hostname or "", self.address.port)
        self.ids = itertools.count()

    def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        params = {"name": tool, "arguments": {**arguments, "format": "json"}}
        body = json.dumps({"jsonrpc": "2.0", "id": next(self.ids), "method": "tools/call", "params": params})
        self.connection.request("POST", self.address.path, body, self.headers)
        answer = json.loads(self.connection.getresponse().read())
        if "result" not in answer or answer["result"].get("isError"):
            raise SystemExit(f"{tool} failed: {answer}")
        result: dict[str, Any] = answer["result"]["structuredContent"]
        return result
