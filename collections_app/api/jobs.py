"""Jobs over REST: list them, follow one and its files, cancel one, retry what failed."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from collections_app.api.access import check_may_change, get_collection
from collections_app.api.authentication import Manage
from collections_app.api.base import ApiView, ListView
from collections_app.api.fields import ChoiceField
from collections_app.api.pagination import PageQuery
from collections_app.catalog.visible import get_visible_collections
from collections_app.jobs import cancel_job, retry_job
from collections_app.models import FileOutcome, IngestJob
from collections_app.reports.jobs import (
    count_outcomes,
    describe_silence,
    describe_silences,
    get_job,
    get_stage,
    measure_progress,
    select_files,
)
from collections_app.reports.mends import mend_file


class JobsQuery(PageQuery):
    collection = serializers.CharField(max_length=200, required=False, help_text="Slug or tenant:slug")
    source_id = serializers.IntegerField(required=False)
    state = ChoiceField(IngestJob.State.choices, required=False)


class JobFilesQuery(PageQuery):
    outcome = ChoiceField(FileOutcome.Outcome.choices, required=False)


class JobListSerializer(serializers.ListSerializer[list[IngestJob]]):
    """Finds out for all jobs at once which waits for which."""

    child: JobSerializer

    def to_representation(self, data: Any) -> Any:
        self.child.notices = describe_silences(data, timezone.now())
        return super().to_representation(data)


class JobSerializer(serializers.ModelSerializer[IngestJob]):
    notices: Mapping[int, str] | None = None  # of the jobs in a list

    tenant = serializers.CharField(source="collection.tenant.slug")
    collection = serializers.CharField(source="collection.slug")
    source_kind = serializers.CharField(source="source.kind")
    progress = serializers.SerializerMethodField(help_text="From 0 to 1")
    stage = serializers.SerializerMethodField(help_text="What it is at; its state while it does not run")
    notice = serializers.SerializerMethodField(help_text="Why it may seem to stand still")

    class Meta:
        model = IngestJob
        list_serializer_class = JobListSerializer
        fields: tuple[str, ...] = (
            "id",
            "tenant",
            "collection",
            "source_id",
            "source_kind",
            "state",
            "stage",
            "done",
            "total",
            "progress",
            "notice",
            "error_code",
            "error_message",
            "retry_of",
            "created",
            "started",
            "heartbeat",
            "finished",
        )

    def get_progress(self, job: IngestJob) -> float:
        return measure_progress(job)

    def get_stage(self, job: IngestJob) -> str:
        return get_stage(job)

    def get_notice(self, job: IngestJob) -> str:
        return describe_silence(job, timezone.now()) if self.notices is None else self.notices[job.pk]


class JobReportSerializer(JobSerializer):
    outcomes = serializers.SerializerMethodField(help_text="How many files came to which outcome, the worst first")
    left_out = serializers.DictField(
        child=serializers.IntegerField(), help_text="How many were passed over, by the reason"
    )
    left_out_paths = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField()), help_text="The first few of these, by the reason"
    )

    class Meta(JobSerializer.Meta):
        fields = (*JobSerializer.Meta.fields, "outcomes", "left_out", "left_out_paths")

    def get_outcomes(self, job: IngestJob) -> dict[str, int]:
        return count_outcomes(job)


class JobFileSerializer(serializers.ModelSerializer[FileOutcome]):
    mend = serializers.SerializerMethodField(help_text="What to do about it")

    class Meta:
        model = FileOutcome
        fields = ("path", "source_url", "outcome", "code", "reason", "mend")

    def get_mend(self, file: FileOutcome) -> str:
        return mend_file(file)


@extend_schema_view(get=extend_schema(parameters=[JobsQuery]))
class JobsView(ListView[IngestJob]):
    permission_classes = (Manage,)
    serializer_class = JobSerializer
    queryset = IngestJob.objects.none()
    ordering = "-pk"
    query = JobsQuery

    def get_queryset(self) -> QuerySet[IngestJob]:
        jobs = IngestJob.objects.visible_to(self.principal).select_related("source", "collection__tenant")
        filters: dict[str, Any] = {name: self.given[name] for name in ("state", "source_id") if name in self.given}
        if name := self.given.get("collection"):
            filters["collection"] = get_collection(self.principal, name)
        return jobs.filter(**filters)


class JobView(ApiView):
    permission_classes = (Manage,)

    @extend_schema(responses=JobReportSerializer)
    def get(self, request: Request, job_id: int) -> Response:
        return Response(JobReportSerializer(get_visible_job(self, job_id)).data)


@extend_schema_view(get=extend_schema(parameters=[JobFilesQuery]))
class JobFilesView(ListView[FileOutcome]):
    permission_classes = (Manage,)
    serializer_class = JobFileSerializer
    queryset = FileOutcome.objects.none()
    ordering = "path"
    query = JobFilesQuery

    def get_queryset(self) -> QuerySet[FileOutcome]:
        files = select_files(get_visible_job(self, self.kwargs["job_id"]))
        return files.filter(outcome=self.given["outcome"]) if "outcome" in self.given else files


class JobCancelView(ApiView):
    permission_classes = (Manage,)

    @extend_schema(request=None, responses={HTTPStatus.ACCEPTED: JobSerializer})
    def post(self, request: Request, job_id: int) -> Response:
        """A running job ends within seconds. What it has done stays. 409 with `state` for one that has ended already."""
        job = cancel_job(get_own_job(self, job_id))
        return Response(JobSerializer(job).data, HTTPStatus.ACCEPTED)


class JobRetryView(ApiView):
    permission_classes = (Manage,)

    @extend_schema(request=None, responses={HTTPStatus.ACCEPTED: JobSerializer})
    def post(self, request: Request, job_id: int) -> Response:
        """A new job for what failed, was cancelled or was not reached."""
        job = retry_job(get_own_job(self, job_id), requested_by=self.principal.label)
        return Response(JobSerializer(job).data, HTTPStatus.ACCEPTED)


def get_visible_job(view: ApiView, job_id: int) -> IngestJob:
    return get_job(get_visible_collections(view.principal), job_id)


def get_own_job(view: ApiView, job_id: int) -> IngestJob:
    job = get_visible_job(view, job_id)
    check_may_change(view.principal, job.collection.tenant)
    return job
