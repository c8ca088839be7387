"""A model behind the embeddings API that OpenAI made common. Does not know what the vectors are for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from collections_app.clients.embeddings.interface import NO_PREFIXES, Embedder, EmbeddingFailed, Prefixes, scale_to_unit
from collections_app.clients.model_server import ModelServer
from collections_app.clients.oauth_tokens import ClientCredentials
from collections_app.exceptions import UpstreamUnavailable

if TYPE_CHECKING:
    from collections_app.clients.embeddings.interface import Vectors

UPSTREAM = "embedding server"
BATCH_TEXTS = 64


class EmbeddingRefused(UpstreamUnavailable):
    """The server works, but refuses this request: asking again will not help."""

    retryable = False


class EndpointEmbedder(Embedder):
    """`dimension` is requested unless it is 0, the model's own. `credentials` are for tokens that expire."""

    max_characters = 1_600

    def __init__(
        self,
        base_url: str,
        model: str,
        api_key: str = "",
        dimension: int = 0,
        credentials: ClientCredentials | None = None,
        prefixes: Prefixes = NO_PREFIXES,
    ) -> None:
        super().__init__(f"openai:{model}:{dimension}" if dimension else f"openai:{model}", prefixes)
        self._asked = {"model": model, "encoding_format": "float"} | ({"dimensions": dimension} if dimension else {})
        url = f"{base_url.rstrip('/')}/embeddings"
        self._server = ModelServer(
            url, UPSTREAM, EmbeddingFailed, EmbeddingRefused, api_key=api_key, credentials=credentials
        )

    def close(self) -> None:
        self._server.close()

    def embed(self, texts: Sequence[str], *, seconds: float) -> Vectors:
        """Also raises EmbeddingRefused, NoToken and CircuitOpen."""
        import numpy as np

        rows: list[list[float]] = []
        for start in range(0, len(texts), BATCH_TEXTS):
            batch = list(texts[start : start + BATCH_TEXTS])
            read = partial(read_vectors, count=len(batch))
            rows += self._server.ask({**self._asked, "input": batch}, read, seconds=seconds)
        try:
            return scale_to_unit(np.array(rows, np.float64))
        except ValueError:
            raise EmbeddingFailed("The embedding server gave vectors of different lengths.") from None

    def knows_words(self, text: str) -> bool:
        return True  # large models do


def read_vectors(body: bytes, count: int) -> list[list[float]]:
    """In the order of the texts. Servers differ, so everything is checked."""
    try:
        items = sorted(json.loads(body)["data"], key=lambda item: item["index"])
        vectors = [[float(value) for value in item["embedding"]] for item in items]
        numbers = [item["index"] for item in items]
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        raise make_nonsense() from None
    is_finite = all(
        abs(value) < 1e18 for vector in vectors for value in vector
    )  # also refuses NaN, which is not less than anything
    if numbers != list(range(count)) or not all(vectors) or not is_finite:
        raise make_nonsense()
    return vectors


def make_nonsense() -> EmbeddingFailed:
    return EmbeddingFailed("The embedding server answered, but not with embeddings.")
