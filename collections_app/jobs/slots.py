"""Limits how many long jobs the queue of this host runs at once: QUEUE_WORKERS, one fewer than it has processes.

So neither a small upload nor the sweeper ever waits for a crawl or for large archives. A slot is an advisory lock, which is released when
its process ends. A long job that finds no slot stays queued: the next long job to end hands its slot on, and the sweeper finds jobs that
were missed. One tenant may have all slots until another tenant's job waits. Then a running job may have to give way; it is queued again and
later goes on where it was.
"""

from __future__ import annotations

import socket
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Count, F, OuterRef, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from collections_app.jobs.queue import enqueue
from collections_app.models import IngestJob
from collections_app.postgres.advisory_locks import holding_lock
from collections_app.sources.archive_formats import is_archive

# Locks of this class are held by long jobs of the queue; the second number is the host's and the slot's.
SLOT_LOCK = 0x646F6374
MAX_SLOTS = 64  # as many as QUEUE_WORKERS may be

# A job over at most this many uploaded files, with at most this many bytes in all, is a short one.
SHORT_FILES = 100
SHORT_BYTES = 1024**2

# How long a job may keep the only slot of its tenant while another tenant has none.
TURN = timedelta(minutes=20)


@contextmanager
def holding_slot(job: IngestJob) -> Iterator[bool]:
    """Hold a slot while the block lasts, if the job needs one; yields false if none is free."""
    with ExitStack() as held:
        locks = (holding_lock(SLOT_LOCK, number) for number in list_slots())
        yield not is_long(job) or any(map(held.enter_context, locks))


def is_long(job: IngestJob) -> bool:
    """Whether a job is a long one: all are, except those over a few small uploaded files.

    Archives count as long because they may hold any number of files, and URLs because their hosts may take any time.
    """
    if not job.source.is_upload or job.only is None or len(job.only) > SHORT_FILES:
        return True
    files = list(job.source.uploads.filter(tenant=job.tenant_id, path__in=job.only).values("path", "url", "size_bytes"))
    return (
        len(files) < len(job.only)  # the others are in an archive
        or any(file["url"] or is_archive(file["path"]) for file in files)
        or sum(file["size_bytes"] for file in files) > SHORT_BYTES
    )


def list_slots() -> range:
    host = zlib.crc32(socket.gethostname().encode()) & 0x1FFFFFF
    first = host * MAX_SLOTS
    return range(first, first + settings.DOCSMCP.queue_workers)


def hand_on_slot(job: IngestJob) -> None:
    """After a long job, enqueue the next one whose source is free.

    It is of the tenant with the fewest jobs running; among these it is one that never had a slot, or else the one whose last slot is
    longest ago. So no tenant has to wait for everything that another has queued.
    """
    if not is_long(job):
        return
    running = IngestJob.objects.filter(state=IngestJob.State.RUNNING)
    waiting = IngestJob.objects.filter(state=IngestJob.State.QUEUED).select_related("source")
    free = waiting.exclude(source__in=running.values("source")).exclude(pk=job.pk)
    of_tenant = running.filter(tenant=OuterRef("tenant")).order_by().values("tenant")
    counted = free.annotate(of_tenant=Coalesce(Subquery(of_tenant.annotate(count=Count("pk")).values("count")), 0))
    if following := next(filter(is_long, counted.order_by("of_tenant", F("taken").asc(nulls_first=True), "pk")), None):
        enqueue(following)


def ask_for_slot(job: IngestJob) -> None:
    """For a long job that found no slot: have a running one give way, if find_who_gives_way() says so.

    Only one gives way at a time; the sweeper tries again.
    """
    running = IngestJob.objects.filter(state=IngestJob.State.RUNNING, attempts__gt=0).select_related("source")
    others = [each for each in running.order_by("taken") if is_long(each)]
    if any(each.gives_way for each in others):
        return
    if chosen := find_who_gives_way(job, others, timezone.now()):
        running.filter(pk=chosen.pk).update(gives_way=True)


def find_who_gives_way(job: IngestJob, running: Sequence[IngestJob], now: datetime) -> IngestJob | None:
    """Which running job is to leave its slot to `job`; None if none is. `running` is in the order in which jobs were taken.

    If some tenants have at least two more jobs running than the job's tenant, it is the job that was taken last, of the tenant with the
    most, however recently. Otherwise it is the first job that has run for TURN and that either belongs to a tenant with more jobs running
    than the job's tenant, or belongs to the same tenant and is no upload while `job` is one (for which somebody waits).
    """
    counts = Counter(each.tenant_id for each in running)
    own = counts[job.tenant_id]
    crowding = [each for each in running if counts[each.tenant_id] > own + 1]
    if crowding:
        return max(reversed(crowding), key=lambda each: counts[each.tenant_id])
    for each in running:
        began = each.taken or each.started
        if began and began > now - TURN:
            continue
        is_own = each.tenant_id == job.tenant_id
        if (is_own and job.source.is_upload and not each.source.is_upload) or counts[each.tenant_id] > own:
            return each
    return None
