"""Asks a chat model over the API that OpenAI made common, within a time limit. Does not know what is asked or what for.

Retries only requests that the server has certainly not begun: those that did not connect, and those refused for the number of requests.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

import httpcore
import httpx

from collections_app.clients.addresses import EVERYWHERE
from collections_app.clients.oauth_tokens import ClientCredentials, TokenSender, Unauthorized
from collections_app.clients.retries import find_retry_after
from collections_app.clients.transport import DeadlinePassed, GuardedTransport, make_ssl_context
from collections_app.clients.upstream_retries import REFUSALS, NotBegun, retry_not_begun
from collections_app.exceptions import FetchError, UpstreamUnavailable
from collections_app.request_ids import name_request

if TYPE_CHECKING:
    from openai import APIStatusError, OpenAI

ATTEMPTS = 3
CONNECT_SECONDS = 5.0
MAX_CONNECTIONS = 64
MAX_ANSWER_BYTES = 4 * 1024 * 1024
UNPACKED = "identity"

_UNAUTHORIZED = 401
# Not found, method not allowed, not implemented.
_NOT_TOLD = frozenset({404, 405, 501})

Message = dict[str, str]
_Call = Callable[..., Any]


class LlmFailed(UpstreamUnavailable):
    """The server does not answer as it should."""


class LlmRefused(UpstreamUnavailable):
    """The server works, but refuses this request: asking again will not help."""

    retryable = False


@dataclass(frozen=True, slots=True)
class LlmServer:
    """The server's address, and an API key or credentials for tokens that expire. A local server may need neither."""

    base_url: str
    api_key: str = field(default="", repr=False)
    credentials: ClientCredentials | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Completion:
    """An answer. The tokens are counted by the server; None if it did not say."""

    text: str
    tokens_in: int | None
    tokens_out: int | None


@lru_cache(maxsize=4)
def get_client(server: LlmServer) -> LlmClient:
    """This process's client, with its pool of connections."""
    return LlmClient(server)


class LlmClient:
    """May be used from several threads at once."""

    def __init__(self, server: LlmServer) -> None:
        self._http = httpx.Client(
            transport=_BoundedTransport(),
            headers={"Accept-Encoding": UNPACKED},
            timeout=CONNECT_SECONDS,
            trust_env=False,
            event_hooks={"request": [name_request]},
        )
        self._tokens = TokenSender(self._http, server.credentials)
        self._openai = _make_openai(server, self._http)

    def close(self) -> None:
        self._http.close()

    def complete(
        self, messages: Sequence[Message], *, model: str, temperature: float, max_tokens: int, seconds: float
    ) -> Completion:
        """The model's answer. Raises LlmFailed, LlmRefused and NoToken; returns or raises within `seconds`."""
        deadline = time.monotonic() + seconds
        asked = {"messages": messages, "model": model, "temperature": temperature, "max_tokens": max_tokens}
        call = partial(self._openai.chat.completions.create, **asked)
        answer = retry_not_begun(lambda: self._attempt(call, deadline), attempts=ATTEMPTS, deadline=deadline)
        return _read_completion(answer)

    def check(self, *, seconds: float) -> None:
        """Asks the server for its models, which costs nothing. A server without such a list passes too. Raises as complete()."""
        deadline = time.monotonic() + seconds
        retry_not_begun(lambda: self._attempt(self._list_models, deadline), attempts=1, deadline=deadline)

    def _list_models(self, extra_headers: dict[str, str], timeout: object) -> None:
        from openai import APIStatusError

        try:
            options: Any = {"headers": extra_headers, "timeout": timeout}
            self._openai.get("/models", cast_to=httpx.Response, options=options).json()
        except APIStatusError as error:
            if error.status_code not in _NOT_TOLD:
                raise

    def _attempt(self, call: _Call, deadline: float) -> Any:
        return self._tokens.send(partial(self._ask, call, deadline))

    def _ask(self, call: _Call, deadline: float, authorization: dict[str, str]) -> Any:
        from openai import APIConnectionError, APIStatusError, OpenAIError, Timeout

        left = max(deadline - time.monotonic(), 0.001)
        timeout = Timeout(left, connect=min(left, CONNECT_SECONDS))
        try:
            return call(extra_headers=authorization, timeout=timeout)
        except APIStatusError as error:
            raise _judge_status(error) from None
        except (httpcore.ConnectError, httpcore.ConnectTimeout, FetchError):
            raise NotBegun(LlmFailed("The language model's server cannot be reached.")) from None
        except (DeadlinePassed, httpcore.TimeoutException):
            raise LlmFailed("The language model did not answer in time.") from None
        except (httpcore.NetworkError, httpcore.ProtocolError, APIConnectionError):
            raise LlmFailed("The language model's server broke off its answer.") from None
        except (OpenAIError, ValueError, TypeError, RecursionError, _TooLong):
            raise _make_nonsense() from None


