"""The sign of life of a run, and its ear: shows each second that the run goes on, and hears that it is to end.

In a thread with a connection of its own, so that neither a slow page nor a long statement of the run holds it up.
"""

from __future__ import annotations

from threading import Event, Thread
from types import TracebackType
from typing import Self

import structlog
from django.db import Error, connection
from django.utils import timezone

from collections_app.models import IngestJob

logger = structlog.get_logger(__name__)

HEARTBEAT_SECONDS = 1.0


class Heartbeat:
    """Beats from the beginning to the end of a `with` block. `is_cancelled` and `gives_way` follow the job's row."""

    def __init__(self, job: IngestJob) -> None:
        self._job_id = job.pk
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
            logger.warning("heartbeat_missed", job=self._job_id, reason=str(error).partition("\n")[0])
            connection.close()
