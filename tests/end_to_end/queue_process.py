"""The queue's processes as another program starts them, and what a test has to know of them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import connection

from collections_app.jobs.lifecycle import RUN_LOCK
from collections_app.models import IngestJob
from docsmcp_site.configuration.config import PROJECT_ROOT
from tests.worker_environment import make_worker_environment

DEADLINE_SECONDS = 240


@contextmanager
def running_queue(**settings: str) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "manage.py", "run_qcluster"]
    environment = make_worker_environment() | settings
    process = subprocess.Popen(command, cwd=PROJECT_ROOT, env=environment, start_new_session=True)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(DEADLINE_SECONDS)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def make_folder(folder: Path, files: int) -> Path:
    """Of pages that take a moment each."""
    words = " ".join(f"word{n}" for n in range(300))
    for n in range(files):
        (folder / f"{n:04}.md").write_text(f"# Page {n}\n\n{words}\n\n## Sub\n\nmore of {n}\n")
    return folder


def wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + DEADLINE_SECONDS
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def has_ended(job: IngestJob) -> bool:
    job.refresh_from_db()
    return job.state not in IngestJob.UNFINISHED


def has_begun(job: IngestJob) -> bool:
    job.refresh_from_db()
    return job.done > 0


def find_busy_worker(job: IngestJob) -> int:
    """The process behind the connection that holds the source: its backend's port leads to it."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT client_port, inet_server_port() FROM pg_locks JOIN pg_stat_activity USING (pid) "
            "WHERE locktype = 'advisory' AND classid = %s AND objid = %s AND datname = current_database()",
            [RUN_LOCK, job.source_id],
        )
        return find_process_on(*cursor.fetchone())


def find_process_on(port: int, server_port: int) -> int:
    """The client of a connection between these two ports of this machine."""
    inode = next(
        fields[9]
        for fields in map(str.split, Path("/proc/net/tcp").read_text().splitlines()[1:])
        if [int(address.rpartition(":")[2], 16) for address in fields[1:3]] == [port, server_port]
    )
    for directory in Path("/proc").glob("[0-9]*/fd/*"):
        try:
            if directory.readlink().name == f"socket:[{inode}]":
                return int(directory.parts[2])
        except OSError:
            continue
    raise AssertionError("no process has this connection")
