"""A model's server that is asked over HTTP for one answer in JSON, at any address. Does not know what is asked for.

Retries only requests that the server has certainly not begun, within the caller's time. While its circuit is open nobody asks.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

import httpcore
import httpx

from collections_app.clients.addresses import EVERYWHERE
from collections_app.clients.bodies import ACCEPTED_ENCODINGS, read_body
from collections_app.clients.circuits import guarding
from collections_app.clients.oauth_tokens import ClientCredentials, NoToken, TokenSender, Unauthorized
from collections_app.clients.retries import find_retry_after
from collections_app.clients.transport import DeadlinePassed, GuardedTransport, make_ssl_context
from collections_app.clients.upstream_retries import REFUSALS, NotBegun, retry_not_begun
from collections_app.exceptions import IngestError, UpstreamUnavailable
from collections_app.request_ids import name_request

CONNECT_SECONDS = 5.0
MAX_CONNECTIONS = 16
MAX_ANSWER_BYTES = 32 * 1024 * 1024
ATTEMPTS = 5
# Statuses that are about the server; others of a working server are about the request.
_FAILURES = frozenset({401, 403, 404, 408, 429})

T = TypeVar("T")


class ModelServer:
    """May be used from several threads at once. `upstream` is its name in messages, and that of its circuit; `failed` and `refused` are
    raised if it does not answer as it should, and if it works but refuses a request. `credentials` are for tokens that expire, and replace
    `api_key`."""

    def __init__(
        self,
        url: str,
        upstream: str,
        failed: type[UpstreamUnavailable],
        refused: type[UpstreamUnavailable],
        *,
        api_key: str = "",
        credentials: ClientCredentials | None = None,
    ) -> None:
        self._url = url
        self._upstream = upstream
        self._failed = failed
        self._refused = refused
        authorization = {"Authorization": f"Bearer {api_key}"} if api_key and not credentials else {}
        self._client = httpx.Client(
            transport=GuardedTransport(EVERYWHERE, make_ssl_context(), MAX_CONNECTIONS),
            headers={"Accept-Encoding": ACCEPTED_ENCODINGS} | authorization,
            timeout=CONNECT_SECONDS,
            trust_env=False,
            event_hooks={"request": [name_request]},
        )
        self._tokens = TokenSender(self._client, credentials)

    def close(self) -> None:
        self._client.close()

    def ask(self, asked: Mapping[str, Any], read: Callable[[bytes], T], *, seconds: float) -> T:
        """The result of `read` for the answer's body; an exception in it counts as a failure of the server. Raises `failed`, `refused`,
        NoToken and CircuitOpen; returns or raises within `seconds`."""
        deadline = time.monotonic() + seconds
        with guarding(self._upstream, self._failed, NoToken):
            return retry_not_begun(lambda: read(self._attempt(asked)), attempts=ATTEMPTS, deadline=deadline)

    def _attempt(self, asked: Mapping[str, Any]) -> bytes:
        status, headers, body = self._tokens.send(partial(self._post, asked))
        if status == httpx.codes.OK:
            return body
        if status in REFUSALS:
            wait_seconds = find_retry_after(headers.get("retry-after", ""))
            raise NotBegun(self._judge_status(status, retry_after=int(wait_seconds) or None), wait_seconds)
        raise self._judge_status(status)

    def _post(self, asked: Mapping[str, Any], authorization: dict[str, str]) -> tuple[int, httpx.Headers, bytes]:
        """Raises Unauthorized."""
        try:
            with self._client.stream("POST", self._url, json=asked, headers=authorization) as response:
                encoding = response.headers.get("content-encoding", "")
                body = read_body(response.iter_raw(), encoding, MAX_ANSWER_BYTES)
        except (DeadlinePassed, httpcore.TimeoutException):
            raise self._failed(f"The {self._upstream} did not answer in time.") from None
        except (httpcore.NetworkError, httpcore.ProtocolError, httpx.RemoteProtocolError, IngestError):
            raise self._failed(f"The {self._upstream} cannot be reached, or broke off its answer.") from None
        if response.status_code == httpx.codes.UNAUTHORIZED:
            raise Unauthorized(self._judge_status(response.status_code))
        return response.status_code, response.headers, body

    def _judge_status(self, status: int, retry_after: int | None = None) -> UpstreamUnavailable:
        if status >= 500 or status in _FAILURES:
            return self._failed(f"The {self._upstream} answers with an error ({status}).", retry_after=retry_after)
        return self._refused(f"The {self._upstream} does not take this request ({status}).")
