"""The queue's real processes: they do jobs, survive a killed worker, and let nobody wait for a long job when they are told to end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone

from collections_app.jobs import NewUpload, accept_uploads, ensure_directory_source, start_job, sweep_jobs
from collections_app.models import Document, IngestJob
from docsmcp_site.config import PROJECT_ROOT
from tests.factories import make_collection
from tests.index_check import check_index, check_job
from tests.worker_environment import make_worker_environment

pytestmark = pytest.mark.django_db(transaction=True)

DEADLINE_SECONDS = 120
FILES = 3000


@contextmanager
def running_queue() -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "manage.py", "run_qcluster"]
    process = subprocess.Popen(command, cwd=PROJECT_ROOT, env=make_worker_environment(), start_new_session=True)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(DEADLINE_SECONDS)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("many")
    words = " ".join(f"word{n}" for n in range(300))
    for n in range(FILES):
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
            "SELECT client_port FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE locktype = 'advisory' AND objid = %s",
            [job.source_id],
        )
        (port,) = cursor.fetchone()
    return find_process_on(port)


def find_process_on(port: int) -> int:
    inode = next(
        line.split()[9]
        for line in Path("/proc/net/tcp").read_text().splitlines()[1:]
        if int(line.split()[1].rpartition(":")[2], 16) == port
    )
    for directory in Path("/proc").glob("[0-9]*/fd/*"):
        try:
            if directory.readlink().name == f"socket:[{inode}]":
                return int(directory.parts[2])
        except OSError:
            continue
    raise AssertionError("no process has this connection")


def test_it_ingests_what_was_uploaded() -> None:
    job = accept_uploads(make_collection(), [NewUpload("a.md", b"# A\n\nllamas\n")])
    with running_queue():
        wait_until(lambda: has_ended(job))
    assert check_job(job) == {"indexed": 1}


def test_a_job_whose_worker_is_killed_is_done_by_another(folder: Path) -> None:
    job = start_job(ensure_directory_source(make_collection(), folder))
    with running_queue():
        wait_until(lambda: has_begun(job))
        os.kill(find_busy_worker(job), signal.SIGKILL)
        wait_until(lambda: sweep_jobs(timezone.now() + timedelta(seconds=31)) == 1)
        wait_until(lambda: has_ended(job))
    assert check_job(job) == {"indexed": FILES}
    assert job.attempts == 2
    check_index(job.collection)


def test_a_job_is_put_back_when_the_queue_is_told_to_end(folder: Path) -> None:
    job = start_job(ensure_directory_source(make_collection(), folder))
    with running_queue():
        wait_until(lambda: has_begun(job))
    job.refresh_from_db()
    assert (job.state, job.attempts) == ("queued", 0)
    assert 0 < job.done == Document.objects.count() < FILES
    check_index(job.collection)
    with running_queue():
        wait_until(lambda: has_ended(job))
    assert check_job(job) == {"indexed": FILES}
