"""The only door to ingestion: which source is read, one run at a time, and what became of each file.

A run holds a lock of its database connection. So it is known whether a job that says `running` still is: when its
process dies, the lock goes with it, and the next run says so on the dead job.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from time import monotonic

import structlog
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from collections_app import indexing
from collections_app.exceptions import DocsError, InvalidParameter
from collections_app.ingest import IngestedFile, Outcome, ingest, remove_documents
from collections_app.models import Collection, Document, FileOutcome, IngestJob, Source
from collections_app.parsing.documents import RawDocument
from collections_app.parsing.navigation import NAVIGATION_FILES, parse_navigation
from collections_app.sources import RefusedFile
from collections_app.sources.directory import DirectoryEntry, list_directory

logger = structlog.get_logger(__name__)

State = IngestJob.State

# Session-level advisory locks of this class are held by running jobs; the second number is the source's.
RUN_LOCK = 0x646F6373
HEARTBEAT_SECONDS = 1.0
KEPT_JOBS = 20
REMOVED_AT_ONCE = 500
FAILURES = (Outcome.FAILED, Outcome.UNSUPPORTED, Outcome.QUARANTINED)


@dataclass(slots=True)
class Summary:
    """What a run did: files by outcome, bytes read, seconds taken. `removed` documents are counted among the outcomes."""

    outcomes: Counter[str] = field(default_factory=Counter)
    size_bytes: int = 0
    seconds: float = 0.0

    @property
    def files(self) -> int:
        return sum(count for outcome, count in self.outcomes.items() if outcome != Outcome.REMOVED)

    @property
    def written(self) -> int:
        return self.outcomes[Outcome.INDEXED] + self.outcomes[Outcome.DUPLICATE]

    @property
    def failed(self) -> int:
        return sum(self.outcomes[outcome] for outcome in FAILURES)

    def add(self, file: IngestedFile) -> None:
        self.outcomes[file.outcome] += 1
        self.size_bytes += file.size_bytes


Progress = Callable[[IngestedFile, int], None]


def ensure_directory_source(
    collection: Collection,
    root: Path,
    *,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    max_file_bytes: int = Source.DEFAULT_MAX_FILE_BYTES,
    refresh_interval_seconds: int = 0,
) -> Source:
    """The collection's source for this directory, with these settings from now on. Raises InvalidParameter for a name that is no text."""
    try:
        str(root).encode()
    except UnicodeEncodeError:
        raise InvalidParameter(
            "The directory's name is not UTF-8. Rename it, or reach it by a symbolic link."
        ) from None
    source, _ = Source.objects.update_or_create(
        tenant_id=collection.tenant_id,
        collection=collection,
        kind=Source.Kind.DIRECTORY,
        location=str(root.resolve()),
        defaults={"include": list(include), "exclude": list(exclude), "max_file_bytes": max_file_bytes},
        create_defaults={
            "include": list(include),
            "exclude": list(exclude),
            "max_file_bytes": max_file_bytes,
            "refresh_interval_seconds": refresh_interval_seconds,
        },
    )
    return source


def run_source(
    source: Source, *, prune: bool = False, requested_by: str = "", on_file: Progress | None = None
) -> tuple[IngestJob, Summary]:
    """Read the source in this process and bring its collection up to it. `on_file` hears each outcome and the total of files.

    Raises InvalidParameter when the source cannot be read at all or another run is at it.
    """
    with hold_source(source):
        job = IngestJob.objects.create(
            tenant_id=source.tenant_id,
            collection_id=source.collection_id,
            source=source,
            state=State.RUNNING,
            stage="listing",
            prune=prune,
            requested_by=requested_by,
            started=timezone.now(),
            heartbeat=timezone.now(),
        )
        run = Run(job, source, on_file)
        try:
            summary = run.run()
        except BaseException as error:
            run.record_what_was_done()
            close_job(job, State.CANCELLED if isinstance(error, KeyboardInterrupt) else State.FAILED, describe(error))
            raise
        close_job(job, choose_state(summary), "")
        return job, summary


