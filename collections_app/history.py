"""Which searches were made. Kept for SEARCH_EVENT_RETENTION_DAYS, seen by the key that made them and the admin."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import connection
from django.utils import timezone

from collections_app.models import Collection, SearchEvent
from collections_app.principal import Principal
from collections_app.row_security import as_owner
from collections_app.search import SearchResults

RECENT = 10

# One statement whose commit does not wait for the disk: 0.2 ms, where a plain INSERT takes as long as the disk. A crash of the database
# may lose the last half second's.
RECORD = """
WITH quick AS (SELECT set_config('synchronous_commit', 'off', true))
INSERT INTO collections_app_searchevent (tenant_id, api_key_id, collections, query, mode, hits, duration_ms, created)
SELECT %s, %s, %s::bigint[], %s, %s, %s, %s, clock_timestamp() FROM quick
"""


def record_search(
    principal: Principal, collections: Sequence[Collection], results: SearchResults, duration_ms: float
) -> None:
    """Note one search. One without a tenant (an anonymous caller over several tenants' collections) belongs to nobody and is not kept,
    nor is a trial."""
    if principal.is_trial:
        return
    tenants = {collection.tenant_id for collection in collections}
    tenant_id = principal.tenant_id or (tenants.pop() if len(tenants) == 1 else None)
    if tenant_id is None:
        return
    ids = [collection.pk for collection in collections]
    found: list[Any] = [ids, results.query, results.mode.value, len(results.hits), round(duration_ms, 2)]
    # Of a public collection, it is the search of a tenant that who asks does not belong to.
    with as_owner(), connection.cursor() as cursor:
        cursor.execute(RECORD, [tenant_id, principal.api_key_id, *found])


def get_recent_searches(principal: Principal) -> list[SearchEvent]:
    """The last searches of this key, newest first; an anonymous caller has none."""
    if principal.api_key_id is None:
        return []
    return list(SearchEvent.objects.visible_to(principal).filter(api_key=principal.api_key_id)[:RECENT])


def forget_old_searches() -> int:
    """Delete those past their retention; how many were."""
    oldest = timezone.now() - timedelta(days=settings.DOCSMCP.search_event_retention_days)
    return SearchEvent.objects.filter(created__lt=oldest).delete()[0]
