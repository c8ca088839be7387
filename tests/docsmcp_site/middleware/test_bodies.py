"""What a WSGI server is given for HEAD. Django's test client drops bodies by itself, so it is not asked here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from wsgiref.util import FileWrapper

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.http import FileResponse, HttpRequest, StreamingHttpResponse
from django.test import RequestFactory
from django.urls import reverse

from collections_app.models import Collection
from docsmcp_site.middleware.bodies import answer_head_without_body
from tests.factories import make_collection, make_tenant, put

# Other ones with each request.
CHANGING = {"X-Request-ID", "RateLimit-Remaining", "RateLimit-Reset"}
ANSWERED = [
    "/",
    "/livez",
    "/readyz",
    "/health",
    "/docs",
    "/docs/",
    "/docs/acme/docs/",
    "/docs/acme/docs/guide",
    "/docs/acme/docs/guide.md",
    "/docs/acme/docs/llms.txt",
    "/docs/acme/docs/sitemap.xml",
    "/docs/acme/docs/nothing",
    "/sitemap.xml",
    "/robots.txt",
    "/mcp",
    "/api/schema",
    "/api/collections",
    "/nothing",
]


@pytest.fixture(autouse=True)
def kept_connection() -> Iterator[None]:
    """Of the test: requests end it where a database error has spoilt it."""
    ends = (request_started, request_finished)
    for each in ends:
        each.disconnect(close_old_connections)
    yield
    for each in ends:
        each.connect(close_old_connections)


@pytest.fixture
def docs(db: None) -> Collection:
    collection = make_collection("docs", tenant=make_tenant("acme"), is_public=True)
    put(collection, {"guide.md": "# Guide\n\nWelcome.\n"})
    return collection


def ask(method: str, path: str, **environ: Any) -> tuple[str, dict[str, str], bytes]:
    """As a web server does: status, headers, what would be sent."""
    told: list[Any] = []

    def start(status: str, headers: list[tuple[str, str]], error: Any = None, /) -> Callable[[bytes], object]:
        told.extend([status, dict(headers)])
        return told.append

    given = RequestFactory(**environ).generic(method, path).environ | {"wsgi.file_wrapper": FileWrapper}
    answer = WSGIHandler()(given, start)
    try:
        body = b"".join(answer)
    finally:
        answer.close()
    return told[0], {name: value for name, value in told[1].items() if name not in CHANGING}, body


@pytest.mark.parametrize("path", ANSWERED)
@pytest.mark.usefixtures("docs")
def test_head_is_answered_as_get_without_the_body(path: str) -> None:
    status, headers, body = ask("GET", path)
    assert ask("HEAD", path) == (status, headers, b"")
    assert body or status.startswith("30")


@pytest.mark.django_db
def test_a_host_that_is_refused_before_any_view_is_told_nothing_more() -> None:
    status, headers, body = ask("HEAD", "/", HTTP_HOST="a_b")
    assert (status[:3], body) == ("400", b"")
    assert headers["Content-Length"] == str(len(ask("GET", "/", HTTP_HOST="a_b")[2]))


@pytest.mark.parametrize("release", ["now", "before"])
@pytest.mark.django_db
def test_of_a_file_only_its_headers_are_sent(settings: Any, release: str) -> None:
    path = f"{settings.STATIC_URL if release == 'now' else '/static/before/'}reading.css"
    status, headers, body = ask("GET", path)
    assert ask("HEAD", path) == (status, headers, b"")
    assert headers["Content-Length"] == str(len(body)) != "0"


@pytest.mark.usefixtures("docs")
def test_what_head_tells_of_a_page_is_what_spares_it() -> None:
    path = reverse("reading:document", args=["acme", "docs", "guide"])
    _, headers, _ = ask("HEAD", path)
    assert int(headers["Content-Length"]) > 0
    assert ask("GET", path, HTTP_IF_NONE_MATCH=headers["ETag"])[0][:3] == "304"


@pytest.mark.parametrize("path", ["/livez", "/readyz", "/health"])
@pytest.mark.django_db
def test_what_watches_the_server_is_told_how_long_an_answer_is(path: str) -> None:
    _, headers, body = ask("GET", path)
    assert headers["Content-Length"] == str(len(body))


def test_of_a_stream_nothing_is_made_and_it_is_closed() -> None:
    made: list[str] = []

    class Stream:
        def __iter__(self) -> Iterator[bytes]:
            made.append("piece")
            yield b"piece"

        def close(self) -> None:
            made.append("closed")

    def stream(request: HttpRequest) -> StreamingHttpResponse:
        return StreamingHttpResponse(Stream())

    response: Any = answer_head_without_body(stream)(RequestFactory().head("/"))
    assert list(response) == []
    response.close()
    assert made == ["closed"]


def test_a_file_is_closed_and_its_length_told(tmp_path: Path) -> None:
    file = tmp_path / "file.txt"
    file.write_bytes(b"twelve bytes")
    opened = file.open("rb")
    response: Any = answer_head_without_body(lambda request: FileResponse(opened))(RequestFactory().head("/"))
    assert (list(response), response["Content-Length"], response.file_to_stream) == ([], "12", None)
    response.close()
    assert opened.closed
