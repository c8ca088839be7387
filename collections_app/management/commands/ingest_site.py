"""`docsmcp ingest_site URL --collection SLUG`: bring a collection up to a documentation site, now or in the background.

Exit code 0, 1 (some pages failed) or 2 (nothing done).
"""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.db import transaction

from collections_app import jobs
from collections_app.jobs.readings import make_client
from collections_app.management.command_base import DONE, NOTHING_DONE, get_chosen_tenant
from collections_app.management.ingest_command import (
    HOW_TO_INCLUDE,
    NOTHING_FOUND,
    IngestCommand,
    add_ingest_arguments,
    add_remote_arguments,
    make_options,
)
from collections_app.management.tables import format_table
from collections_app.sources.site import ListedPage, SiteOptions, list_site
from collections_app.sources.site.options import DEFAULT_MAX_PAGES

OPTIONS = ("url", "prefix", "include", "exclude", "language", "follow_links", "max_pages", "max_file_bytes")


class Command(IngestCommand):
    help = "Ingest a documentation site into a collection. Only pages below the start page's folder are taken."
    requested_by = "ingest_site"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("url", metavar="URL", help="the start page")
        add_ingest_arguments(parser)
        parser.add_argument(
            "--prefix", default="", metavar="URL", help="what is below it is the site; default: the start page's folder"
        )
        parser.add_argument(
            "--max-pages", type=int, default=DEFAULT_MAX_PAGES, metavar="N", help="default: %(default)s"
        )
        parser.add_argument(
            "--language", default="", metavar="TAG", help="such as en; * for all; default: the start page's"
        )
        parser.add_argument(
            "--no-links", dest="follow_links", action="store_false", help="only pages that a sitemap or llms.txt names"
        )
        add_remote_arguments(parser)

    def ingest(self, options: dict[str, Any]) -> int:
        site = make_options(SiteOptions, **{name: options[name] for name in OPTIONS})
        get_chosen_tenant(options)
        if options["dry_run"]:
            return self.list_pages(site, options)
        with transaction.atomic():
            collection = self.open_collection(options)
            source = jobs.ensure_site_source(collection, site, refresh_interval_seconds=options["refresh"])
        return self.run_or_queue(source, options)

    def list_pages(self, site: SiteOptions, options: dict[str, Any]) -> int:
        """A table of the pages, and which of them would be taken."""
        with make_client() as client:
            pages = list(list_site(site, client))
        taken = sum(not page.reason for page in pages)
        if options["json"]:
            self.say_json({"taken": taken, "pages": [asdict(page) for page in pages], "dry_run": True})
        elif pages:
            self.stdout.write(
                format_table(("URL", "FOUND IN", "PATH, OR WHY IT IS NOT TAKEN"), [make_row(page) for page in pages])
            )
            self.stdout.write(f"{taken:,} of {len(pages):,} would be taken.")
        else:
            self.stdout.write(f"{NOTHING_FOUND} {HOW_TO_INCLUDE}")
        return DONE if taken else NOTHING_DONE


def make_row(page: ListedPage) -> tuple[str, str, str]:
    return page.url, page.found_in, f"not taken: {page.reason}" if page.reason else page.path
