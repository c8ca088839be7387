"""What the server counts for Prometheus. Labels come from fixed sets only: never a tenant, a collection, a key, or a client's own word.

Each process counts for itself. Where PROMETHEUS_MULTIPROC_DIR is set before this module is imported, prometheus_client keeps the
numbers in files, one of each process of a web server; docsmcp_site/observability/metrics_page.py adds them up.
"""

from __future__ import annotations

from prometheus_client import Counter, Histogram

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)

CALLS = Counter("docsmcp_calls", "Calls of MCP methods and tools, and of endpoints of the REST API", ["call", "failed"])
CALL_SECONDS = Histogram("docsmcp_call_seconds", "How long they took", ["call"], buckets=SECONDS)
HTTP_REQUESTS = Counter("docsmcp_http_requests", "HTTP requests", ["surface", "status"])
HTTP_SECONDS = Histogram("docsmcp_http_request_seconds", "How long they took", ["surface"], buckets=SECONDS)
SEARCHES = Counter("docsmcp_searches", "Searches, by how they were answered", ["mode", "cached"])
SEARCH_SECONDS = Histogram(
    "docsmcp_search_seconds", "How long searches took that no cache answered", ["mode"], buckets=SECONDS
)
SEARCH_STAGE_SECONDS = Histogram(
    "docsmcp_search_stage_seconds", "How long each stage of a search took", ["stage"], buckets=SECONDS
)
REPLICA_READS = Counter("docsmcp_replica_reads", "Reads that a replica may answer, by who did", ["by"])
REFUSALS = Counter("docsmcp_limited_requests", "Requests that a limit refused", ["limit"])
CIRCUIT_CHANGES = Counter("docsmcp_circuit_changes", "Changes of circuit breakers", ["upstream", "state"])


def observe_call(call: str, seconds: float, *, is_error: bool) -> None:
    """`call` is one of ours: a tool, a method, or an endpoint's pattern."""
    CALLS.labels(call, str(is_error).lower()).inc()
    CALL_SECONDS.labels(call).observe(seconds)


def observe_http(surface: str, status: int, seconds: float) -> None:
    HTTP_REQUESTS.labels(surface, f"{status // 100}xx").inc()
    HTTP_SECONDS.labels(surface).observe(seconds)


def observe_search(mode: str, seconds: float | None) -> None:
    """`seconds` is None for one that the cache answered."""
    SEARCHES.labels(mode, str(seconds is None).lower()).inc()
    if seconds is not None:
        SEARCH_SECONDS.labels(mode).observe(seconds)
