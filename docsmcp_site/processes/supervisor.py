"""Starts services as child processes, keeps them running, and ends each with every process that it started.

Owns processes and time; a Service says what to run and when it is ready. Gives up, by StartError, on a service that
ends time and again without ever having been ready. Single-threaded: the owner of a Supervisor calls `tend` regularly,
which raises KeyboardInterrupt if a stop is requested.

A service leads a session of its own: a Ctrl-C at the terminal reaches the supervisor alone, and processes that a service
leaves behind are found by its process group. What services print goes to standard error.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

import structlog

from docsmcp_site.exceptions import StartError
from docsmcp_site.processes.stop_signals import StopRequest

logger = structlog.get_logger(__name__)

LEASH = Path(__file__).with_name("leash.py")
STANDARD_ERROR = 2
POLL_SECONDS = 0.05
START_ATTEMPTS = 3


@dataclass(frozen=True)
class Service:
    """`name` is how sentences call it; `is_ready` is asked until it says yes; `descriptors` are open files that it inherits."""

    name: str
    command: Sequence[str]
    is_ready: Callable[[], bool]
    descriptors: tuple[int, ...] = ()


@dataclass(frozen=True)
class Timing:
    """Time limits. The delay before a restart doubles from the first to the longest."""

    first_delay_seconds: float = 0.5
    longest_delay_seconds: float = 30.0
    start_seconds: float = 120.0
    stop_seconds: float = 8.0


class Child:
    """A service and its current process, if any."""

    def __init__(self, service: Service, timing: Timing) -> None:
        self.service = service
        self.timing = timing
        self.process: subprocess.Popen[bytes] | None = None
        self.has_been_ready = False
        self.failures = 0
        self.started = 0.0
        self.next_start = 0.0

    def tend(self, leash: int) -> None:
        if self.process is None:
            if time.monotonic() >= self.next_start:
                self.start(leash)
        elif (status := self.process.poll()) is not None:
            self.clear()
            self.plan_restart(status)

    def start(self, leash: int) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(LEASH), str(leash), *self.service.command],
            stdin=subprocess.DEVNULL,
            stdout=STANDARD_ERROR,
            pass_fds=(leash, *self.service.descriptors),
            start_new_session=True,
        )
        self.started = time.monotonic()

    def clear(self) -> None:
        """Kills what is left of the process and of everything that it started."""
        if self.process:
            # macOS raises PermissionError for a group without living processes.
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None

    def plan_restart(self, status: int) -> None:
        if self.has_been_ready and time.monotonic() - self.started > self.timing.longest_delay_seconds:
            self.failures = 0
        self.failures += 1
        how = f"signal {-status}" if status < 0 else f"exit code {status}"
        if not self.has_been_ready and self.failures == START_ATTEMPTS:
            raise StartError(f"The {self.service.name} does not start ({how}): its messages above say why.")
        delay = min(self.timing.first_delay_seconds * 2 ** (self.failures - 1), self.timing.longest_delay_seconds)
        self.next_start = time.monotonic() + delay
        logger.error("service_ended", service=self.service.name, how=how, restart_seconds=delay)

    def ask_if_ready(self) -> bool:
        self.has_been_ready = self.has_been_ready or (self.process is not None and self.service.is_ready())
        return self.has_been_ready


class Supervisor:
    """Tends services from the first `tend` to the end of the `with` block, which stops them."""

    def __init__(
        self, services: Sequence[Service], stop_request: StopRequest | None = None, timing: Timing | None = None
    ) -> None:
        self.stop_request = stop_request or StopRequest()
        self.timing = timing or Timing()
        self.children = [Child(service, self.timing) for service in services]

    def __enter__(self) -> Self:
        self.leash, self.leash_holder = os.pipe()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.stop()
        finally:
            os.close(self.leash)
            os.close(self.leash_holder)

    def tend(self) -> None:
        """Starts what is due, clears up after what has ended. Never waits. Raises StartError, or KeyboardInterrupt on a stop request."""
        self.stop_request.check()
        for child in self.children:
            child.tend(self.leash)
        bury_orphans({child.process.pid for child in self.children if child.process})

    def wait_until_ready(self, is_excused: Callable[[], bool] = lambda: False) -> None:
        """Waits until every service has been ready once. At the deadline raises StartError, or waits as long again if `is_excused`."""
        deadline = time.monotonic() + self.timing.start_seconds
        while waiting := [child for child in self.children if not child.ask_if_ready()]:
            self.tend()
            if time.monotonic() > deadline:
                if is_excused():
                    deadline = time.monotonic() + self.timing.start_seconds
                    continue
                names = " and the ".join(child.service.name for child in waiting)
                raise StartError(f"The {names} did not get ready in {self.timing.start_seconds:.0f} seconds.")
            time.sleep(POLL_SECONDS)

    def tend_for(self, seconds: float) -> None:
        """Tends for so long; to be used instead of sleeping. Raises what `tend` does."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self.tend()
            time.sleep(POLL_SECONDS)

    def stop(self) -> None:
        """Asks every service to end, waits for a while, kills what is left."""
        processes = [child.process for child in self.children if child.process]
        deadline = time.monotonic() + self.timing.stop_seconds
        try:
            for process in processes:
                process.terminate()
            while any(process.poll() is None for process in processes) and time.monotonic() < deadline:
                time.sleep(POLL_SECONDS)
        finally:
            for child in self.children:
                child.clear()


def bury_orphans(own: set[int]) -> None:
    """As process 1 of a container we inherit every process whose parent has died, and must not leave them as zombies.

    Stops at an ended child of our own, whose status is for its Popen; processes behind it are cleared the next time.
    """
    if os.getpid() != 1:
        return
    with suppress(ChildProcessError):
        while ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            if ended.si_pid in own:
                return
            os.waitpid(ended.si_pid, 0)
