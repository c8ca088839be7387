"""`docsmcp restore_documents --collection SLUG`: bring back documents that left the collection within the last days.

How many days is the setting REMOVED_RETENTION_DAYS. A document whose path is taken again stays away. Exit code 0, or 2
when there is nothing to bring back.
"""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from collections_app import jobs
from collections_app.management.command_base import (
    DONE,
    NOTHING_DONE,
    DocsCommand,
    add_json_argument,
    add_tenant_argument,
    get_chosen_tenant,
)
from collections_app.management.moments import parse_moment, parse_span
from collections_app.management.tables import format_table
from collections_app.models import RemovedDocument
from collections_app.provisioning import get_collection
from collections_app.sources.globs import compile_globs

NOTHING_THERE = "Nothing like that was removed within the time for which removed documents are kept."


class Command(DocsCommand):
    help = "Bring back documents that were removed from a collection, all of them or those named."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--collection", required=True, metavar="SLUG")
        add_tenant_argument(parser)
        parser.add_argument(
            "--path", action="append", default=[], metavar="GLOB", help="only these (repeatable); default: all"
        )
        parser.add_argument(
            "--since",
            type=parse_past,
            metavar="WHEN",
            help="only what left since: 2h, 3d, 2027-01-31, 2027-01-31T12:00",
        )
        parser.add_argument("--list", action="store_true", help="only say which there are")
        add_json_argument(parser)

    def act(self, options: dict[str, Any]) -> int:
        collection = get_collection(get_chosen_tenant(options), options["collection"])
        removed = choose(collection.removed_documents.all(), options)
        if options["list"]:
            self.list_removed(removed, options)
            return DONE if removed else NOTHING_DONE
        paths = sorted({document.path for document in removed})
        restored = jobs.restore_removed(collection, paths, since=options["since"]) if paths else 0
        self.report(restored, len(paths), options)
        return DONE if restored else NOTHING_DONE

    def list_removed(self, removed: list[RemovedDocument], options: dict[str, Any]) -> None:
        table = format_table(("REMOVED", "PATH"), [(f"{row.removed:%Y-%m-%d %H:%M:%S}", row.path) for row in removed])
        report = {"removed": [{"path": row.path, "removed": row.removed} for row in removed]}
        self.tell_result(options, report, table if removed else NOTHING_THERE)

    def report(self, restored: int, found: int, options: dict[str, Any]) -> None:
        taken = f"; {found - restored:,} stay away: their path is taken again" if found > restored else ""
        told = "1 document is" if restored == 1 else f"{restored:,} documents are"
        report = {"restored": restored, "left_away": found - restored}
        self.tell_result(options, report, f"{told} back{taken}." if found else NOTHING_THERE)


def choose(removed: QuerySet[RemovedDocument], options: dict[str, Any]) -> list[RemovedDocument]:
    """Without the rows' content."""
    if options["since"]:
        removed = removed.filter(removed__gte=options["since"])
    rows = removed.only("path", "removed")
    if not options["path"]:
        return list(rows)
    wanted = compile_globs(options["path"])
    return [row for row in rows if wanted.fullmatch(row.path)]


def parse_past(text: str) -> datetime:
    """A moment that has been, for argparse; a span counts back from now."""
    now = timezone.now()
    span = parse_span(text)
    moment = parse_moment(text) if span is None else now - span
    if moment > now + timedelta(minutes=1):
        raise ArgumentTypeError(f"{text!r} is in the future")
    return moment
