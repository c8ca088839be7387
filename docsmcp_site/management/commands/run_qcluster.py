"""`docsmcp run_qcluster`: the queue's processes alone, as `docsmcp up` starts them, for setups in which something else starts the rest."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.db import connection, transaction

from collections_app.exceptions import InvalidParameter
from collections_app.management.command_base import OwnCommand
from collections_app.postgres.advisory_locks import check_direct
from collections_app.provisioning import get_tenant
from docsmcp_site.database.preparation import ensure_schedules, hold_queue_lock, wait_for_tables
from docsmcp_site.processes import queue_cluster
from docsmcp_site.processes.first_run import ensure_configured_key
from docsmcp_site.processes.outages import wait_for_database


class Command(OwnCommand):
    help = "Run the queue's processes alone, which ingest in the background. `docsmcp up` runs everything."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--ready-fd", type=int, metavar="N", help="an open file that gets a line when they run")

    def handle(self, *args: Any, **options: Any) -> None:
        descriptor = options["ready_fd"]
        check_open(descriptor)
        wait_for_database(prepare)
        connection.close()  # the processes to come are forked, and must not share it
        if not queue_cluster.run(lambda: descriptor is not None and os.write(descriptor, b"\n")):
            self.stderr.write("The queue's processes ended by themselves, or hung.")
            sys.exit(1)


def prepare() -> None:
    """Prepares what the queue needs before it works; starts over if the database goes away meanwhile."""
    check_direct()
    wait_for_tables()
    ensure_schedules()
    ensure_key(settings.DOCSMCP.mcp_api_key)


def check_open(descriptor: int | None) -> None:
    try:
        if descriptor is not None:
            os.fstat(descriptor)
    except (OSError, OverflowError):
        raise InvalidParameter(f"--ready-fd {descriptor}: no open file was inherited under this number.") from None


@transaction.atomic
def ensure_key(secret: str) -> None:
    """Creates the key of MCP_API_KEY, where no `docsmcp up` does."""
    if secret:
        hold_queue_lock()
        ensure_configured_key(get_tenant(), secret)
