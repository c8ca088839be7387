"""Runs jobs, in a worker of the queue or in the process of a command. However a run ends, this is recorded on its job."""

from __future__ import annotations

from contextlib import nullcontext, suppress
from functools import partial
from threading import Event

import structlog
from django.db import DatabaseError, Error, connection, transaction
from django.utils import timezone

from collections_app.exceptions import DocsError, get_first_line
from collections_app.ingest import Outcome
from collections_app.ingest.database_errors import is_canceled, is_disk_full
from collections_app.jobs.heartbeat import Heartbeat
from collections_app.jobs.lifecycle import (
    State,
    close_job,
    close_without_outcomes,
    holding_source,
    put_back,
    revive,
    revive_dead_jobs,
    take_job,
)
from collections_app.jobs.outcomes import fill_outcomes
from collections_app.jobs.queue import enqueue
from collections_app.jobs.readings import open_reading
from collections_app.jobs.run import Run
from collections_app.jobs.slots import ask_for_slot, hand_on_slot, holding_slot, is_long
from collections_app.jobs.starting import make_unfinished
from collections_app.jobs.summary import Progress, Summary, choose_code, choose_state
from collections_app.jobs.upkeep import forget_old_jobs
from collections_app.models import IngestJob, Source
from collections_app.removal.closing import check_is_open
from collections_app.sources import Reading

logger = structlog.get_logger(__name__)

INTERNAL_ERROR, DISK_FULL = "INTERNAL_ERROR", "DISK_FULL"

_DISK_FULL = "the database's disk is full: free space on it, then retry the job"
_DATABASE_LOST = "the database ended or went away in the middle of it: run it again"
_GAVE_WAY = "it left its place to another job that waited"
_UNEXPECTED = "an unexpected error ended this run; the log has it"
_stop_requested = Event()


class Cancelled(Exception):
    """Somebody cancelled `job`."""

    def __init__(self, job: IngestJob) -> None:
        super().__init__(f"job {job.pk} was cancelled")
        self.job = job


class Stopped(Exception):
    """The process is to end."""


class GaveWay(Exception):
    """Another job is to have its slot."""


def request_stop() -> None:
    """Put the jobs that this process runs back into the queue, within about two seconds, because the process is to end."""
    _stop_requested.set()


def run_job(job_id: int) -> None:
    """Run a queued job, unless it is finished, another run holds its source, or it gets no slot.

    A run's errors are not raised, but recorded on the job. A job that lost the database is left as it is, for the sweeper.
    """
    job = IngestJob.objects.filter(pk=job_id).select_related("source").first()
    if job is None or not job.is_unfinished:
        return
    with holding_source(job.source_id) as is_held, holding_slot(job) as has_slot:
        if is_held and not has_slot:
            ask_for_slot(job)
        if not (is_held and has_slot):
            return
        revive_dead_jobs(job.source)
        if taken := take_job(job_id):
            run_taken(taken)
    wake_next(job)


def run_taken(job: IngestJob) -> None:
    """Run a job that was taken. Errors are not raised, as no caller waits for them: they are on the job or in the log."""
    with suppress(Exception):
        work(job, None, None)


def wake_next(job: IngestJob) -> None:
    """Make new tasks for the jobs that wait for this one's source and slot: their own tasks found these held and are gone."""
    with suppress(DatabaseError, IngestJob.DoesNotExist):
        follower = job.source.jobs.filter(state=State.QUEUED).exclude(pk=job.pk).first()
        if follower and not (is_long(job) and is_long(follower)):  # a slot is for whoever waits longest
            enqueue(follower)
        hand_on_slot(job)


def run_source(
    source: Source,
    *,
    prune: bool = False,
    accepts_removals: bool = False,
    requested_by: str = "",
    on_file: Progress | None = None,
    reading: Reading | None = None,
) -> tuple[IngestJob, Summary]:
    """Run a job over the source in this process. `on_file` is called with each outcome and the total number of files.

    `reading` is the source's reading, already entered. Raises JobUnfinished if another run holds the source, CollectionClosed, DocsError if
    the source cannot be read, and Cancelled if somebody cancels the job. Whatever else ends the run is raised after the job is closed;
    KeyboardInterrupt makes it `cancelled`.
    """
    with holding_source(source.pk) as is_held:
        if not is_held:
            raise make_unfinished(source.jobs.filter(state=State.RUNNING).first())
        revive_dead_jobs(source)
        with transaction.atomic():
            check_is_open(source.tenant_id, source.collection_id)
            job = IngestJob.objects.create(
                tenant_id=source.tenant_id,
                collection_id=source.collection_id,
                source=source,
                state=State.RUNNING,
                stage="listing",
                prune=prune,
                accepts_removals=accepts_removals,
                requested_by=requested_by,
                started=timezone.now(),
                heartbeat=timezone.now(),
            )
        return job, work(job, reading, on_file)


