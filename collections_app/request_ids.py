"""The id of the request that is being answered: in every log record, and handed on to its jobs and its upstreams."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import httpx
from structlog.contextvars import bind_contextvars, bound_contextvars, get_contextvars

HEADER = "X-Request-ID"
_NAME = "request_id"


def set_request_id(request_id: str) -> None:
    """From now on, in this thread."""
    bind_contextvars(**{_NAME: request_id})


def get_request_id() -> str:
    """Empty outside of requests."""
    return str(get_contextvars().get(_NAME, ""))


@contextmanager
def working_for(request_id: str) -> Iterator[None]:
    """A job's work, for the request that started it; for none when that is empty."""
    with bound_contextvars(**({_NAME: request_id} if request_id else {})):
        yield


def name_request(request: httpx.Request) -> None:
    """An event hook of httpx, for upstreams of the operator's own."""
    if request_id := get_request_id():
        request.headers[HEADER] = request_id
