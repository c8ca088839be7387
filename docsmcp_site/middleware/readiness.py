"""Whether this process can serve: the database answers, its tables are this version's, and the disk has room if it is needed. Each check
takes at most seconds.

A queue that stands still, or a Redis or upstream that is away, is reported but does not make the process unready: searching and reading
go on without them.
Until the tables are this version's, requests that need the database are refused in the same way as while it is away.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache, partial
from threading import Lock
from time import monotonic
from typing import NoReturn

from django.conf import settings
from django.db import DatabaseError, Error, OperationalError, connection, connections, transaction
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from collections_app.clients.circuits import get_circuit
from collections_app.postgres.deadlines import answering_within
from docsmcp_site.database.preparation import is_migration_due
from docsmcp_site.doctor.findings import Check, State, Verdict, fail, ok, warn
from docsmcp_site.doctor.surroundings import check_broker, check_disk
from docsmcp_site.doctor.work import check_tasks, check_worker
from docsmcp_site.observability.gauges import UPSTREAMS

Answer = Callable[[HttpRequest], HttpResponseBase]

MIGRATE = "run `docsmcp migrate`"
NOT_MIGRATED = f"the tables are not those of this version: {MIGRATE}"
TIMEOUT_MS = 2000
# For a silent database, which does not observe its statement timeout.
DEADLINE_SECONDS = 2.5
# For Redis: as long as a request would wait for it.
REDIS_SECONDS = 1.0
REMEMBERED_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Part:
    """The state of one part; `is_needed`: nothing can be served without it."""

    name: str
    verdict: Verdict
    is_needed: bool


class Examined:
    """Remembers the last examination for a moment, because anybody may ask, uncounted, and it takes several statements. A request that
    comes during an examination waits for its result."""

    def __init__(self) -> None:
        self._parts: list[Part] = []
        self._until = 0.0
        self._looking = Lock()

    def get(self) -> list[Part]:
        with self._looking:
            if monotonic() >= self._until:
                self._parts = examine_parts()
                self._until = monotonic() + REMEMBERED_SECONDS
            return self._parts

    def forget(self) -> None:
        self._until = 0.0


EXAMINED = Examined()


def examine_parts() -> list[Part]:
    """Examines every part, except those that need a database that does not answer."""
    database = Part("database", run(check_database), is_needed=True)
    disk = Part("disk", check_disk(), is_needed=True)
    if database.verdict.state == State.FAIL:
        return [database, disk]
    migrations = Part("migrations", run(check_tables), is_needed=True)
    if migrations.verdict.state == State.FAIL:
        return [database, disk, migrations]
    others: list[tuple[str, Check]] = [("worker", check_worker), ("queue", check_tasks), ("upstreams", check_upstreams)]
    if settings.DOCSMCP.redis_url:
        others.append(("broker", partial(check_broker, REDIS_SECONDS)))
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
        return fail("the tables are not those of this version", MIGRATE)
    return ok("the tables are those of this version")


def are_tables_ready() -> bool:
    """Checks until the tables are ready. Then they remain so: a newer version's migrations keep what this version needs."""
    if is_all_migrated():
        return True
    is_all_migrated.cache_clear()
    return False


@cache
def is_all_migrated() -> bool:
    return not is_migration_due()


def wait_for_tables(get_response: Answer) -> Answer:
    """Middleware: until the tables are ready, a request that needs the database is answered as while it is away. On another version's
    tables it would fail, and whether row security exists would be judged wrongly for the process's lifetime (tenant_wall.py)."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        obstacle = find_obstacle()
        if not obstacle:
            return get_response(request)
        with ExitStack() as stack:
            for each in connections.all():
                stack.enter_context(each.execute_wrapper(partial(refuse, obstacle)))
            return get_response(request)

    return answer


def find_obstacle() -> Error | None:
    """The error that every statement would raise; None if there is none. A database that is away is not asked twice."""
    try:
        return None if are_tables_ready() else OperationalError(NOT_MIGRATED)
    except Error as error:
        return error


def refuse(obstacle: Error, *statement: object) -> NoReturn:
    raise obstacle


def check_upstreams() -> Verdict:
    resting = [name for name in UPSTREAMS if get_circuit(name).state != "closed"]
    if resting:
        return warn(f"left alone for a while after failures: {', '.join(resting)}", "see that they answer")
    return ok("none is left alone")
