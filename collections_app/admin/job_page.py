"""The page of a job: its progress, without reloading; what became of each file, why, and what to do; cancel, retry, confirm.

reports/jobs.py says what to show; nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from collections_app.access.roles import Role
from collections_app.activity import audit
from collections_app.admin.adding.files import get_job_url
from collections_app.admin.adding.sources import name_place
from collections_app.admin.documents import CLEANED, WARNED
from collections_app.admin.pages import get_page, is_editor, show_page
from collections_app.admin.site import admin_page
from collections_app.admin.tenant_rows import get_row_or_404
from collections_app.admin.words import FILES_IN_WORDS, describe_state
from collections_app.exceptions import DocsError, JobEnded
from collections_app.jobs import REMOVALS_HELD, cancel_job, retry_job, start_job
from collections_app.jobs.starting import find_retried, is_retried_whole
from collections_app.models import Document, FileOutcome, IngestJob
from collections_app.reports.jobs import (
    count_cleaned,
    count_outcomes,
    count_unchanged,
    count_warned,
    describe_left_out,
    describe_shared_reason,
    describe_silence,
    list_shared_reasons,
    measure_progress,
    rank_outcomes,
)
from collections_app.reports.mends import mend_file
from collections_app.reports.twins import find_twins, find_unfound

Outcome = FileOutcome.Outcome

FILES_A_PAGE = 50
# Steps in which progress is announced to screen readers, instead of each percent.
ANNOUNCED_PERCENT = 20


def show_job(request: HttpRequest, pk: Any) -> HttpResponse:
    job = get_job(request, pk)
    return show_page(
        request,
        "admin/jobs/job.html",
        title=f"Job {job.pk} · {job.collection.name}",
        collection=job.collection,
        way="jobs",
        **describe(request, job, counts := count_outcomes(job)),
        **list_files(request, job, counts),
    )


@admin_page("jobs/<int:pk>/progress/", name="job_progress")
def show_progress(request: HttpRequest, pk: int) -> HttpResponse:
    """The part of the page that is requested each second until the job has ended; the last time with the files."""
    job = get_job(request, pk)
    has_ended, counts = not job.is_unfinished, count_outcomes(job)
    files = list_files(request, job, counts) if has_ended else {}
    return render(
        request,
        "admin/jobs/progress.html",
        {**describe(request, job, counts), **files, "has_ended": has_ended},
    )


@admin_page("jobs/<int:pk>/files/", name="job_files")
def show_files(request: HttpRequest, pk: int) -> HttpResponse:
    job = get_job(request, pk)
    return render(
        request,
        "admin/jobs/files.html",
        {"job": job, "is_unfinished": job.is_unfinished, **list_files(request, job, count_outcomes(job))},
    )


@admin_page("jobs/<int:pk>/cancel/", name="cancel_job")
@require_POST
def cancel(request: HttpRequest, pk: int) -> HttpResponse:
    job = get_job(request, pk, Role.EDITOR)
    try:
        job = cancel_job(job)
        audit.record(request, "cancel", job)
        if job.cancel_requested:
            messages.info(request, "The job is being cancelled. What it has written stays.")
    except JobEnded as ended:
        messages.error(request, ended.message)
    return redirect(get_job_url(job))


@admin_page("jobs/<int:pk>/retry/", name="retry_job")
@require_POST
def retry(request: HttpRequest, pk: int) -> HttpResponse:
    return queue_another(request, pk, "retry", retry_job)


@admin_page("jobs/<int:pk>/accept-removals/", name="accept_removals")
@require_POST
def accept_removals(request: HttpRequest, pk: int) -> HttpResponse:
    """Reads the source again, and removes documents that it no longer has."""

    def start(job: IngestJob, *, requested_by: str) -> IngestJob:
        return start_job(job.source, accepts_removals=True, requested_by=requested_by)

    return queue_another(request, pk, "accept removals", start)


def queue_another(request: HttpRequest, pk: int, done: str, queue: Callable[..., IngestJob]) -> HttpResponse:
    """Redirects to the page of the job that `queue(job, requested_by=…)` creates from this one; if it refuses, back to this one's with the
    reason. `done`: the action's name in the audit log."""
    job = get_job(request, pk, Role.EDITOR)
    try:
        job = queue(job, requested_by=request.user.get_username())
        audit.record(request, done, job)
    except DocsError as error:
        messages.error(request, error.message)
    return redirect(get_job_url(job))


