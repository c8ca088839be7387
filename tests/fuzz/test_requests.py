"""Every address, with what no browser would send in its path, its query, its headers: an answer each time, and never a failure of ours."""

from __future__ import annotations

import http.client
import random
import re
from collections.abc import Iterator
from itertools import product
from typing import TypeVar

import pytest

from tests.fuzz.conftest import EXAMPLES, IS_LONG, Asker
from tests.running_server import RunningServer
from tests.strangers import iter_routes

HOSTILE = (
    "%00", "a%00b", "%ff%fe", "%ed%a0%80", "%c0%ae%c0%ae/", "..%2f..%2fetc%2fpasswd", "..", ".", "%2e%2e%2f", "%2F", "%5C", "%0d%0aX:y",
    "-1", "0", "9223372036854775808", "99999999999999999999999999", "1e400", "NaN", "%F0%9F%A6%99", "%u0041", "'%22%3B--", "%3Cscript%3E",
    "{{7*7}}", "%25s%25n", "a" * 3_000, "(((((((((((", "%5B%5D", "__proto__", "%E2%80%AE", "%EF%BB%BF", "%",
)  # fmt: skip
QUERIES = ("q", "page", "p", "o", "e", "cursor", "limit", "outcome", "path", "section", "tenant", "collection", "question", "_to_field",
           "_popup", "next", "s", "term", "profile", "state__exact", "id__in", "collection__id__exact", "created__gte")  # fmt: skip
HEADERS = {
    "Accept": ("*/*;q=x", "text/markdown;q=1e400", "," * 2_000, "application/json; version=\xff"),
    "Accept-Language": ("\xff", "x" * 5_000),
    "Authorization": ("Bearer", "Bearer \xff", "Basic !!!!", "Bearer " + "a" * 7_000, "Digest x"),
    "Content-Type": (
        "multipart/form-data",
        "multipart/form-data; boundary=",
        "application/json; charset=klingon",
        "\xff/\xff",
        "a" * 5_000,
    ),
    "Cookie": ("sessionid=\x01", "sessionid=" + "a" * 7_000, "=;=;=", "csrftoken=\xff; sessionid='"),
    "Host": ("", "[::1", "a b", "\xff", "evil.example", "127.0.0.1:99999999"),
    "If-Modified-Since": ("yesterday", "Mon, 99 Foo 9999 99:99:99 GMT", "Sat, 01 Jan 0001 00:00:00 GMT"),
    "If-None-Match": ("x", '"' * 5_000, "W/"),
    "Last-Event-ID": ("\xff", "1" * 5_000),
    "Mcp-Session-Id": ("\xff", "x" * 5_000),
    "MCP-Protocol-Version": ("\xff", "9999-99-99", "x" * 5_000),
    "Origin": ("null", "http://[", "\xff", "http://evil.example"),
    "Range": ("bytes=-", "bytes=0-0,0-0,0-0", "x"),
    "Referer": ("\xff", "http://["),
    "X-Forwarded-For": ("\xff", "1.2.3.4" * 500, ",,,", "::::"),
    "X-Forwarded-Proto": ("https,http", "\xff"),
    "X-Request-ID": ("\xff", "a" * 7_000, "\x0b"),
}
BODIES = (
    b"",
    b"\x00",
    b"\xff\xfe",
    b"{",
    b"[" * 20_000,
    b'{"a":' * 5_000,
    b"a=%00&b=%ff",
    b"csrfmiddlewaretoken=\xff",
    b"1e999",
    b'"\\ud800"',
)
TYPES = ("application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain")
Chosen = TypeVar("Chosen")

# Signing out would end the other requests' session.
LEFT_OUT = ("admin/logout/",)


def iter_addresses() -> Iterator[str]:
    """Each route with each hostile value in place of what it takes."""
    for route in dict.fromkeys(iter_routes()):
        plain = re.sub(r"\(\?[:P][^)]*\)\??|[\^$\\]", "", route)
        if plain not in LEFT_OUT:
            for value in HOSTILE:
                yield "/" + re.sub(r"<[^>]+>", lambda _, value=value: value, plain)  # type: ignore[misc]
                yield f"/{re.sub('<[^>]+>', '1', plain)}?{QUERIES[len(plain) % len(QUERIES)]}={value}"


def iter_queries() -> Iterator[str]:
    for path in ("/admin/", "/admin/collections_app/document/", "/admin/collections_app/ingestjob/", "/admin/playground/",
                 "/docs/default/handbook/-/search", "/docs/default/handbook/", "/docs/default/handbook/guide", "/api/jobs", "/api/search",
                 "/api/collections/handbook/documents", "/admin/autocomplete/", "/admin/search/", "/admin/login/", "/mcp"):  # fmt: skip
        for name in QUERIES:
            for value in HOSTILE:
                yield f"{path}?{name}={value}"


def choose(addresses: Iterator[str]) -> list[str]:
    return choose_some(list(addresses))


def choose_some(found: list[Chosen]) -> list[Chosen]:
    """By chance in a long run, else always the same."""
    return random.Random(None if IS_LONG else 8).sample(found, min(len(found), 60 * EXAMPLES))


@pytest.fixture(autouse=True)
def loose_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    """The client is to send what it would refuse to."""
    monkeypatch.setattr(http.client.HTTPConnection, "_validate_path", lambda self, path: None)
    monkeypatch.setattr(http.client, "_is_illegal_header_value", lambda value: None)


def test_no_path_or_query_makes_a_page_fail(asker: Asker) -> None:
    for address in choose(iter_addresses()) + choose(iter_queries()):
        asker.ask("GET", address)
    assert not asker.faults, "\n".join(asker.faults)


def test_no_header_makes_a_page_fail(asker: Asker, server: RunningServer) -> None:
    paths = (
        "/",
        "/admin/",
        "/docs/default/handbook/guide",
        "/api/collections",
        "/mcp",
        "/static/x/docsmcp/reading.css",
        "/livez",
        "/metrics",
    )
    headers = [{name: value} for name, values in HEADERS.items() for value in values]
    for path, header in choose_some(list(product(paths, headers))):
        asker.ask("GET", path, headers=header)
        asker.ask("POST", path, b"{}", {"Content-Type": "application/json", **header})
    assert not asker.faults, "\n".join(asker.faults)


def test_no_body_makes_a_page_fail(asker: Asker) -> None:
    routes = [re.sub("<[^>]+>", "1", route) for route in iter_routes() if "(" not in route and route not in LEFT_OUT]
    bodies = [(f"/{route}", kind, body) for route in dict.fromkeys(routes) for kind in TYPES for body in BODIES]
    for path, kind, body in choose_some(bodies):
        asker.ask("POST", path, body, {"Content-Type": kind})
    assert not asker.faults, "\n".join(asker.faults)
