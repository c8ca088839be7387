"""With REDIS_URL the queue's tasks are in Redis: the same promises hold, and what Redis loses is not lost."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import redis
from django.utils import timezone
from django_q.brokers import get_broker
from django_q.conf import Conf
from django_q.models import OrmQ, Schedule

from collections_app.jobs import (
    NewUpload,
    accept_uploads,
    cancel_job,
    ensure_directory_source,
    refresh_due_sources,
    start_job,
    sweep_jobs,
)
from collections_app.jobs.queue import list_waiting
from collections_app.models import Document, IngestJob
from docsmcp_site.database.preparation import REFRESH
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

REDIS = "TEST_REDIS_URL"
URL = f"{os.environ.get(REDIS, '')}/3"  # its own database of that Redis
FILES = 1500

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(REDIS not in os.environ, reason="needs Redis: make test-services"),
]


@pytest.fixture(autouse=True)
def client(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[redis.Redis]:
    """This process puts its tasks into Redis too."""
    settings.Q_CLUSTER = {**settings.Q_CLUSTER, "redis": URL}
    del settings.Q_CLUSTER["orm"]
    monkeypatch.setattr(Conf, "ORM", None)
    monkeypatch.setattr(Conf, "REDIS", URL)
    with redis.from_url(URL) as client:
        client.flushdb()
        yield client
        client.flushdb()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_folder(tmp_path_factory.mktemp("many"), FILES)


def upload(text: str = "llamas") -> IngestJob:
    return accept_uploads(make_collection(), [NewUpload("a.md", f"# A\n\n{text}\n".encode())])


def count_waiting() -> int:
    size: int = get_broker().queue_size()
    return size


def sweep_after(seconds: int) -> int:
    return sweep_jobs(timezone.now() + timedelta(seconds=seconds))


def test_it_ingests_what_was_uploaded() -> None:
    job = upload()
    assert (count_waiting(), OrmQ.objects.count()) == (1, 0)
    with running_queue(REDIS_URL=URL):
        wait_until(lambda: has_ended(job))
    assert check_job(job) == {"indexed": 1}


def test_what_redis_lost_is_done_all_the_same(client: redis.Redis) -> None:
    jobs = [upload(f"word{n}") for n in range(5)]
    client.flushdb()
    later = upload("later")
    assert sweep_after(59) == 0
    assert sweep_after(61) == 5  # and not the one whose task waits
    assert count_waiting() == 6
    with running_queue(REDIS_URL=URL):
        wait_until(lambda: all(map(has_ended, [*jobs, later])))
    assert [check_job(job) for job in [*jobs, later]] == [{"indexed": 1}] * 6


def test_an_upload_is_taken_while_redis_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as away:
        away.setattr(Conf, "REDIS", "redis://127.0.0.1:1")
        job = upload()
    assert job.state == "queued"
    assert sweep_after(61) == 1
    with running_queue(REDIS_URL=URL):
        wait_until(lambda: has_ended(job))
    assert check_job(job) == {"indexed": 1}


def test_a_source_that_is_due_is_read_by_the_schedule(folder: Path) -> None:
    source = ensure_directory_source(make_collection(), folder, refresh_interval_seconds=3600)

    def make_due() -> bool:
        """As soon as the queue has put it off for a minute, as it does when it starts."""
        put_off = Schedule.objects.filter(name=REFRESH, next_run__gt=timezone.now() + timedelta(seconds=30))
        return bool(put_off.update(next_run=timezone.now()))

    with running_queue(REDIS_URL=URL):
        wait_until(make_due)
        wait_until(lambda: source.jobs.filter(state="succeeded").exists())
    assert source.jobs.get().requested_by == "schedule"
    assert refresh_due_sources() == 0
    assert Document.objects.count() == FILES


def test_a_job_is_cancelled_queued_and_running(folder: Path) -> None:
    running = start_job(ensure_directory_source(make_collection(), folder))
    queued = upload()
    assert cancel_job(queued).state == "cancelled"
    with running_queue(REDIS_URL=URL):
        wait_until(lambda: has_begun(running))
        cancel_job(running)
        wait_until(lambda: has_ended(running))
    outcomes = check_job(running)
    assert running.state == "cancelled"
    assert outcomes["indexed"] + outcomes["cancelled"] == FILES
    assert list(queued.outcomes.values_list("outcome", flat=True)) == ["cancelled"]
    check_index(running.collection)


def test_a_job_whose_worker_is_killed_is_done_by_another(folder: Path) -> None:
    job = start_job(ensure_directory_source(make_collection(), folder))
    with running_queue(REDIS_URL=URL):
        wait_until(lambda: has_begun(job))
        os.kill(find_busy_worker(job), signal.SIGKILL)
        wait_until(lambda: sweep_after(31) == 1)
        wait_until(lambda: has_ended(job))
    assert check_job(job) == {"indexed": FILES}
    assert job.attempts == 2
    check_index(job.collection)


def test_a_job_is_put_back_when_the_queue_is_told_to_end(folder: Path) -> None:
    job = start_job(ensure_directory_source(make_collection(), folder))
    with running_queue(REDIS_URL=URL):
        wait_until(lambda: has_begun(job))
    job.refresh_from_db()
    assert (job.state, job.attempts, list_waiting()) == ("queued", 0, {job.pk})
    with running_queue(REDIS_URL=URL):
        wait_until(lambda: has_ended(job))
    assert check_job(job) == {"indexed": FILES}
