"""Puts jobs into the queue. The only module of ingestion that knows django-q2."""

from __future__ import annotations

from django.conf import settings
from django.db import transaction
from django_q.brokers import get_broker
from django_q.tasks import async_task

from collections_app.models import IngestJob

RUN_JOB = "collections_app.tasks.run_job"


def enqueue(job: IngestJob) -> None:
    """Make a task of the job: within this transaction where the queue is in the database, and after it where it is in Redis.

    A task that is lost with Redis is made again by the sweeper; one too many finds nothing to do.
    """
    if is_in_database():
        async_task(RUN_JOB, job.pk, group="ingest")
    else:
        transaction.on_commit(lambda: async_task(RUN_JOB, job.pk, group="ingest"), robust=True)


def is_in_database() -> bool:
    return "orm" in settings.Q_CLUSTER


def is_nothing_waiting() -> bool:
    """Whether every task that the queue has was handed to a worker."""
    size: int = get_broker().queue_size()
    return size == 0
