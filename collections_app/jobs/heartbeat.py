"""The heartbeat of a run: each second it writes that the run is alive, and reads whether the run is to end.

If it is, the heartbeat also cancels the statement that PostgreSQL is executing for the run. It works in a thread with a connection of its
own, so that neither a slow page nor a long statement of the run can delay it.
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
# The timeout for cancelling a statement, which takes a connection of its own.
CANCEL_SECONDS = 5.0


class Heartbeat:
    """Beats during a `with` block. `is_cancelled` and `gives_way` follow the job's row; `is_stopping` tells if the process is to end."""

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
        """Within the block, the running statement of the run's connection is cancelled when the run is to end; later statements are not."""
        connection.ensure_connection()
        self._session = connection.connection
        try:
            yield
        finally:
            with self._session_lock:
                self._session = None
            if self._has_ended_statements:
                # The signal may arrive after the statement it was meant for. This statement takes it then, where it does no harm.
                with suppress(Error), connection.cursor() as cursor:
                    cursor.execute("SELECT 1")

    def _end_statement(self) -> None:
        """Cancel the run's statement; nothing happens if none is underway."""
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
        """One beat. A database error is the run's affair; here it is logged, and the next beat tries again."""
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
