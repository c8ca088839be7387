"""Metrics of a web server of several processes: together they tell all that happened, whichever is asked."""

from __future__ import annotations

import http.client
import json
import os
import signal
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.end_to_end.queue_process import wait_until
from tests.mcp_app.fake_tools import make_message
from tests.running_web_server import running_web_server

pytestmark = pytest.mark.django_db(transaction=True)

CALLS = 60
WORKERS = 3
PING = json.dumps(make_message("ping"))
HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


def ask(port: int, method: str, path: str, body: str | None = None) -> bytes:
    """On a connection of its own, so that any process may get it."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=240)
    connection.request(method, path, body, HEADERS)
    response = connection.getresponse()
    assert response.status == 200
    content = response.read()
    connection.close()
    return content


def read_pings(port: int) -> float:
    text = ask(port, "GET", "/metrics").decode()
    families = text_string_to_metric_families(text)
    found = [
        s.value for f in families for s in f.samples if s.name == "docsmcp_calls_total" and s.labels["call"] == "ping"
    ]
    return sum(found)


def test_every_process_tells_what_all_have_counted(tmp_path: Path) -> None:
    settings = {
        "WEB_WORKERS": str(WORKERS),
        "MCP_RATE_LIMIT_REQUESTS": "1000000",
        "PROMETHEUS_MULTIPROC_DIR": str(tmp_path),
    }
    with running_web_server(**settings) as port:
        for _ in range(CALLS):
            ask(port, "POST", "/mcp", PING)
        told = {read_pings(port) for _ in range(5 * WORKERS)}
        assert told == {CALLS}
        counting = find_counting(tmp_path)
        assert len(counting) > 1  # more than one process was asked
        for process_id in counting:
            os.kill(process_id, signal.SIGKILL)
        wait_until(lambda: not counting & find_counting(tmp_path))
        assert {read_pings(port) for _ in range(5 * WORKERS)} == {CALLS}  # what ended processes counted still counts


def find_counting(directory: Path) -> set[int]:
    """The processes that have files of their own, but for the one above them; 0 is that of the ended ones."""
    process_ids = {int(path.stem.rpartition("_")[2]) for path in directory.glob("counter_*.db")} - {0}
    return process_ids - {find_parent(process_id) for process_id in process_ids}


def find_parent(process_id: int) -> int:
    try:
        return int(Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0
