"""Reports on a job for people, programs and agents: how far it is, and what became of each file.

Changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType
from typing import Any, NamedTuple

from django.db.models import Case, Count, IntegerField, OuterRef, Q, QuerySet, Subquery, TextField, Value, When
from django.db.models.functions import Concat

from collections_app.catalog.places import list_places
from collections_app.documents import find_id, iter_spellings, list_urls
from collections_app.exceptions import JobNotFound
from collections_app.jobs.upkeep import SILENCE
from collections_app.models import Collection, Document, FileOutcome, IngestJob, Upload
from collections_app.models.jobs import UNREAD
from collections_app.models.library import WAS_REMOVED, DocumentQuerySet
from collections_app.sources.site.urls import find_url

Outcome = FileOutcome.Outcome

# Outcomes that need attention come first.
WORST_FIRST = (
    Outcome.FAILED,
    Outcome.QUARANTINED,
    Outcome.UNSUPPORTED,
    Outcome.NOT_REACHED,
    Outcome.CANCELLED,
    Outcome.REMOVED,
    Outcome.DUPLICATE,
    Outcome.INDEXED,
    Outcome.UNCHANGED,
)
_KINDS_TAKEN_OUT = {
    "comment": "comments",
    "invisible_characters": "invisible characters",
    "hidden_text": "hidden text",
    "instructions": "text that speaks to a model",
}
# Outcomes of a file that had a document.
STORED = (*FileOutcome.READ, Outcome.UNCHANGED, Outcome.QUARANTINED, Outcome.REMOVED)
NOT_TAKEN = (Outcome.FAILED, Outcome.QUARANTINED, Outcome.UNSUPPORTED, Outcome.NOT_REACHED)
# A reason that at least FILES_ALIKE files share is told once, with SHOWN_ALIKE of their paths; at most SHARED_REASONS of these for a job.
FILES_ALIKE, SHOWN_ALIKE, SHARED_REASONS = 5, 3, 5
# About a file with one of these outcomes and no warning there is nothing to tell.
AS_THEY_SHOULD_BE = (Outcome.INDEXED, Outcome.UNCHANGED)
# A document's last outcome is looked for in at most so many of its collection's jobs.
SEARCHED_JOBS = 50


@dataclass(frozen=True, slots=True)
class PathReport:
    """A path in a collection: its document, its outcome in the last job, and the unfinished job that was started for it."""

    collection_id: int
    path: str
    document: Document | None = None
    last: FileOutcome | None = None
    awaited: IngestJob | None = None

    @property
    def is_gone(self) -> bool:
        """Whether it had a document after the last reading, and has none now."""
        return not (self.document or self.awaited) and self.last is not None and self.last.outcome in STORED

    @property
    def status(self) -> str:
        """The document's status; if there is no document yet, that of its upload; empty if nothing is on its way."""
        if self.document or not self.awaited:
            return self.document.status if self.document else ""
        return next(status for status, state in UNREAD.items() if state == self.awaited.state)


def get_job(collections: Sequence[Collection], job_id: int) -> IngestJob:
    """A job of one of these collections. Raises JobNotFound, also for another tenant's job."""
    jobs = IngestJob.objects.in_collections(collections)
    job = jobs.filter(pk=job_id).select_related("source", "collection__tenant").first()
    if job is None:
        raise JobNotFound(f"There is no job {job_id}. The answer that started a job names its id.")
    return job


def count_outcomes(job: IngestJob) -> dict[str, int]:
    """How many files had which outcome, the worst outcome first."""
    rows = FileOutcome.objects.of_job(job).order_by().values_list("outcome")
    counts = dict(rows.annotate(Count("pk")))
    return {outcome.value: counts[outcome] for outcome in WORST_FIRST if outcome in counts}


def count_warned(job: IngestJob) -> int:
    """How many documents were read with warnings (their reasons)."""
    return FileOutcome.objects.of_job(job).filter(outcome__in=FileOutcome.READ).exclude(reason="").count()


def count_cleaned(job: IngestJob) -> int:
    """From how many of the documents that the job read the content policy removed text, judged by the documents as they are now. 0 until
    the job has ended, since it reads all of them."""
    return 0 if job.is_unfinished else _get_read(job).cleaned().count()


