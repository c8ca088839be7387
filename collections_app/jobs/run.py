"""One run over one source: reads it, writes its documents, removes those that it no longer has, and keeps the record."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from time import monotonic

from django.db import transaction
from django.db.models import QuerySet

from collections_app.exceptions import DocsError
from collections_app.indexing import fulltext
from collections_app.indexing.embedding import embed_new
from collections_app.indexing.languages import settle_language
from collections_app.ingest import IngestedFile, Outcome, ingest, remove_documents
from collections_app.ingest.removal import REMOVED_AT_ONCE
from collections_app.jobs.moves import MOST_COMPARED, find_moves, keep_moves, keep_told
from collections_app.jobs.outcomes import save_listed, save_outcomes
from collections_app.jobs.summary import (
    DOCUMENTS,
    NOT_PRUNED,
    REMOVALS_HELD,
    Progress,
    Summary,
    has_failed_for_the_most_part,
    is_mass_removal,
)
from collections_app.models import Document, FileOutcome, IngestJob, Source
from collections_app.naming.translations import count_translations
from collections_app.naming.version_folders import count_outdated
from collections_app.reports.twins import find_twins
from collections_app.sources import Pause, ReadArchive, Reading, SourceFile
from collections_app.sources.uploads import FROM_ARCHIVE

LISTED_EVERY_SECONDS = 5.0
# Of the runs that may have written what others have to remove.
MOST_RUNS = 20


class Run:
    """A run of a job over its source. `check` raises if the run is to end early."""

    def __init__(self, job: IngestJob, source: Source, on_file: Progress | None, check: Callable[[], None]) -> None:
        self.job = job
        self.source = source
        self.on_file = on_file
        self.check = check
        self.summary = Summary()
        self.earlier = dict(job.outcomes.values_list("path", "outcome"))
        self.written = {path for path, outcome in self.earlier.items() if outcome in FileOutcome.READ}
        self.done = {path for path, outcome in self.earlier.items() if outcome != Outcome.REMOVED}
        self.listed_at = monotonic()
        self.source_error: DocsError | None = None

    def run(self, reading: AbstractContextManager[Reading]) -> Summary:
        """Raises what `check` raises, DocsError if the source cannot be read, and DatabaseError if PostgreSQL cannot go on."""
        began = monotonic()
        with reading as opened:
            self.read(opened)
            if self.job.prune:
                self.prune(opened)
            else:
                self.note_unfound(opened)
            if opened.moved_pages is not None:
                keep_told(self.source, opened.moved_pages)
            self.keep_left_out(opened)
            self.prune_archives(opened.read_archives)
            self.keep_fetch_state(opened)
            self.summary.older = count_outdated(opened.listed)
            self.summary.translations = count_translations(opened.listed)
        self.settle_language()
        self.embed()
        self.settle()
        self.summary.seconds = monotonic() - began
        return self.summary

    def read(self, reading: Reading) -> None:
        save_listed(self.job, reading.listed)
        self.check()
        self.enter_stage("indexing")
        files = ingest(
            self.source.collection,
            self.source,
            self.iter_files(reading),
            categories=reading.categories,
            record=self.record,
            check=self.check,
        )
        for file in files:
            self.take(file)
        save_listed(self.job, reading.listed)
        self.check()
        if self.source_error:
            raise self.source_error

    def iter_files(self, reading: Reading) -> Iterator[SourceFile | Pause]:
        """The source's files, until it fails. The error is kept for later, so that what came before it is written first."""
        files = iter(reading)
        while True:
            self.check()
            try:
                file = next(files, None)
            except DocsError as error:
                self.source_error = error
                return
            if file is None:
                return
            if monotonic() - self.listed_at >= LISTED_EVERY_SECONDS:
                self.keep_listed(reading)
            yield file

    def keep_listed(self, reading: Reading) -> None:
        """Save the list of files if it has grown: a crawl finds more pages on its way."""
        self.listed_at = monotonic()
        if len(reading.listed) != self.job.total:
            save_listed(self.job, reading.listed)

    def record(self, files: Sequence[IngestedFile]) -> None:
        """Save the outcomes of a batch, in the transaction that writes it."""
        save_outcomes(self.job, [self.join_earlier(file) for file in files])
        new = {file.path for file in files if file.outcome != Outcome.REMOVED} - self.done
        self.job.done = len(self.done) + len(new)
        self.job.save(update_fields=["done"])

    def take(self, file: IngestedFile) -> None:
        """Count a file whose outcome is committed."""
        file = self.join_earlier(file)
        self.summary.add(file)
        if file.outcome != Outcome.REMOVED:
            self.done.add(file.path)
        if file.outcome in FileOutcome.READ:
            self.written.add(file.path)
        if self.on_file:
            self.on_file(file, self.job.total or 0)

    def join_earlier(self, file: IngestedFile) -> IngestedFile:
        """The file, with the outcome that an earlier attempt of this job gave it: what that attempt wrote is unchanged by now."""
        earlier = self.earlier.get(file.path)
        if file.outcome == Outcome.UNCHANGED and earlier in (Outcome.INDEXED, Outcome.DUPLICATE):
            return replace(file, outcome=Outcome(earlier))
        return file

    def prune(self, reading: Reading) -> None:
        """Remove the source's documents that a complete listing no longer has; most of the documents only if the job accepts that. What was
        renamed is still there."""
        if not reading.is_complete or has_failed_for_the_most_part(self.source, self.summary):
            self.summary.is_unpruned = True
            return
        documents = self.source.documents.all()
        gone = find_others(documents, set(reading.listed))
        written = self.written | list_written_before(self.job) if gone else self.written
        moves = find_moves(self.source, [path for path, _ in gone], written)
        lost = len(gone) - len(moves)
        if is_mass_removal(lost, documents.count() - len(moves)) and not self.job.accepts_removals:
            self.summary.held = lost
        else:
            self.remove_moved(gone, moves)

    def note_unfound(self, reading: Reading) -> None:
        """Note documents that a complete reading did not find and that stay; perhaps they have other names now.

        Paths with an outcome are left out, as they are reported already: for example a page that its site lists but does not have. Uploads
        are left out because an archive is not itself one of the files that it holds.
        """
        if reading.is_complete and not self.source.is_upload:
            gone = find_others(self.source.documents.all(), self.done.union(reading.listed))
            self.summary.unfound = sorted(path for path, _ in gone)

    def prune_archives(self, archives: Mapping[str, ReadArchive]) -> None:
        """Remove documents that came from an earlier version of an archive and that the version just read no longer has."""
        for path, archive in archives.items():
            brought = self.source.documents.filter(fetch_state__contains={FROM_ARCHIVE: path})
            gone = find_others(brought, set(archive.listed))
            self.remove_moved(gone, find_moves(self.source, [old for old, _ in gone], self.written))
            keep_told(self.source, archive.moved_pages, path)

    def remove_moved(self, gone: Sequence[tuple[str, int]], moves: Mapping[str, str]) -> None:
        self.summary.moved = {**self.summary.moved, **moves}
        self.remove(gone, moves)
        self.correct_duplicates(moves)

    def correct_duplicates(self, moves: Mapping[str, str]) -> None:
        """What was a duplicate only of documents that had its content under their old names is none any more."""
        rows = self.job.outcomes.filter(path__in=set(moves.values()), outcome=Outcome.DUPLICATE)
        alone = {row.pk for row in rows} - find_twins(rows).keys()
        self.job.outcomes.filter(pk__in=alone).update(outcome=Outcome.INDEXED)
        self.summary.count_as_indexed(len(alone))

    def remove(self, gone: Sequence[tuple[str, int]], moves: Mapping[str, str]) -> None:
        """Remove these documents, given as (path, id). `moves`: where some of them are now."""
        if gone:
            self.enter_stage("removing")
        for start in range(0, len(gone), REMOVED_AT_ONCE):
            self.check()
            some = gone[start : start + REMOVED_AT_ONCE]
            files = [make_removed(path, moves.get(path, "")) for path, _ in some]
            with transaction.atomic():
                keep_moves(self.source, {path: moves[path] for path, _ in some if path in moves})
                remove_documents(self.source.collection, [pk for _, pk in some])
                self.record(files)
            for file in files:
                self.take(file)

    def keep_left_out(self, reading: Reading) -> None:
        self.summary.left_out = left_out = reading.left_out
        self.job.left_out, self.job.left_out_paths = dict(left_out), left_out.paths
        self.job.save(update_fields=["left_out", "left_out_paths"])

    def keep_fetch_state(self, reading: Reading) -> None:
        """Keep what the source wants to know at its next reading, and how many documents this reading found.

        Nothing is kept if this reading left files to be tried again, or documents whose removal awaits confirmation: then the next one
        reads everything.
        """
        is_unsettled = self.summary.outcomes[Outcome.FAILED] > self.summary.unusable or self.summary.held > 0
        state = {} if is_unsettled else dict(reading.fetch_state)
        if state and self.job.only is None:
            state[DOCUMENTS] = self.summary.documents
        self.source.fetch_state = state
        self.source.save(update_fields=["fetch_state"])

    def settle_language(self) -> None:
        if self.summary.written:
            self.summary.language = settle_language(self.source.collection, self.check)

    def embed(self) -> None:
        """Embed what is new. What cannot be embedded now is embedded later; until then it is found by its words."""
        self.enter_stage("embedding")
        embed_new(self.source.collection, self.check)

    def settle(self) -> None:
        self.enter_stage("settling")
        fulltext.settle_index(self.source.collection, self.summary.written, self.check)

    def enter_stage(self, stage: str) -> None:
        self.job.stage = stage
        self.job.save(update_fields=["stage"])


def make_removed(path: str, moved_to: str) -> IngestedFile:
    """The outcome of a document that is removed; `moved_to` is empty if nothing else has its text."""
    if not moved_to:
        return IngestedFile(path, Outcome.REMOVED)
    return IngestedFile(
        path, Outcome.REMOVED, code=FileOutcome.MOVED, reason=f"It is {moved_to} now, where its old path leads."
    )


def list_written_before(job: IngestJob) -> set[str]:
    """The files that earlier runs wrote since documents that are gone were last removed: pages may have been renamed then already."""
    runs = []
    for earlier in job.source.jobs.filter(pk__lt=job.pk).order_by("-pk")[:MOST_RUNS]:
        if earlier.prune and earlier.finished and earlier.error_code not in (REMOVALS_HELD, NOT_PRUNED):
            break
        runs.append(earlier.pk)
    written = FileOutcome.objects.filter(job__in=runs, outcome=Outcome.INDEXED)
    return set(written.values_list("path", flat=True)[:MOST_COMPARED]) if runs else set()


def find_others(documents: QuerySet[Document], kept: set[str]) -> list[tuple[str, int]]:
    """The (path, id) of each document whose path is not in `kept`."""
    return [row for row in documents.values_list("path", "pk") if row[0] not in kept]
