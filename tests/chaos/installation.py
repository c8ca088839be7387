"""The product's processes over given databases: web servers and queues, each started again when it ends, as systemd or Kubernetes would."""

# ruff: noqa: T201

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread

from benchmarks.processes import find_descendants
from docsmcp_site.configuration.config import PROJECT_ROOT, SETTING_NAMES
from docsmcp_site.configuration.loading import FLAGS_VARIABLE
from docsmcp_site.processes.listening import is_answering
from tests.free_ports import find_free_port

START_SECONDS = 120
STOP_SECONDS = 30
RESTART_SECONDS = 1.0


def make_environment(settings: Mapping[str, str]) -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if name != FLAGS_VARIABLE}
    return {
        **inherited,
        **dict.fromkeys(SETTING_NAMES, ""),
        "DJANGO_SETTINGS_MODULE": "docsmcp_site.settings",
        **settings,
    }


def run_command(settings: Mapping[str, str], *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=PROJECT_ROOT,
        env=make_environment(settings),
        check=False,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise SystemExit(f"{arguments[0]} ended with {done.returncode}:\n{done.stderr[-3000:]}")
    return done.stdout


class Kept:
    """A command of docsmcp that is started again a second after it ended."""

    def __init__(self, name: str, command: str, settings: Mapping[str, str], log: Path) -> None:
        self.name, self.command, self.settings, self.log = name, command, settings, log
        self.ends = Event()
        self.start()
        self.keeper = Thread(target=self.keep, daemon=True)
        self.keeper.start()

    def start(self) -> None:
        with self.log.open("ab") as stream:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", self.command],
                cwd=PROJECT_ROOT,
                env=make_environment(self.settings),
                stdout=stream,
                stderr=stream,
                start_new_session=True,
            )

    def keep(self) -> None:
        while not self.ends.wait(0.1):
            if self.process.poll() is not None:
                self.clear()
                if self.ends.wait(RESTART_SECONDS):
                    return
                self.start()

    def clear(self) -> None:
        """systemd kills what is left of a service's processes before it starts it again."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def find_children(self) -> list[int]:
        return find_descendants(self.process.pid)

    def stop(self) -> None:
        self.ends.set()
        self.keeper.join()
        self.process.terminate()
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            print(f"{self.name} did not end within {STOP_SECONDS} s", flush=True)
        self.clear()


class Web(Kept):
    def __init__(self, name: str, settings: Mapping[str, str], log: Path) -> None:
        self.port = find_free_port()
        super().__init__(name, "run_gunicorn", {**settings, "MCP_SERVER_PORT": str(self.port)}, log)
        deadline = time.monotonic() + START_SECONDS
        while not is_answering("127.0.0.1", self.port):
            if time.monotonic() > deadline:
                raise SystemExit(f"{name} did not start:\n{log.read_text()[-3000:]}")
            time.sleep(0.1)
