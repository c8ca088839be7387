"""The queue's real processes: they do jobs, survive a killed worker, and let nobody wait for a long job when they are told to end."""

from __future__ import annotations

import os
import signal
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from collections_app.jobs import NewUpload, accept_uploads, ensure_directory_source, start_job, sweep_jobs
from collections_app.models import Document
from tests.end_to_end.queue_process import (
    find_busy_worker,
    has_begun,
    has_ended,
    make_folder,
    running_queue,
    wait_until,
)
from tests.factories import make_collection
from tests.index_check import check_index, check_job

pytestmark = pytest.mark.django_db(transaction=True)

FILES = 500


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_folder(tmp_path_factory.mktemp("many"), FILES)


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


def test_an_upload_does_not_wait_for_as_many_long_jobs_as_there_are_workers(folder: Path) -> None:
    long = [start_job(ensure_directory_source(make_collection(), folder)) for _ in range(3)]
    with running_queue(QUEUE_WORKERS="2"):
        wait_until(lambda: sum(map(has_begun, long)) == 2)
        upload = accept_uploads(make_collection(), [NewUpload("a.md", b"# A\n\nllamas\n")])
        wait_until(lambda: has_ended(upload))
        assert not any(map(has_ended, long))
        assert sorted(job.state for job in long) == ["queued", "running", "running"]
        wait_until(lambda: all(map(has_ended, long)))
    assert [check_job(job) for job in long] == [{"indexed": FILES}] * 3