def work(job: IngestJob, reading: Reading | None, on_file: Progress | None) -> Summary:
    """Run a job to its end, or until something ends it early; that is recorded on the job and raised again."""
    session = connection.connection
    with Heartbeat(job, _stop_requested.is_set) as heartbeat:
        try:
            summary = read_source(job, reading, on_file, heartbeat)
            finish(job, summary)
        except BaseException as error:
            is_connected = connection.connection is session and connection.is_usable()
            with suppress(Error):
                break_off(job, error, is_connected=is_connected)
            raise
        return summary


def read_source(job: IngestJob, reading: Reading | None, on_file: Progress | None, heartbeat: Heartbeat) -> Summary:
    """Raises what Run.run() raises. If a statement was cancelled because the run is to end, the reason for that is raised instead."""
    check, should_stop = partial(check_goes_on, job, heartbeat), partial(must_end, heartbeat)
    run = Run(job, job.source, on_file, check)
    opened = nullcontext(reading) if reading else open_reading(job, job.source, should_stop)
    try:
        with heartbeat.ending_statements():
            return run.run(opened)
    except DatabaseError as error:
        if is_canceled(error):
            check()
        raise


def must_end(heartbeat: Heartbeat) -> bool:
    return heartbeat.is_cancelled or heartbeat.gives_way or _stop_requested.is_set()


def check_goes_on(job: IngestJob, heartbeat: Heartbeat) -> None:
    """Raises Cancelled, Stopped or GaveWay if the run must end; the first of these that applies."""
    if heartbeat.is_cancelled:
        raise Cancelled(job)
    if _stop_requested.is_set():
        raise Stopped
    if heartbeat.gives_way:
        raise GaveWay


@transaction.atomic
def finish(job: IngestJob, summary: Summary) -> None:
    """Close a job whose run came to its end. Files that it did not get to, or removals that it held back, keep it from `succeeded`."""
    if left_out := fill_outcomes(job, Outcome.NOT_REACHED):
        summary.outcomes[Outcome.NOT_REACHED] += left_out
    state = choose_state(job.source, summary)
    close_job(job, state, *choose_code(job.source, summary, state), rest=Outcome.NOT_REACHED)
    forget_old_jobs(job.source)


def break_off(job: IngestJob, error: BaseException, *, is_connected: bool) -> None:
    """Record on the job what ended it early, or put it back into the queue if that was no fault of the job.

    If the connection was lost, so was the lock: then the job is left as it is for the sweeper, unless a command ran it.
    """
    is_queued_job = job.attempts > 0
    match error:
        case Stopped() if is_queued_job:
            uncount_attempt(job)
            put_back(job)
        case GaveWay():
            uncount_attempt(job)
            put_back(job, _GAVE_WAY, has_task=False)
        case SystemExit() if is_queued_job:  # it took longer than the queue's timeout
            revive(job)
        case Cancelled() | KeyboardInterrupt() | SystemExit() | Stopped():
            close_job(job, State.CANCELLED, rest=Outcome.CANCELLED)
        case DocsError():
            close_job(job, State.FAILED, error.code, error.message, rest=Outcome.NOT_REACHED)
        case Error() if not is_connected:
            logger.error("job_lost_the_database", job=job.pk, reason=get_first_line(error))
            connection.close()
            if not is_queued_job:
                close_job(job, State.FAILED, INTERNAL_ERROR, _DATABASE_LOST, rest=Outcome.NOT_REACHED)
        case DatabaseError() if is_disk_full(error):
            close_on_full_disk(job)
        case _:
            logger.error("job_failed", job=job.pk, exc_info=error)
            close_job(job, State.FAILED, INTERNAL_ERROR, _UNEXPECTED, rest=Outcome.NOT_REACHED)


def uncount_attempt(job: IngestJob) -> None:
    """Do not count this attempt: attempts are counted to find jobs that kill their processes, but this job was asked to stop."""
    job.attempts -= 1
    job.save(update_fields=["attempts"])


def close_on_full_disk(job: IngestJob) -> None:
    """Close a job on a full disk; if there is no space for thousands of outcomes, at least its own row."""
    try:
        close_job(job, State.FAILED, DISK_FULL, _DISK_FULL, rest=Outcome.NOT_REACHED)
    except DatabaseError:
        close_without_outcomes(job, DISK_FULL, _DISK_FULL)
