"""OpenTelemetry spans of requests, statements and upstream calls, if OTEL_EXPORTER_OTLP_ENDPOINT is set. Otherwise none of it is loaded.

Statements are sent without their parameters, and paths that contain a secret not at all. The SDK's other variables work as specified.
"""

from __future__ import annotations

import os

from docsmcp_site.exceptions import StartError

SERVICE = "docsmcp"
# An invitation's link is itself the right to accept it, and may be where signing in leads; who comes back from single sign-on brings a
# code; probes are nobody's requests. Compared with addresses without their query.
UNTRACED = "invitations/,//[^/]+/admin/login/$,//[^/]+/sign-in(/return)?$,livez,readyz,health,metrics"
# Shorter than the SDK's default of 10 s: a command that has ended waits as long for a collector that is away.
TIMEOUT_SECONDS = "2"


def start_tracing(endpoint: str) -> None:
    """Starts tracing in this process and those that it forks. Called before Django loads its middleware. Raises StartError."""
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
