"""What the queue does each minute: nothing stays undone because its process or its task was lost."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from django_q.models import OrmQ

from collections_app.jobs import lifecycle, refresh_due_sources, run_job, start_job, sweep_jobs, upkeep
from collections_app.models import IngestJob, Source
from collections_app.reports.sources import list_sources
from tests.collections_app.jobs.readings import FakeReading, make_files, make_source, use_reading
from tests.factories import make_collection
from tests.held_lock import held_lock
from tests.index_check import check_job

pytestmark = pytest.mark.django_db


@pytest.fixture
def source() -> Source:
    return make_source(make_collection())


def die(source: Source, **columns: Any) -> IngestJob:
    """A job of which nothing is left but its row."""
    values = {"state": "running", "attempts": 1, "heartbeat": timezone.now(), "listed": ["a.md", "b.md"], **columns}
    return IngestJob.objects.create(
        tenant_id=source.tenant_id, collection_id=source.collection_id, source=source, **values
    )


def sweep_after(seconds: int) -> int:
    return sweep_jobs(timezone.now() + timedelta(seconds=seconds))


def list_tasks() -> list[int]:
    return [task.task["args"][0] for task in OrmQ.objects.order_by("pk")]


def test_a_job_that_fell_silent_is_queued_again_and_goes_on(source: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    job = die(source)
    assert sweep_after(29) == 0
    assert sweep_after(31) == 1
    job.refresh_from_db()
    assert (job.state, list_tasks()) == ("queued", [job.pk])
    use_reading(monkeypatch, FakeReading(make_files(2)))
    run_job(job.pk)
    assert check_job(job) == {"indexed": 2}
    assert job.attempts == 2


def test_the_third_death_is_the_last(source: Source) -> None:
    job = die(source, attempts=3)
    assert sweep_after(31) == 1
    assert check_job(job) == {"not_reached": 2}
    assert (job.state, job.error_code) == ("failed", "WORKER_DIED")
    assert not list_tasks()


def test_what_a_command_ran_is_not_run_again_by_the_queue(source: Source) -> None:
    job = die(source, attempts=0)
    sweep_after(31)
    assert check_job(job) == {"not_reached": 2}
    assert job.state == "failed"


def test_a_dead_job_that_was_to_be_cancelled_is(source: Source) -> None:
    job = die(source, cancel_requested=True)
    sweep_after(31)
    assert check_job(job) == {"cancelled": 2}
    assert job.state == "cancelled"


def test_the_job_queued_behind_a_dead_one_does_what_was_left(source: Source) -> None:
    job = die(source, only=["a.md", "b.md"])
    follower = start_job(source, only=["c.md"], follow=True)
    sweep_after(31)
    assert check_job(job) == {"not_reached": 2}
    assert str(follower.pk) in job.error_message
    follower.refresh_from_db()
    assert follower.only == ["a.md", "b.md", "c.md"]


def test_what_a_dead_job_was_to_remove_is_removed_by_the_one_behind_it(source: Source) -> None:
    die(source, prune=True, accepts_removals=True)
    follower = start_job(source, only=["c.md"], follow=True)
    sweep_after(31)
    follower.refresh_from_db()
    assert (follower.only, follower.prune, follower.accepts_removals) == (None, True, True)


def test_what_a_dead_job_over_some_files_accepts_is_not_accepted_of_all(source: Source) -> None:
    die(source, only=["a.md"], accepts_removals=True)
    follower = start_job(source, follow=True)
    sweep_after(31)
    follower.refresh_from_db()
    assert (follower.only, follower.prune, follower.accepts_removals) == (None, True, False)


@pytest.mark.django_db(transaction=True)
def test_a_silent_job_whose_process_lives_is_left_alone(source: Source) -> None:
    job = die(source)
    with held_lock(lifecycle.RUN_LOCK, source.pk):
        assert sweep_after(3600) == 0
    job.refresh_from_db()
    assert job.state == "running"


def test_a_task_that_was_lost_is_made_again_and_no_task_is_made_twice(source: Source) -> None:
    job = start_job(source)
    assert sweep_after(61) == 0  # its task waits
    OrmQ.objects.all().delete()
    assert sweep_after(59) == 0  # it may be on its way
    assert sweep_after(61) == 1
    assert sweep_after(61) == 0
    assert list_tasks() == [job.pk]


def test_a_lost_task_is_made_again_while_others_wait(source: Source) -> None:
    lost, other = start_job(source), start_job(make_source(make_collection()))
    OrmQ.objects.order_by("pk")[:1].get().delete()
    OrmQ.objects.create(key="docsmcp", payload="of another program", lock=timezone.now())
    assert sweep_after(61) == 1
    OrmQ.objects.filter(payload="of another program").delete()
    assert list_tasks() == [other.pk, lost.pk]


def test_a_task_that_a_lost_worker_had_in_hand_is_made_again(source: Source) -> None:
    job = start_job(source)
    OrmQ.objects.update(lock=timezone.now() + timedelta(days=1))
    assert sweep_after(61) == 1
    assert list_tasks() == [job.pk, job.pk]


def test_a_source_is_read_again_when_its_interval_has_passed(source: Source) -> None:
    source.refresh_interval_seconds = 300
    source.save()
    assert refresh_due_sources() == 1
    job = IngestJob.objects.get()
    assert (job.prune, job.requested_by) == (True, "schedule")
    IngestJob.objects.update(state="succeeded")
    assert refresh_due_sources() == 0
    IngestJob.objects.update(created=timezone.now() - timedelta(seconds=301))
    assert refresh_due_sources() == 1


def test_a_retry_of_some_files_puts_off_no_refresh(source: Source) -> None:
    Source.objects.update(refresh_interval_seconds=300)
    assert refresh_due_sources() == 1
    IngestJob.objects.update(state="partial", created=timezone.now() - timedelta(seconds=301))
    start_job(source, only=["a.md"])
    IngestJob.objects.filter(state="queued").update(state="succeeded")
    (report,) = list_sources([source.collection])
    assert report.is_due(timezone.now())
    assert refresh_due_sources() == 1


@pytest.mark.parametrize("columns", [{"auto_index": False}, {"refresh_interval_seconds": 0}, {"kind": "upload"}])
def test_a_source_that_is_not_to_be_polled_is_not(source: Source, columns: dict[str, Any]) -> None:
    Source.objects.update(**{"refresh_interval_seconds": 300, **columns})
    assert refresh_due_sources() == 0


def test_a_due_source_with_an_unfinished_job_waits_for_it(source: Source) -> None:
    Source.objects.update(refresh_interval_seconds=300)
    die(source)
    IngestJob.objects.update(created=timezone.now() - timedelta(hours=1))
    assert refresh_due_sources() == 0


def test_a_job_that_could_not_tell_of_its_files_does_so_later(source: Source) -> None:
    job = die(source)
    lifecycle.close_without_outcomes(job, "DISK_FULL", "the disk is full")
    assert sweep_after(0) == 1
    assert check_job(job) == {"not_reached": 2}
    assert job.error_code == "DISK_FULL"


def test_only_the_newest_jobs_of_a_source_are_kept(source: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upkeep, "KEPT_JOBS", 2)
    jobs = [die(source, state="succeeded", listed=None) for _ in range(4)]
    queued = start_job(source)
    upkeep.forget_old_jobs(source)
    assert set(IngestJob.objects.all()) == {jobs[-1], queued}


def test_the_last_job_over_all_of_a_source_is_kept_behind_any_number_over_some_files(
    source: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its interval is counted from that one."""
    monkeypatch.setattr(upkeep, "KEPT_JOBS", 2)
    Source.objects.update(refresh_interval_seconds=300)
    whole = [die(source, state="succeeded", listed=None) for _ in range(2)]
    retries = [die(source, state="succeeded", listed=None, only=["a.md"]) for _ in range(3)]
    upkeep.forget_old_jobs(source)
    assert set(IngestJob.objects.all()) == {whole[-1], *retries[1:]}
    assert refresh_due_sources() == 0
