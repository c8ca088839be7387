"""The nginx that is shipped: whom it believes, what it hides, and what it answers where docsmcp does not."""

from __future__ import annotations

import http.client
import json
from contextlib import ExitStack, closing
from http import HTTPStatus
from pathlib import Path

import pytest

from collections_app.api.errors import build_error
from collections_app.postgres.outages import DatabaseUnavailable
from mcp_app.transports.views import TOO_LARGE, Refusal, refuse_for_now
from tests.http_server import QuietHandler, serving
from tests.running_nginx import NGINX, SHIPPED, check_configuration, get_version, running_nginx
from tests.running_web_server import running_web_server

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(not NGINX, reason="needs nginx: make test-services"),
]

WAIT_SECONDS = 10
HERE = "127.0.0.0/8 1;"
RESOLVING = (1, 27, 3)
AWAY = "The server does not answer just now. Try again in 5 s."
MIB = 1024 * 1024
MCP_PATHS = ("/mcp", "/mcp/acme/handbook", "/oauth/mcp", "/oauth/mcp/acme/handbook")
# Connections that are kept for clients that say nothing for a while.
IDLE = 2_000


class Web(QuietHandler):
    """In place of a web server: answers with the headers that it was sent; below /away with an outage of its own, and with what it is
    asked for as a header."""

    def do_GET(self) -> None:
        self.read_body()
        self.send_response(503 if self.path.endswith("/away") else 200)
        body = json.dumps(dict(self.headers.items())).encode()
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Location", self.path)
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET  # noqa: N815  (its base's spelling)


def ask(port: int, path: str, method: str = "GET", **headers: str) -> tuple[http.client.HTTPResponse, bytes]:
    """`headers` with _ for -."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=WAIT_SECONDS)) as client:
        client.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        response = client.getresponse()
        return response, response.read()


def send_too_much(port: int, path: str, size: int) -> tuple[http.client.HTTPResponse, bytes]:
    """What is answered to the length alone."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=WAIT_SECONDS)) as client:
        client.putrequest("POST", path)
        client.putheader("Content-Length", str(size))
        client.endheaders()
        response = client.getresponse()
        return response, response.read()


@pytest.mark.parametrize(
    ("proxies", "said", "passed_on"),
    [
        ("", {"X_Forwarded_Proto": "https", "X_Forwarded_For": "203.0.113.9"}, ("http", "127.0.0.1")),
        ("192.0.2.10 1;", {"X_Forwarded_Proto": "https", "X_Forwarded_For": "203.0.113.9"}, ("http", "127.0.0.1")),
        (HERE, {"X_Forwarded_Proto": "https", "X_Forwarded_For": "203.0.113.9"}, ("https", "203.0.113.9")),
        (HERE, {"X_Forwarded_Proto": "http, HTTPS", "X_Forwarded_For": "8.8.8.8, ::1"}, ("HTTPS", "::1")),
        (HERE, {"X_Forwarded_Proto": "gopher", "X_Forwarded_For": ""}, ("http", "127.0.0.1")),
        (HERE, {}, ("http", "127.0.0.1")),
    ],
)
def test_only_a_proxy_that_is_named_says_who_asks_and_how(
    proxies: str, said: dict[str, str], passed_on: tuple[str, str]
) -> None:
    with serving(Web) as web, running_nginx(web, proxies=proxies) as port:
        headers = json.loads(ask(port, "/", **said)[1])
    assert (headers["X-Forwarded-Proto"], headers["X-Forwarded-For"]) == passed_on


def test_pages_of_https_come_through_a_proxy_that_ends_it_and_the_metrics_do_not() -> None:
    settings = {"WEB_WORKERS": "1", "WEB_THREADS": "2", "TRUSTED_PROXIES": "127.0.0.0/8", "HTTPS_ONLY": "true"}
    over_https = {"X_Forwarded_Proto": "https", "X_Forwarded_For": "203.0.113.9"}
    with running_web_server(**settings) as web, running_nginx(web, proxies=HERE) as port:
        assert ask(port, "/metrics")[0].status == 404
        assert ask(port, "/admin/login/")[0].headers["Location"] == f"https://127.0.0.1:{port}/admin/login/"
        assert ask(port, "/admin/login/", **over_https)[0].status == 200
        response, body = ask(port, "/readyz", X_Request_ID="given-by-the-client")
    assert response.headers["X-Request-ID"] == "given-by-the-client"
    assert json.loads(body)["parts"]["database"] == "ok"  # a state alone: who asks through a proxy is a stranger


def test_idle_connections_are_kept() -> None:
    with serving(Web) as web, running_nginx(web) as port, ExitStack() as stack:
        clients = [
            stack.enter_context(closing(http.client.HTTPConnection("127.0.0.1", port, timeout=WAIT_SECONDS)))
            for _ in range(IDLE)
        ]
        for _ in range(2):
            assert {ask_for_metrics(client) for client in clients} == {404}
        assert ask(port, "/")[0].status == 200


def ask_for_metrics(client: http.client.HTTPConnection) -> int:
    """nginx answers itself; on a connection that is opened once."""
    client.request("GET", "/metrics")
    client.auto_open = 0
    response = client.getresponse()
    response.read()
    return response.status


def test_too_large_a_body_is_refused_as_docsmcp_does() -> None:
    with serving(Web) as web, running_nginx(web) as port:
        for path in MCP_PATHS:
            response, body = send_too_much(port, path, 3 * MIB)
            assert (response.status, response.headers["Content-Type"]) == (413, "application/json")
            assert body == Refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, TOO_LARGE).encode(None)
        response, body = send_too_much(port, "/api/collections/handbook/uploads", 120 * MIB)
    assert (response.status, json.loads(body)["error"]["code"]) == (413, "FILE_TOO_LARGE")


def test_a_long_address_is_passed_on_and_back() -> None:
    path = f"/oauth/authorize?state={'x' * 7_500}"
    with serving(Web) as web, running_nginx(web) as port:
        response, _ = ask(port, path)
    assert (response.status, response.headers["Content-Location"]) == (200, path)


def test_an_outage_is_told_as_docsmcp_does() -> None:
    outage = DatabaseUnavailable()
    outage.message = AWAY
    with ExitStack() as serving_until_now, running_nginx(serving_until_now.enter_context(serving(Web))) as port:
        serving_until_now.close()
        answers = {path: ask(port, path, "POST") for path in (*MCP_PATHS, "/api/jobs", "/admin/")}
    for response, _ in answers.values():
        assert (response.status, response.headers["Retry-After"]) == (503, "5")
    for path in MCP_PATHS:
        assert answers[path][1] == refuse_for_now(outage).encode(None)
    assert json.loads(answers["/api/jobs"][1]) == build_error(outage.code, AWAY, outage.details)
    assert AWAY in answers["/admin/"][1].decode()


def test_what_docsmcp_says_of_an_outage_is_passed_on() -> None:
    with serving(Web) as one, serving(Web) as two, running_nginx(one, two) as port:
        for path in ("/mcp/away", "/api/away", "/docs/away"):
            response, body = ask(port, path, "POST")
            assert (response.status, json.loads(body)["X-Forwarded-For"]) == (503, "127.0.0.1")


def test_the_files_are_understood(tmp_path: Path) -> None:
    assert check_configuration(tmp_path, (SHIPPED / "upstream.conf").read_text()) == ""
    compose = (SHIPPED / "upstream.compose.conf").read_text()
    if get_version() < RESOLVING:
        compose = compose.replace("resolver ", "#").replace(" resolve;", ";").replace("web:", "127.0.0.1:")
    assert check_configuration(tmp_path, compose) == ""
