"""Whether this process can serve: the database answers, its tables are this version's, the disk has room. Each within seconds.

A queue that stands still, or an upstream that is away, is told and does not make it unready: searching and reading go on without them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from django.db import DatabaseError, connection, transaction

from collections_app.clients.circuits import get_circuit
from collections_app.postgres.deadlines import answering_within
from docsmcp_site.database_preparation import is_migration_due
from docsmcp_site.doctor.findings import Check, State, Verdict, fail, ok, warn
from docsmcp_site.doctor.surroundings import check_disk
from docsmcp_site.doctor.work import check_tasks, check_worker
from docsmcp_site.gauges import UPSTREAMS

TIMEOUT_MS = 2000
# For a database that is silent, which keeps no timeout.
DEADLINE_SECONDS = 2.5


@dataclass(frozen=True, slots=True)
class Part:
    """How one part is; `is_needed` when nothing can be served without it."""

    name: str
    verdict: Verdict
    is_needed: bool


def examine_parts() -> list[Part]:
    """Every part. Behind a database that does not answer none is looked at that needs it."""
    database = Part("database", run(check_database), is_needed=True)
    disk = Part("disk", run(check_disk), is_needed=True)
    if database.verdict.state == State.FAIL:
        return [database, disk]
    migrations = Part("migrations", run(check_tables), is_needed=True)
    if migrations.verdict.state == State.FAIL:
        return [database, disk, migrations]
    others: list[tuple[str, Check]] = [("worker", check_worker), ("queue", check_tasks), ("upstreams", check_upstreams)]
    return [database, disk, migrations, *(Part(name, run(check), is_needed=False) for name, check in others)]


def is_ready(parts: list[Part]) -> bool:
    return not any(part.is_needed and part.verdict.state == State.FAIL for part in parts)


def run(check: Callable[[], Verdict]) -> Verdict:
    try:
        with answering_within(DEADLINE_SECONDS), transaction.atomic():
            return check()
    except DatabaseError as error:
        return fail(f"the database does not serve: {str(error).partition(chr(10))[0]}", "see the log of the database")


def check_database() -> Verdict:
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('statement_timeout', %s, true)", [str(TIMEOUT_MS)])
        cursor.execute("SELECT 1")
    return ok("it answers")


def check_tables() -> Verdict:
    if not are_tables_ready():
        are_tables_ready.cache_clear()
        return fail("the tables are not those of this version", "run `docsmcp migrate`")
    return ok("the tables are those of this version")


@cache
def are_tables_ready() -> bool:
    """Once they are, they stay it: a newer version's migrations leave what this one needs."""
    return not is_migration_due()


def check_upstreams() -> Verdict:
    resting = [name for name in UPSTREAMS if get_circuit(name).state != "closed"]
    if resting:
        return warn(f"left alone for a while after failures: {', '.join(resting)}", "see that they answer")
    return ok("none is left alone")
