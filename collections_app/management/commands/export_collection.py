"""`docsmcp export_collection SLUG FILE.zip`: a collection as one file, for import_collection.

Exit code 0, or 2 when nothing was written.
"""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from collections_app.management.command_base import (
    DONE,
    DocsCommand,
    add_json_argument,
    add_tenant_argument,
    get_chosen_tenant,
)
from collections_app.management.named_paths import parse_output
from collections_app.management.progress import CountProgress
from collections_app.provisioning import get_collection
from collections_app.transfer.exporting import export_collection


class Command(DocsCommand):
    help = "Write a collection into a zip file: its documents as Markdown, with all that is known of them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("collection", metavar="SLUG")
        parser.add_argument("file", type=parse_output, metavar="FILE.zip", help="replaced if it is there")
        add_tenant_argument(parser)
        add_json_argument(parser)

    def act(self, options: dict[str, Any]) -> int:
        collection = get_collection(get_chosen_tenant(options), options["collection"])
        was_there = options["file"].exists()
        with CountProgress(self.stderr, "Exporting", "documents", is_quiet=options["verbosity"] == 0) as progress:
            documents = export_collection(collection, options["file"], progress.show_count)
        if was_there:
            self.say(f"{options['file']} was there, and is replaced.")
        size_bytes = options["file"].stat().st_size
        self.tell_result(
            options,
            {"collection": collection.slug, "documents": documents, "bytes": size_bytes},
            f"{documents:,} documents of {collection.slug} ({size_bytes / 1e6:,.1f} MB)",
        )
        return DONE
