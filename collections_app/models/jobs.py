"""Ingestion and its results: uploads, ingest jobs, the outcome of each file."""

from __future__ import annotations

from typing import ClassVar, Self

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Exists, OuterRef, Q

from collections_app.models.library import Collection, Document, Source
from collections_app.models.tenants import Tenant
from collections_app.models.visibility import InCollectionQuerySet


class UploadQuerySet(InCollectionQuerySet["Upload"]):
    def with_status(self, status: str) -> Self:
        """Uploads that are `pending` (a queued job will read them) or `processing` (a running job will, and has not yet)."""
        state = UNREAD[status]
        jobs = IngestJob.objects.filter(tenant=OuterRef("tenant"), source=OuterRef("source"), state=state)
        told = FileOutcome.objects.filter(
            tenant=OuterRef("tenant"), job__source=OuterRef("source"), job__state=state, path=OuterRef("path")
        )
        return self.filter(Exists(jobs.filter(Q(only=None) | Q(only__contains=[OuterRef("path")]))), ~Exists(told))

    def count_unread(self) -> dict[str, int]:
        """How many uploads have each of these statuses."""
        return {status: self.with_status(status).count() for status in UNREAD}


class Upload(models.Model):
    """The bytes of an uploaded file, kept until the source is deleted, so that any host can ingest them and a backup contains them.

    With a hash but no bytes, they are in the object store (jobs/upload_bytes.py). With a `url` and neither, the job that reads it fetches
    them.
    """

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, db_index=False)
    collection = models.ForeignKey(Collection, on_delete=models.CASCADE)
    source = models.ForeignKey(Source, on_delete=models.CASCADE, related_name="uploads")
    path = models.CharField(max_length=1000)
    url = models.CharField(max_length=2000, blank=True)
    media_type = models.CharField(max_length=200, blank=True)
    metadata = models.JSONField(default=dict, blank=True)
    content = models.BinaryField(null=True)
    content_hash = models.CharField(max_length=64, blank=True)
    size_bytes = models.PositiveBigIntegerField(default=0)
    created = models.DateTimeField(auto_now_add=True)

    objects = UploadQuerySet.as_manager()

    class Meta:
        verbose_name = "uploaded file"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tenant", "source", "path"], name="upload_path_in_source")
        ]

    def __str__(self) -> str:
        return self.path

    def make_unread(self, status: str) -> Document:
        """The document that it will become, as far as that is known: not stored, and without an id."""
        return Document(
            tenant_id=self.tenant_id,
            collection=self.collection,
            path=self.path,
            size_bytes=self.size_bytes,
            source_url=self.url,
            status=status,
        )


_InCollectionManager = models.Manager.from_queryset(InCollectionQuerySet)


class IngestJobManager(_InCollectionManager["IngestJob"]):
    """Defers the lists of paths, which may have hundreds of thousands of entries, until they are needed."""

    def get_queryset(self) -> models.QuerySet[IngestJob]:
        return super().get_queryset().defer("listed", "only")


