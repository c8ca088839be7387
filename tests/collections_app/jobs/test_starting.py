"""Jobs are started, cancelled and retried: what is queued, and what is refused."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django_q.models import OrmQ

from collections_app.exceptions import InvalidParameter, JobEnded, JobUnfinished, UnusablePath
from collections_app.jobs import NewUpload, accept_uploads, cancel_job, retry_job, start_job, uploads, wait_for_job
from collections_app.jobs.lifecycle import close_job
from collections_app.models import Collection, FileOutcome, IngestJob, Source, Upload
from collections_app.reports.jobs import measure_progress
from tests.collections_app.jobs.readings import make_source
from tests.factories import make_collection

pytestmark = pytest.mark.django_db


@pytest.fixture
def source() -> Source:
    return make_source(make_collection())


def list_queued_ids() -> list[int]:
    return [task.task["args"][0] for task in OrmQ.objects.order_by("pk")]


def make_job(source: Source, state: str, **columns: Any) -> IngestJob:
    return IngestJob.objects.create(
        tenant_id=source.tenant_id, collection_id=source.collection_id, source=source, state=state, **columns
    )


def give_outcome(job: IngestJob, path: str, outcome: str, source_url: str = "") -> None:
    FileOutcome.objects.create(
        tenant_id=job.tenant_id,
        collection_id=job.collection_id,
        job=job,
        path=path,
        outcome=outcome,
        source_url=source_url,
    )


def test_a_job_is_queued_with_its_task(source: Source) -> None:
    job = start_job(source, requested_by="somebody")
    assert (job.state, job.prune, job.requested_by) == ("queued", True, "somebody")
    assert list_queued_ids() == [job.pk]


def test_who_waits_for_a_job_does_not_read_its_lists_of_paths(source: Source) -> None:
    job = make_job(source, "succeeded", only=["a.md"], listed=["a.md"])
    with CaptureQueriesContext(connection) as queries:
        list(wait_for_job(job, 1))
    [sql] = [query["sql"] for query in queries]
    assert '"listed"' not in sql
    assert '"only"' not in sql


def test_neither_job_nor_task_is_there_without_the_other(source: Source) -> None:
    with transaction.atomic():
        start_job(source)
        transaction.set_rollback(True)
    assert not IngestJob.objects.exists()
    assert not OrmQ.objects.exists()


@pytest.mark.parametrize("state", ["queued", "running"])
def test_a_second_job_of_a_source_is_refused_with_the_first_ones_id(source: Source, state: str) -> None:
    first = make_job(source, state)
    with pytest.raises(JobUnfinished) as refused:
        start_job(source)
    assert refused.value.details == {"job_id": first.pk, "state": state}
    assert str(first.pk) in refused.value.message


def test_a_job_can_be_queued_behind_the_running_one_and_once_only(source: Source) -> None:
    make_job(source, "running")
    follower = start_job(source, follow=True)
    assert follower.state == "queued"
    assert start_job(source, follow=True) == follower


def test_a_job_over_some_files_that_is_to_do_all_removes_what_is_gone(source: Source) -> None:
    """A push while a retry waits: what it deleted is to leave."""
    retry = start_job(source, only=["a.md"])
    assert start_job(source, follow=True, accepts_removals=True) == retry
    retry.refresh_from_db()
    assert (retry.only, retry.prune, retry.accepts_removals) == (None, True, True)
    assert start_job(source, only=["b.md"], prune=False, follow=True) == retry
    retry.refresh_from_db()
    assert (retry.only, retry.prune, retry.accepts_removals) == (None, True, True)


def test_a_job_over_some_files_removes_none(source: Source) -> None:
    job = start_job(source, only=["b.md", "a.md", "b.md"], accepts_removals=True)
    assert (job.only, job.prune, job.accepts_removals) == (["a.md", "b.md"], False, False)


def test_an_upload_is_kept_with_its_job() -> None:
    job = accept_uploads(make_collection(), [NewUpload("a.md", b"# A\n", metadata={"title": "B"})], requested_by="me")
    upload = Upload.objects.get()
    assert (bytes(upload.content or b""), upload.size_bytes, upload.metadata) == (b"# A\n", 4, {"title": "B"})
    assert (job.only, job.source, job.source.kind) == (["a.md"], upload.source, "upload")
    assert list_queued_ids() == [job.pk]


def test_the_same_path_uploaded_again_is_the_last_one() -> None:
    collection = make_collection()
    accept_uploads(collection, [NewUpload("a.md", b"# First\n"), NewUpload("a.md", b"# Second\n")])
    accept_uploads(collection, [NewUpload("a.md", b"# Third\n")])
    assert bytes(Upload.objects.get().content or b"") == b"# Third\n"


def test_later_uploads_join_the_job_that_is_queued() -> None:
    collection = make_collection()
    first = accept_uploads(collection, [NewUpload("a.md", b"# A\n")])
    second = accept_uploads(collection, [NewUpload("b.md", b"# B\n")])
    assert second == first
    assert second.only == ["a.md", "b.md"]


def test_uploads_during_a_run_are_queued_behind_it() -> None:
    collection = make_collection()
    first = accept_uploads(collection, [NewUpload("a.md", b"# A\n")])
    IngestJob.objects.filter(pk=first.pk).update(state="running")
    second = accept_uploads(collection, [NewUpload("b.md", b"# B\n")])
    assert second != first
    assert (second.state, second.only) == ("queued", ["b.md"])


@pytest.mark.parametrize("path", ["/etc/passwd", "../a.md", "", "a\0.md"])
def test_an_upload_under_a_path_that_no_document_may_have_is_refused(path: str) -> None:
    with pytest.raises(InvalidParameter):
        accept_uploads(make_collection(), [NewUpload(path, b"# A\n")])
    assert not Upload.objects.exists()


def test_an_upload_of_nothing_is_refused() -> None:
    with pytest.raises(InvalidParameter):
        accept_uploads(make_collection(), [])
    with pytest.raises(InvalidParameter):
        accept_uploads(make_collection(), [NewUpload("a.md", None)])


def test_a_queued_job_is_cancelled_at_once(source: Source) -> None:
    job = cancel_job(start_job(source))
    assert job.state == "cancelled"
    assert job.finished is not None


def list_outcomes(job: IngestJob) -> dict[str, str]:
    return dict(job.outcomes.values_list("path", "outcome"))


def test_each_upload_of_a_cancelled_job_has_its_outcome_and_is_read_by_a_retry() -> None:
    collection = make_collection()
    accept_uploads(collection, [NewUpload("a.md", b"# A\n")], requested_by="me")
    joined = accept_uploads(collection, [NewUpload("b.md", b"# B\n"), NewUpload("all.zip", b"PK")], requested_by="you")
    job = cancel_job(joined)
    assert list_outcomes(job) == dict.fromkeys(["a.md", "all.zip", "b.md"], "cancelled")
    assert (job.done, job.total) == (0, 3)
    assert measure_progress(job) == 0
    assert Upload.objects.count() == 3
    assert retry_job(job).only == ["a.md", "all.zip", "b.md"]


def put_back(collection: Collection) -> IngestJob:
    """A job over one file, which it had read when it was put back."""
    job = accept_uploads(collection, [NewUpload("a.md", b"# A\n")])
    job.listed, job.total = ["a.md"], 1
    job.save()
    give_outcome(job, "a.md", "indexed")
    return job


def test_what_joined_a_job_that_was_put_back_is_told_too() -> None:
    collection = make_collection()
    job = put_back(collection)
    accept_uploads(collection, [NewUpload("b.md", b"# B\n")])
    assert list_outcomes(cancel_job(job)) == {"a.md": "indexed", "b.md": "cancelled"}


def test_what_is_sent_again_to_a_job_that_was_put_back_is_not_done() -> None:
    collection = make_collection()
    job = put_back(collection)
    accept_uploads(collection, [NewUpload("a.md", b"# Newer\n")])
    assert list_outcomes(cancel_job(job)) == {"a.md": "cancelled"}


def test_an_archive_whose_files_have_outcomes_has_none_itself() -> None:
    job = accept_uploads(make_collection(), [NewUpload("all.zip", b"PK")])
    job.state, job.listed, job.total = "running", ["a.md"], 1
    job.save()
    give_outcome(job, "a.md", "indexed")
    close_job(job, IngestJob.State.CANCELLED, rest=FileOutcome.Outcome.CANCELLED)
    close_job(job, IngestJob.State.CANCELLED, rest=FileOutcome.Outcome.CANCELLED)
    assert list_outcomes(job) == {"a.md": "indexed"}


def test_urls_that_a_job_of_a_site_was_to_be_over_are_no_paths() -> None:
    site = make_source(make_collection(), "site", "https://x.org/")
    job = cancel_job(start_job(site, only=["https://x.org/a"]))
    assert (list_outcomes(job), retry_job(job).only) == ({}, ["https://x.org/a"])


def test_a_running_job_is_asked_to_end(source: Source) -> None:
    job = cancel_job(make_job(source, "running"))
    assert (job.state, job.cancel_requested) == ("running", True)


def test_a_job_that_has_ended_cannot_be_cancelled(source: Source) -> None:
    job = make_job(source, "succeeded")
    with pytest.raises(JobEnded) as refused:
        cancel_job(job)
    assert refused.value.details == {"job_id": job.pk, "state": "succeeded"}
    assert not IngestJob.objects.get().cancel_requested


def test_a_retry_is_over_what_failed_and_what_was_left_out(source: Source) -> None:
    job = make_job(source, "partial", prune=True)
    for outcome in ("indexed", "failed", "unsupported", "cancelled", "not_reached", "quarantined"):
        give_outcome(job, f"{outcome}.md", outcome)
    retry = retry_job(job, requested_by="me")
    assert retry.retry_of == job
    assert retry.only == ["cancelled.md", "failed.md", "not_reached.md"]


def test_a_retry_leaves_out_what_no_document_may_be_called(source: Source) -> None:
    job = make_job(source, "partial", prune=True)
    give_outcome(job, "a.md", "failed")
    give_outcome(job, "../b.md", "failed")
    job.outcomes.filter(path="../b.md").update(code=UnusablePath.code)
    assert retry_job(job).only == ["a.md"]


def test_a_retry_of_a_job_that_never_knew_its_files_is_over_all(source: Source) -> None:
    retry = retry_job(make_job(source, "failed", prune=True))
    assert (retry.only, retry.prune) == (None, True)


@pytest.mark.parametrize(
    ("state", "url", "only"),
    [
        ("partial", "https://x.org/a", ["https://x.org/a"]),
        ("partial", "", None),
        ("failed", "https://x.org/a", None),
        ("partial", "https://x.org/maps/a", None),
        ("partial", "https://elsewhere.example/a", None),
    ],
)
def test_pages_of_a_site_are_tried_again_by_their_urls(state: str, url: str, only: list[str] | None) -> None:
    job = make_job(make_source(make_collection(), "site", "https://x.org/"), state)
    give_outcome(job, "a", "failed", url)
    assert retry_job(job).only == only


def test_there_is_nothing_to_retry_of_a_job_that_succeeded(source: Source) -> None:
    job = make_job(source, "succeeded")
    give_outcome(job, "a.md", "indexed")
    with pytest.raises(InvalidParameter, match="worth another try"):
        retry_job(job)


def test_a_job_that_has_not_ended_cannot_be_retried(source: Source) -> None:
    with pytest.raises(JobUnfinished):
        retry_job(make_job(source, "running"))


def test_waiting_ends_with_the_job(source: Source) -> None:
    job = start_job(source)
    seen = []
    for now in wait_for_job(job, 60):
        seen.append(now.state)
        IngestJob.objects.update(state="succeeded")
    assert seen == ["queued", "succeeded"]


def test_waiting_ends_when_the_time_is_over(source: Source) -> None:
    assert [job.state for job in wait_for_job(start_job(source), 0)] == ["queued"]


def test_large_open_files_are_kept_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    content = bytes(range(256)) * 8192  # 2 MiB
    batches: list[int] = []
    keep = uploads.keep
    monkeypatch.setattr(uploads, "MAX_BATCH_BYTES", 3 * 1024**2)

    def count(rows: list[Upload]) -> None:
        batches.append(len(rows))
        keep(rows)

    monkeypatch.setattr(uploads, "keep", count)
    files = [NewUpload(f"{n}.zip", BytesIO(content + str(n).encode())) for n in range(4)]
    job = accept_uploads(make_collection(), [*files, NewUpload("small.md", b"# Small")])
    kept = {row.path: bytes(row.content) for row in Upload.objects.all() if row.content is not None}
    assert kept == {f"{n}.zip": content + str(n).encode() for n in range(4)} | {"small.md": b"# Small"}
    assert batches == [2, 2, 1]
    assert job.only == sorted(kept)
    assert {row.size_bytes for row in Upload.objects.all()} == {len(content) + 1, 7}


def test_a_large_upload_takes_the_place_of_the_one_before() -> None:
    collection = make_collection()
    for text in (b"a", b"b"):
        accept_uploads(collection, [NewUpload("a.zip", text * 2 * 1024**2)])
    assert bytes(Upload.objects.get().content or b"") == b"b" * 2 * 1024**2


@pytest.mark.parametrize(
    ("state", "progress"),
    [("queued", 0.25), ("running", 0.25), ("failed", 0.25), ("cancelled", 0.25), ("succeeded", 1), ("partial", 1)],
)
def test_only_a_job_that_came_to_its_end_has_done_all(state: str, progress: float) -> None:
    assert measure_progress(IngestJob(state=state, done=1, total=4)) == progress
    assert measure_progress(IngestJob(state="failed", done=0, total=None)) == 0
