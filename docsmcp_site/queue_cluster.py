"""The queue's processes: a django-q2 cluster that ends when it is told to, and does not stay when it cannot work.

Owns what stands between us and two faults of django-q2 1.11: its signal handler may wait for a lock that the
interrupted code holds (issue 346), and an idle worker that is killed takes the lock of the queue along, so that no
task is ever worked on again (issue 23). Jobs are told when it stops; what they do then is theirs.
"""

from __future__ import annotations

import logging
import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from django_q import cluster as django_q_cluster

from collections_app import jobs

POLL_SECONDS = 0.1
IDLE = -1  # what the timer of a worker says


class Sentinel(django_q_cluster.Sentinel):  # type: ignore[misc]  # django-q2 has no types
    """Watches the workers, in a process of its own. They inherit its signal handlers."""

    def __init__(self, *args: Any, **options: Any) -> None:
        signal.signal(signal.SIGUSR1, lambda *_: jobs.request_stop())
        super().__init__(*args, **options)

    def stop(self) -> None:
        """Nobody waits for a job to end, which may take hours: it is put back, and goes on after the next start."""
        for worker in self.pool:
            with suppress(ProcessLookupError):
                os.kill(worker.pid, signal.SIGUSR1)
        super().stop()

    def reincarnate(self, process: Any) -> None:
        if process in self.pool and process.timer.value == IDLE:
            raise SystemExit("An idle worker of the queue was killed: the queue has to be started anew.")
        super().reincarnate(process)


class Stopper:
    """Remembers that a signal came. What it asks for is done outside of the handler."""

    def __init__(self) -> None:
        self.is_asked = False
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self.ask)

    def ask(self, *_: object) -> None:
        self.is_asked = True


def run(on_running: Callable[[], object]) -> bool:
    """Work on tasks until SIGTERM or SIGINT; jobs that run then are put back. False if the cluster ended by itself."""
    quieten()
    django_q_cluster.Sentinel = Sentinel  # Cluster takes it from there.
    cluster = django_q_cluster.Cluster()
    stopper = Stopper()  # after Cluster, which installs the handler in question
    cluster.start()
    on_running()
    while cluster.sentinel.is_alive():
        if stopper.is_asked:
            cluster.stop()
            return True
        time.sleep(POLL_SECONDS)
    return False


def quieten() -> None:
    """django-q2 says several lines at every task: they are for LOG_LEVEL=DEBUG."""
    if not logging.getLogger().isEnabledFor(logging.DEBUG):
        logging.getLogger("django-q").setLevel(logging.WARNING)