def describe_cleaned(job: IngestJob) -> str:
    """From how many documents what was removed; empty if the policy removed nothing, or the job has not ended."""
    cleaned = count_cleaned(job)
    if not cleaned:
        return ""
    having = {
        kind: Count("pk", filter=Q(findings__contains=[{"kind": kind, "removed": True}])) for kind in _KINDS_TAKEN_OUT
    }
    counts = _get_read(job).aggregate(**having)
    kinds = ", ".join(f"{words} of {counts[kind]:,}" for kind, words in _KINDS_TAKEN_OUT.items() if counts[kind])
    return f"{cleaned:,} ({kinds}; their pages in the admin quote it)"


def _get_read(job: IngestJob) -> DocumentQuerySet[Document]:
    read = FileOutcome.objects.of_job(job).filter(outcome__in=FileOutcome.READ)
    return Document.objects.filter(tenant=job.tenant_id, pk__in=read.values("document_id"))


class Unchanged(NamedTuple):
    """Documents that a job left unchanged: how many have warnings, and from how many the content policy removed text."""

    still_warned: int
    still_cleaned: int


def count_unchanged(job: IngestJob) -> Unchanged:
    """Counts what an earlier job reported and this one does not repeat. 0 until it has ended; one query."""
    if job.is_unfinished:
        return Unchanged(0, 0)
    files = FileOutcome.objects.of_job(job).filter(outcome=Outcome.UNCHANGED).order_by()
    cleaned = Count("pk", filter=Q(document__findings__contains=WAS_REMOVED))
    return Unchanged(**files.aggregate(still_warned=Count("pk", filter=~Q(reason="")), still_cleaned=cleaned))


def describe_unchanged(count: Unchanged) -> str:
    """`Unchanged, and worth a look: 12 with warnings, 3 with text taken out`; empty if there are none."""
    named = (("warnings", count.still_warned), ("text taken out", count.still_cleaned))
    told = ", ".join(f"{number:,} with {what}" for what, number in named if number)
    return f"Unchanged, and worth a look: {told}" if told else ""


def count_good(job: IngestJob) -> int:
    """How many files were read without a warning."""
    return FileOutcome.objects.of_job(job).filter(outcome__in=AS_THEY_SHOULD_BE, reason="").count()


ReasonKey = tuple[str, str, str]
"""An outcome, its code and its reason."""


@dataclass(frozen=True, slots=True)
class SharedReason:
    """A reason that at least FILES_ALIKE files of a job share, with the first of their paths."""

    outcome: str
    code: str
    reason: str
    count: int
    paths: tuple[str, ...]

    @property
    def key(self) -> ReasonKey:
        return self.outcome, self.code, self.reason


def list_shared_reasons(job: IngestJob) -> list[SharedReason]:
    """The most common first; reasons that unchanged documents repeat come last."""
    files = FileOutcome.objects.of_job(job).exclude(reason="").order_by()
    alike = files.values("outcome", "code", "reason").annotate(count=Count("pk")).filter(count__gte=FILES_ALIKE)
    is_old = Case(When(outcome=Outcome.UNCHANGED, then=1), default=0)
    return [
        SharedReason(**row, paths=tuple(find_alike(files, row)[:SHOWN_ALIKE]))
        for row in alike.order_by(is_old, "-count", "outcome", "code", "reason")[:SHARED_REASONS]
    ]


def find_first_reason() -> Subquery:
    """For each job in the outer query: code and reason of its first file that was not accepted."""
    files = FileOutcome.objects.filter(tenant=OuterRef("tenant"), job=OuterRef("pk"), outcome__in=NOT_TAKEN)
    files = files.exclude(code="", reason="")
    told = Concat("code", Value(": "), "reason", output_field=TextField())
    return Subquery(files.order_by("path").annotate(told=told).values("told")[:1])


def find_alike(files: QuerySet[FileOutcome], row: Mapping[str, Any]) -> QuerySet[FileOutcome, str]:
    alike = files.filter(outcome=row["outcome"], code=row["code"], reason=row["reason"])
    return alike.order_by("path").values_list("path", flat=True)


