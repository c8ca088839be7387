"""Long jobs leave one process of the queue to small uploads, and wait in the queue meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest
from django.conf import settings
from django_q.models import OrmQ

from collections_app.jobs import NewUpload, accept_uploads, run_job, slots, start_job
from collections_app.models import Collection, IngestJob, Source
from docsmcp_site.settings import Q_CLUSTER
from tests.collections_app.jobs.readings import FakeReading, make_files, make_source, use_reading
from tests.collections_app.sources.archives import make_zip
from tests.factories import make_collection, make_tenant
from tests.held_lock import held_lock

pytestmark = pytest.mark.django_db(transaction=True)


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
    "more to fetch": [NewUpload(f"{n}.md", None, "https://docs.example.com/") for n in range(slots.SHORT_FETCHES + 1)],
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
