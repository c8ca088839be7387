"""The web server alone, on the tests' database: gunicorn as it is shipped, in processes of its own."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from docsmcp_site.configuration.config import PROJECT_ROOT
from docsmcp_site.processes.listening import is_answering
from tests.free_ports import find_free_port
from tests.worker_environment import make_worker_environment

DEADLINE_SECONDS = 240


@contextmanager
def running_web_server(**settings: str) -> Iterator[int]:
    """Its port. `settings` by their names."""
    port = find_free_port()
    command = [sys.executable, "manage.py", "run_gunicorn"]
    environment = make_worker_environment() | {"MCP_SERVER_PORT": str(port)} | settings
    process = subprocess.Popen(command, cwd=PROJECT_ROOT, env=environment)
    try:
        wait_for_answer(process, port)
        yield port
    finally:
        process.terminate()
        process.wait(DEADLINE_SECONDS)


def wait_for_answer(process: subprocess.Popen[bytes], port: int) -> None:
    deadline = time.monotonic() + DEADLINE_SECONDS
    while not is_answering("127.0.0.1", port):
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.05)
