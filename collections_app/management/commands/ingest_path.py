"""`docsmcp ingest_path PATH --collection SLUG`: bring a collection up to a directory.

Exit code 0, 1 (some files failed) or 2 (nothing done).
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from collections_app import jobs
from collections_app.exceptions import DocsError
from collections_app.ingest import IngestedFile, Outcome
from collections_app.jobs import Summary
from collections_app.management.progress import IngestProgress
from collections_app.models import Collection
from collections_app.provisioning import DEFAULT_TENANT, ensure_collection, find_collection, get_tenant

SOME_FAILED, NOTHING_DONE = 1, 2
MAX_SIZE = 2**40
PRUNE_HELP = "remove this folder's documents that this run does not list: their file is gone, or not included"


class Command(BaseCommand):
    help = "Ingest the documents of a directory into a collection, which is made if it is unknown."
    requires_system_checks: list[str] = []  # noqa: RUF012  (Django's own spelling)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", type=Path)
        parser.add_argument("--collection", required=True, metavar="SLUG")
        parser.add_argument("--tenant", default=DEFAULT_TENANT, metavar="SLUG")
        parser.add_argument(
            "--include", action="append", default=[], metavar="GLOB", help="only these files (may be repeated)"
        )
        parser.add_argument(
            "--exclude", action="append", default=[], metavar="GLOB", help="not these files (may be repeated)"
        )
        parser.add_argument("--max-file-bytes", type=parse_size, default=settings.DOCSMCP.max_file_bytes, metavar="N")
        parser.add_argument("--prune", action="store_true", help=PRUNE_HELP)
        parser.add_argument("--dry-run", action="store_true", help="say what would be done and write nothing")
        parser.add_argument("--json", action="store_true", help="the summary as one line of JSON on standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        progress = IngestProgress(self.stderr, is_quiet=options["verbosity"] == 0)
        try:
            with progress:
                summary = self.ingest(options, progress)
        except DocsError as error:
            self.report_refusal(error, as_json=options["json"])
            sys.exit(NOTHING_DONE)
        self.report(summary, progress.failures, options)
        sys.exit(choose_exit_code(summary))

    def ingest(self, options: dict[str, Any], progress: IngestProgress) -> Summary:
        jobs.check_directory(options["path"])
        tenant = get_tenant(options["tenant"])
        choice = {name: options[name] for name in ("include", "exclude", "max_file_bytes")}
        if options["dry_run"]:
            collection = find_collection(tenant, options["collection"]) or Collection(pk=0, tenant=tenant)
            return jobs.foresee(collection, options["path"], **choice, prune=options["prune"], on_file=progress.show)
        if not any(jobs.list_files(options["path"], **choice)):
            return Summary()  # nothing there: nothing is made for it
        source = jobs.ensure_directory_source(
            ensure_collection(tenant, options["collection"]), options["path"], **choice
        )
        _, summary = jobs.run_source(source, prune=options["prune"], requested_by="ingest_path", on_file=progress.show)
        return summary

    def report_refusal(self, error: DocsError, *, as_json: bool) -> None:
        self.stderr.write(error.message)
        if as_json:
            self.stdout.write(json.dumps({"error": {"code": error.code, "message": error.message}}))

    def report(self, summary: Summary, failures: list[IngestedFile], options: dict[str, Any]) -> None:
        if options["json"]:
            self.stdout.write(json.dumps(make_report(summary, failures, dry_run=options["dry_run"])))
        elif summary.files or summary.outcomes:
            self.stdout.write(describe(summary, dry_run=options["dry_run"]))
        else:
            self.stdout.write("No document was found there: nothing done. --include says which files to take.")


def parse_size(text: str) -> int:
    """A number of bytes, for argparse."""
    if not text.isascii() or not text.isdigit() or not 1 <= int(text[:20]) <= MAX_SIZE:
        raise ArgumentTypeError(f"{text[:40]!r} is no size: give a whole number of bytes from 1 to {MAX_SIZE}")
    return int(text)


def choose_exit_code(summary: Summary) -> int:
    if summary.files == summary.failed and not summary.outcomes[Outcome.REMOVED]:
        return NOTHING_DONE
    return SOME_FAILED if summary.failed else 0


def make_report(summary: Summary, failures: list[IngestedFile], *, dry_run: bool) -> dict[str, Any]:
    return {
        "files": summary.files,
        "outcomes": {outcome: count for outcome, count in sorted(summary.outcomes.items()) if count},
        "failures": [{"path": f.path, "code": f.code, "reason": f.reason} for f in failures],
        "bytes": summary.size_bytes,
        "seconds": round(summary.seconds, 3),
        "dry_run": dry_run,
    }


def describe(summary: Summary, *, dry_run: bool) -> str:
    counts = ", ".join(f"{count:,} {outcome}" for outcome, count in sorted(summary.outcomes.items()) if count)
    rate = summary.files / summary.seconds if summary.seconds else 0.0
    written = "Would be: " if dry_run else ""
    return f"{written}{counts} ({summary.size_bytes / 1e6:,.1f} MB in {summary.seconds:.1f} s, {rate:,.0f} files/s)"
