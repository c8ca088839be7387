"""The messages of tests/mcp_app/test_hostile.py, sent to a running server: an answer each time, in time, and never a failure of ours."""

from __future__ import annotations

import time

import httpx
from hypothesis import given
from hypothesis import strategies as st

from tests.fuzz.conftest import HANG_SECONDS, fuzzing
from tests.mcp_app.test_hostile import BODIES, HEADERS, follow
from tests.running_server import RunningServer

PATHS = ("/mcp", "/mcp/default/handbook", "/mcp/default/nope", "/mcp?profile=openai", "/mcp?profile=%00")


@fuzzing
@given(BODIES, HEADERS, st.sampled_from(PATHS))
def test_no_message_makes_the_endpoint_fail(
    server: RunningServer, base_url: str, body: bytes, headers: dict[str, str], path: str
) -> None:
    sent = {name.removeprefix("HTTP_").replace("_", "-"): value for name, value in follow(headers, body).items()}
    sent.pop("QUERY-STRING", None)
    # The client sends no others; test_requests.py does.
    encoded = [(name.encode(), value.strip().encode("latin-1")) for name, value in sent.items() if value.isprintable()]
    known = [(b"Authorization", f"Bearer {server.key}".encode()), (b"Content-Type", b"application/json")]
    started = time.monotonic()
    answer = httpx.post(base_url + path, content=body, headers=[*known, *encoded], timeout=60)
    assert answer.status_code < 500, answer.text
    assert "INTERNAL_ERROR" not in answer.text
    assert "-32603" not in answer.text
    assert time.monotonic() - started < HANG_SECONDS
