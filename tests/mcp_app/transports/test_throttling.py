"""What a client of /mcp is told about its limit, with fake tools; counting itself is tested beside limits/requests.py."""

from __future__ import annotations

import json
from ipaddress import ip_network
from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.cache import caches
from django.http import HttpResponse
from structlog.testing import capture_logs

from mcp_app.protocol import jsonrpc
from mcp_app.transports.throttling import MAX_FREE_BYTES
from mcp_app.transports.views import EXPOSED_HEADERS, MAX_BODY_BYTES
from tests.mcp_app.conftest import GOOD_KEY
from tests.mcp_app.fake_tools import MODERN, make_message
from tests.mcp_app.transports.test_views import FOREIGN, OWN, read_error, send

LIMIT = 2
KEY = {"X-Api-Key": GOOD_KEY}
BAD_KEY = {"X-Api-Key": "wrong"}
PING = make_message("ping", id=41)
CALL = make_message("tools/call", {"name": "echo_query", "arguments": {"query": "a"}}, id="c")
NOTIFICATION = {"jsonrpc": "2.0", "method": "notifications/initialized"}
FIELDS = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"]

addresses = (f"198.51.100.{n}" for n in count(1))


@pytest.fixture(autouse=True)
def limited(config: SimpleNamespace) -> SimpleNamespace:
    config.mcp_rate_limit_requests = LIMIT
    caches["counters"].clear()
    return config


def ask(message: Any = PING, *, times: int = 1, **options: Any) -> HttpResponse:
    """The last of so many answers."""
    return [send(message, **options) for _ in range(times)][-1]


def read_remaining(response: HttpResponse) -> int:
    return int(response["RateLimit-Remaining"])


class TestCounting:
    def test_each_request_leaves_one_less(self) -> None:
        assert [read_remaining(ask(headers=KEY)) for _ in range(3)] == [1, 0, 0]

    @pytest.mark.parametrize("method", ["ping", "tools/list", "resources/list", "prompts/list", "initialize", "nope"])
    def test_every_method_counts_once(self, method: str) -> None:
        assert read_remaining(ask(make_message(method), headers=KEY)) == LIMIT - 1

    @pytest.mark.parametrize("message", [NOTIFICATION, {"jsonrpc": "2.0", "id": 1, "result": {}}])
    def test_what_wants_no_answer_does_not(self, message: Any) -> None:
        assert [read_remaining(ask(message, headers=KEY)) for _ in range(3)] == [LIMIT] * 3

    def test_a_notification_is_taken_over_the_limit(self) -> None:
        ask(headers=KEY, times=LIMIT + 1)
        response = ask(NOTIFICATION, headers=KEY)
        assert (response.status_code, read_remaining(response)) == (202, 0)

    def test_a_long_notification_counts_and_is_refused_over_the_limit(self) -> None:
        longest = json.dumps(NOTIFICATION).ljust(MAX_FREE_BYTES)
        assert read_remaining(ask(longest, headers=KEY)) == LIMIT
        assert [read_remaining(ask(f"{longest} ", headers=KEY)) for _ in range(LIMIT)] == [1, 0]
        assert read_error(ask(f"{longest} ", headers=KEY)) == (429, -31429, None)
        assert ask(longest, headers=KEY).status_code == 202

    def test_a_long_message_is_read_once_and_not_to_be_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        read: list[int] = []
        decode = jsonrpc.decode

        def note(body: bytes) -> jsonrpc.Message:
            read.append(len(body))
            return decode(body)

        monkeypatch.setattr(jsonrpc, "decode", note)
        for message in (NOTIFICATION, PING):
            ask(json.dumps(message).ljust(MAX_FREE_BYTES + 1))
        assert read == [MAX_FREE_BYTES + 1] * 2
        assert ask(json.dumps(CALL).ljust(MAX_FREE_BYTES + 1)).status_code == 429
        assert len(read) == 2

    @pytest.mark.parametrize("body", ["{", "[]", json.dumps(PING).ljust(MAX_BODY_BYTES + 1), '{"jsonrpc": "2.0"}'])
    def test_what_cannot_be_read_does(self, body: str) -> None:
        assert read_remaining(ask(body, headers=KEY)) == LIMIT - 1

    def test_an_id_far_behind_is_no_way_round(self) -> None:
        body = json.dumps({"jsonrpc": "2.0", "method": "ping", "params": {"x": "y" * 70_000}, "id": 1})
        assert read_remaining(ask(body, headers=KEY)) == LIMIT - 1

    def test_a_bad_key_counts_against_the_address_that_sends_it(self) -> None:
        assert [read_remaining(ask(headers=BAD_KEY)) for _ in range(2)] == [1, 0]
        assert ask(headers=BAD_KEY).status_code == 429
        assert ask().status_code == 429
        assert ask(headers=KEY).status_code == 200
        assert ask(headers=BAD_KEY, REMOTE_ADDR=next(addresses)).status_code == 401

    def test_a_trusted_proxys_callers_are_counted_apart(self, limited: SimpleNamespace) -> None:
        limited.trusted_proxies = (ip_network("127.0.0.1"),)
        ask(times=LIMIT + 1, headers={"X-Forwarded-For": "203.0.113.1"})
        assert ask(headers={"X-Forwarded-For": "203.0.113.2"}).status_code == 200
        assert ask(headers={"X-Forwarded-For": "203.0.113.2, 203.0.113.1"}).status_code == 429

    def test_nobody_elses_word_is_taken_for_it(self) -> None:
        statuses = [ask(headers={"X-Forwarded-For": next(addresses)}).status_code for _ in range(LIMIT + 1)]
        assert statuses == [200, 200, 429]


