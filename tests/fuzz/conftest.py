"""A real server for what nobody would send on purpose. FUZZ_EXAMPLES says how much is tried; without it little, always the same."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator

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
