"""`/metrics`: the counts of this web server's processes, added up, and the gauges from the database. Loopback and METRICS_TOKEN only."""

from __future__ import annotations

import os

from django.http import HttpRequest, HttpResponse
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from docsmcp_site.observability.gauges import DatabaseGauges
from docsmcp_site.observability.metrics_directory import VARIABLE, reading

GAUGES = DatabaseGauges()


def show_metrics(request: HttpRequest) -> HttpResponse:
    return HttpResponse(render_metrics(), content_type=CONTENT_TYPE_LATEST)


def render_metrics() -> bytes:
    """The metrics in the text format of Prometheus."""
    gauges = CollectorRegistry()
    gauges.register(GAUGES)
    return read_counts() + generate_latest(gauges)


def read_counts() -> bytes:
    if not os.environ.get(VARIABLE):
        return generate_latest(REGISTRY)
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    with reading():
        return generate_latest(registry)
