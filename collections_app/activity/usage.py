"""How often callers call what, how long that takes, and which documents are read: counted in the process, written every second.

No request waits for it or needs another query. Rows are incremented by one atomic statement, so any number of processes
may write them. A process that is killed loses what it counted since it last wrote, at most WRITE_SECONDS.
The same thread writes the history of searches.
"""

from __future__ import annotations

import atexit
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import cache
from threading import Event, Lock, Thread
from typing import Any, NamedTuple

import structlog
from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from collections_app.access.principal import Principal
from collections_app.activity.history import PENDING, write_searches
from collections_app.activity.latency import BUCKETS, find_bucket
from collections_app.exceptions import summarise
from collections_app.metrics import observe_call
from collections_app.models import DailyUsage, Document

WRITE_SECONDS = 1
# How long to wait at the end for a write that is in progress.
JOIN_SECONDS = 5

logger = structlog.get_logger(__name__)

# In a fixed order, so that concurrent writers cannot deadlock. Tenants and documents that were deleted meanwhile are left out.
WRITE_CALLS = """
INSERT INTO collections_app_dailyusage AS old (tenant_id, api_key_id, day, call, requests, errors, total_ms, latencies)
SELECT given.* FROM jsonb_to_recordset(%s) AS given
    (tenant_id bigint, api_key_id bigint, day date, call text, requests int, errors int, total_ms float8, latencies int[])
WHERE given.tenant_id IS NULL OR EXISTS (SELECT FROM collections_app_tenant AS tenant WHERE tenant.id = given.tenant_id)
ORDER BY tenant_id, day, api_key_id, call
ON CONFLICT (tenant_id, day, api_key_id, call) DO UPDATE SET requests = old.requests + excluded.requests,
    errors = old.errors + excluded.errors, total_ms = old.total_ms + excluded.total_ms,
    latencies = ARRAY(
        SELECT one + other FROM unnest(old.latencies, excluded.latencies) WITH ORDINALITY AS pair (one, other, number) ORDER BY number
    )
"""
WRITE_READS = """
INSERT INTO collections_app_documentread AS old (tenant_id, document_id, last_read, reads)
SELECT document.tenant_id, document.id, given.last_read, given.reads
FROM jsonb_to_recordset(%s) AS given (document_id bigint, last_read timestamptz, reads bigint)
JOIN collections_app_document AS document ON document.id = given.document_id
ORDER BY document.tenant_id, document.id
ON CONFLICT (tenant_id, document_id) DO UPDATE SET reads = old.reads + excluded.reads,
    last_read = greatest(old.last_read, excluded.last_read)
"""
FORGET_READS = """
DELETE FROM collections_app_documentread AS gone
WHERE NOT EXISTS (SELECT FROM collections_app_document AS document WHERE document.id = gone.document_id)
"""


class Caller(NamedTuple):
    """Calls that are counted together: whose, on which day, and of what."""

    tenant_id: int | None
    api_key_id: int | None
    day: date
    call: str


@dataclass(slots=True)
class CallCounts:
    requests: int = 0
    errors: int = 0
    total_ms: float = 0.0
    latencies: list[int] = field(default_factory=lambda: [0] * BUCKETS)

    def count(self, duration_ms: float, is_error: bool) -> None:
        self.requests += 1
        self.errors += is_error
        self.total_ms += duration_ms
        self.latencies[find_bucket(duration_ms)] += 1

    def add(self, other: CallCounts) -> None:
        self.requests += other.requests
        self.errors += other.errors
        self.total_ms += other.total_ms
        self.latencies = [one + more for one, more in zip(self.latencies, other.latencies, strict=True)]


@dataclass(slots=True)
class ReadCounts:
    reads: int
    last_read: datetime

    def add(self, other: ReadCounts) -> None:
        self.reads += other.reads
        self.last_read = max(self.last_read, other.last_read)