class TestOverTheLimit:
    def test_a_tool_call_is_told_in_its_result(self) -> None:
        response = ask(CALL, headers=KEY, times=LIMIT + 1)
        answer = json.loads(response.content)
        assert (response.status_code, answer["id"]) == (200, "c")
        result = answer["result"]
        assert result["isError"] is True
        error = result["structuredContent"]["error"]
        seconds = int(response["Retry-After"])
        assert error["code"] == "RATE_LIMITED"
        assert error["details"] == {"retryable": True, "retry_after": seconds}
        assert result["content"] == [{"type": "text", "text": error["message"]}]
        assert f"Try again in {seconds} s" in error["message"]

    def test_in_the_form_of_its_era(self) -> None:
        params = {"name": "echo_query", "arguments": {"query": "a"}}
        headers = {"MCP-Protocol-Version": MODERN, "Mcp-Method": "tools/call", "Mcp-Name": "echo_query"}
        response = ask(make_message("tools/call", params, modern=True), headers=KEY | headers, times=LIMIT + 1)
        result = json.loads(response.content)["result"]
        assert (result["resultType"], result["isError"]) == ("complete", True)
        assert "_meta" in result
        legacy = json.loads(ask(CALL, headers=KEY).content)["result"]
        assert not {"resultType", "_meta"} & legacy.keys()

    @pytest.mark.parametrize("method", ["ping", "tools/list", "resources/read", "initialize"])
    def test_any_other_method_is_refused(self, method: str) -> None:
        response = ask(make_message(method, id=41), headers=KEY, times=LIMIT + 1)
        assert read_error(response) == (429, -31429, 41)
        error = json.loads(response.content)["error"]
        assert error["data"] == {"retryable": True, "retry_after": int(response["Retry-After"])}
        assert "Try again in" in error["message"]

    def test_who_goes_on_calling_is_refused(self) -> None:
        statuses = [ask(CALL, headers=KEY).status_code for _ in range(3 * LIMIT + 2)]
        assert statuses == [200] * 3 * LIMIT + [429] * 2
        assert read_error(ask(CALL, headers=KEY)) == (429, -31429, "c")

    def test_who_is_not_known_is_refused_at_once(self) -> None:
        assert [ask(CALL).status_code for _ in range(LIMIT + 1)] == [200, 200, 429]

    def test_what_cannot_be_read_is_refused(self) -> None:
        assert read_error(ask("{", headers=KEY, times=LIMIT + 1)) == (429, -31429, None)

    def test_another_http_method_is_refused(self) -> None:
        assert ask("", method="GET", headers=KEY, times=LIMIT).status_code == 405
        assert ask("", method="GET", headers=KEY).status_code == 429

    def test_it_is_logged_by_the_keys_number(self) -> None:
        ask(headers=KEY, times=LIMIT)
        with capture_logs() as logs:
            ask(headers=KEY)
        [record] = [log for log in logs if log["event"] == "mcp_limited"]
        assert (record["key_id"], record["used"], record["status"]) == (7, LIMIT + 1, 429)
        assert GOOD_KEY not in str(logs)


class TestHeaders:
    @pytest.mark.parametrize(
        ("status", "options"),
        [
            (200, {"headers": KEY}),
            (200, {}),
            (202, {"message": NOTIFICATION}),
            (204, {"method": "OPTIONS", "headers": {"Origin": OWN}}),
            (400, {"message": "{"}),
            (401, {"headers": BAD_KEY}),
            (403, {"headers": {"Origin": FOREIGN}}),
            (405, {"method": "GET"}),
            (413, {"message": json.dumps(PING).ljust(MAX_BODY_BYTES + 1)}),
            (415, {"content_type": "text/plain"}),
        ],
    )
    def test_they_are_on_every_answer(self, status: int, options: dict[str, Any]) -> None:
        response = ask(**options)
        assert response.status_code == status
        assert int(response["RateLimit-Limit"]) == LIMIT
        assert 0 <= read_remaining(response) <= LIMIT
        assert 1 <= int(response["RateLimit-Reset"]) <= 3_600

    def test_they_are_on_the_answer_of_a_disabled_endpoint(self, limited: SimpleNamespace) -> None:
        limited.mcp_enabled = False
        assert ask()["RateLimit-Limit"] == str(LIMIT)

    def test_they_are_on_event_streams(self) -> None:
        message = make_message("tools/call", {"name": "report_progress", "_meta": {"progressToken": 5}})
        response = ask(message)
        assert response["Content-Type"] == "text/event-stream"
        assert read_remaining(response) == LIMIT - 1

    def test_the_last_request_that_passes_says_how_long_to_wait(self) -> None:
        first, second = ask(headers=KEY), ask(headers=KEY)
        assert "Retry-After" not in first
        assert second["Retry-After"] == second["RateLimit-Reset"]

    def test_pages_may_read_them(self) -> None:
        assert {*FIELDS, "Retry-After"} <= set(EXPOSED_HEADERS.split(", "))
        response = ask(headers={"Origin": OWN}, times=LIMIT + 1)
        assert (response.status_code, response["Access-Control-Expose-Headers"]) == (429, EXPOSED_HEADERS)

    def test_without_counters_the_answer_comes_without_them(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(*args: Any, **options: Any) -> None:
            raise ConnectionError

        monkeypatch.setattr(type(caches["counters"]), "add", fail)
        response = ask(headers=KEY)
        assert response.status_code == 200
        assert not [name for name in FIELDS if name in response]
