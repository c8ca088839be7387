"""A real server for what nobody would send on purpose. FUZZ_EXAMPLES says how much is tried; without it little, always the same."""

from __future__ import annotations

import http.client
import json
import os
import re
import time
from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

import httpx
import pytest
from hypothesis import HealthCheck, settings

from tests.running_server import RunningServer, running_server

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "5"))
IS_LONG = "FUZZ_EXAMPLES" in os.environ
# A machine that tests share is slow at times; `make fuzz` has it to itself.
HANG_SECONDS = 2 if IS_LONG else 30
PAGES = {"guide.md": "# Guide\n\nalpacas\n\n## Install\n\nllamas\n", "tables.html": "<h1>Tables</h1><p>of llamas"}

fuzzing = settings(
    max_examples=EXAMPLES,
    derandomize=not IS_LONG,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


NONE: Mapping[str, str] = {}


class Asker:
    """Sends bytes as they are, over one connection as long as it lasts; notes what fails, or takes too long."""

    def __init__(self, base_url: str, headers: dict[str, str]) -> None:
        self.host = urlsplit(base_url).netloc
        self.headers = headers
        self.faults: list[str] = []
        self.connection = http.client.HTTPConnection(self.host, timeout=HANG_SECONDS)

    def ask(self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] = NONE) -> None:
        started = time.monotonic()
        sent = {"Host": self.host, **self.headers, **headers}
        try:
            status = self.send(method, path, body, sent)
        except TimeoutError:
            status = 0
            self.connection.close()
        if status >= 500 or time.monotonic() - started > HANG_SECONDS:
            self.faults.append(
                f"{method} {path[:200]} {str(headers)[:200]} {(body or b'')[:40]!r}: {status or 'no answer'}"
            )

    def send(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> int:
        """The server may close a connection whose request it did not take; then once more, over a new one."""
        for attempt in (1, 2):
            try:
                self.connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
                for name, value in headers.items():
                    self.connection.putheader(name, value.encode("latin-1"))
                if body is not None:
                    self.connection.putheader("Content-Length", str(len(body)))
                self.connection.endheaders(body)
                answer = self.connection.getresponse()
                answer.read()
            except (http.client.HTTPException, ConnectionError):
                self.connection.close()
                if attempt == 2:
                    return 400
            else:
                return answer.status
        raise AssertionError


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server(PAGES, LLM_BASE_URL="", FETCH_ALLOWED_HOSTS="") as server:
        yield server


@pytest.fixture(scope="module")
def base_url(server: RunningServer) -> str:
    return server.url.removesuffix("/mcp")


@pytest.fixture(scope="module")
def administrator(server: RunningServer, base_url: str) -> Iterator[httpx.Client]:
    """Signed in as the first administrator, and with a key."""
    first = json.loads((server.log.parent / "data" / "first-run.json").read_text())
    with httpx.Client(base_url=base_url, timeout=HANG_SECONDS) as client:
        page = client.get("/admin/login/", timeout=60)
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.text)
        assert token
        sent = {"username": first["admin_user"], "password": first["admin_password"], "csrfmiddlewaretoken": token[1]}
        answer = client.post("/admin/login/?next=/admin/", data=sent, timeout=60)
        assert answer.status_code == 302, answer.text
        yield client


@pytest.fixture
def asker(administrator: httpx.Client, base_url: str) -> Iterator[Asker]:
    cookies = "; ".join(f"{name}={value}" for name, value in administrator.cookies.items())
    asker = Asker(base_url, {"Cookie": cookies, "X-CSRFToken": administrator.cookies["csrftoken"]})
    yield asker
    asker.connection.close()
