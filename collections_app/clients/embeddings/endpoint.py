"""A model behind the embeddings API that OpenAI made common, wherever the operator has it. What the vectors are for is not its matter.

Retried is only what the server has certainly not begun, and only within the caller's time. While its circuit is open nobody asks.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import httpcore
import httpx

from collections_app.clients.addresses import AddressGuard
from collections_app.clients.bodies import ACCEPTED_ENCODINGS, read_body
from collections_app.clients.circuits import guarding
from collections_app.clients.embeddings.interface import EmbeddingFailed, scale_to_unit
from collections_app.clients.oauth_tokens import ClientCredentials, NoToken, TokenSource
from collections_app.clients.retries import find_retry_after
from collections_app.clients.transport import DeadlinePassed, GuardedTransport, make_ssl_context
from collections_app.clients.upstream_retries import REFUSALS, NotBegun, retry_not_begun
from collections_app.exceptions import IngestError, UpstreamUnavailable
from collections_app.request_ids import name_request

if TYPE_CHECKING:
    from collections_app.clients.embeddings.interface import Vectors

UPSTREAM = "embedding server"
BATCH_TEXTS = 64
CONNECT_SECONDS = 5.0
MAX_CONNECTIONS = 16
MAX_ANSWER_BYTES = 32 * 1024 * 1024
ATTEMPTS = 5
# The operator says where the model is, and that may be anywhere.
_EVERYWHERE = AddressGuard(("0.0.0.0/0", "::/0"))


class EmbeddingRefused(UpstreamUnavailable):
    """The server is well, but does not take this request: asking again will not help."""

    retryable = False


class EndpointEmbedder:
    """`dimension` is asked for where it is not 0; otherwise it is the model's own. `credentials` are for tokens that expire."""

    max_characters = 1_600

    def __init__(
        self,
        base_url: str,
        model: str,
        api_key: str = "",
        dimension: int = 0,
        credentials: ClientCredentials | None = None,
    ) -> None:
        self.name = f"openai:{model}:{dimension}" if dimension else f"openai:{model}"
        self._url = f"{base_url.rstrip('/')}/embeddings"
        self._asked = {"model": model, "encoding_format": "float"} | ({"dimensions": dimension} if dimension else {})
        self._client = httpx.Client(
            transport=GuardedTransport(_EVERYWHERE, make_ssl_context(), MAX_CONNECTIONS),
            headers={"Accept-Encoding": ACCEPTED_ENCODINGS}
            | ({"Authorization": f"Bearer {api_key}"} if api_key else {}),
            timeout=CONNECT_SECONDS,
            trust_env=False,
            event_hooks={"request": [name_request]},
        )
        self._tokens = TokenSource(self._client, credentials) if credentials else None

    def close(self) -> None:
        self._client.close()

    def embed(self, texts: Sequence[str], *, seconds: float) -> Vectors:
        """Raises EmbeddingRefused, NoToken and CircuitOpen too."""
        import numpy as np

        rows: list[list[float]] = []
        for start in range(0, len(texts), BATCH_TEXTS):
            with guarding(UPSTREAM, EmbeddingFailed, NoToken):
                rows += self._ask(list(texts[start : start + BATCH_TEXTS]), time.monotonic() + seconds)
        try:
            return scale_to_unit(np.array(rows, np.float64))
        except ValueError:
            raise EmbeddingFailed("The embedding server gave vectors of different lengths.") from None

    def knows_words(self, text: str) -> bool:
        return True  # as large models do

    def _ask(self, texts: list[str], deadline: float) -> list[list[float]]:
        return retry_not_begun(lambda: self._attempt(texts), attempts=ATTEMPTS, deadline=deadline)

    def _attempt(self, texts: list[str]) -> list[list[float]]:
        status, headers, body = self._post_with_token({**self._asked, "input": texts})
        if status == httpx.codes.OK:
            return read_vectors(body, len(texts))
        if status in REFUSALS:
            wait_seconds = find_retry_after(headers.get("retry-after", ""))
            raise NotBegun(judge_status(status, retry_after=int(wait_seconds) or None), wait_seconds)
        raise judge_status(status)

    def _post_with_token(self, asked: dict[str, Any]) -> tuple[int, httpx.Headers, bytes]:
        """Where the server wants one; once more with a new one, where it is refused."""
        if self._tokens is None:
            return self._post(asked)
        token = self._tokens.get()
        answer = self._post(asked, token)
        if answer[0] == httpx.codes.UNAUTHORIZED:
            self._tokens.drop(token)
            answer = self._post(asked, self._tokens.get())
        return answer

    def _post(self, asked: dict[str, Any], token: str = "") -> tuple[int, httpx.Headers, bytes]:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        try:
            with self._client.stream("POST", self._url, json=asked, headers=headers) as response:
                encoding = response.headers.get("content-encoding", "")
                return (
                    response.status_code,
                    response.headers,
                    read_body(response.iter_raw(), encoding, MAX_ANSWER_BYTES),
                )
        except (DeadlinePassed, httpcore.TimeoutException):
            raise EmbeddingFailed("The embedding server did not answer in time.") from None
        except (httpcore.NetworkError, httpcore.ProtocolError, httpx.RemoteProtocolError, IngestError):
            raise EmbeddingFailed("The embedding server cannot be reached, or broke off its answer.") from None


def judge_status(status: int, retry_after: int | None = None) -> UpstreamUnavailable:
    if status >= 500 or status in (401, 403, 404, 408, 429):
        return EmbeddingFailed(f"The embedding server answers with an error ({status}).", retry_after=retry_after)
    return EmbeddingRefused(f"The embedding server does not take this request ({status}).")


def read_vectors(body: bytes, count: int) -> list[list[float]]:
    """In the order of the texts. Servers differ, so nothing is taken on trust."""
    try:
        items = sorted(json.loads(body)["data"], key=lambda item: item["index"])
        vectors = [[float(value) for value in item["embedding"]] for item in items]
        numbers = [item["index"] for item in items]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise make_nonsense() from None
    is_finite = all(
        abs(value) < 1e18 for vector in vectors for value in vector
    )  # nor NaN, which is not less than anything
    if numbers != list(range(count)) or not all(vectors) or not is_finite:
        raise make_nonsense()
    return vectors


def make_nonsense() -> EmbeddingFailed:
    return EmbeddingFailed("The embedding server answered, but not with embeddings.")
