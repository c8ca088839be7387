"""The sign of life of a run, and its ear: each second it writes that the run goes on, and reads whether it is to end. If so, it also ends
the statement that PostgreSQL executes for the run just then.

In a thread with a connection of its own, so that neither a slow page nor a long statement of the run holds it up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event, Lock, Thread
from types import TracebackType
from typing import Self

import psycopg
import structlog
from django.db import Error, connection
from django.utils import timezone

from collections_app.exceptions import get_first_line
from collections_app.models import IngestJob

logger = structlog.get_logger(__name__)

HEARTBEAT_SECONDS = 1.0
# For the message that ends a statement, which is a connection of its own.
CANCEL_SECONDS = 5.0


class Heartbeat:
    """Beats from the beginning to the end of a `with` block. `is_cancelled` and `gives_way` follow the job's row; `is_stopping` tells of
    the process."""

    def __init__(self, job: IngestJob, is_stopping: Callable[[], bool] = lambda: False) -> None:
        self._job_id = job.pk
        self._is_stopping = is_stopping
        self._session: psycopg.Connection | None = None
        self._session_lock = Lock()
        self._has_ended_statements = False
        self._ended = Event()
        self._thread = Thread(target=self._run, name=f"heartbeat of job {job.pk}", daemon=True)
        self.is_cancelled = self.gives_way = False

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join()

    @contextmanager
    def ending_statements(self) -> Iterator[None]:
        """Within the block, what the run's connection has at PostgreSQL ends with an error when the run is to end; whatever comes after it
        does not."""
        connection.ensure_connection()
        self._session = connection.connection
        try:
            yield
        finally:
            with self._session_lock:
                self._session = None
            if self._has_ended_statements:
                # The signal may come a moment after the statement that was meant: here, where it ends nothing.
                with suppress(Error), connection.cursor() as cursor:
                    cursor.execute("SELECT 1")

    def _end_statement(self) -> None:
        """Nothing happens where none is underway."""
        with self._session_lock:
            if self._session is None or self._session.closed:
                return
            self._has_ended_statements = True
            try:
                self._session.cancel_safe(timeout=CANCEL_SECONDS)
            except psycopg.Error as error:
                logger.warning("statement_not_ended", job=self._job_id, reason=get_first_line(error))

    def _run(self) -> None:
        try:
            while not self._ended.wait(HEARTBEAT_SECONDS):
                self._beat()
        finally:
            connection.close()

    def _beat(self) -> None:
        """A database that is away is the run's affair; here the next beat tries again."""
        try:
            job = IngestJob.objects.filter(pk=self._job_id)
            job.update(heartbeat=timezone.now())
            if asked := job.values_list("cancel_requested", "gives_way").first():
                self.is_cancelled, self.gives_way = asked
        except Error as error:
            logger.warning("heartbeat_missed", job=self._job_id, reason=get_first_line(error))
            connection.close()
        if self.is_cancelled or self._is_stopping():
            self._end_statement()
