"""What callers do with jobs: start one, wait for it, cancel it, retry its failed files. Running jobs is running.py's part."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator

from django.db import transaction
from django.db.models import QuerySet

from collections_app.exceptions import InvalidParameter, JobEnded, JobUnfinished, UnusablePath
from collections_app.ingest import Outcome
from collections_app.jobs.lifecycle import close_job, lock_source, widen
from collections_app.jobs.queue import enqueue
from collections_app.jobs.source_rows import get_site_options
from collections_app.models import FileOutcome, IngestJob, Source
from collections_app.removal.closing import check_is_open
from collections_app.sources.site.scope import Scope, make_scope

State = IngestJob.State

# Outcomes that are worth a retry: unsupported and quarantined files would have the same outcome again.
RETRIED = (Outcome.FAILED, Outcome.CANCELLED, Outcome.NOT_REACHED)
FIRST_WAIT_SECONDS, LONGEST_WAIT_SECONDS = 0.05, 0.5


def queue_job(
    source: Source,
    *,
    prune: bool = True,
    accepts_removals: bool = False,
    only: Collection[str] | None = None,
    requested_by: str = "",
    retry_of: IngestJob | None = None,
    follow: bool = False,
) -> IngestJob:
    """Queue a job over the source, or over these files of it (paths; for a site, URLs), within the caller's transaction.

    Raises JobUnfinished if the source has a job that is queued or running. With `follow`, a queued job is widened and returned instead, and
    after a running one another is queued; uploads always work like this, so that no file is lost. `prune` removes documents that a complete
    reading no longer finds, but most of the documents only with `accepts_removals`; a job over some files never removes any. Raises
    CollectionClosed.
    """
    check_is_open(source.tenant_id, source.collection_id)
    lock_source(source.pk)
    files = None if only is None else sorted(set(only))
    prune, accepts_removals = prune and files is None, accepts_removals and files is None
    unfinished = {job.state: job for job in source.jobs.select_for_update().filter(state__in=IngestJob.UNFINISHED)}
    if unfinished and not follow and not source.is_upload:
        raise make_unfinished(next(iter(unfinished.values())))
    if queued := unfinished.get(State.QUEUED):
        widen(queued, files, prune=prune, accepts_removals=accepts_removals)
        return queued
    job = IngestJob.objects.create(
        tenant_id=source.tenant_id,
        collection_id=source.collection_id,
        source=source,
        prune=prune,
        accepts_removals=accepts_removals,
        only=files,
        requested_by=requested_by[:200],
        retry_of=retry_of,
    )
    enqueue(job)
    return job


start_job = transaction.atomic(queue_job)


def make_unfinished(job: IngestJob | None) -> JobUnfinished:
    by = f" by job {job.pk} ({job.state})" if job else ""
    details = {"job_id": job.pk, "state": job.state} if job else {}
    return JobUnfinished(
        f"This source is being ingested already{by}. Wait until that has ended, or cancel it.", **details
    )


@transaction.atomic
def cancel_job(job: IngestJob) -> IngestJob:
    """End a job: at once if it is queued, within about two seconds if it runs.

    What it has written stays; files that it did not get to are `cancelled`. Raises JobEnded.
    """
    job = IngestJob.objects.select_for_update().get(pk=job.pk)
    if job.state == State.QUEUED:
        close_job(job, State.CANCELLED, rest=Outcome.CANCELLED)
    elif job.state == State.RUNNING:
        job.cancel_requested = True
        job.save(update_fields=["cancel_requested"])
    else:
        raise JobEnded(f"Job {job.pk} has ended already: {job.state}.", job_id=job.pk, state=job.state)
    return job


def retry_job(job: IngestJob, *, requested_by: str = "") -> IngestJob:
    """Queue a new job over the files that failed, were cancelled or were not reached.

    It is over everything that the job was over if that broke off before it knew its files, or if it is of a site and not all of those pages
    are known. Raises JobUnfinished if the job has not ended, and InvalidParameter if nothing is worth a retry.
    """
    if job.is_unfinished:
        raise make_unfinished(job)
    left = list(find_retried(job).values_list("path", "source_url"))
    if not left and not is_retried_whole(job):
        raise InvalidParameter(
            f"Nothing of job {job.pk} is worth another try: no file of it failed or was left out that another try could mend."
        )
    only = choose_files(job, left)
    return start_job(
        job.source,
        prune=job.prune,
        accepts_removals=job.accepts_removals,
        only=only,
        requested_by=requested_by,
        retry_of=job,
    )


def find_retried(job: IngestJob) -> QuerySet[FileOutcome]:
    """The outcomes of files that are worth a retry; not those with an unusable path, which would be refused again."""
    return job.outcomes.filter(outcome__in=RETRIED).exclude(code=UnusablePath.code)


def is_retried_whole(job: IngestJob) -> bool:
    """Whether the job as a whole is worth a retry, whatever became of its files."""
    return job.state in (State.FAILED, State.CANCELLED)


def choose_files(job: IngestJob, left: list[tuple[str, str]]) -> list[str] | None:
    """The files to read again; None for everything. Raises InvalidParameter if a site's options are invalid."""
    if not left:
        return job.only
    if job.source.kind != Source.Kind.SITE:
        return [path for path, _ in left]
    scope = make_scope(get_site_options(job.source))
    is_all_known = job.state == State.PARTIAL and all(is_page(scope, url, path) for path, url in left)
    return [url for _, url in left] if is_all_known else job.only


def is_page(scope: Scope, url: str, path: str) -> bool:
    """Whether the site has a page of this URL with this path. A sitemap that could not be read is no page, but lists others."""
    page = scope.find_page(url)
    return page is not None and scope.make_path(page) == path and not scope.find_objection(path, is_named=True)


def wait_for_job(job: IngestJob, seconds: float) -> Iterator[IngestJob]:
    """Yields the job's current state repeatedly, at least once a second, until it has ended or `seconds` have passed."""
    deadline, pause = time.monotonic() + seconds, FIRST_WAIT_SECONDS
    while True:
        job.refresh_from_db(from_queryset=IngestJob.objects.all())
        yield job
        left = deadline - time.monotonic()
        if not job.is_unfinished or left <= 0:
            return
        time.sleep(min(pause, left))
        pause = min(pause * 2, LONGEST_WAIT_SECONDS)
