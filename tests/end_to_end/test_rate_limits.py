"""Limits behind the web server that is shipped: exact among its processes, and by whose address."""

from __future__ import annotations

import http.client
import json
import os
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager

import pytest

from collections_app.models import ApiKey
from tests.factories import make_tenant
from tests.free_ports import find_free_port
from tests.mcp_app.fake_tools import make_message
from tests.running_web_server import running_web_server

pytestmark = pytest.mark.django_db(transaction=True)

DEADLINE_SECONDS = 240
LIMIT = 100
CLIENTS = 24
PROCESSES = 8
REQUESTS = 600
# A window that ends while the test runs would let twice as many through.
WINDOW_SECONDS = 86_400
REDIS = "TEST_REDIS_URL"
PING = json.dumps(make_message("ping"))
CALL = json.dumps(make_message("tools/call", {"name": "list_collections"}))


def serving(**settings: str) -> AbstractContextManager[int]:
    return running_web_server(MCP_RATE_LIMIT_WINDOW=str(WINDOW_SECONDS), **settings)


def ask(port: int, body: str, headers: dict[str, str], times: int) -> Counter[tuple[int, bool]]:
    """Over one connection; how often each status came, and whether the answer was an error."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=DEADLINE_SECONDS)
    outcomes: Counter[tuple[int, bool]] = Counter()
    for _ in range(times):
        connection.request("POST", "/mcp", body, {"Content-Type": "application/json", **headers})
        response = connection.getresponse()
        answer = json.loads(response.read())
        outcomes[response.status, "error" in answer or bool(answer["result"].get("isError"))] += 1
    connection.close()
    return outcomes


def ask_at_once(port: int, body: str, headers: dict[str, str]) -> Counter[tuple[int, bool]]:
    with ThreadPoolExecutor(CLIENTS) as pool:
        answers = [pool.submit(ask, port, body, headers, REQUESTS // CLIENTS) for _ in range(CLIENTS)]
        return sum((answer.result() for answer in answers), Counter())


@pytest.mark.parametrize(
    "redis_url",
    [
        pytest.param("", id="PostgreSQL"),
        pytest.param(
            os.environ.get(REDIS, ""),
            id="Redis",
            marks=pytest.mark.skipif(REDIS not in os.environ, reason="needs Redis: make test-services"),
        ),
    ],
)
def test_several_processes_let_through_just_as_many_as_are_allowed(redis_url: str) -> None:
    keys = [ApiKey.objects.issue(tenant=make_tenant(), name="test")[1] for _ in range(2)]
    own = {"MCP_RATE_LIMIT_REQUESTS": str(LIMIT), "REDIS_URL": redis_url, "WEB_WORKERS": str(PROCESSES)}
    with serving(**own) as port:
        pings, calls = (
            ask_at_once(port, body, {"X-Api-Key": key}) for key, body in zip(keys, (PING, CALL), strict=True)
        )
    assert pings == {(200, False): LIMIT, (429, True): REQUESTS - LIMIT}
    assert calls == {(200, False): LIMIT, (200, True): 2 * LIMIT, (429, True): REQUESTS - 3 * LIMIT}


def test_a_quota_is_as_exact() -> None:
    tenant = make_tenant()
    tenant.monthly_quota = LIMIT
    tenant.save()
    _, key = ApiKey.objects.issue(tenant=tenant, name="test")
    with serving(MCP_RATE_LIMIT_REQUESTS="1000000") as port:
        assert ask_at_once(port, PING, {"X-Api-Key": key}) == {(200, False): LIMIT, (429, True): REQUESTS - LIMIT}


@pytest.mark.parametrize(("proxies", "passed"), [("", 3), ("127.0.0.1", 9)])
def test_only_a_configured_proxy_is_asked_for_the_address(proxies: str, passed: int) -> None:
    """gunicorn trusts the loopback interface with X-Forwarded-Proto; the address is not its business."""
    with serving(MCP_RATE_LIMIT_REQUESTS="3", TRUSTED_PROXIES=proxies) as port:
        outcomes: Counter[tuple[int, bool]] = Counter()
        for address in ("203.0.113.1", "203.0.113.2", "203.0.113.3"):
            headers = {"X-Forwarded-For": address, "X_Forwarded_For": "8.8.8.8", "X-Forwarded-Proto": "https"}
            outcomes += ask(port, PING, headers, 4)
    assert outcomes == {(200, False): passed, (429, True): 12 - passed}


def test_a_redis_that_is_away_stops_nobody() -> None:
    with serving(MCP_RATE_LIMIT_REQUESTS="1", REDIS_URL=f"redis://127.0.0.1:{find_free_port()}") as port:
        assert ask(port, PING, {}, 3) == {(200, False): 3}
