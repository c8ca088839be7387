"""A model behind one of the two common rerank APIs: Cohere's, and that of text-embeddings-inference.

cohere  {"query", "documents", "model"} → {"results": [{"index", "relevance_score"}]}
        also Jina, vLLM, llama.cpp, Infinity, LocalAI and LiteLLM; Voyage calls the results `data`
tei     {"query", "texts", "truncate"} → [{"index", "score"}]
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from time import monotonic
from typing import Any

from collections_app.clients.model_server import ModelServer
from collections_app.clients.oauth_tokens import ClientCredentials
from collections_app.clients.reranking.interface import RerankingFailed
from collections_app.exceptions import UpstreamUnavailable

UPSTREAM = "reranking server"
# The default limit of text-embeddings-inference per request.
BATCH_TEXTS = 32


class RerankingRefused(UpstreamUnavailable):
    """The server works, but refuses this request: asking again will not help."""

    retryable = False


class EndpointReranker:
    """`kind` is `cohere` or `tei`; `model` may be empty if the server has only one. `credentials` are for tokens that expire."""

    max_characters = 1_600

    def __init__(
        self,
        kind: str,
        base_url: str,
        model: str = "",
        api_key: str = "",
        credentials: ClientCredentials | None = None,
    ) -> None:
        self.name = f"{kind}:{model}" if model else kind
        self._texts = "texts" if kind == "tei" else "documents"
        self._asked: dict[str, Any] = {"truncate": True} if kind == "tei" else {}
        if model:
            self._asked["model"] = model
        url = f"{base_url.rstrip('/')}/rerank"
        self._server = ModelServer(
            url, UPSTREAM, RerankingFailed, RerankingRefused, api_key=api_key, credentials=credentials
        )

    def close(self) -> None:
        self._server.close()

    def score(self, question: str, texts: Sequence[str], *, seconds: float) -> list[float]:
        """Also raises RerankingRefused, NoToken and CircuitOpen."""
        deadline = monotonic() + seconds
        scores: list[float] = []
        for start in range(0, len(texts), BATCH_TEXTS):
            batch = list(texts[start : start + BATCH_TEXTS])
            asked = {**self._asked, "query": question, self._texts: batch}
            scores += self._server.ask(asked, partial(read_scores, count=len(batch)), seconds=deadline - monotonic())
        return scores


def read_scores(body: bytes, count: int) -> list[float]:
    """In the order of the texts. Servers differ, so everything is checked."""
    try:
        answer = json.loads(body)
        items = answer if isinstance(answer, list) else answer["results"] if "results" in answer else answer["data"]
        found = {
            item["index"]: float(item["relevance_score" if "relevance_score" in item else "score"]) for item in items
        }
        scores = [found[index] for index in range(count)]
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        raise make_nonsense() from None
    if len(found) != count or not all(
        abs(score) < 1e18 for score in scores
    ):  # also refuses NaN, which is not less than anything
        raise make_nonsense()
    return scores


def make_nonsense() -> RerankingFailed:
    return RerankingFailed("The reranking server answered, but not with a score for each text.")
