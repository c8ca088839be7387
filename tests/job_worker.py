"""`python -m tests.job_worker JOB [LIMIT [VICTIM]]`: do a queued job in a process of its own, as a worker of the queue does.

With LIMIT the victim is killed, as by `kill -9`, before so many statements are sent to the database: this process (`worker`, the default)
or PostgreSQL (`database`). Prints how many statements it has sent.

Without arguments it reads them, line by line, and does each job in a process that it forks with everything imported. Behind what that one
prints it writes its exit code.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import django

TIMEOUT_SECONDS = 600


def main(job_id: int, limit: int | None = None, victim: str = "worker") -> None:
    django.setup()
    from django.db import connection

    from collections_app.ingest import batches
    from collections_app.jobs import run_job

    batches.BATCH_DOCUMENTS = 10
    numbers = count(1)
    sent = 0

    def kill_at_limit(execute: Callable[..., Any], *arguments: Any) -> Any:
        nonlocal sent
        sent = next(numbers)
        if sent == limit:
            own_server = connection.connection.info.backend_pid
            os.kill(os.getpid() if victim == "worker" else get_parent(own_server), signal.SIGKILL)
        return execute(*arguments)

    with connection.execute_wrapper(kill_at_limit):
        run_job(job_id)
    sys.stdout.write(f"{sent} ")


def get_parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def serve() -> None:
    django.setup()
    for line in sys.stdin:
        if not (process := os.fork()):
            signal.alarm(TIMEOUT_SECONDS)
            run(*line.split())
            return
        sys.stdout.write(f"{os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])}\n")
        sys.stdout.flush()


def run(job: str, *rest: str) -> None:
    main(int(job), *(int(value) if value.isdecimal() else value for value in rest))  # type: ignore[arg-type]


if __name__ == "__main__":
    run(*sys.argv[1:]) if sys.argv[1:] else serve()
