"""Ingest jobs: to look at, cancel and retry."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.db.models import Case, QuerySet, When
from django.http import HttpRequest, HttpResponse

from collections_app.access.roles import Role
from collections_app.admin.actions import act_on_each, row_action
from collections_app.admin.adding.sources import name_place
from collections_app.admin.base import TenantAdmin
from collections_app.admin.job_page import show_job
from collections_app.admin.pages import InfinitePaginator
from collections_app.admin.words import STATES, describe_state, mark_code
from collections_app.jobs import cancel_job, retry_job
from collections_app.models import FileOutcome, IngestJob, Upload
from collections_app.models.jobs import FileOutcomeQuerySet
from collections_app.reports.jobs import find_first_reason
from collections_app.text.shortening import shorten

SHOWN_REASON = 200


class _StateFilter(admin.ChoicesFieldListFilter):
    """Names the states as the list does."""

    def choices(self, changelist: ChangeList) -> Iterator[dict[str, Any]]:  # type: ignore[override]
        words = {str(state.label): STATES[state] for state in IngestJob.State}
        for choice in super().choices(changelist):
            yield {**choice, "display": words.get(str(choice["display"]), choice["display"])}


@admin.register(IngestJob)
class IngestJobAdmin(TenantAdmin):
    """The list; a job has a page of its own."""

    tells_tenant = True
    list_display = ("name", "collection", "place", "words", "reason", "files", "created", "finished")
    list_filter = (("state", _StateFilter), "collection", "source")
    list_select_related = ("collection", "source__collection")
    actions = ("cancel", "retry")
    empty_text = (
        "No documents were read in yet. A job begins when documents are added, or when their source is read again."
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[IngestJob]:
        """A job that failed without a reason of its own gets that of its first failed file; all are bad, so this is found at once."""
        own = When(state=IngestJob.State.FAILED, error_message="", then=find_first_reason())
        jobs: QuerySet[IngestJob] = super().get_queryset(request)
        return jobs.annotate(first_reason=Case(own))

    @admin.display(description="Job", ordering="pk")
    def name(self, job: IngestJob) -> str:
        return f"Job {job.pk}"

    @admin.display(description="Source")
    def place(self, job: IngestJob) -> str:
        return name_place(job.source)

    @admin.display(description="State", ordering="state")
    def words(self, job: IngestJob) -> str:
        return describe_state(job)

    @admin.display(description="Error message", ordering="error_message")
    def reason(self, job: Any) -> str | None:
        reason = job.error_message or (shorten(job.first_reason, SHOWN_REASON) if job.first_reason else "")
        return mark_code(reason) if reason else None

    @admin.display(description="Files")
    def files(self, job: IngestJob) -> str:
        return f"{job.done:,} of {job.total:,}" if job.total else f"{job.done:,}"

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return show_job(request, self.get_object(request, object_id).pk)

    @row_action(Role.EDITOR, "Cancel")
    def cancel(self, request: HttpRequest, jobs: QuerySet[IngestJob]) -> None:
        def cancel(job: IngestJob) -> str:
            job = cancel_job(job)
            return f"Job {job.pk} is being cancelled." if job.cancel_requested else f"Job {job.pk} is {job.state}."

        act_on_each(self, request, jobs, "cancel", cancel)

    @row_action(Role.EDITOR, "Retry what failed")
    def retry(self, request: HttpRequest, jobs: QuerySet[IngestJob]) -> None:
        def retry(job: IngestJob) -> str:
            return f"Job {retry_job(job, requested_by=request.user.get_username()).pk} retries job {job.pk}."

        act_on_each(self, request, jobs, "retry", retry)


@admin.register(FileOutcome)
class FileOutcomeAdmin(TenantAdmin):
    list_display = ("path", "job", "outcome", "code", "reason")
    list_filter = ("outcome", "collection")
    search_fields = ("path", "=job__pk")
    paginator = InfinitePaginator

    def get_queryset(self, request: HttpRequest) -> QuerySet[FileOutcome]:
        return cast("FileOutcomeQuerySet", super().get_queryset(request)).with_jobs()


@admin.register(Upload)
class UploadAdmin(TenantAdmin):
    tells_tenant = True
    list_display = ("path", "collection", "url", "size_bytes", "created")
    list_filter = ("collection",)
    list_select_related = ("collection",)
    search_fields = ("path",)
    exclude = ("content",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Upload]:
        return super().get_queryset(request).defer("content")