class IngestJob(models.Model):
    """One run over a source, or over the paths of it that `only` names.

    `listed` are the paths that the run has found, kept until it ends: if a worker dies, those without an outcome were
    not reached. `left_out` counts what was passed over in the source and somebody may miss, by the reason in words,
    and `left_out_paths` has the first paths of each reason; jobs before migration 0026 do not have these.
    """

    class State(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        SUCCEEDED = "succeeded"
        PARTIAL = "partial"
        FAILED = "failed"
        CANCELLED = "cancelled"

    UNFINISHED: ClassVar = (State.QUEUED, State.RUNNING)

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, db_index=False)
    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="jobs")
    source = models.ForeignKey(Source, on_delete=models.CASCADE, related_name="jobs")
    state = models.CharField(max_length=10, choices=State.choices, default=State.QUEUED)
    stage = models.CharField(max_length=30, blank=True)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(null=True, blank=True)
    prune = models.BooleanField(default=False, help_text="Remove documents that the source no longer has")
    accepts_removals = models.BooleanField(
        default=False, db_default=False, help_text="Remove them even if they are most of its documents"
    )
    only = ArrayField(models.TextField(), null=True, blank=True, help_text="Empty: all that the source has")
    retry_of = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="retries")
    listed = ArrayField(models.TextField(), null=True, editable=False)
    left_out = models.JSONField(default=dict, db_default={}, editable=False)
    left_out_paths = models.JSONField(default=dict, db_default={}, editable=False)
    attempts = models.PositiveSmallIntegerField(default=0)
    cancel_requested = models.BooleanField(default=False)
    requested_by = models.CharField(max_length=200, blank=True)
    error_code = models.CharField(max_length=30, blank=True)
    error_message = models.TextField(blank=True)
    created = models.DateTimeField(auto_now_add=True)
    started = models.DateTimeField(null=True, blank=True)
    heartbeat = models.DateTimeField(null=True, blank=True)
    # When a worker last took it, and whether it should leave its slot to another tenant's job: jobs/slots.py.
    taken = models.DateTimeField(null=True, editable=False)
    gives_way = models.BooleanField(default=False, db_default=False, editable=False)
    finished = models.DateTimeField(null=True, blank=True)

    objects = IngestJobManager()

    class Meta:
        verbose_name = "job"
        ordering: ClassVar = ["-created"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["tenant", "source"], condition=models.Q(state=state), name=f"one_{state}_job_per_source"
            )
            for state in ("queued", "running")
        ]

    def __str__(self) -> str:
        return f"job {self.pk} ({self.state})"

    @property
    def is_unfinished(self) -> bool:
        """Whether it waits or runs."""
        return self.state in self.UNFINISHED


class FileOutcomeQuerySet(InCollectionQuerySet["FileOutcome"]):
    def of_job(self, job: IngestJob) -> Self:
        """Those of the job, filtered by tenant too, since the index begins with it."""
        return self.filter(tenant=job.tenant_id, job=job)

    def with_jobs(self) -> Self:
        """Each with its job and the job's source, but without the job's lists of paths."""
        return self.select_related("job__source").defer("job__listed", "job__only")


class FileOutcome(models.Model):
    """What became of one file in one job."""

    class Outcome(models.TextChoices):
        INDEXED = "indexed"
        UNCHANGED = "unchanged"
        DUPLICATE = "duplicate"
        UNSUPPORTED = "unsupported"
        QUARANTINED = "quarantined"
        FAILED = "failed"
        REMOVED = "removed"
        CANCELLED = "cancelled"
        NOT_REACHED = "not_reached"

    # The code of a removed document whose text the source has at another path.
    MOVED: ClassVar = "MOVED"

    # A file that was read, or is unchanged, has warnings if there is a reason.
    READ: ClassVar = (Outcome.INDEXED, Outcome.DUPLICATE)

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, db_index=False)
    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, db_index=False)
    job = models.ForeignKey(IngestJob, on_delete=models.CASCADE, related_name="outcomes")
    path = models.CharField(max_length=1000)
    source_url = models.CharField(max_length=2000, blank=True)
    outcome = models.CharField(max_length=12, choices=Outcome.choices)
    code = models.CharField(max_length=30, blank=True)
    reason = models.TextField(blank=True)
    # Outlives the document, whose id is never reused.
    document = models.ForeignKey(Document, on_delete=models.DO_NOTHING, null=True, db_constraint=False, db_index=False)

    objects = FileOutcomeQuerySet.as_manager()

    class Meta:
        verbose_name = "outcome of a file"
        verbose_name_plural = "outcomes of files"
        ordering: ClassVar = ["path"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["tenant", "job", "path"], name="outcome_once_per_job")]

    def __str__(self) -> str:
        return f"{self.path}: {self.outcome}"


UNREAD = {
    Document.Status.PENDING.value: IngestJob.State.QUEUED,
    Document.Status.PROCESSING.value: IngestJob.State.RUNNING,
}
"""The statuses that no stored document has, and the state of the job that is to read the upload: `UploadQuerySet.with_status()`."""
