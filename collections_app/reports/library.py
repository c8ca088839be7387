"""Reports on a tenant's documents: which nobody reads, which failed, how fresh each collection is, what the queue does. Changes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from collections_app.catalog.visible import count_documents
from collections_app.jobs import find_next_refreshes
from collections_app.models import ApiKey, Collection, Document, DocumentRead, IngestJob, Source, Tenant
from collections_app.reports.sources import find_failed_runs, find_held_runs

# A younger document is not reported as unread; on a new server nobody has read any.
UNREAD_DAYS = 14
MAX_DOCUMENTS = 10
MAX_COLLECTIONS = 20
MAX_SOURCES = 200
MAX_JOBS = 10
# Not counted further: more are "more than".
MAX_COUNTED = 10_000


@dataclass(frozen=True, slots=True)
class SomeDocuments:
    """The first few documents, and how many there are, up to MAX_COUNTED."""

    documents: Sequence[Document]
    count: int

    @property
    def is_counted(self) -> bool:
        """Whether `count` is exact."""
        return self.count < MAX_COUNTED


@dataclass(frozen=True, slots=True)
class Freshness:
    """`updated`: when the collection's index last changed. `next_refresh`: when its next source is due; None if none is scheduled."""

    collection: Collection
    documents: int
    updated: datetime
    next_refresh: datetime | None


@dataclass(frozen=True, slots=True)
class QueueReport:
    """`waiting_since`: when the job that has waited longest was queued."""

    waiting: int
    waiting_since: datetime | None
    running: Sequence[IngestJob]


@dataclass(frozen=True, slots=True)
class FirstSteps:
    """Which first steps the tenant has taken."""

    has_collection: bool
    has_document: bool
    has_key: bool
    has_use: bool

    @property
    def are_done(self) -> bool:
        return self.has_collection and self.has_document and self.has_key and self.has_use


def find_unread(tenant: Tenant) -> SomeDocuments:
    """Indexed documents older than UNREAD_DAYS that nobody has read since reads are counted."""
    read = DocumentRead.objects.filter(tenant=tenant, document=OuterRef("pk"))
    old = find_documents(tenant, Document.Status.SUCCESS).filter(
        created__lt=timezone.now() - timedelta(days=UNREAD_DAYS)
    )
    return take(old.filter(~Exists(read)))


def find_failing(tenant: Tenant) -> SomeDocuments:
    return take(find_documents(tenant, Document.Status.FAILED))


def find_quarantined(tenant: Tenant) -> SomeDocuments:
    return take(find_documents(tenant, Document.Status.QUARANTINED))


def find_documents(tenant: Tenant, status: str) -> QuerySet[Document]:
    return Document.objects.filter(tenant=tenant, status=status).order_by("collection_id", "path")


def take(documents: QuerySet[Document]) -> SomeDocuments:
    fields = ("pk", "path", "title", "error_code", "error_message", "collection__slug", "collection__tenant_id")
    listed = list(documents.select_related("collection").only(*fields)[:MAX_DOCUMENTS])
    if len(listed) < MAX_DOCUMENTS:
        return SomeDocuments(listed, len(listed))
    return SomeDocuments(listed, documents.order_by().values("pk")[:MAX_COUNTED].count())


def list_freshness(tenant: Tenant) -> list[Freshness]:
    """Collections, those whose index changed longest ago first."""
    collections = list(Collection.objects.filter(tenant=tenant).order_by("updated", "slug")[:MAX_COLLECTIONS])
    documents = count_documents(collections)
    due = find_first_refreshes(collections)
    return [Freshness(each, documents.get(each.pk, 0), each.updated, due.get(each.pk)) for each in collections]


def find_first_refreshes(collections: Sequence[Collection]) -> dict[int, datetime]:
    """Collection id → when the first of its sources is due, for collections with a source that is refreshed by itself."""
    polled = Source.objects.filter(collection__in=collections).polled().order_by("pk")
    sources = dict(polled.values_list("pk", "collection_id")[:MAX_SOURCES])
    due: dict[int, datetime] = {}
    for pk, moment in find_next_refreshes(Source.objects.filter(pk__in=sources)).items():
        due[sources[pk]] = min(moment, due.get(sources[pk], moment))
    return due


def list_failed_runs(tenant: Tenant) -> list[IngestJob]:
    """The last job of each source that could not be read, so that its documents may be outdated. The newest first."""
    return take_jobs(find_failed_runs(Source.objects.filter(tenant=tenant)))


def list_held_runs(tenant: Tenant) -> list[IngestJob]:
    """For each source that lost most of its documents, the job that found this; agents still get the documents until somebody decides."""
    return take_jobs(find_held_runs(Source.objects.filter(tenant=tenant)))


def take_jobs(jobs: QuerySet[IngestJob]) -> list[IngestJob]:
    return list(jobs.order_by("-pk").select_related("collection", "source")[:MAX_JOBS])


def report_queue(tenant: Tenant) -> QueueReport:
    jobs = IngestJob.objects.filter(tenant=tenant)
    waiting = jobs.filter(state=IngestJob.State.QUEUED).order_by("created")
    running = jobs.filter(state=IngestJob.State.RUNNING).select_related("collection", "source").order_by("started")
    return QueueReport(waiting.count(), waiting.values_list("created", flat=True).first(), list(running[:MAX_JOBS]))


def find_first_steps(tenant: Tenant) -> FirstSteps:
    keys = ApiKey.objects.filter(tenant=tenant)
    return FirstSteps(
        Collection.objects.filter(tenant=tenant).exists(),
        Document.objects.filter(tenant=tenant).exists(),
        keys.exists(),
        keys.filter(last_used__isnull=False).exists(),
    )
