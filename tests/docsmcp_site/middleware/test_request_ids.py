"""The id of a request: on the answer, in every record, in the job that it starts, on the way to an upstream."""

from __future__ import annotations

import httpx
import pytest
from django.test import Client
from structlog.testing import capture_logs

from collections_app.request_ids import HEADER, get_request_id, name_request, set_request_id, working_for

GIVEN = "edge-1234.abcd"


def test_it_takes_the_id_that_a_proxy_gives(client: Client) -> None:
    assert client.get("/livez", headers={HEADER: GIVEN})[HEADER] == GIVEN


@pytest.mark.parametrize(
    "given", ["", "short", "with blanks in it", "x" * 129, "<script>alert(1)</script>", "line\x0bfeed-and-more"]
)
def test_it_makes_one_where_what_is_given_is_no_sane_id(client: Client, given: str) -> None:
    first, second = (client.get("/livez", headers={HEADER: given})[HEADER] for _ in range(2))
    assert len(first) == 32
    assert first != second
    assert given not in first or not given


def test_a_job_works_for_the_request_that_started_it() -> None:
    set_request_id("the-worker-before")
    with working_for(GIVEN):
        assert get_request_id() == GIVEN
    assert get_request_id() == "the-worker-before"


def test_upstreams_are_told_the_id() -> None:
    request = httpx.Request("POST", "http://127.0.0.1/v1/chat/completions")
    name_request(request)
    assert HEADER not in request.headers
    set_request_id(GIVEN)
    name_request(request)
    assert request.headers[HEADER] == GIVEN


@pytest.mark.django_db
def test_every_record_of_a_call_has_it(client: Client) -> None:
    from structlog.contextvars import merge_contextvars

    with capture_logs(processors=[merge_contextvars]) as logs:
        client.post("/mcp", b"{}", content_type="application/json", headers={HEADER: GIVEN})
    assert [log["request_id"] for log in logs if log["event"] == "mcp_call"] == [GIVEN]
