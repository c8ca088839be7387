"""`docsmcp migrate`: Django's command, but no migration blocks others while it waits for a lock.

In PostgreSQL, everybody who comes later queues behind whoever waits for a table's lock, so during a long backup even a small change would
stop the server. A migration that does not get its locks at once is therefore undone, and tried again after a pause; in the end it gives
up, by StartError. Indexes that are created concurrently block nobody, and may wait. If several hosts migrate at once, one does it and the
others wait; through a pooler, which would give away their lock, the command refuses.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.management.commands import migrate
from django.db import DEFAULT_DB_ALIAS, OperationalError, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.postgresql.schema import DatabaseSchemaEditor
from psycopg.errors import LockNotAvailable

from collections_app.management.command_base import OwnCommand
from collections_app.postgres.advisory_locks import check_direct
from docsmcp_site.database.preparation import preparing_alone
from docsmcp_site.exceptions import StartError

LOCK_SECONDS = 2
# In seconds; long enough for the statements that queued up.
PAUSE_SECONDS = 10
PATIENCE_SECONDS = 600
WAITING = "Another process migrates this database: waiting for it."


class ImpatientSchemaEditor(DatabaseSchemaEditor):
    def __enter__(self) -> ImpatientSchemaEditor:
        super().__enter__()
        if self.atomic_migration:
            self.execute(f"SET LOCAL lock_timeout = '{LOCK_SECONDS}s'", None)
        return self


class Command(OwnCommand, migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        check_direct()
        with (
            impatient(connections[options.get("database", DEFAULT_DB_ALIAS)]),
            preparing_alone(lambda: self.stderr.write(WAITING)),
        ):
            deadline = time.monotonic() + PATIENCE_SECONDS
            while not self.has_migrated(*args, **options):
                if time.monotonic() > deadline:
                    raise StartError(
                        f"A table that is to be changed was in use for {PATIENCE_SECONDS // 60} minutes, by a backup or a long query. "
                        "Nothing is half done: run this again when that has ended."
                    )
                self.stderr.write(f"A table that is to be changed is in use: trying again in {PAUSE_SECONDS} s.")
                pause()

    def has_migrated(self, *args: Any, **options: Any) -> bool:
        """Whether everything is migrated. Migrations that were done stay done in any case."""
        try:
            super().handle(*args, **options)
        except OperationalError as error:
            if not isinstance(error.__cause__, LockNotAvailable):
                raise
            return False
        return True


@contextmanager
def impatient(database: BaseDatabaseWrapper) -> Iterator[None]:
    database.SchemaEditorClass = ImpatientSchemaEditor
    try:
        yield
    finally:
        del database.SchemaEditorClass


def pause() -> None:
    time.sleep(PAUSE_SECONDS)
