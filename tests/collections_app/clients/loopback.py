"""A website on loopback for tests: a table of answers, and a record of what was asked."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from threading import Event

from tests.http_server import QuietHandler, serving

HOST = "127.0.0.1"


@dataclass(frozen=True)
class Answer:
    """`body` in parts is sent as it comes, without a length. A `headers` value of None leaves that header out."""

    body: bytes | Iterable[bytes] = b""
    status: int = 200
    content_type: str | None = "text/html; charset=utf-8"
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Asked:
    """A request that came. `headers` are by lower-case name."""

    target: str
    headers: Mapping[str, str]


Route = Answer | Callable[[Asked], Answer]


def page(body: str = "", head: str = "", lang: str = "", status: int = 200, **headers: str) -> Answer:
    """An HTML page; headers with `_` for `-`."""
    attribute = f' lang="{lang}"' if lang else ""
    html = f"<!doctype html><html{attribute}><head><title>T</title>{head}</head><body><main>{body}</main></body></html>"
    return Answer(html.encode(), status, headers={name.replace("_", "-"): value for name, value in headers.items()})


def links(*targets: str) -> str:
    return "".join(f'<p><a href="{target}">link</a></p>' for target in targets)


def text(body: str, content_type: str = "text/plain") -> Answer:
    return Answer(body.encode(), content_type=content_type)


def redirect(location: str, status: int = 301) -> Answer:
    return Answer(status=status, content_type=None, headers={"Location": location})


class LoopbackSite:
    """`routes` (target → answer) may change while it serves; what is not in it is `missing`, a 404, `asked` says what came, in order."""

    def __init__(self, port: int, scheme: str, closing: Event) -> None:
        self.port = port
        self.origin = f"{scheme}://{HOST}:{port}"
        self.routes: dict[str, Route] = {}
        self.missing: Route = Answer(b"<h1>Not found</h1>", 404)
        self.asked: list[Asked] = []
        self.closing = closing

    def url(self, target: str = "/") -> str:
        return f"{self.origin}{target}"

    def count(self, target: str) -> int:
        return sum(asked.target == target for asked in self.asked)

    def get_headers(self, target: str) -> Mapping[str, str]:
        """Those of the last request for it."""
        return next(asked.headers for asked in reversed(self.asked) if asked.target == target)

    def iter_forever(self, part: bytes) -> Iterator[bytes]:
        """For bodies without an end; it ends with the site."""
        while not self.closing.is_set():
            yield part

    def answer(self, asked: Asked) -> Answer:
        self.asked.append(asked)
        route = self.routes.get(asked.target, self.missing)
        return route if isinstance(route, Answer) else route(asked)


@contextmanager
def serve_site(server_context: ssl.SSLContext | None = None) -> Iterator[LoopbackSite]:
    closing = Event()

    class Handler(QuietHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            asked = Asked(self.path, {name.lower(): value for name, value in self.headers.items()})
            try:
                _send(self, site.answer(asked))
            except OSError:
                self.close_connection = True

    with serving(Handler, server_context) as port:
        site = LoopbackSite(port, "https" if server_context else "http", closing)
        try:
            yield site
        finally:
            closing.set()


def _send(handler: BaseHTTPRequestHandler, answer: Answer) -> None:
    handler.send_response(answer.status)
    headers = dict(answer.headers)
    if answer.content_type:
        headers["Content-Type"] = answer.content_type
    if not isinstance(answer.body, bytes):
        handler.close_connection = True
    else:
        headers.setdefault("Content-Length", str(len(answer.body)))
    for name, value in headers.items():
        handler.send_header(name, value)
    handler.end_headers()
    for part in [answer.body] if isinstance(answer.body, bytes) else answer.body:
        handler.wfile.write(part)
        handler.wfile.flush()