def describe(error: BaseException) -> str:
    if isinstance(error, DocsError):
        return error.message
    if isinstance(error, KeyboardInterrupt | SystemExit):
        return "stopped by its operator"
    return "an unexpected error ended this run; the log has it"


def choose_state(summary: Summary) -> IngestJob.State:
    if not summary.failed:
        return State.SUCCEEDED
    return State.PARTIAL if summary.failed < summary.files else State.FAILED


def close_job(job: IngestJob, state: IngestJob.State, message: str) -> None:
    job.state, job.error_message, job.finished = state, message, timezone.now()
    job.save(update_fields=["state", "error_message", "finished"])


@contextmanager
def hold_source(source: Source) -> Iterator[None]:
    """Be the only run over a source; a job left `running` by a process that died is closed as failed."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [RUN_LOCK, source.pk])
        if not cursor.fetchone()[0]:
            raise InvalidParameter("This source is being ingested already. Wait until that run has ended.")
    try:
        source.jobs.filter(state=State.RUNNING).update(
            state=State.FAILED, error_message="its process ended before it was done", finished=timezone.now()
        )
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [RUN_LOCK, source.pk])


class Run:
    """One run over one source."""

    def __init__(self, job: IngestJob, source: Source, on_file: Progress | None) -> None:
        self.job = job
        self.source = source
        self.on_file = on_file
        self.summary = Summary()
        self.pending: list[IngestedFile] = []
        self.last_beat = monotonic()

    def run(self) -> Summary:
        began = monotonic()
        entries, refused = list_source(self.source)
        self.job.total, self.job.stage = len(entries) + len(refused), "indexing"
        self.job.save(update_fields=["total", "stage"])
        files = iter_files(entries, refused)
        for file in ingest(self.source.collection, self.source, files, categories=read_categories(entries)):
            self.take(file)
        if self.job.prune and is_prunable(entries, refused):
            self.prune({entry.path for entry in entries} | {file.path for file in refused})
        self.record()
        indexing.settle_index(self.source.collection, self.summary.written)
        forget_old_jobs(self.source)
        self.summary.seconds = monotonic() - began
        return self.summary

    def take(self, file: IngestedFile) -> None:
        self.summary.add(file)
        self.pending.append(file)
        if self.on_file:
            self.on_file(file, self.job.total or 0)
        if monotonic() - self.last_beat >= HEARTBEAT_SECONDS:
            self.record()

    def record(self) -> None:
        """Write what was done since the last time, and a heartbeat."""
        FileOutcome.objects.bulk_create(
            [
                FileOutcome(
                    tenant_id=self.source.tenant_id,
                    collection_id=self.source.collection_id,
                    job=self.job,
                    path=file.path,
                    outcome=file.outcome,
                    code=file.code,
                    reason=file.reason,
                    document_id=file.document_id,
                )
                for file in self.pending
            ],
            ignore_conflicts=True,
        )  # two names may be one where they are no UTF-8
        self.pending.clear()
        self.last_beat = monotonic()
        self.job.done, self.job.heartbeat = self.summary.files, timezone.now()
        self.job.save(update_fields=["done", "heartbeat"])

    def record_what_was_done(self) -> None:
        """Of a run that breaks off; the reason for that is told even when the database is away."""
        with suppress(DatabaseError):
            self.record()

    def prune(self, seen: set[str]) -> None:
        """Remove the source's documents that its listing, which was complete, no longer has."""
        gone = [row for row in self.source.documents.values_list("path", "pk") if row[0] not in seen]
        for start in range(0, len(gone), REMOVED_AT_ONCE):
            some = gone[start : start + REMOVED_AT_ONCE]
            remove_documents(self.source.collection, [pk for _, pk in some])
            for path, _ in some:
                self.take(IngestedFile(path, Outcome.REMOVED))


