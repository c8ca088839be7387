"""The door to what takes minutes with a tenant's data: export it, delete a collection, delete everything. Queued, and done by a worker.

Who may ask for it is checked by the caller (access/roles.py). A request whose worker died is taken up again by `sweep`.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

import structlog
from django.db import transaction
from django.utils import timezone

from collections_app.activity import audit
from collections_app.exceptions import InvalidParameter, JobUnfinished
from collections_app.models import Collection, DataRequest, ExportPart, Tenant
from collections_app.postgres.advisory_locks import holding_lock
from collections_app.removal import deletion
from collections_app.task_queue import make_task
from collections_app.transfer.tenants import export_tenant

logger = structlog.get_logger(__name__)

Kind, State = DataRequest.Kind, DataRequest.State

RUN = "collections_app.tasks.run_data_request"
MEND = "a sweep takes it up when it is back"
LOCK_CLASS = 0x64617461
"""The class of the advisory locks of runs, by number of request: "data" in ASCII."""

PART_BYTES = 1024 * 1024
EXPORT_LIFETIME = timedelta(days=7)
SILENCE = timedelta(seconds=60)
MAX_ATTEMPTS = 20


@transaction.atomic
def request_export(tenant: Tenant, requested_by: str) -> DataRequest:
    """Raises InvalidParameter while one is being made."""
    return start(tenant, Kind.EXPORT, tenant.slug, requested_by)


@transaction.atomic
def request_deletion_of_collection(collection: Collection, requested_by: str) -> DataRequest:
    """It is public and filled no more from now on. Raises InvalidParameter while it is being deleted."""
    deletion.close_collections([collection])
    return start(collection.tenant, Kind.DELETE_COLLECTION, collection.slug, requested_by, collection)


@transaction.atomic
def request_deletion_of_tenant(tenant: Tenant, requested_by: str) -> DataRequest:
    """Its keys and members have no access from now on. Raises InvalidParameter while it is being deleted."""
    deletion.close_tenant(tenant)
    return start(tenant, Kind.DELETE_TENANT, tenant.slug, requested_by)


def start(
    tenant: Tenant, kind: DataRequest.Kind, subject: str, requested_by: str, collection: Collection | None = None
) -> DataRequest:
    Tenant.objects.select_for_update().get(pk=tenant.pk)
    unfinished = DataRequest.objects.filter(tenant=tenant, state__in=DataRequest.UNFINISHED)
    if unfinished.filter(kind=kind, subject=subject).exists():
        raise InvalidParameter(f"{kind.label} is under way already for {subject}: wait until it has ended.")
    request = DataRequest.objects.create(
        tenant=tenant,
        collection=collection,
        kind=kind,
        subject=subject,
        requested_by=requested_by,
        attempted=timezone.now(),
    )
    enqueue(request)
    return request


def enqueue(request: DataRequest) -> None:
    """After the transaction, whatever the queue is: a task that is lost is made again by `sweep`."""
    transaction.on_commit(partial(make_task, RUN, request.pk, group="data", mend=MEND, request=request.pk))


def run(request_id: int) -> None:
    """Do what is asked for, unless another worker is at it or it is done."""
    with holding_lock(LOCK_CLASS, request_id) as is_held:
        request = DataRequest.objects.select_related("tenant", "collection").filter(pk=request_id).first()
        if is_held and request is not None and request.state in DataRequest.UNFINISHED:
            attempt(request)


def attempt(request: DataRequest) -> None:
    if request.attempts >= MAX_ATTEMPTS:
        finish(
            request,
            State.FAILED,
            "Its worker ended each time before it was done; the server's log says why. Ask for it again.",
        )
        return
    request.state = State.RUNNING
    request.attempts += 1
    request.save(update_fields=["state", "attempts"])
    try:
        message = do(request)
    except JobUnfinished:
        logger.info("data_request_waits", request=request.pk)  # for a job that was cancelled; `sweep` comes back
        if request.attempts < MAX_ATTEMPTS:
            return
        finish(request, State.FAILED, "A job of these documents did not end. Cancel it, then ask again.")
    except Exception:
        logger.exception("data_request_failed", request=request.pk)
        finish(request, State.FAILED, "It broke off; the server's log says why. Ask for it again.")
    else:
        finish(request, State.SUCCEEDED, message)


def do(request: DataRequest) -> str:
    """What is to be told of it."""
    if request.kind == Kind.EXPORT:
        assert request.tenant is not None
        return make_export(request, request.tenant)
    if request.kind == Kind.DELETE_COLLECTION:
        count = deletion.delete_collection(request.collection) if request.collection else 0
    else:
        count = deletion.delete_tenant(request.tenant) if request.tenant else 0
    return f"{count} documents were deleted, and all that belonged to them."


def finish(request: DataRequest, state: DataRequest.State, message: str) -> None:
    """The tenant may be gone with what was deleted, and its row with it."""
    tenant = Tenant.objects.filter(pk=request.tenant_id).first() if request.tenant_id else None
    DataRequest.objects.filter(pk=request.pk).update(
        state=state, message=message, size_bytes=request.size_bytes, finished=timezone.now()
    )
    event = audit.describe(request.requested_by, f"{request.kind} {state}", details=message, tenant=tenant)
    event.object_name = str(request)
    event.tenant_slug = event.tenant_slug or request.subject
    event.save()


def make_export(request: DataRequest, tenant: Tenant) -> str:
    request.parts.all().delete()
    with TemporaryDirectory(prefix="docsmcp-export-") as directory:
        path = Path(directory, "export.zip")
        export_tenant(tenant, path)
        with path.open("rb") as file:
            request.size_bytes = keep(request, tenant, file)
    days = EXPORT_LIFETIME.days
    return f"It can be downloaded for {days} days."


def keep(request: DataRequest, tenant: Tenant, file: IO[bytes]) -> int:
    """How many bytes there are."""
    size = 0
    for position, content in enumerate(iter(lambda: file.read(PART_BYTES), b"")):
        ExportPart.objects.create(tenant=tenant, request=request, position=position, content=content)
        size += len(content)
    return size


def iter_export(request: DataRequest) -> Iterator[bytes]:
    """The zip file, a part at a time."""
    parts = ExportPart.objects.filter(tenant=request.tenant_id, request=request)
    for position in range(parts.count()):
        yield bytes(parts.values_list("content", flat=True).get(position=position))


def is_downloadable(request: DataRequest) -> bool:
    return request.kind == Kind.EXPORT and request.state == State.SUCCEEDED and request.parts.exists()


def sweep() -> int:
    """Take up requests that nobody works on, and drop exports past their time; how many there were of both."""
    now = timezone.now()
    silent = DataRequest.objects.filter(state__in=DataRequest.UNFINISHED, attempted__lt=now - SILENCE)
    count = sum(take_up(request) for request in silent)
    old = DataRequest.objects.filter(kind=Kind.EXPORT, finished__lt=now - EXPORT_LIFETIME, parts__position=0)
    for request in old:
        request.parts.all().delete()
        count += 1
    return count


def take_up(request: DataRequest) -> int:
    with holding_lock(LOCK_CLASS, request.pk) as is_free:
        if not is_free:
            return 0
    DataRequest.objects.filter(pk=request.pk).update(attempted=timezone.now())
    enqueue(request)
    return 1
