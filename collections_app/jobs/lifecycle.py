"""The changes of a job's state that depend on whether its process is alive: held, taken, put back, closed.

A run holds a session-level advisory lock on its source. Whoever holds the lock knows that there is no other run over the source, so any job
of that source in state `running` has lost its process.
"""

from __future__ import annotations

from contextlib import AbstractContextManager

from django.db import transaction
from django.utils import timezone

from collections_app.ingest import Outcome
from collections_app.jobs.outcomes import count_done, fill_outcomes
from collections_app.jobs.queue import enqueue
from collections_app.models import FileOutcome, IngestJob, Source
from collections_app.postgres.advisory_locks import holding_lock
from collections_app.text.control_characters import make_tellable

State = IngestJob.State

# Locks of this class are held by running jobs; the second number is the source's.
RUN_LOCK = 0x646F6373
MAX_ATTEMPTS = 3

WORKER_DIED = "WORKER_DIED"
_DIED = "its process ended before it was done"
_DIED_OFTEN = (
    f"its process ended {MAX_ATTEMPTS} times before it was done: look in the log for what ends it, then retry the job"
)


def holding_source(source_id: int) -> AbstractContextManager[bool]:
    """Be the only run over a source while the block lasts; yields false if there is another one."""
    return holding_lock(RUN_LOCK, source_id)


def revive_dead_jobs(source: Source) -> int:
    """Queue again or close the source's jobs in state `running`, while the caller holds the source; returns how many there were."""
    dead = list(source.jobs.filter(state=State.RUNNING))
    for job in dead:
        revive(job)
    return len(dead)


def revive(job: IngestJob) -> None:
    """Queue a job again whose process died, or close it.

    It is closed if it was cancelled, if it has died for the MAX_ATTEMPTS-th time, or if a command ran it (`attempts` 0): whoever ran the
    command saw it end.
    """
    if job.cancel_requested:
        close_job(job, State.CANCELLED, rest=Outcome.CANCELLED)
    elif 0 < job.attempts < MAX_ATTEMPTS:
        put_back(job)
    else:
        close_job(job, State.FAILED, WORKER_DIED, _DIED_OFTEN if job.attempts else _DIED, rest=Outcome.NOT_REACHED)


@transaction.atomic
def put_back(job: IngestJob, why: str = _DIED, *, has_task: bool = True) -> None:
    """Queue a job again, to go on where it was. If another job of the source is queued already, this one is closed and that one takes over.

    A job without a task waits until a slot is handed to it, or the sweeper finds it.
    """
    lock_source(job.source_id)
    follower = IngestJob.objects.select_for_update().filter(source=job.source_id, state=State.QUEUED).first()
    if follower:
        widen(follower, job.only, prune=job.prune, accepts_removals=job.accepts_removals)
        message = f"{why}; job {follower.pk} goes on with its files"
        close_job(job, State.FAILED, WORKER_DIED, message, rest=Outcome.NOT_REACHED)
        return
    job.state, job.stage, job.gives_way = State.QUEUED, "", False
    job.save(update_fields=["state", "stage", "gives_way"])
    if has_task:
        enqueue(job)


def lock_source(source_id: int) -> None:
    """Prevent others from queueing a job of this source until the transaction ends. Rows that refer to the source can still be written."""
    Source.objects.select_for_update(no_key=True).get(pk=source_id)


def widen(job: IngestJob, only: list[str] | None, *, prune: bool, accepts_removals: bool) -> None:
    """Have a queued job read these files too; None means everything in its source.

    It prunes if either request did, and may remove even most of the documents if a pruning request accepted that. If the job was put back,
    it already has a list of files: these are added to it, and their outcomes from the earlier attempt are deleted.
    """
    job.only = None if job.only is None or only is None else sorted({*job.only, *only})
    job.accepts_removals = (job.prune and job.accepts_removals) or (prune and accepts_removals)
    job.prune = job.prune or prune
    if job.listed is not None and only is not None and job.source.kind != Source.Kind.SITE:
        job.listed = sorted({*job.listed, *only})
        job.outcomes.filter(path__in=only).delete()
    job.save(update_fields=["only", "listed", "prune", "accepts_removals"])


@transaction.atomic
def take_job(job_id: int) -> IngestJob | None:
    """Make a queued job a running one of this process, which must hold its source; None if it is no longer queued."""
    job = IngestJob.objects.select_for_update(of=("self",)).select_related("source__collection__tenant").get(pk=job_id)
    if job.state != State.QUEUED:
        return None
    job.state, job.stage, job.attempts = State.RUNNING, "listing", job.attempts + 1
    job.heartbeat = job.taken = timezone.now()
    job.started, job.gives_way = job.started or job.heartbeat, False
    job.save(update_fields=["state", "stage", "attempts", "started", "heartbeat", "taken", "gives_way"])
    return job


@transaction.atomic
def close_job(
    job: IngestJob, state: IngestJob.State, code: str = "", message: str = "", *, rest: FileOutcome.Outcome
) -> None:
    """End a job. Its files without an outcome get `rest`: those that it listed or, if it never ran, those that it was given."""
    fill_outcomes(job, rest)
    job.state, job.error_code, job.error_message = state, code, make_tellable(message)
    job.finished, job.done = timezone.now(), count_done(job)
    job.save(update_fields=["state", "error_code", "error_message", "finished", "done"])


def close_without_outcomes(job: IngestJob, code: str, message: str) -> None:
    """End a job as failed when not even the outcomes of its files can be written; the sweeper adds them later."""
    job.state, job.error_code, job.error_message, job.finished = State.FAILED, code, message, timezone.now()
    job.save(update_fields=["state", "error_code", "error_message", "finished"])
