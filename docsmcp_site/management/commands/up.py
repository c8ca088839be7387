"""`docsmcp up [DIR]`: start everything, ingest a directory, say how to use it, and run until Ctrl-C or SIGTERM.

Exit code 0 when it was stopped, 1 when it cannot start, 2 when the directory or the collection's name is invalid.
"""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from django.conf import settings
from django.db import DatabaseError, Error
from django.utils.text import slugify

from collections_app import jobs
from collections_app.exceptions import DocsError, get_first_line
from collections_app.ingest import IngestedFile
from collections_app.ingest.database_errors import is_disk_full
from collections_app.management.command_base import OwnCommand
from collections_app.management.ingest_command import describe
from collections_app.management.named_paths import parse_directory
from collections_app.management.progress import IngestProgress
from collections_app.models import Source, Tenant
from collections_app.postgres.outages import is_outage
from collections_app.provisioning import check_slug, ensure_collection, get_tenant
from docsmcp_site.configuration.config import PROJECT_ROOT, Config
from docsmcp_site.configuration.loading import describe_misspelt_names
from docsmcp_site.database.embedded_cluster import Cluster
from docsmcp_site.database.preparation import (
    describe_what_is_missing,
    ensure_schedules,
    preparing_database,
)
from docsmcp_site.exceptions import StartError
from docsmcp_site.processes.first_run import ensure_credentials, find_credentials, has_usable_key
from docsmcp_site.processes.instance_lock import holding_data_dir
from docsmcp_site.processes.listening import listen, make_base_url
from docsmcp_site.processes.outages import KeptConnection, is_database_away, wait_for_database
from docsmcp_site.processes.ready_text import Running
from docsmcp_site.processes.services import making_services
from docsmcp_site.processes.stop_signals import listening_to_signals
from docsmcp_site.processes.supervisor import Supervisor

CANNOT_START, WRONG_ARGUMENT = 1, 2
TEND_SECONDS = 0.5
OWN_COLLECTION = "docsmcp"
MAX_LISTED_COLLECTIONS = 10
MAX_SLUG_CHARACTERS = 63
REFRESH_SECONDS = Source.DEFAULT_REFRESH_SECONDS[Source.Kind.DIRECTORY]
OTHER_FLAGS = "--host, --port, --data-dir and every other setting are flags too: docs/settings.md lists them."


@dataclass(frozen=True)
class Documents:
    """What is ingested, and the slug of the collection for it. `are_own`: nobody named a directory, so it is docsmcp's own docs."""

    directory: Path
    collection: str
    are_own: bool = False