def list_source(source: Source) -> tuple[list[DirectoryEntry], list[RefusedFile]]:
    """What a source has, and what of it cannot be taken. Raises InvalidParameter when it cannot be listed."""
    return list_files(Path(source.location), source.include, source.exclude, source.max_file_bytes)


def list_files(
    root: Path, include: Sequence[str], exclude: Sequence[str], max_file_bytes: int
) -> tuple[list[DirectoryEntry], list[RefusedFile]]:
    entries: list[DirectoryEntry] = []
    refused: list[RefusedFile] = []
    for file in list_directory(root, include, exclude, max_file_bytes):
        if isinstance(file, RefusedFile):
            refused.append(file)
        else:
            entries.append(file)
    return entries, refused


def iter_files(
    entries: Iterable[DirectoryEntry], refused: Iterable[RefusedFile]
) -> Iterator[RawDocument | RefusedFile]:
    yield from refused
    for entry in entries:
        yield entry.read()


def read_categories(entries: Sequence[DirectoryEntry]) -> Mapping[str, str]:
    """Path → category from the collection's navigation files, the one nearest to the root deciding."""
    categories: dict[str, str] = {}
    navigation = [entry for entry in entries if entry.path.rpartition("/")[2] in NAVIGATION_FILES]
    for entry in sorted(navigation, key=lambda entry: entry.path.count("/"), reverse=True):
        file = entry.read()
        if isinstance(file, RawDocument):
            categories |= parse_navigation(file.path, file.content.decode(errors="replace"))
    return categories


def foresee(
    collection: Collection,
    root: Path,
    *,
    include: Sequence[str],
    exclude: Sequence[str],
    max_file_bytes: int,
    prune: bool,
    on_file: Progress,
) -> Summary:
    """What a run over this directory would do, without writing anything. The collection need not be saved."""
    began, summary = monotonic(), Summary()
    entries, refused = list_files(root, include, exclude, max_file_bytes)
    for file in ingest(collection, None, iter_files(entries, refused), dry_run=True):
        summary.add(file)
        on_file(file, len(entries) + len(refused))
    if prune and is_prunable(entries, refused):
        known = Document.objects.filter(collection=collection.pk, source__location=str(root.resolve()))
        seen = {entry.path for entry in entries} | {file.path for file in refused}
        for path in sorted(set(known.values_list("path", flat=True)) - seen):
            summary.add(IngestedFile(path, Outcome.REMOVED))
    summary.seconds = monotonic() - began
    return summary


def is_prunable(entries: Sequence[DirectoryEntry], refused: Sequence[RefusedFile]) -> bool:
    """Whether a listing may decide what is gone: not an empty one, which is likelier a mistake, nor one that lacks a directory."""
    return bool(entries) and not any(file.path.endswith("/") for file in refused)


def forget_old_jobs(source: Source) -> None:
    """Keep the newest jobs of a source; a directory that is looked at every few minutes would fill the table."""
    kept = source.jobs.order_by("-pk").values_list("pk", flat=True)[:KEPT_JOBS]
    with transaction.atomic():
        source.jobs.exclude(pk__in=list(kept)).exclude(state__in=IngestJob.UNFINISHED).delete()


def check_directory(root: Path) -> None:
    """Raises InvalidParameter when this is no directory that can be listed."""
    next(iter(list_directory(root, (), (), 1)), None)


def refresh_due_sources() -> int:
    """Run every source that is to be looked at again by now, one after the other; how many were run. One that fails stops no other."""
    now, count = timezone.now(), 0
    polled = Source.objects.filter(auto_index=True, refresh_interval_seconds__gt=0, kind=Source.Kind.DIRECTORY)
    for source in polled.select_related("collection__tenant"):
        last = source.jobs.order_by("-pk").first()
        if last and now - last.created < timedelta(seconds=source.refresh_interval_seconds):
            continue
        try:
            run_source(source, prune=True, requested_by="schedule")
            count += 1
        except DocsError as error:
            logger.warning("source_not_refreshed", source=source.pk, reason=error.message)
        except Exception:
            logger.exception("source_not_refreshed", source=source.pk)
    return count
