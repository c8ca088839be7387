"""What passes the proxy, and what it adds."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from tests.conformance.proxy import adding_key
from tests.http_server import QuietHandler, serving


class Echo(QuietHandler):
    """Answers with what it was asked, as a stream of one event."""

    def do_POST(self) -> None:
        body = self.read_body().decode()
        self.send_response(202)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        self.wfile.write(json.dumps({"path": self.path, "headers": dict(self.headers), "body": body}).encode())


@pytest.fixture
def url() -> Iterator[str]:
    with serving(Echo) as port:
        yield f"http://127.0.0.1:{port}/mcp"


def test_it_adds_the_key_and_changes_nothing_else(url: str) -> None:
    with adding_key(url, "dmcp_secret") as proxied:
        connection = http.client.HTTPConnection(urlsplit(proxied).netloc, timeout=10)
        sent = {"Host": "evil.example.com", "Origin": "http://evil.example.com", "mcp-method": "ping"}
        connection.request("POST", "/mcp?a=b", b"caf\xc3\xa9", sent)
        response = connection.getresponse()
        assert (response.status, response.headers["Content-Type"]) == (202, "text/event-stream")
        seen = json.loads(response.read())
        connection.close()
    assert (seen["path"], seen["body"]) == ("/mcp?a=b", "café")
    assert sent.items() <= seen["headers"].items()
    assert seen["headers"]["Authorization"] == "Bearer dmcp_secret"