class Command(OwnCommand):
    help = "Start everything: database, web server and queue; ingest DIR, and keep it fresh. Ctrl-C stops it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.epilog = OTHER_FLAGS
        parser.add_argument(
            "directory",
            nargs="?",
            type=parse_directory,
            metavar="DIR",
            help="default: docsmcp's own docs, if nothing is there yet",
        )
        parser.add_argument("--collection", metavar="SLUG", help="where its documents go; default: the name of DIR")
        parser.add_argument("--json", action="store_true", help="say that it is ready by one line of JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        self.is_quiet = options["verbosity"] == 0
        try:
            documents = choose_documents(options["directory"], options["collection"])
        except DocsError as error:
            self.refuse(error.sentence, WRONG_ARGUMENT)
        try:
            self.run(documents, as_json=options["json"])
        except StartError as error:
            self.refuse(str(error), CANNOT_START)

    def refuse(self, sentence: str, exit_code: int) -> NoReturn:
        self.stderr.write(sentence)
        sys.exit(exit_code)

    def run(self, documents: Documents | None, *, as_json: bool) -> None:
        config: Config = settings.DOCSMCP
        base_url = make_base_url(config.mcp_server_host, config.mcp_server_port)
        with ExitStack() as stack:
            stop_request = stack.enter_context(listening_to_signals())
            stack.enter_context(holding_data_dir(config.data_dir, base_url))
            listener = stack.enter_context(listen(config.mcp_server_host, config.mcp_server_port))
            self.say(*announce_database(config))
            tenant = prepare(config)
            self.say(*describe_misspelt_names(), *describe_what_is_missing())
            services = stack.enter_context(making_services(config, listener))
            supervisor = stack.enter_context(Supervisor(services, stop_request))
            supervisor.tend()
            there = wait_for_database(lambda: list_collections(tenant), supervisor.tend_for)
            is_read = wait_for_database(lambda: is_to_be_read(documents, tenant), supervisor.tend_for)
            if documents and is_read:
                self.ingest(documents, tenant, supervisor)
                served = [documents.collection]
            else:
                served = there
                self.say(f"No directory is added{'' if there else ', and there is none'}: `docsmcp up DIR` adds one.")
            running = wait_for_database(lambda: describe_running(config, tenant, served), supervisor.tend_for)
            supervisor.wait_until_ready(is_excused=is_database_away)
            with suppress(KeyboardInterrupt):
                self.stdout.write(running.as_json() if as_json else running.as_text())
                self.stdout.flush()
                tend_forever(supervisor, is_database_embedded=not config.database_url)

    def ingest(self, documents: Documents, tenant: Tenant, supervisor: Supervisor) -> None:
        progress = IngestProgress(self.stderr, is_quiet=self.is_quiet)

        def on_file(file: IngestedFile, total: int) -> None:
            progress.show(file, total)
            supervisor.tend()

        try:
            with progress:
                source = wait_for_database(lambda: ensure_source(documents, tenant), supervisor.tend_for)
                job, summary = jobs.run_source(source, prune=True, requested_by="up", on_file=on_file)
            others = source.collection.sources.exclude(pk=source.pk).count()
        except DocsError as error:  # The directory is gone, or another process ingests it; documents that were stored before are served.
            self.stderr.write(f"{documents.directory} was not ingested: {error.sentence}")
            return
        except jobs.Cancelled as ended:
            self.tell_broken_off(documents, f"job {ended.job.pk} was cancelled")
            return
        except Error as error:
            if not is_outage(error):
                raise
            self.tell_broken_off(documents, describe_outage(error))
            return
        counts = describe(summary, job) if summary.outcomes else "it has no documents"
        self.say(f"{documents.directory} in collection {documents.collection}: {counts}")
        if others:
            self.say(
                f"Collection {documents.collection} is also filled from {others} other place(s), whose documents stay where they "
                "have the same path. --collection gives this directory one of its own."
            )

    def tell_broken_off(self, documents: Documents, why: str) -> None:
        self.stderr.write(
            f"{documents.directory} was not ingested to its end, {why}: it is read again within some minutes."
        )

    def say(self, *sentences: str) -> None:
        """Writes to standard error, without the red of errors."""
        for sentence in () if self.is_quiet else sentences:
            self.stderr.write(sentence, str)


def describe_outage(error: Error) -> str:
    if isinstance(error, DatabaseError) and is_disk_full(error):
        return "the database's disk is full, free space on it"
    return f"the database went away ({get_first_line(error)})"


def choose_documents(directory: Path | None, collection: str | None) -> Documents | None:
    """None if no directory is named and docsmcp is installed without its own docs. Raises InvalidParameter."""
    chosen = directory or find_own_docs()
    if chosen is None:
        return None
    jobs.check_directory(chosen)
    usual = make_slug(chosen.resolve().name) if directory else OWN_COLLECTION
    slug = usual if collection is None else collection
    return Documents(chosen, check_slug(slug, "collection"), are_own=directory is None)


def find_own_docs() -> Path | None:
    """The docs of a source checkout; None elsewhere."""
    docs = PROJECT_ROOT / "docs"
    return docs if (PROJECT_ROOT / "manage.py").is_file() and docs.is_dir() else None


def make_slug(name: str) -> str:
    return slugify(name.replace(".", "-"))[:MAX_SLUG_CHARACTERS] or "docs"


def announce_database(config: Config) -> list[str]:
    """A sentence if this is a first start, which takes time."""
    if config.database_url or Cluster(config.data_dir).home.exists():
        return []
    return [f"Making a database in {config.data_dir}, which takes some seconds."]


def prepare(config: Config) -> Tenant:
    """Prepares the database for everything else; returns the default tenant."""
    with preparing_database():
        tenant = get_tenant()
        ensure_credentials(tenant, config.data_dir, config.mcp_api_key)
        ensure_schedules()
    return tenant


def list_collections(tenant: Tenant) -> list[str]:
    """Slugs of the first collections, oldest first: without a directory, these are served."""
    return list(tenant.collections.order_by("pk").values_list("slug", flat=True)[:MAX_LISTED_COLLECTIONS])


def is_to_be_read(documents: Documents | None, tenant: Tenant) -> bool:
    """Whether to ingest. docsmcp's own docs are ingested only if there is no collection yet, or they are already in that collection."""
    if documents is None:
        return False
    if not documents.are_own or not tenant.collections.exists():
        return True
    of = {"collection__tenant": tenant, "collection__slug": documents.collection, "kind": Source.Kind.DIRECTORY}
    return Source.objects.filter(**of, location=str(documents.directory.resolve())).exists()


def describe_running(config: Config, tenant: Tenant, collections: Sequence[str]) -> Running:
    base_url = make_base_url(config.mcp_server_host, config.mcp_server_port)
    credentials = find_credentials(config.data_dir, config.mcp_api_key)
    return Running(
        base_url, config.data_dir, credentials, collections, config.mcp_enabled, has_keys=has_usable_key(tenant)
    )


def ensure_source(documents: Documents, tenant: Tenant) -> Source:
    """The directory's source. An existing one keeps its patterns and limits.

    If it has no refresh interval, as those made by `ingest_path`, it gets one.
    """
    collection = ensure_collection(tenant, documents.collection)
    location = str(documents.directory.resolve())
    source = collection.sources.filter(kind=Source.Kind.DIRECTORY, location=location).first()
    if source is None:
        return jobs.ensure_directory_source(collection, documents.directory, refresh_interval_seconds=REFRESH_SECONDS)
    if not source.refresh_interval_seconds:
        source.refresh_interval_seconds = REFRESH_SECONDS
        source.save(update_fields=["refresh_interval_seconds"])
    return source


def tend_forever(supervisor: Supervisor, *, is_database_embedded: bool) -> NoReturn:
    kept = KeptConnection()
    while True:
        supervisor.tend()
        if is_database_embedded:
            kept.keep()
        time.sleep(TEND_SECONDS)