def describe_shared_reason(shared: SharedReason, shorten: Callable[[str], str] = str) -> str:
    """`120 × failed: FETCH_ERROR The site … (a.html, b.html, c.html, …)`."""
    what = f"{shared.outcome}: {shorten(f'{shared.code} {shared.reason}'.strip())}"
    return f"{shared.count:,} × {what} ({', '.join(map(shorten, shared.paths))}, …)"


def rank_outcomes(job: IngestJob) -> QuerySet[FileOutcome]:
    """The outcomes by `rank`, then path. The rank is the place in WORST_FIRST; good outcomes without a warning come after all others."""
    count, first_good = len(WORST_FIRST), WORST_FIRST.index(Outcome.DUPLICATE)
    ranks = list(enumerate(WORST_FIRST))
    good = [When(outcome=outcome, reason="", then=Value(count + rank)) for rank, outcome in ranks[first_good:]]
    others = [When(outcome=outcome, then=Value(rank)) for rank, outcome in ranks]
    rank = Case(*good, *others, default=Value(2 * count), output_field=IntegerField())
    return select_files(job).annotate(rank=rank).order_by("rank", "path")


def select_files(job: IngestJob) -> QuerySet[FileOutcome]:
    """The job's outcomes, each with the job and its source."""
    return FileOutcome.objects.of_job(job).with_jobs()


def report_document(collections: Sequence[Collection], name: str) -> list[PathReport]:
    """All that is known under this name in each collection, ordered by collection and path; empty if nobody ever tried to ingest it.

    The name is read as get_document() reads it (`collection:path`, a path, an id, a URL); documents in any status, and uploads to come,
    count.
    """
    places = list_places(collections, name)
    return next(filter(None, (report_name(named, rest) for named, rest in places)), [])


def report_name(collections: Sequence[Collection], name: str) -> list[PathReport]:
    name = name.strip()
    if "://" in name:
        return report_places(collections, find_places_of_url(collections, name))
    spellings = list(dict.fromkeys(iter_spellings(name)))
    reports = report_paths(collections, set(spellings))
    for spelling in spellings:
        if found := [report for report in reports if report.path == spelling]:
            return found
    document_id = find_id(name)
    if document_id is None:
        return []
    documents = Document.objects.in_collections(collections).filter(pk=document_id)
    return report_places(collections, set(documents.values_list("collection_id", "path")))


def find_places_of_url(collections: Sequence[Collection], url: str) -> set[tuple[int, str]]:
    """The collection's id and path of each document, upload and outcome of this page."""
    urls = {*list_urls(url), find_url(url) or url}
    kept = Document.objects.in_collections(collections).filter(source_url__in=urls)
    sent = Upload.objects.in_collections(collections).filter(url__in=urls)
    outcomes = FileOutcome.objects.in_collections(collections)
    told = outcomes.filter(job__in=find_last_jobs(collections), source_url__in=urls).order_by()
    return {place for rows in (kept, sent, told) for place in rows.values_list("collection_id", "path")}


def report_places(collections: Sequence[Collection], places: Set[tuple[int, str]]) -> list[PathReport]:
    reports = report_paths(collections, {path for _, path in places}) if places else []
    return [report for report in reports if (report.collection_id, report.path) in places]


def find_last_jobs(collections: Sequence[Collection]) -> list[IngestJob]:
    """The newest first."""
    return list(IngestJob.objects.in_collections(collections).order_by("-pk")[:SEARCHED_JOBS])


def report_paths(collections: Sequence[Collection], paths: Set[str]) -> list[PathReport]:
    """All that is known under these paths, ordered by collection and path."""
    jobs = find_last_jobs(collections)
    outcomes = FileOutcome.objects.in_collections(collections).filter(job__in=jobs, path__in=paths)
    documents = Document.objects.in_collections(collections).filter(path__in=paths).defer("content")
    found: dict[tuple[int, str], PathReport] = {}
    told: set[tuple[int, str]] = set()

    def note(collection_id: int, path: str, **known: Any) -> None:
        report = found.get((collection_id, path)) or PathReport(collection_id, path)
        found[collection_id, path] = replace(report, **known)

    for outcome in outcomes.with_jobs().order_by("job_id"):
        note(outcome.collection_id, outcome.path, last=outcome)
        told.add((outcome.job_id, outcome.path))
    for document in documents:  # after the outcomes: a document that is written meanwhile would seem to be gone
        note(document.collection_id, document.path, document=document)
    awaited = [job.pk for job in jobs if job.is_unfinished]
    for job in IngestJob.objects.filter(pk__in=awaited, only__overlap=list(paths)).order_by("-pk"):
        for path in paths & set(job.only or ()):
            if (job.pk, path) not in told:
                note(job.collection_id, path, awaited=job)
    return [found[key] for key in sorted(found)]


