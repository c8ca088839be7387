"""Deletes a collection, or everything of a tenant, for good. Runs in the background; `close` comes first, so that nobody uses what is
going.

Documents are removed by ingest.remove_documents, a batch at a time, and cannot be restored. A deletion that was interrupted is continued by
the next call.
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
    """Makes them private, and stops their schedules and jobs. To be called in the transaction that creates the request by which they are
    closed."""
    ids = [collection.pk for collection in collections]
    wait_for_fillers(ids)
    Collection.objects.filter(pk__in=ids).update(is_public=False)
    Source.objects.filter(collection__in=ids).update(auto_index=False)
    for job in IngestJob.objects.filter(collection__in=ids, state__in=IngestJob.UNFINISHED):
        with suppress(JobEnded):
            cancel_job(job)


def close_tenant(tenant: Tenant) -> None:
    """Lets nobody in any more, by a key or as a member."""
    close_collections(tenant.collections.all())
    # Locked after the collections, as code that adds documents does, and before members, as code that changes members does.
    Tenant.objects.select_for_update().get(pk=tenant.pk)
    ApiKey.objects.filter(tenant=tenant, revoked=None).update(revoked=timezone.now())
    Invitation.objects.filter(tenant=tenant).delete()
    Membership.objects.filter(tenant=tenant).delete()


def delete_tenant(tenant: Tenant) -> int:
    """Returns how many documents it had. Raises JobUnfinished while a job is still ending."""
    count = sum(delete_collection(collection) for collection in tenant.collections.all())
    delete_row(tenant)
    return count


def delete_collection(collection: Collection) -> int:
    """Returns how many documents it had. Raises JobUnfinished while a job is still ending."""
    count = sum(remove_source(source) for source in collection.sources.all())
    count += remove_all(collection, collection.documents.all())  # those without a source
    RemovedDocument.objects.in_collections([collection]).delete()
    delete_row(collection)
    return count
