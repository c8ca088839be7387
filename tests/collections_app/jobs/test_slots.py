"""Long jobs leave one process of the queue to small uploads, and wait in the queue meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from threading import Event

import pytest
from django.conf import settings
from django.utils import timezone
from django_q.models import OrmQ

from collections_app.jobs import NewUpload, accept_uploads, heartbeat, run_job, slots, start_job
from collections_app.jobs.lifecycle import put_back, take_job
from collections_app.jobs.running import wake_next
from collections_app.models import Collection, IngestJob, Source, Tenant
from docsmcp_site.settings import Q_CLUSTER
from tests.collections_app.jobs.readings import FakeReading, make_files, make_source, use_reading
from tests.collections_app.sources.archives import make_zip
from tests.factories import make_collection, make_tenant
from tests.held_lock import held_lock

pytestmark = pytest.mark.django_db(transaction=True)

DEADLINE_SECONDS = 240


@contextmanager
def busy_slots(count: int) -> Iterator[None]:
    """Other processes of the queue have them."""
    with ExitStack() as stack:
        for number in slots.list_slots()[:count]:
            stack.enter_context(held_lock(slots.SLOT_LOCK, number))
        yield


def start(
    monkeypatch: pytest.MonkeyPatch, kind: str = Source.Kind.SITE, collection: Collection | None = None
) -> IngestJob:
    use_reading(monkeypatch, FakeReading(make_files(1)))
    source = make_source(collection or make_collection())
    Source.objects.filter(pk=source.pk).update(kind=kind)
    source.refresh_from_db()
    return start_job(source)


def get_state(job: IngestJob) -> str:
    job.refresh_from_db()
    return job.state


def list_tasks() -> list[int]:
    return [task.task["args"][0] for task in OrmQ.objects.order_by("pk")]


def test_the_queue_has_one_process_more_than_slots() -> None:
    assert Q_CLUSTER["workers"] == len(slots.list_slots()) + 1 == settings.DOCSMCP.queue_workers + 1


@pytest.mark.parametrize("kind", [Source.Kind.SITE, Source.Kind.GIT, Source.Kind.DIRECTORY])
def test_a_long_job_takes_the_last_slot_and_gives_it_back(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    for _ in range(2):
        job = start(monkeypatch, kind)
        with busy_slots(settings.DOCSMCP.queue_workers - 1):
            run_job(job.pk)
        assert get_state(job) == "succeeded"


def test_a_long_job_without_a_slot_stays_queued(monkeypatch: pytest.MonkeyPatch) -> None:
    job = start(monkeypatch)
    with busy_slots(settings.DOCSMCP.queue_workers):
        run_job(job.pk)
        assert get_state(job) == "queued"
    assert job.attempts == 0
    run_job(job.pk)
    assert get_state(job) == "succeeded"


SMALL = [NewUpload("a.md", b"# A\n\nwords\n")]
LARGE_UPLOADS = {
    "an archive": [NewUpload("a.zip", make_zip({"a.md": "# A\n\nwords\n"}).getvalue())],
    "more bytes": [NewUpload(f"{n}.md", b"words " * (slots.SHORT_BYTES // 10)) for n in range(2)],
    "more files": [NewUpload(f"{n}.md", b"# A\n") for n in range(slots.SHORT_FILES + 1)],
    "one to fetch": [NewUpload("a.md", None, "https://docs.example.com/")],
}


def test_a_small_upload_needs_no_slot() -> None:
    job = accept_uploads(make_collection(), SMALL)
    with busy_slots(settings.DOCSMCP.queue_workers):
        run_job(job.pk)
    assert get_state(job) == "succeeded"


@pytest.mark.parametrize("files", LARGE_UPLOADS.values(), ids=LARGE_UPLOADS)
def test_another_one_waits_for_a_slot(files: list[NewUpload]) -> None:
    job = accept_uploads(make_collection(), files)
    with busy_slots(settings.DOCSMCP.queue_workers):
        run_job(job.pk)
    assert get_state(job) == "queued"


def test_it_waits_for_one_again_where_files_of_an_archive_are_retried() -> None:
    collection = make_collection()
    run_job(accept_uploads(collection, LARGE_UPLOADS["an archive"]).pk)
    job = start_job(Source.objects.get(), only=["a.md"])
    with busy_slots(settings.DOCSMCP.queue_workers):
        run_job(job.pk)
    assert get_state(job) == "queued"
    run_job(job.pk)
    assert get_state(job) == "succeeded"


def test_the_archives_of_a_tenant_leave_a_slot_to_anothers_first() -> None:
    crowded = make_tenant()
    ending, running, waiting = (
        accept_uploads(make_collection(tenant=crowded), LARGE_UPLOADS["an archive"]) for _ in range(3)
    )
    accept_uploads(make_collection(), SMALL)
    latest = accept_uploads(make_collection(), LARGE_UPLOADS["an archive"])
    IngestJob.objects.filter(pk=running.pk).update(state="running")
    OrmQ.objects.all().delete()
    run_job(ending.pk)
    assert list_tasks() == [latest.pk]
    IngestJob.objects.filter(pk=latest.pk).update(state="running")
    slots.hand_on_slot(ending)
    assert list_tasks() == [latest.pk, waiting.pk]


def test_a_long_job_that_ends_wakes_the_one_that_has_waited_longest(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, third = (start(monkeypatch) for _ in range(3))
    OrmQ.objects.all().delete()
    run_job(first.pk)
    assert list_tasks() == [second.pk]
    run_job(second.pk)
    assert list_tasks() == [second.pk, third.pk]


def test_a_tenant_that_has_none_running_comes_before_one_that_has(monkeypatch: pytest.MonkeyPatch) -> None:
    crowded = make_tenant()
    ending, running, waiting = (start(monkeypatch, collection=make_collection(tenant=crowded)) for _ in range(3))
    latest = start(monkeypatch)
    IngestJob.objects.filter(pk=running.pk).update(state="running")
    OrmQ.objects.all().delete()
    run_job(ending.pk)
    assert list_tasks() == [latest.pk]
    IngestJob.objects.filter(pk=latest.pk).update(state="running")
    slots.hand_on_slot(ending)
    assert list_tasks() == [latest.pk, waiting.pk]


def test_a_small_upload_that_ends_wakes_no_long_job(monkeypatch: pytest.MonkeyPatch) -> None:
    start(monkeypatch)
    upload = accept_uploads(make_collection(), SMALL)
    OrmQ.objects.all().delete()
    run_job(upload.pk)
    assert list_tasks() == []


def run_beside(monkeypatch: pytest.MonkeyPatch, *tenants: Tenant, minutes: int = 0) -> list[IngestJob]:
    """Long jobs of these tenants that other processes took one after the other, so many minutes ago."""
    jobs = [start(monkeypatch, collection=make_collection(tenant=tenant)) for tenant in tenants]
    for number, job in enumerate(jobs):
        taken = timezone.now() - timedelta(minutes=minutes, seconds=-number)
        IngestJob.objects.filter(pk=job.pk).update(state="running", attempts=1, taken=taken)
    return jobs


def find_asked(jobs: list[IngestJob]) -> list[bool]:
    for job in jobs:
        job.refresh_from_db()
    return [job.gives_way for job in jobs]


def knock(job: IngestJob) -> None:
    """Where all slots are taken."""
    with busy_slots(settings.DOCSMCP.queue_workers):
        run_job(job.pk)


def test_a_tenant_with_all_slots_gives_its_latest_to_one_that_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    crowded = make_tenant()
    jobs = run_beside(monkeypatch, crowded, crowded)
    waiting = accept_uploads(make_collection(), LARGE_UPLOADS["an archive"])
    knock(waiting)
    assert find_asked(jobs) == [False, True]
    knock(accept_uploads(make_collection(), LARGE_UPLOADS["an archive"]))
    assert find_asked(jobs) == [False, True]


def test_a_tenant_may_have_all_slots_while_no_other_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    crowded = make_tenant()
    jobs = run_beside(monkeypatch, crowded, crowded, minutes=60)
    knock(start(monkeypatch, collection=make_collection(tenant=crowded)))
    assert find_asked(jobs) == [False, False]


@pytest.mark.parametrize(("minutes", "asked"), [(19, [False, False]), (21, [True, False])])
def test_who_has_one_slot_keeps_it_for_its_turn(
    monkeypatch: pytest.MonkeyPatch, minutes: int, asked: list[bool]
) -> None:
    jobs = run_beside(monkeypatch, make_tenant(), make_tenant(), minutes=minutes)
    knock(start(monkeypatch))
    assert find_asked(jobs) == asked


def test_nobody_gives_way_to_a_tenant_that_has_as_much(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = make_tenant(), make_tenant()
    jobs = run_beside(monkeypatch, first, second, minutes=60)
    knock(start(monkeypatch, collection=make_collection(tenant=first)))
    assert find_asked(jobs) == [False, False]


def test_a_crawl_gives_way_after_its_turn_to_an_upload_of_its_tenant(monkeypatch: pytest.MonkeyPatch) -> None:
    tenant = make_tenant()
    jobs = run_beside(monkeypatch, tenant, tenant, minutes=60)
    knock(accept_uploads(make_collection(tenant=tenant), LARGE_UPLOADS["one to fetch"]))
    assert find_asked(jobs) == [True, False]


def test_a_job_that_gives_way_goes_on_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heartbeat, "HEARTBEAT_SECONDS", 0.01)
    job, waiting = start(monkeypatch), start(monkeypatch)
    OrmQ.objects.all().delete()

    heard = Event()
    beat = heartbeat.Heartbeat._beat

    def beat_and_tell(own: heartbeat.Heartbeat) -> None:
        beat(own)
        if own.gives_way:
            heard.set()

    def ask() -> None:
        IngestJob.objects.filter(pk=job.pk).update(gives_way=True)
        assert heard.wait(DEADLINE_SECONDS)

    monkeypatch.setattr(heartbeat.Heartbeat, "_beat", beat_and_tell)
    use_reading(monkeypatch, FakeReading([*make_files(1), ask, *make_files(2)[1:]]))
    run_job(job.pk)
    assert (get_state(job), job.attempts, job.gives_way) == ("queued", 0, False)
    assert list_tasks() == [waiting.pk]
    use_reading(monkeypatch, FakeReading(make_files(2)))
    run_job(waiting.pk)
    assert list_tasks() == [waiting.pk, job.pk]
    run_job(job.pk)
    assert (get_state(job), job.done) == ("succeeded", 2)


def begin(job: IngestJob) -> IngestJob:
    OrmQ.objects.all().delete()
    taken = take_job(job.pk)
    assert taken is not None
    return taken


def end_turn(job: IngestJob, *waiting: IngestJob) -> list[int]:
    """The jobs that have tasks after this one, which had its time, gave way to those that wait."""
    IngestJob.objects.filter(pk=job.pk).update(taken=timezone.now() - slots.TURN - timedelta(minutes=1))
    for each in waiting:
        knock(each)
    job.refresh_from_db()
    assert job.gives_way
    put_back(job, "for another", has_task=False)
    OrmQ.objects.all().delete()
    wake_next(job)
    return list_tasks()


def test_tenants_take_turns_at_the_only_slot(monkeypatch: pytest.MonkeyPatch) -> None:
    jobs = {job.pk: job for job in [start(monkeypatch) for _ in range(3)]}
    [current, *_] = order = list(jobs)
    turns = []
    for _ in range(6):
        taken = begin(jobs[current])
        [current] = end_turn(taken, *(job for pk, job in jobs.items() if pk != taken.pk))
        turns.append(current)
    assert turns == [*order[1:], order[0]] * 2


def test_what_is_queued_behind_a_job_does_not_take_the_slot_that_it_gave_up(monkeypatch: pytest.MonkeyPatch) -> None:
    job, other = start(monkeypatch), start(monkeypatch)
    taken = begin(job)
    follower = start_job(job.source, follow=True)
    assert follower.pk != job.pk
    assert end_turn(taken, other) == [other.pk]
