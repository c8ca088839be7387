"""Puts jobs into the queue. The only module of ingestion that knows django-q2."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django_q.brokers import get_broker
from django_q.models import OrmQ
from django_q.signing import SignedPackage
from django_q.tasks import async_task

from collections_app.models import IngestJob
from collections_app.request_ids import get_request_id
from collections_app.task_queue import make_task

RUN_JOB = "collections_app.tasks.run_job"
MEND = "a sweep queues the job when it is back"


def enqueue(job: IngestJob) -> None:
    """Make a task for the job: within this transaction if the queue is in the database, after its commit if it is in Redis.

    If Redis loses a task, the sweeper makes it again; a superfluous task finds nothing to do.
    """
    if is_in_database():
        async_task(RUN_JOB, job.pk, get_request_id(), group="ingest")
    else:
        task = partial(make_task, RUN_JOB, job.pk, get_request_id(), group="ingest", mend=MEND, job=job.pk)
        transaction.on_commit(task)


def is_in_database() -> bool:
    return "orm" in settings.Q_CLUSTER


def list_waiting() -> set[int]:
    """The ids of jobs whose tasks the broker has and has not handed out. Tasks that cannot be read are ignored."""
    return {found for payload in list_payloads() if (found := find_job_id(payload)) is not None}


def list_payloads() -> list[Any]:
    broker = get_broker()
    if is_in_database():
        waiting = OrmQ.objects.filter(key=broker.list_key, lock__lte=timezone.now())
        return list(waiting.values_list("payload", flat=True))
    payloads: list[Any] = broker.connection.lrange(broker.list_key, 0, -1)
    return payloads


def find_job_id(payload: Any) -> int | None:
    """The id of the job that a task is for; None for other tasks, and those that are not signed with this installation's key."""
    try:
        task = SignedPackage.loads(payload)
        return int(task["args"][0]) if task["func"] == RUN_JOB else None
    except Exception:  # each way of being unreadable raises its own
        return None