def get_job(request: HttpRequest, pk: Any, role: Role = Role.VIEWER) -> IngestJob:
    jobs = IngestJob.objects.select_related("source", "collection__tenant")
    return get_row_or_404(request, jobs, pk, role)


def is_worth_retrying(job: IngestJob) -> bool:
    """By the same rule as retry_job."""
    return not job.is_unfinished and (is_retried_whole(job) or find_retried(job).exists())


def announce(state: str, percent: int) -> str:
    """What a screen reader says: in steps, so that it does not speak each second."""
    step = percent // ANNOUNCED_PERCENT * ANNOUNCED_PERCENT
    return f"{state}, {step} %" if step else state


def describe(request: HttpRequest, job: IngestJob, counts: dict[str, int]) -> dict[str, Any]:
    percent, state = int(100 * measure_progress(job)), describe_state(job)
    return {
        "job": job,
        "place": name_place(job.source),
        "is_unfinished": job.is_unfinished,
        "percent": percent,
        "state": state,
        "announcement": announce(state, percent if job.is_unfinished else 0),
        "notice": describe_silence(job, timezone.now()),
        "may_edit": is_editor(request, job.tenant_id),
        "holds_removals": job.error_code == REMOVALS_HELD,
        "may_retry": is_worth_retrying(job),
        "warned": count_warned(job),
        "cleaned": count_cleaned(job),
        "unchanged": list_unchanged(job),
        "often": [describe_shared_reason(shared) for shared in list_shared_reasons(job)],
        "left_out": describe_left_out(job.left_out, job.left_out_paths),
        "counts": [(outcome, FILES_IN_WORDS[outcome], count) for outcome, count in counts.items()],
    }


def list_unchanged(job: IngestJob) -> list[tuple[str, int, str]]:
    """The documents that the job left unchanged and that are worth a look: the reason, their number, and where they are listed."""
    count = count_unchanged(job)
    listing = f"{reverse('admin:collections_app_document_changelist')}?source__id__exact={job.source_id}&look="
    rows = [("with warnings", count.still_warned, WARNED), ("with text taken out", count.still_cleaned, CLEANED)]
    return [(words, number, f"{listing}{look}") for words, number, look in rows if number]


def list_files(request: HttpRequest, job: IngestJob, counts: dict[str, int]) -> dict[str, Any]:
    """A page of the job's files, those that need attention first; `?outcome=` and `?path=` filter them."""
    outcome, text = request.GET.get("outcome", ""), request.GET.get("path", "").strip().replace("\0", "")
    rows, count = rank_outcomes(job), sum(counts.values())
    if outcome in Outcome.values:
        rows, count = rows.filter(outcome=outcome), counts.get(outcome, 0)
    if text:
        rows = rows.filter(path__icontains=text)
        count = rows.count()
    page = get_page(request, rows, FILES_A_PAGE, count)
    return {
        "page": page,
        "files": make_files(list(page)),
        "outcome": outcome,
        "path": text,
        "all_counts": [(name, FILES_IN_WORDS[name], number) for name, number in counts.items()],
        "all_count": sum(counts.values()),
    }


def make_files(rows: Sequence[FileOutcome]) -> list[dict[str, Any]]:
    """What the page shows of each file: the document if it still exists, and for a duplicate the equal file."""
    there = Document.objects.filter(pk__in=[row.document_id for row in rows])
    hashes: dict[int | None, str] = dict(there.values_list("pk", "content_hash"))
    cleaned = set(there.cleaned().values_list("pk", flat=True))
    twins = find_twins(rows, hashes)
    unfound = find_unfound(rows[0].job, twins.values()) if twins else set()
    return [
        {
            "row": row,
            "words": FILES_IN_WORDS[row.outcome],
            "document_id": row.document_id if row.document_id in hashes else None,
            "mend": mend_file(row),
            "twin": (twin := twins.get(row.pk)),
            "is_moved": bool(twin and twin.pk in unfound),
            "is_cleaned": row.document_id in cleaned and row.outcome in (*FileOutcome.READ, Outcome.UNCHANGED),
        }
        for row in rows
    ]
