"""Traces of the shipped web server, received by a collector on loopback: what was done, and no secret of it."""

from __future__ import annotations

import http.client
import json
import os
import queue
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from collections_app.models import ApiKey
from tests.factories import make_collection, put
from tests.http_server import QuietHandler, serving
from tests.mcp_app.fake_tools import make_message
from tests.running_web_server import running_web_server

trace_service = pytest.importorskip(
    "opentelemetry.proto.collector.trace.v1.trace_service_pb2", reason="needs docsmcp[otel]"
)

pytestmark = pytest.mark.django_db(transaction=True)

DEADLINE_SECONDS = 240
QUESTION = "unmistakable question"
CODE = "unmistakable-code"


@contextmanager
def collecting() -> Iterator[tuple[str, queue.Queue[Any]]]:
    """A collector's address, and the requests for export that it gets."""
    received: queue.Queue[Any] = queue.Queue()

    class Collector(QuietHandler):
        def do_POST(self) -> None:
            request = trace_service.ExportTraceServiceRequest()
            request.ParseFromString(self.read_body())
            received.put(request)
            self.send_response(200)
            self.end_headers()

    with serving(Collector) as port:
        yield f"http://127.0.0.1:{port}", received


def search(port: int, key: str) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=DEADLINE_SECONDS)
    body = json.dumps(make_message("tools/call", {"name": "search_docs", "arguments": {"query": QUESTION}}))
    connection.request("POST", "/mcp", body, {"Authorization": f"Bearer {key}", "Content-Type": "application/json"})
    assert connection.getresponse().status == 200
    connection.close()


def come_by(port: int) -> None:
    """With an invitation's link, signing in to accept it, and back from the provider of single sign-on."""
    link = f"/invitations/{CODE}"
    back = f"/sign-in/return?code={CODE}&state={CODE}"
    for path in (link, f"/admin/login/?next={link}", f"/sign-in?next={link}", back):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=DEADLINE_SECONDS)
        connection.request("GET", path)
        assert connection.getresponse().status in (200, 404)
        connection.close()


def test_requests_and_statements_are_sent_without_what_was_asked() -> None:
    collection = make_collection("guide")
    put(collection, {"a.md": f"# Guide\n\nAn answer to the {QUESTION}.\n"})
    _, secret = ApiKey.objects.issue(tenant=collection.tenant, name="test")
    with collecting() as (endpoint, received):
        settings = {"OTEL_EXPORTER_OTLP_ENDPOINT": endpoint, "OTEL_BSP_SCHEDULE_DELAY": "50", "WEB_WORKERS": "1"}
        with running_web_server(**settings) as port:
            come_by(port)
            search(port, secret)
            exported = [received.get(timeout=DEADLINE_SECONDS)]
        while not received.empty():
            exported.append(received.get())
    spans = [
        span for each in exported for part in each.resource_spans for scope in part.scope_spans for span in scope.spans
    ]
    names = {span.name for span in spans}
    assert any(name.startswith("POST mcp") for name in names)
    assert any(name.startswith("SELECT") for name in names)
    request = next(span for span in spans if span.name.startswith("POST mcp"))
    assert any(span.trace_id == request.trace_id and span.parent_span_id for span in spans)
    told = "".join(map(str, exported))
    assert QUESTION not in told
    assert CODE not in told
    assert secret not in told


@pytest.mark.parametrize(("own", "taken"), [({}, "2"), ({"OTEL_EXPORTER_OTLP_TIMEOUT": "7"}, "7")])
def test_a_command_waits_two_seconds_for_a_collector_that_is_away_or_as_long_as_it_is_told(
    own: dict[str, str], taken: str
) -> None:
    script = (
        "import os\n"
        "from docsmcp_site.observability.tracing import start_tracing\n"
        "start_tracing('http://127.0.0.1:9')\n"
        "print(os.environ['OTEL_EXPORTER_OTLP_TIMEOUT'])\n"
    )
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OTEL_")} | own
    ended = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False)
    assert (ended.stdout.strip(), ended.returncode) == (taken, 0), ended.stderr