class _TooLong(Exception):
    """The wait is too long for the deadline, or unknown."""


def _judge_status(error: APIStatusError) -> Exception:
    """A server that does not admit us, or is not at its address, counts as broken."""
    status = error.status_code
    if status in REFUSALS:
        wait_seconds = find_retry_after(error.response.headers.get("retry-after", ""))
        message = f"The language model's server takes no more requests just now ({status})."
        return NotBegun(LlmFailed(message, retry_after=int(wait_seconds) or None), wait_seconds)
    if status < 500 and status not in (_UNAUTHORIZED, 403, 404, 408):
        return LlmRefused(f"The language model's server does not take this request ({status}).")
    failure = LlmFailed(f"The language model's server answers with an error ({status}).")
    return Unauthorized(failure) if status == _UNAUTHORIZED else failure


def _make_openai(server: LlmServer, http: httpx.Client) -> OpenAI:
    """Imports openai here: it takes 20 MB and a third of a second, which a server without a model need not pay."""
    from openai import OpenAI

    client = OpenAI(base_url=server.base_url, api_key=server.api_key or "none", max_retries=0, http_client=http)  # type: ignore[arg-type]
    # openai takes these from the environment, where they may be meant for another server.
    client.organization = client.project = None
    return client


def _read_completion(answer: Any) -> Completion:
    """Servers differ, and openai checks no types."""
    try:
        text = answer.choices[0].message.content
    except (AttributeError, IndexError, TypeError):
        raise _make_nonsense() from None
    if not isinstance(text, str) or not text.strip():
        raise _make_nonsense()
    usage = getattr(answer, "usage", None)
    return Completion(
        text, _read_count(getattr(usage, "prompt_tokens", None)), _read_count(getattr(usage, "completion_tokens", None))
    )


def _read_count(value: object) -> int | None:
    return value if isinstance(value, int) and value >= 0 else None


def _make_nonsense() -> LlmFailed:
    return LlmFailed("The language model's server answered, but not with an answer of a chat model.")


class _BoundedTransport(GuardedTransport):
    """Cuts off a body that never ends, and does not decompress one: its size would be unknown."""

    def __init__(self) -> None:
        super().__init__(EVERYWHERE, make_ssl_context(), MAX_CONNECTIONS)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response = super().handle_request(request)
        response.stream = _BoundedBody(response)
        return response


class _BoundedBody(httpx.SyncByteStream):
    def __init__(self, response: httpx.Response) -> None:
        assert isinstance(response.stream, httpx.SyncByteStream)
        self._stream = response.stream
        self._is_packed = response.headers.get("content-encoding", UNPACKED).lower() != UNPACKED

    def __iter__(self) -> Iterator[bytes]:
        if self._is_packed:
            raise _TooLong
        left = MAX_ANSWER_BYTES
        for part in self._stream:
            left -= len(part)
            if left < 0:
                raise _TooLong
            yield part

    def close(self) -> None:
        self._stream.close()
