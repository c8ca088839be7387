"""Brings the database to the state that this version needs: its tables, the default tenant, the queue's schedules.

One process at a time does this, however many start at once. Raises StartError for a PostgreSQL that is too old.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from itertools import count
from threading import Lock
from typing import Any

import structlog
from django.core.management import call_command
from django.db import NotSupportedError, connection, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone
from django_q.models import Schedule

from docsmcp_site.exceptions import StartError

logger = structlog.get_logger(__name__)

PREPARATION_LOCK = 0x646F63736D6370
"""The key of a session-level advisory lock: "docsmcp" in ASCII."""

LOCK_INTERVAL_SECONDS = 0.1

QUEUE_LOCK = PREPARATION_LOCK + 1
"""Held while a queue makes what it finds missing: queues that start at once would each make it."""

TABLES_INTERVAL_SECONDS = 1

OLDEST_VERSION = 15

REFRESH = "refresh sources"
SCHEDULES: dict[str, dict[str, Any]] = {
    REFRESH: {"func": "collections_app.tasks.refresh_sources", "schedule_type": Schedule.MINUTES, "minutes": 1},
    "sweep jobs": {"func": "collections_app.tasks.sweep_jobs", "schedule_type": Schedule.MINUTES, "minutes": 1},
    "sweep data requests": {
        "func": "collections_app.tasks.sweep_data_requests",
        "schedule_type": Schedule.MINUTES,
        "minutes": 1,
    },
    "embed sections": {"func": "collections_app.tasks.embed_sections", "schedule_type": Schedule.MINUTES, "minutes": 1},
    "rebuild indexes": {
        "func": "collections_app.tasks.rebuild_indexes",
        "schedule_type": Schedule.MINUTES,
        "minutes": 1,
    },
    "forget removed documents": {
        "func": "collections_app.tasks.forget_removed_documents",
        "schedule_type": Schedule.DAILY,
    },
    "recount documents": {"func": "collections_app.tasks.recount_documents", "schedule_type": Schedule.DAILY},
    "sweep upload store": {"func": "collections_app.tasks.sweep_upload_store", "schedule_type": Schedule.DAILY},
    "sweep cache": {"func": "collections_app.tasks.sweep_cache", "schedule_type": Schedule.MINUTES, "minutes": 5},
    "forget old events": {"func": "collections_app.tasks.forget_old_events", "schedule_type": Schedule.DAILY},
    "forget connected apps": {"func": "collections_app.tasks.forget_connected_apps", "schedule_type": Schedule.DAILY},
}


@contextmanager
def preparing_database() -> Iterator[None]:
    """In the block the tables exist, and nobody else prepares the database."""
    check_version()
    with preparing_alone():
        if is_migration_due():
            call_command("migrate", verbosity=0, interactive=False)
        yield


@contextmanager
def preparing_alone(on_waiting: Callable[[], object] = lambda: None) -> Iterator[None]:
    """Reentrant in the same session; `on_waiting` is called once if another process has the lock."""
    take_lock(on_waiting)
    try:
        yield
    finally:
        release_lock()


def take_lock(on_waiting: Callable[[], object]) -> None:
    """Polls: a statement that waits would itself be waited for by an index that is created concurrently."""
    for attempt in count():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_lock(%s)", [PREPARATION_LOCK])
            if cursor.fetchone()[0]:
                return
        if attempt == 0:
            on_waiting()
        time.sleep(LOCK_INTERVAL_SECONDS)


def release_lock() -> None:
    """If the connection is lost, the lock is gone with it."""
    if connection.connection is not None and connection.is_usable():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [PREPARATION_LOCK])


def check_version() -> None:
    """Raises StartError for a server older than OLDEST_VERSION."""
    try:
        connection.ensure_connection()
        major = connection.pg_version // 10_000  # type: ignore[attr-defined]
    except NotSupportedError:  # Django refuses versions that it does not know
        major = 0
    if major < OLDEST_VERSION:
        raise StartError(f"The database server is too old: docsmcp needs PostgreSQL {OLDEST_VERSION} or later.")


def describe_what_is_missing() -> list[str]:
    """A sentence for each useful part of PostgreSQL that is missing."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'")
        if cursor.fetchone():
            return []
    return ["This PostgreSQL has no pgvector: every search is by keyword, and there is no semantic or hybrid search."]


class LockedLoader(MigrationLoader):
    """Reads the migrations from disk under a lock. Django imports their modules anew if they are already loaded, so one of two threads
    that do so at once may find a module gone."""

    _importing = Lock()

    def load_disk(self) -> None:
        with self._importing:
            super().load_disk()


def is_migration_due() -> bool:
    """Whether this version has a migration that the database lacks. Any number of threads may ask."""
    loader = LockedLoader(connection)
    return not loader.graph.nodes.keys() <= loader.applied_migrations.keys()


def list_unknown_migrations() -> list[str]:
    """The database's migrations that this version does not know, as app.name, in the order in which a later version applied them."""
    loader = LockedLoader(connection)
    replaced = {key for migration in loader.disk_migrations.values() for key in migration.replaces}
    known = loader.disk_migrations.keys() | replaced
    applied = MigrationRecorder(connection).migration_qs.order_by("pk").values_list("app", "name")
    return [f"{app}.{name}" for app, name in applied if (app, name) not in known]


def wait_for_tables() -> None:
    """Waits until somebody has migrated the database to this version. Nothing should work on an older version's tables."""
    if is_migration_due():
        logger.warning("waiting_for_migrations", mend="run `docsmcp migrate`")
        while is_migration_due():
            time.sleep(TABLES_INTERVAL_SECONDS)


def hold_queue_lock() -> None:
    """Holds the lock to the end of the transaction."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [QUEUE_LOCK])


@transaction.atomic
def ensure_schedules() -> None:
    """Makes sure that each schedule exists once. The first refresh is in a minute: `up` may still be ingesting."""
    hold_queue_lock()
    for name, values in SCHEDULES.items():
        first = Schedule.objects.filter(name=name).order_by("pk").first() or Schedule.objects.create(
            name=name, **values
        )
        Schedule.objects.filter(name=name).exclude(pk=first.pk).delete()
    Schedule.objects.filter(name=REFRESH).update(next_run=timezone.now() + timedelta(minutes=1))
