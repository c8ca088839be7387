"""The API says what it takes in /api/schema: whatever fits it, and whatever does not, is answered, and never by a failure of ours."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import django
import pytest
import requests
import schemathesis
from drf_spectacular.generators import SchemaGenerator

from tests.fuzz.conftest import HANG_SECONDS, fuzzing
from tests.running_server import RunningServer

django.setup()

SCHEMA = schemathesis.openapi.from_dict(SchemaGenerator().get_schema(public=True, request=None))  # type: ignore[no-untyped-call]


@pytest.fixture(scope="module")
def session(server: RunningServer) -> Iterator[requests.Session]:
    with requests.Session() as session:
        session.headers["Authorization"] = f"Bearer {server.key}"
        yield session


@SCHEMA.parametrize()
@fuzzing
def test_no_request_makes_the_api_fail(case: Any, session: requests.Session, base_url: str) -> None:
    answer = case.call(base_url=base_url, session=session, timeout=HANG_SECONDS)
    assert answer.status_code < 500, answer.text
