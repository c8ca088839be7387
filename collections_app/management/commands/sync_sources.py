"""`docsmcp sync_sources`: read sources again, those that are due or those that are named; list them, remove one.

As a schedule does, it removes the documents that a complete run does not find any more, most of a source's only with
--accept-removals. Exit code 0, 1 (a source could not be read, some of its files failed, most of it is gone, or its job was
cancelled) or 2 (nothing done: no such source, or none could be read).
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from django.utils import timezone

from collections_app import jobs
from collections_app.exceptions import DocsError, InvalidParameter
from collections_app.management.command_base import (
    DONE,
    NOTHING_DONE,
    SOME_FAILED,
    DocsCommand,
    add_json_argument,
    add_tenants_argument,
    choose_collections,
    name_collection,
)
from collections_app.management.ingest_command import add_background_argument, describe, describe_cancelled, make_report
from collections_app.management.progress import IngestProgress
from collections_app.management.tables import format_table
from collections_app.models import IngestJob, Source
from collections_app.removal.sources import remove_source
from collections_app.reports.sources import SourceReport, list_sources

HEADINGS = ("SOURCE", "COLLECTION", "KIND", "DOCUMENTS", "LAST JOB", "NEXT RUN", "LOCATION")
UNSUCCESSFUL = (IngestJob.State.FAILED, IngestJob.State.PARTIAL, IngestJob.State.CANCELLED)
REQUESTED_BY = "sync_sources"
UPLOADS_HELP = "with --all: uploads too, from the bytes that are kept of them, as after an upgrade that reads better"
ACCEPT_HELP = "remove what is gone even if it is most of a source's documents; by default none of them goes then"


class Command(DocsCommand):
    help = "Read the sources of collections again: those that are due, or those that are named. List or remove them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--collection", metavar="SLUG", help="only this collection's")
        add_tenants_argument(parser)
        chosen = parser.add_mutually_exclusive_group()
        chosen.add_argument("--due", action="store_true", help="those whose refresh interval has passed (the default)")
        chosen.add_argument("--all", action="store_true", help="all but uploads")
        chosen.add_argument("--source", type=int, metavar="ID", help="this one, due or not")
        chosen.add_argument("--list", action="store_true", help="read none, say which there are")
        chosen.add_argument("--remove", type=int, metavar="ID", help="take this one away, with its documents")
        parser.add_argument("--uploads", action="store_true", help=UPLOADS_HELP)
        parser.add_argument("--accept-removals", action="store_true", help=ACCEPT_HELP)
        add_background_argument(parser)
        add_json_argument(parser)

    def act(self, options: dict[str, Any]) -> int:
        if options["uploads"] and not options["all"]:
            raise InvalidParameter("--uploads goes with --all; --source ID reads those of one collection again.")
        reports = list_sources(choose_collections(options))
        if options["list"]:
            return self.list_sources(reports, options)
        if options["remove"] is not None:
            return self.remove(get_source(reports, options["remove"]), options)
        return self.sync(choose_sources(reports, options), options)

    def list_sources(self, reports: Sequence[SourceReport], options: dict[str, Any]) -> int:
        table = format_table(HEADINGS, [make_row(report, options) for report in reports])
        told = {"sources": [make_source_report(report) for report in reports]}
        self.tell_result(options, told, table if reports else "There are no sources.")
        return DONE

    def remove(self, source: Source, options: dict[str, Any]) -> int:
        source_id, count = source.pk, remove_source(source)
        restored = " `docsmcp restore_documents` brings them back." if count else ""
        told = f"Source {source_id} is gone. Documents that went with it: {count:,}.{restored}"
        self.tell_result(options, {"source": source_id, "removed": count}, told)
        return DONE

    def sync(self, sources: Sequence[Source], options: dict[str, Any]) -> int:
        results = [self.sync_one(source, options) for source in sources]
        if options["json"]:
            self.say_json({"sources": results})
        elif not results:
            self.stdout.write("There are no sources to read." if options["all"] else "No source is due.")
        refused = sum("error" in result for result in results)
        if refused and refused == len(results):
            return NOTHING_DONE
        has_failed = any(result.get("state") in UNSUCCESSFUL for result in results)
        return SOME_FAILED if refused or has_failed else DONE

    def sync_one(self, source: Source, options: dict[str, Any]) -> dict[str, Any]:
        """What became of one source; that it cannot be read stops none of the others."""
        try:
            result = self.queue(source, options) if options["background"] else self.read(source, options)
        except DocsError as error:
            self.stderr.write(f"{name_source(source, options)}: {error.sentence}")
            result = {"error": {"code": error.code, "message": error.sentence}}
        except jobs.Cancelled as ended:
            self.say(f"{name_source(source, options)}: {describe_cancelled(ended.job)}")
            result = {"job": ended.job.pk, "state": ended.job.state}
        return {"source": source.pk, **result}

    def queue(self, source: Source, options: dict[str, Any]) -> dict[str, Any]:
        job = jobs.start_job(source, accepts_removals=options["accept_removals"], requested_by=REQUESTED_BY)
        self.tell(options, f"{name_source(source, options)}: job {job.pk} is queued.")
        return {"job": job.pk, "state": job.state}

    def read(self, source: Source, options: dict[str, Any]) -> dict[str, Any]:
        progress = IngestProgress(self.stderr, is_quiet=options["verbosity"] == 0)
        with progress:
            job, summary = jobs.run_source(
                source,
                prune=True,
                accepts_removals=options["accept_removals"],
                requested_by=REQUESTED_BY,
                on_file=progress.show,
            )
        self.tell(options, f"{name_source(source, options)}: {describe(summary, job)}")
        if job.error_message:
            self.stderr.write(f"{name_source(source, options)}: {job.error_message}")
        return make_report(summary, progress.failures, job, dry_run=False)


def choose_sources(reports: Sequence[SourceReport], options: dict[str, Any]) -> list[Source]:
    if options["source"] is not None:
        return [get_source(reports, options["source"])]
    if options["all"]:
        sources = [report.source for report in reports]
        return [source for source in sources if options["uploads"] or not source.is_upload]
    now = timezone.now()
    return [report.source for report in reports if report.is_due(now)]


def get_source(reports: Sequence[SourceReport], source_id: int) -> Source:
    for report in reports:
        if report.source.pk == source_id:
            return report.source
    raise InvalidParameter(
        f"There is no source {source_id} here: `docsmcp sync_sources --list` names them, with --all-tenants those of every tenant."
    )


def name_source(source: Source, options: dict[str, Any]) -> str:
    of_tenant = f" of {name_collection(source.collection, options)}" if options["all_tenants"] else ""
    return f"Source {source.pk}{of_tenant}"


def make_row(report: SourceReport, options: dict[str, Any]) -> tuple[object, ...]:
    source, job = report.source, report.last_job
    return (
        source.pk,
        name_collection(source.collection, options),
        source.kind,
        f"{report.documents:,}",
        f"{job.pk} {job.state}" if job else "none",
        f"{report.next_refresh:%Y-%m-%d %H:%M}" if report.next_refresh else "when told to",
        source.location,
    )


def make_source_report(report: SourceReport) -> dict[str, Any]:
    source, job = report.source, report.last_job
    return {
        "source": source.pk,
        "tenant": source.collection.tenant.slug,
        "collection": source.collection.slug,
        "kind": source.kind,
        "location": source.location,
        "documents": report.documents,
        "last_job": {"job": job.pk, "state": job.state, "message": job.error_message} if job else None,
        "next_refresh": report.next_refresh,
        "refresh_interval_seconds": source.refresh_interval_seconds,
        "auto_index": source.auto_index,
    }
