"""How many long jobs the queue of this host does at once: QUEUE_WORKERS, one fewer than it has processes, so that no upload waits for
a crawl, nor does the sweeper.

A slot is an advisory lock, which goes with the process that has it. A long job that finds none stays queued; the next that ends
hands its slot on, and what that misses the sweeper finds.
"""

from __future__ import annotations

import socket
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from django.conf import settings
from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce

from collections_app.jobs.queue import enqueue
from collections_app.models import IngestJob, Source
from collections_app.postgres.advisory_locks import holding_lock

# Locks of this class are held by long jobs of the queue; the second number is the host's and the slot's.
SLOT_LOCK = 0x646F6374
MAX_SLOTS = 64  # as many as QUEUE_WORKERS may be

SHORT = (Source.Kind.UPLOAD,)


@contextmanager
def holding_slot(source: Source) -> Iterator[bool]:
    """Have a slot for as long as the block lasts, where the source needs one; false where none is free."""
    with ExitStack() as held:
        locks = (holding_lock(SLOT_LOCK, number) for number in list_slots())
        yield source.kind in SHORT or any(map(held.enter_context, locks))


def list_slots() -> range:
    host = zlib.crc32(socket.gethostname().encode()) & 0x1FFFFFF
    first = host * MAX_SLOTS
    return range(first, first + settings.DOCSMCP.queue_workers)


def hand_on_slot(job: IngestJob) -> None:
    """After this job: wake the long one that has waited longest, of the tenant that has the fewest running, whose source is free.

    So no tenant waits for all that another has queued.
    """
    if job.source.kind in SHORT:
        return
    running = IngestJob.objects.filter(state=IngestJob.State.RUNNING)
    waiting = IngestJob.objects.filter(state=IngestJob.State.QUEUED).exclude(source__kind__in=SHORT)
    free = waiting.exclude(source__in=running.values("source")).exclude(pk=job.pk)
    of_tenant = running.exclude(source__kind__in=SHORT).filter(tenant=OuterRef("tenant")).order_by().values("tenant")
    counted = free.annotate(of_tenant=Coalesce(Subquery(of_tenant.annotate(count=Count("pk")).values("count")), 0))
    if following := counted.order_by("of_tenant", "pk").first():
        enqueue(following)
