"""A real server for programs that check it from outside: `docsmcp up` on a data directory and a folder of its own.

Refuses to be quiet: when it does not start, what it logged is the error.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from docsmcp_site.configuration.config import PROJECT_ROOT, SETTING_NAMES
from docsmcp_site.configuration.loading import FLAGS_VARIABLE
from docsmcp_site.processes.stop_signals import listening_to_signals
from tests.free_ports import find_free_port
from tests.migrated import give_tables

START_SECONDS = 120
STOP_SECONDS = 30
COLLECTION = "handbook"
# A run of the conformance suite is about 120 requests in two seconds.
NO_LIMIT = {"MCP_RATE_LIMIT_REQUESTS": "1000000"}


@dataclass(frozen=True)
class RunningServer:
    """`url` is the MCP endpoint, `log` the file that the server writes its log to."""

    url: str
    key: str
    log: Path

    @property
    def oauth_url(self) -> str:
        """The endpoint for access tokens, where OAUTH_ENABLED is set."""
        return self.url.removesuffix("/mcp") + "/oauth/mcp"

    @property
    def admin_user(self) -> str:
        return self._read_first_run("admin_user")

    @property
    def admin_password(self) -> str:
        return self._read_first_run("admin_password")

    def _read_first_run(self, name: str) -> str:
        found: str = json.loads((self.log.parent / "data" / "first-run.json").read_text())[name]
        return found


@contextmanager
def running_server(
    pages: Mapping[str, str], settings_module: str = "docsmcp_site.settings", **environment: str
) -> Iterator[RunningServer]:
    """Serve `pages` (path → Markdown) as the collection `handbook`; `environment` has settings by name.

    A signal that ends this process ends the server first.
    """
    directory = Path(tempfile.mkdtemp(prefix="docsmcp-server-"))
    directory.chmod(0o711)  # when root runs this, the embedded server's account must get through
    try:
        write_pages(directory / COLLECTION, pages)
        give_tables(directory / "data")
        environment = {"DJANGO_SETTINGS_MODULE": settings_module, "LOG_FORMAT": "json", **NO_LIMIT, **environment}
        with (
            listening_to_signals(),
            start_process(directory, make_environment(directory, environment)) as server,
        ):
            yield server
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def write_pages(folder: Path, pages: Mapping[str, str]) -> None:
    folder.mkdir()
    for path, text in pages.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


def make_environment(directory: Path, environment: Mapping[str, str]) -> dict[str, str]:
    """Nothing of the developer's settings, and an empty value hides the line of a `.env`."""
    inherited = {name: value for name, value in os.environ.items() if name != FLAGS_VARIABLE}
    own = {"DATA_DIR": str(directory / "data"), "PYTHONPATH": str(PROJECT_ROOT)}
    return {**inherited, **dict.fromkeys(SETTING_NAMES, ""), **own, **environment}


@contextmanager
def start_process(directory: Path, environment: Mapping[str, str]) -> Iterator[RunningServer]:
    log = directory / "log"
    command = [sys.executable, str(PROJECT_ROOT / "manage.py"), "up", str(directory / COLLECTION), "--json"]
    with log.open("w") as stream:
        process = subprocess.Popen(
            [*command, "--port", str(find_free_port())],
            stdout=subprocess.PIPE,
            stderr=stream,
            env=dict(environment),
            cwd=directory,
        )
    try:
        ready = json.loads(wait_for_line(process) or "null")
        if ready is None:
            raise RuntimeError(f"The server did not start:\n{log.read_text()}")
        yield RunningServer(ready["url"], ready["api_key"], log)
    finally:
        process.terminate()
        try:
            process.communicate(timeout=STOP_SECONDS)
        finally:
            process.kill()


def wait_for_line(process: subprocess.Popen[bytes]) -> bytes:
    """The first line of its output; nothing if it ended, or took too long."""
    assert process.stdout
    readable, _, _ = select.select([process.stdout], [], [], START_SECONDS)
    return process.stdout.readline() if readable else b""
