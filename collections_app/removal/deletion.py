"""Takes a collection, or all that a tenant has, away for good. Done in the background: `close` first, so that nobody uses what is going.

Documents leave through ingest.remove_documents, a batch at a time, and are forgotten at once: none can be brought back. What broke off
is gone on with by the next call.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from django.utils import timezone

from collections_app.exceptions import JobEnded
from collections_app.ingest import remove_all
from collections_app.jobs import cancel_job
from collections_app.models import (
    ApiKey,
    Collection,
    IngestJob,
    Invitation,
    Membership,
    RemovedDocument,
    Source,
    Tenant,
)
from collections_app.removal.closing import wait_for_fillers
from collections_app.removal.sources import delete_row, remove_source


def close_collections(collections: Iterable[Collection]) -> None:
    """Public no more, read by no schedule, filled by no job. In the transaction that makes the request by which they are closed."""
    ids = [collection.pk for collection in collections]
    wait_for_fillers(ids)
    Collection.objects.filter(pk__in=ids).update(is_public=False)
    Source.objects.filter(collection__in=ids).update(auto_index=False)
    for job in IngestJob.objects.filter(collection__in=ids, state__in=IngestJob.UNFINISHED):
        with suppress(JobEnded):
            cancel_job(job)


def close_tenant(tenant: Tenant) -> None:
    """Nobody comes in any more, neither by a key nor as a member."""
    close_collections(tenant.collections.all())
    # Behind what fills them, which locks the tenant last, and before members, as who changes these does.
    Tenant.objects.select_for_update().get(pk=tenant.pk)
    ApiKey.objects.filter(tenant=tenant, revoked=None).update(revoked=timezone.now())
    Invitation.objects.filter(tenant=tenant).delete()
    Membership.objects.filter(tenant=tenant).delete()


def delete_tenant(tenant: Tenant) -> int:
    """How many documents it had. Raises JobUnfinished while a job still ends."""
    count = sum(delete_collection(collection) for collection in tenant.collections.all())
    delete_row(tenant)
    return count


def delete_collection(collection: Collection) -> int:
    """How many documents it had. Raises JobUnfinished while a job still ends."""
    count = sum(remove_source(source) for source in collection.sources.all())
    count += remove_all(collection, collection.documents.all())  # those of no source
    RemovedDocument.objects.in_collections([collection]).delete()
    delete_row(collection)
    return count
