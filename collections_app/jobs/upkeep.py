"""Regular upkeep of jobs: revives jobs whose process died, starts jobs for sources that are due, and deletes old jobs."""

from __future__ import annotations

from datetime import datetime, timedelta

import structlog
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from collections_app.exceptions import CollectionClosed, JobUnfinished
from collections_app.ingest import Outcome
from collections_app.jobs.lifecycle import State, holding_source, revive_dead_jobs
from collections_app.jobs.outcomes import fill_outcomes
from collections_app.jobs.queue import enqueue, list_waiting
from collections_app.jobs.starting import start_job
from collections_app.models import IngestJob, Source

logger = structlog.get_logger(__name__)

# How many jobs of a source are kept. A directory that is read every few minutes would fill the table; each upload is a job of its own.
KEPT_JOBS = 20
KEPT_UPLOAD_JOBS = 1000

# A run writes a heartbeat every second or two; after this long without one its worker is considered dead.
SILENCE = timedelta(seconds=30)
LONG_QUEUED = timedelta(seconds=60)


def sweep_jobs(now: datetime | None = None) -> int:
    """Take care of jobs that would otherwise never end; returns how many there were. `now` replaces the clock in tests."""
    now = now or timezone.now()
    return sweep_dead_jobs(now - SILENCE) + sweep_lost_tasks(now - LONG_QUEUED) + sweep_untold_files()


def sweep_dead_jobs(silent_since: datetime) -> int:
    """Revive running jobs that have no recent heartbeat and whose source nobody holds; returns how many."""
    silent = IngestJob.objects.filter(state=State.RUNNING).filter(
        Q(heartbeat__lt=silent_since) | Q(heartbeat=None, created__lt=silent_since)
    )
    count = 0
    for source in Source.objects.filter(pk__in=silent.values("source")):
        with holding_source(source.pk) as is_held:
            revived = revive_dead_jobs(source) if is_held else 0
        count += revived
        if revived:
            logger.warning("dead_job_found", source=source.pk)
    return count


def sweep_lost_tasks(queued_since: datetime) -> int:
    """Enqueue again jobs that have been queued for a while and whose task the broker does not have; returns how many.

    The task was lost with Redis or with the worker that had it, or its turn came when the job could not be run.
    """
    jobs = list(IngestJob.objects.filter(state=State.QUEUED, created__lt=queued_since).order_by("pk"))
    waiting = list_waiting() if jobs else set()
    lost = [job for job in jobs if job.pk not in waiting]
    for job in lost:
        enqueue(job)
    return len(lost)


def sweep_untold_files() -> int:
    """Add outcomes to jobs that had to end without writing them (close_without_outcomes); returns how many."""
    jobs = list(IngestJob.objects.filter(listed__isnull=False, finished__isnull=False))
    for job in jobs:
        fill_outcomes(job, Outcome.NOT_REACHED)
    return len(jobs)


def refresh_due_sources() -> int:
    """Queue a job for every source that is due for a refresh; returns how many were queued."""
    now, count = timezone.now(), 0
    due = find_next_refreshes(Source.objects.all())
    for source in Source.objects.filter(pk__in=[pk for pk, moment in due.items() if moment <= now]):
        try:
            start_job(source, prune=True, requested_by="schedule")
            count += 1
        except (JobUnfinished, CollectionClosed):
            continue
    return count


def find_next_refreshes(sources: QuerySet[Source]) -> dict[int, datetime]:
    """Source id → when its next refresh is due, for those of the sources that are refreshed regularly.

    That is an interval after its last job was created, or the source's own creation if it has had none. Jobs over some files do not count.
    """
    last = IngestJob.objects.filter(source=OuterRef("pk"), only=None).order_by("-pk").values("created")[:1]
    rows = sources.filter(pk__in=Source.objects.polled().values("pk")).annotate(looked=Subquery(last))
    return {
        pk: looked + timedelta(seconds=interval) if looked else created
        for pk, created, interval, looked in rows.values_list("pk", "created", "refresh_interval_seconds", "looked")
    }


def forget_old_jobs(source: Source) -> None:
    """Delete old jobs of a source; keep the newest, unfinished ones, and the last job over all files, from which the interval counts."""
    count = KEPT_UPLOAD_JOBS if source.is_upload else KEPT_JOBS
    newest = source.jobs.order_by("-pk").values_list("pk", flat=True)
    kept = [*newest[:count], *newest.filter(only=None)[:1]]
    source.jobs.exclude(pk__in=kept).exclude(state__in=IngestJob.UNFINISHED).delete()
