"""Processes that do jobs are killed: every file has a true outcome, nothing is half indexed or lost, and the job ends by itself."""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from unittest import mock

import pytest
from django.utils import timezone
from pytest_django.plugin import DjangoDbBlocker

from collections_app.jobs import ensure_directory_source, run_job, start_job, sweep_jobs
from collections_app.jobs.lifecycle import RUN_LOCK
from collections_app.jobs.run import Run
from collections_app.models import Document, FileOutcome, IngestJob
from docsmcp_site.configuration.config import PROJECT_ROOT
from tests.factories import make_collection
from tests.held_lock import wait_until_free
from tests.index_check import check_index, check_job
from tests.worker_environment import make_worker_environment

pytestmark = pytest.mark.django_db(transaction=True)

FILES = 200


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("docs")
    for n in range(FILES):
        (folder / f"{n:03}.md").write_text(f"# Page {n}\n\nshared words, word{n}\n\n## Sub\n\nmore of {n % 7}\n")
    return folder


Work = Callable[..., list[int]]


@pytest.fixture(scope="module")
def work(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Work]:
    """Does a job in a process of its own, which is killed before that many statements."""
    with django_db_blocker.unblock():
        environment = make_worker_environment()
    command, pipe = [sys.executable, "-m", "tests.job_worker"], subprocess.PIPE
    with subprocess.Popen(command, cwd=PROJECT_ROOT, env=environment, stdin=pipe, stdout=pipe, text=True) as workers:

        def work(job: IngestJob, limit: int | str = "") -> list[int]:
            """The statements that it sent, if it came to its end, and its exit code; when its database session has ended too."""
            print(job.pk, limit, file=workers.stdin, flush=True)
            assert workers.stdout
            said = workers.stdout.readline()
            wait_until_free(RUN_LOCK, job.source_id)
            return [int(number) for number in said.split()]

        yield work


def start(folder: Path) -> IngestJob:
    return start_job(ensure_directory_source(make_collection(), folder))


def sweep() -> int:
    """As half a minute later."""
    return sweep_jobs(timezone.now() + timedelta(seconds=31))


def test_a_worker_killed_at_any_moment_loses_nothing(folder: Path, work: Work) -> None:
    """Ten moments: five jobs, each of which dies twice."""
    job = start(folder)
    statements, code = work(job)
    assert (code, check_job(job)) == (0, {"indexed": FILES})
    moments = random.Random(4)
    for _ in range(5):
        job = start(folder)
        for _ in range(2):
            *_, code = work(job, moments.randint(1, statements))
            if code == 0:  # the second time there is less to do
                break
            assert code == -signal.SIGKILL
            check_index(job.collection)
            check_progress(job)
            sweep()
        run_job(job.pk)
        assert check_job(job) == {"indexed": FILES}
        assert (job.state, job.done) == ("succeeded", FILES)
        assert Document.objects.filter(collection=job.collection).count() == FILES
        check_index(job.collection)


def check_progress(job: IngestJob) -> None:
    """What a job says while nobody works on it: as many files as are there, none that is not."""
    job.refresh_from_db()
    written = set(Document.objects.filter(collection=job.collection).values_list("path", flat=True))
    told = set(FileOutcome.objects.filter(job=job, outcome="indexed").values_list("path", flat=True))
    assert told == written
    assert job.done == len(written)


def test_a_directory_that_is_gone_loses_no_document(folder: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(folder, tmp_path / "docs")
    source = ensure_directory_source(make_collection(), copy)
    run_job(start_job(source).pk)
    shutil.rmtree(copy)
    job = start_job(source)
    run_job(job.pk)
    assert not check_job(job)
    assert (job.state, job.error_code) == ("failed", "INVALID_PARAMETER")
    assert str(tmp_path) not in job.error_message
    assert Document.objects.filter(collection=source.collection, status="success").count() == FILES
    check_index(source.collection)


def test_a_directory_that_vanishes_while_it_is_read_loses_no_document(folder: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(folder, tmp_path / "docs")
    source = ensure_directory_source(make_collection(), copy)
    run_job(start_job(source).pk)
    (copy / "000.md").write_text("# Page 0\n\nnew\n")
    with mock.patch.object(Run, "enter_stage", side_effect=lambda stage: shutil.rmtree(copy, ignore_errors=True)):
        job = start_job(source)
        run_job(job.pk)
    assert check_job(job) == {"failed": FILES}
    assert job.state == "failed"
    assert Document.objects.filter(collection=source.collection, status="success").count() == FILES
    check_index(source.collection)


def test_a_job_whose_worker_always_dies_ends_and_says_what_it_did_not_reach(folder: Path, work: Work) -> None:
    job = start(folder)
    for moment in (60, 60, 60):
        assert work(job, moment) == [-signal.SIGKILL]
        assert sweep() == 1
    outcomes = check_job(job)
    assert (job.state, job.error_code) == ("failed", "WORKER_DIED")
    assert outcomes["not_reached"] > 0
    assert outcomes["indexed"] == job.done == Document.objects.count()
    assert sum(outcomes.values()) == FILES
    check_index(job.collection)
