"""Metrics about the database's contents: jobs, the queue, how fresh sources are, circuits. Read when Prometheus asks.

The numbers are for the whole installation, whichever process is asked. Numbers that cannot be read are absent: those of the database, of
the broker and of the circuits are independent of each other.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from threading import Lock

import structlog
from django.db import connection
from django_q.brokers import get_broker
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from collections_app.answering import model
from collections_app.clients.circuits import get_circuit
from collections_app.clients.embeddings import endpoint
from collections_app.clients.reranking import endpoint as reranking
from collections_app.exceptions import summarise
from collections_app.limits.quotas import list_nearly_full
from collections_app.models import IngestJob
from collections_app.postgres.deadlines import answering_within

# How long numbers are kept, however often Prometheus asks.
KEPT_SECONDS = 5
DEADLINE_SECONDS = 5
UPSTREAMS = (model.UPSTREAM, endpoint.UPSTREAM, reranking.UPSTREAM)
CIRCUIT_STATES = ("closed", "half-open", "open")

JOBS = "SELECT state, count(*) FROM collections_app_ingestjob WHERE state = ANY(%s) OR finished > now() - interval '1 day' GROUP BY state"
OLDEST_QUEUED = """
SELECT coalesce(extract(epoch FROM clock_timestamp() - min(created)), 0) FROM collections_app_ingestjob WHERE state = 'queued'
"""
# By how many seconds the most overdue source is late, since it was last read completely and with success. Unpolled sources are never late.
LATEST_SOURCE = """
SELECT coalesce(greatest(0, max(extract(epoch FROM now() - coalesce(last.finished, source.created)) - source.refresh_interval_seconds)), 0)
FROM collections_app_source AS source
LEFT JOIN LATERAL (
    SELECT job.finished FROM collections_app_ingestjob AS job
    WHERE job.tenant_id = source.tenant_id AND job.source_id = source.id AND job.state IN ('succeeded', 'partial')
        AND job.only IS NULL
    ORDER BY job.id DESC LIMIT 1
) AS last ON true
WHERE source.auto_index AND source.refresh_interval_seconds > 0
"""
SIZES = "SELECT relname, pg_total_relation_size(oid) FROM pg_class WHERE relkind = 'r' AND relname LIKE 'collections_app_section%%'"

logger = structlog.get_logger(__name__)


class DatabaseGauges(Collector):
    """The numbers, kept for KEPT_SECONDS."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: list[Metric] = []
        self._read_at = float("-inf")

    def collect(self) -> Iterable[Metric]:
        with self._lock:
            if time.monotonic() - self._read_at > KEPT_SECONDS:
                self._kept = read_gauges()
                self._read_at = time.monotonic()
            return self._kept


def read_gauges() -> list[Metric]:
    return [gauge for group in (iter_database_gauges, iter_broker_gauges, iter_circuits) for gauge in read_group(group)]


def read_group(group: Callable[[], Iterator[Metric]]) -> list[Metric]:
    try:
        with answering_within(DEADLINE_SECONDS):
            return list(group())
    except Exception as error:  # a database, a broker and a cache each raise their own exceptions
        logger.warning("gauges_unreadable", group=group.__name__, reason=summarise(error))
        return []


def iter_database_gauges() -> Iterator[Metric]:
    with connection.cursor() as cursor:
        cursor.execute(JOBS, [list(IngestJob.UNFINISHED)])
        counts = dict(cursor.fetchall())
        jobs = [(state, counts.get(state, 0)) for state in IngestJob.State.values]
        yield make_gauge("docsmcp_jobs", "Jobs that wait or run, and those that ended within a day", "state", jobs)
        cursor.execute(OLDEST_QUEUED)
        yield make_number(
            "docsmcp_oldest_queued_job_seconds", "How long the first job in the queue waits", cursor.fetchone()[0]
        )
        cursor.execute(LATEST_SOURCE)
        yield make_number(
            "docsmcp_source_lateness_seconds", "How long the latest refresh is overdue", cursor.fetchone()[0]
        )
        yield make_number(
            "docsmcp_nearly_full_tenants",
            "Tenants that have used 90% or more of what they may store",
            len(list_nearly_full()),
        )
        cursor.execute(SIZES)
        sizes = cursor.fetchall()
        yield make_gauge("docsmcp_table_bytes", "Size of the tables of sections, indexes included", "table", sizes)


def iter_broker_gauges() -> Iterator[Metric]:
    yield make_number("docsmcp_queue_tasks", "Tasks that the broker has", get_broker().queue_size())


def iter_circuits() -> Iterator[Metric]:
    states = [(name, CIRCUIT_STATES.index(get_circuit(name).state)) for name in UPSTREAMS]
    yield make_gauge("docsmcp_circuit_open", "0 closed, 1 half-open, 2 open", "upstream", states)


def make_gauge(name: str, text: str, label: str, values: Iterable[tuple[str, float]]) -> Metric:
    """A gauge with one sample for each value of the label."""
    gauge = GaugeMetricFamily(name, text, labels=[label])
    for of, value in values:
        gauge.add_metric([of], float(value))
    return gauge


def make_number(name: str, text: str, value: float) -> Metric:
    return GaugeMetricFamily(name, text, value=float(value))
