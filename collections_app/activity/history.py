"""Records which searches were made. Kept for SEARCH_EVENT_RETENTION_DAYS, visible to the key that made them and in the admin.

Of anonymous callers' searches a tenant keeps a limited number a day: these callers have no quota, and nobody can control how many they are.
Usage (usage.py) counts all of them.

If a thread of the process writes (usage.py), no request waits: searches are written together, every second. A process that is
killed loses those of its last second, and the number kept in memory while the database is away is limited.
"""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Sequence
from datetime import timedelta
from threading import Lock
from typing import Any

from django.conf import settings
from django.db import DataError, connection
from django.utils import timezone

from collections_app.access.principal import Principal
from collections_app.models import Collection, SearchEvent
from collections_app.postgres.row_security import as_owner
from collections_app.search import SearchResults

RECENT = 10
# At most so many wait to be written; of more, the oldest are lost.
MAX_PENDING = 10_000
# People's questions are shorter; of what a program pastes, the beginning suffices.
QUERY_CHARACTERS = 300
# For each tenant in 24 hours.
ANONYMOUS_ROWS = 1_000

# One statement whose commit does not wait for the disk: a crash of the database may lose the last half second. Searches of tenants
# that were deleted meanwhile are left out; of deleted keys only the key is.
RECORD = """
WITH quick AS (SELECT set_config('synchronous_commit', 'off', true)),
sent AS (
    SELECT *, row_number() OVER (PARTITION BY tenant_id, is_anonymous ORDER BY created) AS number
    FROM jsonb_to_recordset(%(searches)s) AS search (tenant_id bigint, api_key_id bigint, collections bigint[], query text, mode text,
        hits int, is_narrowed bool, is_anonymous bool, duration_ms float8, created timestamptz)
),
kept AS (
    SELECT tenant_id, (SELECT count(*) FROM (
        SELECT FROM collections_app_searchevent AS event
        WHERE event.tenant_id = asked.tenant_id AND event.api_key_id IS NULL AND event.created > now() - interval '1 day'
        LIMIT %(anonymous_rows)s
    ) AS few) AS count
    FROM (SELECT DISTINCT tenant_id FROM sent WHERE is_anonymous) AS asked
)
INSERT INTO collections_app_searchevent (tenant_id, api_key_id, collections, query, mode, hits, is_narrowed, duration_ms, created)
SELECT tenant.id, key.id, given.collections, given.query, given.mode, given.hits, given.is_narrowed, given.duration_ms, given.created
FROM quick, sent AS given
JOIN collections_app_tenant AS tenant ON tenant.id = given.tenant_id
LEFT JOIN collections_app_apikey AS key ON key.id = given.api_key_id
LEFT JOIN kept ON kept.tenant_id = given.tenant_id
WHERE NOT given.is_anonymous OR kept.count + given.number <= %(anonymous_rows)s
"""


class Pending:
    """The searches that this process has not written yet."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Starts empty, also in a forked process: what waits belongs to its parent."""
        self.is_written_by_thread = False
        self.searches: deque[dict[str, Any]] = deque(maxlen=MAX_PENDING)
        self._writing = Lock()

    def add(self, search: dict[str, Any]) -> None:
        self.searches.append(search)
        if not self.is_written_by_thread:
            self.write()

    def write(self) -> None:
        """Writes all of them. On failure they are kept, and the failure is raised; what PostgreSQL cannot store is not tried again."""
        with self._writing:
            taken = [self.searches.popleft() for _ in range(len(self.searches))]
            try:
                write_rows(taken)
            except DataError:
                raise
            except BaseException:
                room = MAX_PENDING - len(self.searches)
                self.searches.extendleft(reversed(taken[-room:] if room > 0 else []))
                raise


PENDING = Pending()
os.register_at_fork(after_in_child=PENDING.begin)


def record_search(
    principal: Principal, collections: Sequence[Collection], results: SearchResults, duration_ms: float
) -> None:
    """Notes a search. One without a tenant (by an anonymous caller, in collections of several tenants) belongs to nobody and is not kept;
    neither is a trial."""
    if principal.is_trial:
        return
    tenants = {collection.tenant_id for collection in collections}
    tenant_id = principal.tenant_id or (tenants.pop() if len(tenants) == 1 else None)
    if tenant_id is None:
        return
    PENDING.add(
        {
            "tenant_id": tenant_id,
            "api_key_id": principal.api_key_id,
            "collections": [collection.pk for collection in collections],
            "query": results.query[:QUERY_CHARACTERS],
            "mode": results.mode.value,
            "hits": len(results.hits),
            "is_narrowed": results.is_narrowed and any(word.sections for word in results.words),
            "is_anonymous": principal.is_anonymous,
            "duration_ms": round(duration_ms, 2),
            "created": timezone.now().isoformat(),
        }
    )


def write_searches() -> None:
    """Writes what this process has noted. Raises what the database raises."""
    PENDING.write()


def write_rows(searches: Sequence[dict[str, Any]]) -> None:
    """As owner: a search in a public collection is recorded for a tenant that the caller may not belong to."""
    if searches:
        with as_owner(), connection.cursor() as cursor:
            cursor.execute(RECORD, {"searches": json.dumps(searches), "anonymous_rows": ANONYMOUS_ROWS})


def get_recent_searches(principal: Principal) -> list[SearchEvent]:
    """The last searches of this key, newest first; an anonymous caller has none."""
    if principal.api_key_id is None:
        return []
    write_searches()
    own = SearchEvent.objects.visible_to(principal).filter(api_key=principal.api_key_id)
    return list(own.order_by("-created", "-pk")[:RECENT])


def forget_old_searches() -> int:
    """Deletes searches past their retention; returns how many."""
    oldest = timezone.now() - timedelta(days=settings.DOCSMCP.search_event_retention_days)
    return SearchEvent.objects.filter(created__lt=oldest).delete()[0]
