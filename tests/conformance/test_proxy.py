"""What passes the proxy, and what it adds."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import pytest

from tests.conformance.proxy import adding_key


class Echo(BaseHTTPRequestHandler):
    """Answers with what it was asked, as a stream of one event."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.send_response(202)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        self.wfile.write(json.dumps({"path": self.path, "headers": dict(self.headers), "body": body}).encode())

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def url() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/mcp"
    server.shutdown()
    server.server_close()
    thread.join()


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
