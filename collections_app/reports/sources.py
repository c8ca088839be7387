"""Reports on sources for operators: how many documents, how the last run ended, when the next is due.

Changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, OuterRef, Q, QuerySet, Subquery

from collections_app.jobs import NOT_PRUNED, REMOVALS_HELD, find_next_refreshes
from collections_app.models import Collection, IngestJob, Source


@dataclass(frozen=True, slots=True)
class SourceReport:
    """`next_refresh` is None for a source that is only read on request; `held` is a job whose removals somebody has to confirm."""

    source: Source
    documents: int
    last_job: IngestJob | None
    next_refresh: datetime | None
    held: IngestJob | None = None

    def is_due(self, now: datetime) -> bool:
        return self.next_refresh is not None and self.next_refresh <= now


def list_sources(collections: Sequence[Collection]) -> list[SourceReport]:
    """The sources of these collections, oldest first."""
    sources = Source.objects.filter(collection__in=collections).select_related("collection__tenant").order_by("pk")
    documents = dict(sources.values_list("pk").annotate(Count("documents")))
    jobs = IngestJob.objects.filter(source__in=sources)
    newest = [job for _, job in jobs.order_by().values_list("source").annotate(Max("pk"))]
    last_jobs = {job.source_id: job for job in IngestJob.objects.filter(pk__in=newest)}
    held = {job.source_id: job for job in find_held_runs(sources)}
    due = find_next_refreshes(sources)
    return [
        SourceReport(source, documents[source.pk], last_jobs.get(source.pk), due.get(source.pk), held.get(source.pk))
        for source in sources
    ]


def find_failed_runs(sources: QuerySet[Source]) -> QuerySet[IngestJob]:
    """The last job of each of these sources whose last job could not read the source as such.

    Jobs over some files only (an upload, a retry) do not count: if all their files are bad, that says nothing about the source.
    """
    last = IngestJob.objects.filter(source=OuterRef("pk")).order_by("-pk").values("pk")[:1]
    newest = IngestJob.objects.filter(pk__in=sources.order_by().annotate(last=Subquery(last)).values("last"))
    return newest.filter(Q(only=None) | ~Q(error_message=""), state=IngestJob.State.FAILED)


def find_held_runs(sources: QuerySet[Source]) -> QuerySet[IngestJob]:
    """For each of these sources, the last job that looked for missing documents, if it found most of them missing and kept them until
    somebody confirms. Jobs that failed, were over some files, or did not see all of the source have not looked."""
    ended = Q(state__in=[IngestJob.State.SUCCEEDED, IngestJob.State.PARTIAL]) & ~Q(error_code=NOT_PRUNED)
    ended |= Q(error_code=REMOVALS_HELD)
    last = IngestJob.objects.filter(ended, source=OuterRef("pk"), prune=True).order_by("-pk").values("pk")[:1]
    looked = sources.order_by().annotate(looked=Subquery(last)).values("looked")
    return IngestJob.objects.filter(pk__in=looked, error_code=REMOVALS_HELD)