def measure_progress(job: IngestJob) -> float:
    """From 0 to 1; 0 while files are not counted yet. A job that failed or was cancelled stays where it was."""
    if job.state in (IngestJob.State.SUCCEEDED, IngestJob.State.PARTIAL):
        return 1.0
    return min(job.done / job.total, 1.0) if job.total else 0.0


def describe_silence(job: IngestJob, now: datetime) -> str:
    """Why an unfinished job may seem to stand still, and which other job is in its way; empty if it does not."""
    return describe_silences([job], now)[job.pk]


def describe_silences(jobs: Sequence[IngestJob], now: datetime) -> dict[int, str]:
    """describe_silence() for each job, by its id. At most one query."""
    before = find_jobs_before(jobs)
    return {job.pk: describe_wait(job, before.get(job.pk), now) for job in jobs}


def describe_wait(job: IngestJob, before: int | None, now: datetime) -> str:
    """`before`: the id of the job that it has to wait for."""
    if before:
        return f"It waits for the end of job {before}: one job of a source runs at a time, and a collection's uploads are one source."
    last = job.heartbeat or job.started or job.created
    seconds = int((now - last).total_seconds())
    if not job.is_unfinished or seconds < SILENCE.total_seconds():
        return ""
    if job.state == IngestJob.State.QUEUED:
        return f"It has waited for a worker for {seconds} s; see that the queue runs and is not busy."
    return f"There is no sign of its worker for {seconds} s; it is started again by itself."


def describe_left_out(
    left_out: Mapping[str, int], paths: Mapping[str, Sequence[str]] = MappingProxyType({})
) -> list[str]:
    """A line for each reason for which files were passed over, the most common first, then by name; with the first paths, if they are
    known: `212 × .org: Convert it … (a.org, b.org, …)`."""
    ordered = sorted(left_out.items(), key=lambda each: (-each[1], each[0]))
    return [f"{count:,} × {reason}{name_left_out(paths.get(reason, ()), count)}" for reason, count in ordered]


def name_left_out(paths: Sequence[str], count: int) -> str:
    more = ["…"] if len(paths) < count else []
    return f" ({', '.join([*paths, *more])})" if paths else ""


def find_jobs_before(jobs: Iterable[IngestJob]) -> dict[int, int]:
    """For each queued job that has to wait for a running one: its id → the other's."""
    queued = [job for job in jobs if job.state == IngestJob.State.QUEUED]
    if not queued:
        return {}
    places = {"tenant__in": {job.tenant_id for job in queued}, "source__in": [job.source_id for job in queued]}
    running = IngestJob.objects.filter(**places, state=IngestJob.State.RUNNING)
    at_source = dict(running.values_list("source_id", "pk"))
    return {job.pk: at_source[job.source_id] for job in queued if job.source_id in at_source}


def describe_outcome(file: FileOutcome, told: Container[ReasonKey] = (), twin: str = "") -> str:
    """`indexed`, `failed: PARSE_ERROR Line 3 …`, or `duplicate of a.md` with its twin (twins.py)."""
    reason = describe_reason(file, told)
    outcome = f"{file.outcome} of {twin}" if twin else str(file.outcome)
    return f"{outcome}: {reason}" if reason else outcome


def describe_reason(file: FileOutcome, told: Container[ReasonKey] = ()) -> str:
    """The file's code and reason; only the code if the reason is in `told`, the reasons given before."""
    is_told = (file.outcome, file.code, file.reason) in told
    return f"{file.code} {'(as above)' if is_told else file.reason}".strip()


def get_stage(job: IngestJob) -> str:
    """What the job is doing; before it begins and after it has ended, its state."""
    return (job.stage if job.state == IngestJob.State.RUNNING else "") or job.state
