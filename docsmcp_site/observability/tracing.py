"""Spans for OpenTelemetry where OTEL_EXPORTER_OTLP_ENDPOINT is set: requests, statements, calls of upstreams. Else none of it is loaded.

Statements are sent without their parameters, and paths that hold a secret not at all. The other variables of the SDK hold as specified.
"""

from __future__ import annotations

import os

from docsmcp_site.exceptions import StartError

SERVICE = "docsmcp"
# A link of an invitation is the right to follow it; probes are no requests of anybody's.
UNTRACED = "invitations/,livez,readyz,health,metrics"
# A command that has ended waits as long for a collector that is away; the SDK's default is 10.
TIMEOUT_SECONDS = "2"


def start_tracing(endpoint: str) -> None:
    """From now on, in this process and those that it forks. Called before Django loads its middleware. Raises StartError."""
    os.environ.setdefault("OTEL_SERVICE_NAME", SERVICE)
    os.environ.setdefault("OTEL_EXPORTER_OTLP_TIMEOUT", TIMEOUT_SECONDS)
    os.environ.setdefault("OTEL_PYTHON_DJANGO_EXCLUDED_URLS", UNTRACED)
    try:
        from opentelemetry import trace
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.instrumentation.django import DjangoInstrumentor
        from opentelemetry.instrumentation.httpx import HTTPXClientInstrumentor
        from opentelemetry.instrumentation.psycopg import PsycopgInstrumentor
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        raise StartError(
            "OTEL_EXPORTER_OTLP_ENDPOINT needs OpenTelemetry: install what the release's extras.txt locks (docs/deployment.md)"
        ) from None
    provider = TracerProvider()
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=f"{endpoint.rstrip('/')}/v1/traces")))
    trace.set_tracer_provider(provider)
    DjangoInstrumentor().instrument()
    PsycopgInstrumentor().instrument()
    HTTPXClientInstrumentor().instrument()
