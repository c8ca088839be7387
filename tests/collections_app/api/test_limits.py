"""The limits over REST: what counts, what a caller over its limit is told, and the headers of every answer."""

from __future__ import annotations

from typing import Any

import pytest

from collections_app.models import Collection, Tenant
from tests.collections_app.api.conftest import Caller, code_of, make_caller, make_member

LIMIT = 2


@pytest.fixture(autouse=True)
def _limited(settings: Any) -> None:
    update = {"mcp_rate_limit_requests": LIMIT, "mcp_rate_limit_window": 3_600}
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update=update)


def read_remaining(response: Any) -> int:
    return int(response["RateLimit-Remaining"])


def test_over_the_limit_it_says_when_to_come_back(reader: Caller) -> None:
    assert [reader.get("collections")[0] for _ in range(LIMIT)] == [200] * LIMIT
    response = reader.send("get", "collections")
    error = response.json()["error"]
    assert (response.status_code, error["code"]) == (429, "RATE_LIMITED")
    assert error["details"] == {"retryable": True, "retry_after": int(response["Retry-After"])}


def test_a_member_has_a_limit_of_its_own(collection: Collection, reader: Caller, anybody: Caller) -> None:
    member = make_member(collection.tenant, "viewer")
    assert [caller.get("collections")[0] for caller in (member, reader, anybody) for _ in range(LIMIT + 1)] == (
        [200, 200, 429] * 3
    )


def test_tools_and_rest_are_counted_together(reader: Caller) -> None:
    message = '{"jsonrpc": "2.0", "id": 1, "method": "ping"}'
    response = reader.client.post("/mcp", message, "application/json")
    assert (read_remaining(response), read_remaining(reader.send("get", "collections"))) == (1, 0)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("get", "collections", 200),
        ("get", "collections/nope", 404),
        ("get", "search", 400),
        ("post", "collections", 403),
    ],
)
def test_what_is_refused_later_counts_too(reader: Caller, method: str, path: str, status: int) -> None:
    response = reader.send(method, path)
    assert (response.status_code, read_remaining(response)) == (status, LIMIT - 1)


def test_a_bad_key_counts_against_the_address_that_sends_it(anybody: Caller, reader: Caller) -> None:
    answers = [anybody.send("get", "collections", x_api_key="wrong") for _ in range(LIMIT + 1)]
    assert [answer.status_code for answer in answers] == [401, 401, 429]
    assert code_of(anybody.get("collections")) == (429, "RATE_LIMITED")
    assert reader.get("collections")[0] == 200


@pytest.mark.parametrize("path", ["schema", "hooks/7", "nothing/here", "collections", "jobs"])
def test_headers_are_on_every_answer(anybody: Caller, path: str) -> None:
    response = anybody.send("get", path)
    assert response["RateLimit-Limit"] == str(LIMIT)
    assert 0 <= read_remaining(response) <= LIMIT
    assert 1 <= int(response["RateLimit-Reset"]) <= 3_600


def test_the_schema_is_limited_as_everything_is(anybody: Caller) -> None:
    assert [anybody.send("get", "schema").status_code for _ in range(LIMIT + 1)] == [200, 200, 429]


def test_a_quota_that_is_used_up_is_told_as_such(collection: Collection) -> None:
    Tenant.objects.filter(pk=collection.tenant_id).update(monthly_quota=1, rate_limit=100)
    caller = make_caller(collection.tenant)
    assert caller.get("collections")[0] == 200
    response = caller.send("get", "collections")
    assert (response.status_code, response["RateLimit-Limit"]) == (429, "1")
    assert "monthly quota" in response.json()["error"]["message"]
