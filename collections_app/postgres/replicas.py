"""Reads that a replica of the database may answer, if it has everything that the primary has; otherwise the primary answers.

The caller decides what may be read there: searches and documents. Code that writes, or reads recent changes to anything but documents
(keys, limits, jobs, the admin), uses the primary. A replica that fails, hears nothing from the primary or lags too far
is left alone for a while; callers do not notice.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TypeVar

import structlog
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, DatabaseError, InterfaceError, connections

from collections_app.exceptions import summarise
from collections_app.metrics import REPLICA_READS
from collections_app.models import Collection
from collections_app.postgres.deadlines import answering_within

REPLICA = "replica"
# For how long a failed replica is left alone.
REST_SECONDS = 5
# How long it may take to report its state, and then to be read: nobody waits for one that says nothing.
LOOK_SECONDS = 1
READ_SECONDS = 10

# Its lag in seconds, null if unknown; and how many of these collections it has with this index version or a newer one.
# The second alone says exactly which documents it has; the first is for everything else, and for a replica that has lost its primary.
STATE = """
SELECT CASE WHEN NOT pg_is_in_recovery() THEN 0
            WHEN NOT EXISTS (SELECT FROM pg_stat_wal_receiver) THEN NULL
            WHEN pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() THEN 0
            ELSE extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()) END,
       (SELECT count(*) FROM unnest(%s::bigint[], %s::bigint[]) AS wanted (id, index_version)
        JOIN collections_app_collection AS own ON own.id = wanted.id AND own.index_version >= wanted.index_version)
"""

T = TypeVar("T")
logger = structlog.get_logger(__name__)


class ReplicaUnfit(Exception):
    """The replica answers, but should not be used now."""


class Replica:
    """What this process knows about the replica."""

    def __init__(self) -> None:
        self.rests_until = float("-inf")
        self.is_left = False

    @property
    def rests(self) -> bool:
        return time.monotonic() < self.rests_until

    def leave(self, error: Exception) -> None:
        connections[REPLICA].close()
        self.rests_until = time.monotonic() + REST_SECONDS
        if not self.is_left:
            logger.warning("replica_left", reason=summarise(error))
        self.is_left = True

    def take_back(self) -> None:
        if self.is_left:
            logger.warning("replica_back")
        self.is_left = False


_replica = Replica()


def read_from_replica(collections: Sequence[Collection], read: Callable[[], T]) -> T:
    """The result of `read`, which reads these collections and writes nothing; it may be called again, at the primary.

    The collections are rows from the primary: no answer is older than they are.
    """
    if not may_be_read_elsewhere():
        return read()
    by = "left"
    if not _replica.rests:
        try:
            with standing_in(REPLICA):
                if has_all_of(collections):
                    with answering_within(READ_SECONDS):
                        answer = read()
                    _replica.take_back()
                    REPLICA_READS.labels("replica").inc()
                    return answer
            by = "behind"
        except (DatabaseError, InterfaceError, ReplicaUnfit) as error:
            _replica.leave(error)
    REPLICA_READS.labels(by).inc()
    return read()


def may_be_read_elsewhere() -> bool:
    """False if there is no replica, if one is being read already, or within a transaction, which alone sees what it wrote."""
    own = connections[DEFAULT_DB_ALIAS]
    return REPLICA in connections.settings and own.alias == DEFAULT_DB_ALIAS and not own.in_atomic_block


@contextmanager
def standing_in(alias: str) -> Iterator[None]:
    """In the block, this thread uses the connection `alias` in place of the default one."""
    own = connections[DEFAULT_DB_ALIAS]
    connections[DEFAULT_DB_ALIAS] = connections[alias]
    try:
        yield
    finally:
        connections[DEFAULT_DB_ALIAS] = own


def has_all_of(collections: Sequence[Collection]) -> bool:
    """Whether the replica has all these collections. Raises ReplicaUnfit."""
    versions = {collection.pk: collection.index_version for collection in collections}
    return look(versions) == len(versions)


def look(versions: Mapping[int, int]) -> int:
    """How many of these collections (id → index_version) the replica has in at least this version. Raises ReplicaUnfit, and what a lost
    database raises."""
    with answering_within(LOOK_SECONDS), connections[REPLICA].cursor() as cursor:
        cursor.execute(STATE, [list(versions), list(versions.values())])
        lag_seconds, count = cursor.fetchone()
    if lag_seconds is None:
        raise ReplicaUnfit("it hears nothing of the primary")
    if lag_seconds > settings.DOCSMCP.database_replica_max_lag:
        raise ReplicaUnfit(f"it is {lag_seconds:.0f} s behind")
    return int(count)