class Counters:
    """What this process has counted and not written yet."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Starts empty, also in a forked process: earlier counts belong to its parent."""
        self._lock = Lock()
        self._writing = Lock()
        self._calls: dict[Caller, CallCounts] = {}
        self._reads: dict[int, ReadCounts] = {}

    @property
    def has_some(self) -> bool:
        return bool(self._calls or self._reads)

    def count_call(self, caller: Caller, duration_ms: float, *, is_error: bool) -> None:
        with self._lock:
            self._calls.setdefault(caller, CallCounts()).count(duration_ms, is_error)

    def count_read(self, document_id: int, now: datetime) -> None:
        self._add({}, {document_id: ReadCounts(1, now)})

    def write(self) -> None:
        """Adds the counts to the rows, in one transaction. On failure they are kept, and the failure is raised."""
        with self._writing:
            calls, reads = self._take()
            try:
                write_rows(calls, reads)
            except BaseException:
                self._add(calls, reads)
                raise

    def _take(self) -> tuple[dict[Caller, CallCounts], dict[int, ReadCounts]]:
        with self._lock:
            taken = self._calls, self._reads
            self._calls, self._reads = {}, {}
            return taken

    def _add(self, calls: Mapping[Caller, CallCounts], reads: Mapping[int, ReadCounts]) -> None:
        with self._lock:
            for caller, counts in calls.items():
                self._calls.setdefault(caller, CallCounts()).add(counts)
            for document_id, read in reads.items():
                if known := self._reads.get(document_id):
                    known.add(read)
                else:
                    self._reads[document_id] = read


COUNTERS = Counters()
os.register_at_fork(after_in_child=COUNTERS.begin)


def count_call(principal: Principal, call: str, duration_ms: float, *, is_error: bool) -> None:
    """Counts a call that was answered. `call` is one of a fixed set of names, never one that a client made up. A trial is not counted."""
    if principal.is_trial:
        return
    observe_call(call, duration_ms / 1000, is_error=is_error)
    caller = Caller(principal.tenant_id, principal.api_key_id, timezone.now().date(), call)
    COUNTERS.count_call(caller, duration_ms, is_error=is_error)


def count_read(document: Document, reader: Principal) -> None:
    """Counts that the reader was given text of this document. A trial is not counted."""
    if not reader.is_trial:
        COUNTERS.count_read(document.pk, timezone.now())


def write_counts() -> None:
    """Writes what this process has counted. Raises what the database raises; nothing is lost then."""
    COUNTERS.write()


def write_rows(calls: Mapping[Caller, CallCounts], reads: Mapping[int, ReadCounts]) -> None:
    if not calls and not reads:
        return
    with transaction.atomic(), connection.cursor() as cursor:
        if calls:
            cursor.execute(WRITE_CALLS, [dump_rows(make_call_row(*each) for each in calls.items())])
        if reads:
            cursor.execute(WRITE_READS, [dump_rows(make_read_row(*each) for each in reads.items())])


def dump_rows(rows: Iterable[Mapping[str, Any]]) -> str:
    return json.dumps(list(rows))


def make_call_row(caller: Caller, counts: CallCounts) -> dict[str, Any]:
    return {
        **caller._asdict(),
        "day": caller.day.isoformat(),
        "requests": counts.requests,
        "errors": counts.errors,
        "total_ms": counts.total_ms,
        "latencies": counts.latencies,
    }


def make_read_row(document_id: int, counts: ReadCounts) -> dict[str, Any]:
    return {"document_id": document_id, "reads": counts.reads, "last_read": counts.last_read.isoformat()}


@contextmanager
def writing() -> Iterator[None]:
    """During the block a thread writes this process's counts; the rest is written at the end."""
    end = Event()
    PENDING.is_written_by_thread = True
    thread = Thread(target=write_until, args=[end], name="usage", daemon=True)
    thread.start()
    try:
        yield
    finally:
        end.set()
        thread.join(JOIN_SECONDS)
        PENDING.is_written_by_thread = False
        write_or_warn()
        connection.close()


@cache
def start_writing() -> None:
    """As writing(), until this process ends. Not for the process that stops the database."""
    stack = ExitStack()
    stack.enter_context(writing())
    atexit.register(stack.close)


def write_until(end: Event) -> None:
    while not end.wait(WRITE_SECONDS):
        write_or_warn()


def write_or_warn() -> None:
    """If there is nothing to write, closes the connection: before the next time, the database may be gone for good."""
    is_kept = COUNTERS.has_some or bool(PENDING.searches)
    for write in (write_searches, write_counts):
        try:
            write()
        except Exception as error:  # whatever it is, the next attempt may succeed
            is_kept = False
            logger.warning("usage_not_written", reason=summarise(error))
    if not is_kept:
        connection.close()


def forget_old_usage() -> int:
    """Deletes counts past USAGE_RETENTION_DAYS, and those of deleted documents; returns how many."""
    oldest = timezone.now().date() - timedelta(days=settings.DOCSMCP.usage_retention_days)
    forgotten = DailyUsage.objects.filter(day__lt=oldest).delete()[0]
    with connection.cursor() as cursor:
        cursor.execute(FORGET_READS)
        return forgotten + int(cursor.rowcount)
