"""`docsmcp ingest_path PATH --collection SLUG`: bring a collection up to a directory.

Exit code 0, 1 (some files failed) or 2 (nothing done).
"""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.db import transaction

from collections_app import jobs
from collections_app.jobs import Summary
from collections_app.management.command_base import NOTHING_DONE, get_chosen_tenant
from collections_app.management.ingest_command import IngestCommand, add_ingest_arguments
from collections_app.management.named_paths import parse_directory
from collections_app.provisioning import ensure_collection
from collections_app.source_intake import pick_choice
from collections_app.sources.directory import DirectoryReading


class Command(IngestCommand):
    help = "Ingest the documents of a directory into a collection, which is made if it is unknown."
    requested_by = "ingest_path"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", type=parse_directory)
        add_ingest_arguments(parser)

    def ingest(self, options: dict[str, Any]) -> int:
        tenant, choice = get_chosen_tenant(options), pick_choice(options)
        with DirectoryReading(options["path"], choice) as reading:
            if options["dry_run"]:
                collection = self.find_collection(options)
                known = jobs.find_directory_source(collection, options["path"])
                return self.rehearse(collection, reading, known, options)
            if not reading.listed:  # nothing is made for it
                self.report(Summary(left_out=reading.left_out), [], options)
                return NOTHING_DONE
            with transaction.atomic():
                collection = ensure_collection(tenant, options["collection"])
                source = jobs.ensure_directory_source(collection, options["path"], choice)
            return self.run(source, options, reading)
