"""`docsmcp import_collection FILE.zip`: make the collection that export_collection wrote.

Exit code 0, or 2 when nothing was made.
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
from collections_app.management.named_paths import parse_input
from collections_app.management.progress import CountProgress
from collections_app.transfer.importing import import_collection


class Command(DocsCommand):
    help = "Make a new collection of an exported one. All of it is there in the end, or nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=parse_input, metavar="FILE.zip")
        parser.add_argument("--collection", metavar="SLUG", help="its short name here; default: as exported")
        add_tenant_argument(parser)
        add_json_argument(parser)

    def act(self, options: dict[str, Any]) -> int:
        with CountProgress(self.stderr, "Importing", "documents", is_quiet=options["verbosity"] == 0) as progress:
            collection = import_collection(
                get_chosen_tenant(options),
                options["file"],
                options["collection"],
                progress.show_count,
            )
        documents = collection.documents.count()
        self.tell_result(
            options,
            {"collection": collection.slug, "name": collection.name, "documents": documents},
            f"{documents:,} documents are in the new collection {collection.slug}, named “{collection.name}”.",
        )
        return DONE
