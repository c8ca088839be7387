"""What ingest does and did, and what agents searched for and what their answers cost: to look at, to cancel, to try again."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from collections_app.admin.base import ReadOnlyAdmin, act_on_each
from collections_app.jobs import cancel_job, retry_job
from collections_app.models import AnswerUsage, FileOutcome, IngestJob, SearchEvent, Upload


@admin.register(IngestJob)
class IngestJobAdmin(ReadOnlyAdmin):
    list_display = (
        "pk",
        "collection",
        "source",
        "state",
        "stage",
        "done",
        "total",
        "created",
        "finished",
        "error_message",
    )
    list_filter = ("state", "collection")
    list_select_related = ("collection", "source__collection")
    exclude = ("only",)
    actions = ("cancel", "retry")

    def get_queryset(self, request: HttpRequest) -> QuerySet[IngestJob]:
        return super().get_queryset(request).defer("listed", "only")

    @admin.action(description="Cancel")
    def cancel(self, request: HttpRequest, jobs: QuerySet[IngestJob]) -> None:
        def cancel(job: IngestJob) -> str:
            job = cancel_job(job)
            return f"Job {job.pk} is being cancelled." if job.cancel_requested else f"Job {job.pk} is {job.state}."

        act_on_each(self, request, jobs, cancel)

    @admin.action(description="Retry what failed")
    def retry(self, request: HttpRequest, jobs: QuerySet[IngestJob]) -> None:
        def retry(job: IngestJob) -> str:
            return f"Job {retry_job(job, requested_by=request.user.get_username()).pk} retries job {job.pk}."

        act_on_each(self, request, jobs, retry)


@admin.register(FileOutcome)
class FileOutcomeAdmin(ReadOnlyAdmin):
    list_display = ("path", "job", "outcome", "code", "reason")
    list_filter = ("outcome",)
    list_select_related = ("job",)
    search_fields = ("path", "=job__pk")
    show_full_result_count = False


@admin.register(Upload)
class UploadAdmin(ReadOnlyAdmin):
    list_display = ("path", "collection", "url", "size_bytes", "created")
    list_filter = ("collection",)
    search_fields = ("path",)
    exclude = ("content",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Upload]:
        return super().get_queryset(request).defer("content")


@admin.register(SearchEvent)
class SearchEventAdmin(ReadOnlyAdmin):
    list_display = ("query", "tenant", "mode", "hits", "duration_ms", "created")


@admin.register(AnswerUsage)
class AnswerUsageAdmin(ReadOnlyAdmin):
    list_display = ("day", "tenant", "api_key", "answers", "tokens_in", "tokens_out", "cost")
    list_filter = ("tenant", "day")
    list_select_related = ("tenant", "api_key")
