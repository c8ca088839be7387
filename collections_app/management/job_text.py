"""Ingest jobs as a terminal and a program are told of them. Times are UTC."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.utils import timezone

from collections_app.management.tables import format_table
from collections_app.models import Collection, FileOutcome, IngestJob
from collections_app.reports.jobs import (
    ReasonKey,
    SharedReason,
    count_unchanged,
    describe_cleaned,
    describe_left_out,
    describe_reason,
    describe_shared_reason,
    describe_silence,
    describe_silences,
    describe_unchanged,
    get_stage,
)
from collections_app.reports.twins import describe_twins
from collections_app.text.control_characters import make_tellable
from collections_app.text.shortening import shorten

HEADINGS = ("JOB", "STATE", "STAGE", "FILES", "COLLECTION", "SOURCE", "CREATED", "MESSAGE")


# In a list; `jobs show` has all of it.
MESSAGE_CHARACTERS = 80


def format_jobs(jobs: Sequence[IngestJob], name: Callable[[Collection], str]) -> str:
    """A table, a line for each; `name` says what a collection is called there."""
    notices = describe_silences(jobs, timezone.now())
    return format_table(HEADINGS, [make_row(job, name(job.collection), notices[job.pk]) for job in jobs])


def make_row(job: IngestJob, collection: str, notice: str) -> tuple[object, ...]:
    return (
        job.pk,
        describe_state(job),
        describe_stage(job),
        describe_count(job),
        collection,
        f"{job.source_id} {job.source.kind}",
        format_moment(job.created),
        shorten(job.error_message or notice, MESSAGE_CHARACTERS),
    )


def describe_state(job: IngestJob) -> str:
    is_ending = job.cancel_requested and job.is_unfinished
    return f"{job.state}, being cancelled" if is_ending else str(job.state)


def describe_taken_out(job: IngestJob) -> str:
    """Nothing where the collection's policy took no text out of any document."""
    told = describe_cleaned(job)
    return f"text of documents: {told}" if told else ""


def describe_stage(job: IngestJob) -> str:
    """What it is at; nothing once it has ended."""
    return job.stage if job.is_unfinished else ""


def describe_count(job: IngestJob) -> str:
    return f"{job.done:,}" if job.total is None else f"{job.done:,} of {job.total:,}"


def format_job(
    job: IngestJob, outcomes: Mapping[str, int], shared: Sequence[SharedReason], files: Sequence[FileOutcome]
) -> str:
    """A line for each thing that is known of it, then one for each of these files; the reasons in `shared` once."""
    told, twins = {reason.key for reason in shared}, describe_twins(job, files)
    lines = {
        f"Job {job.pk}": describe_state(job),
        "collection": job.collection.slug,
        "source": f"{job.source_id}: {job.source.kind} {job.source.location}".rstrip(),
        "requested by": job.requested_by,
        "stage": describe_stage(job),
        "files": describe_count(job),
        "outcomes": ", ".join(f"{count:,} {outcome}" for outcome, count in outcomes.items()),
        "often": join_lines(map(describe_shared_reason, shared)),
        "taken out": describe_taken_out(job),
        "earlier": describe_unchanged(count_unchanged(job)),
        "left out": join_lines(describe_left_out(job.left_out, job.left_out_paths)),
        "created": format_moment(job.created),
        "finished": format_moment(job.finished),
        "message": job.error_message or describe_silence(job, timezone.now()),
    }
    left = sum(outcomes.values()) - len(files)
    text = "\n".join(
        [
            *(f"{name:<13} {value}" for name, value in lines.items() if value),
            *(describe_file(file, told, twins.get(file.pk, "")) for file in files),
            *([f"… and {left:,} more (--limit)"] if left else []),
        ]
    )
    return make_tellable(text)


def format_moment(moment: datetime | None) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S}" if moment else ""


def describe_file(file: FileOutcome, told: Container[ReasonKey], twin: str) -> str:
    reason = describe_reason(file, told) or (f"as {twin}" if twin else "")
    return f"  {file.outcome}: {file.path}{': ' if reason else ''}{reason}"


def join_lines(lines: Iterable[str]) -> str:
    """Below each other, behind the names of what is known."""
    return f"\n{' ' * 14}".join(lines)


def make_report(job: IngestJob) -> dict[str, Any]:
    return {
        "job": job.pk,
        "tenant": job.collection.tenant.slug,
        "collection": job.collection.slug,
        "source": job.source_id,
        "kind": job.source.kind,
        "state": job.state,
        "stage": get_stage(job),
        "done": job.done,
        "total": job.total,
        "left_out": job.left_out,
        "left_out_paths": job.left_out_paths,
        "requested_by": job.requested_by,
        "retry_of": job.retry_of_id,
        "cancel_requested": job.cancel_requested,
        "message": job.error_message,
        "created": job.created,
        "started": job.started,
        "finished": job.finished,
    }


def make_file_report(file: FileOutcome) -> dict[str, Any]:
    return {
        "path": file.path,
        "source_url": file.source_url,
        "outcome": file.outcome,
        "code": file.code,
        "reason": file.reason,
    }
