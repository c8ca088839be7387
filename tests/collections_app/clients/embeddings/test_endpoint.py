"""A server with the embeddings API, as well or as badly as it may answer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import numpy as np
import pytest
import stamina

from collections_app.clients.circuits import FAILURES_TO_OPEN, CircuitOpen
from collections_app.clients.embeddings import EmbeddingFailed, get_endpoint
from collections_app.clients.embeddings.endpoint import BATCH_TEXTS, EmbeddingRefused, EndpointEmbedder
from collections_app.clients.model_server import ATTEMPTS
from collections_app.clients.oauth_tokens import ClientCredentials, NoToken
from collections_app.exceptions import UpstreamUnavailable
from tests.fake_upstream import DIMENSIONS, Asked, FakeUpstream, Reply, cut_off, embed, fail, flood, say, stall

pytestmark = pytest.mark.django_db

EMBEDDINGS = "/v1/embeddings"


@pytest.fixture
def embedder(upstream: FakeUpstream) -> Iterator[EndpointEmbedder]:
    with closing(EndpointEmbedder(upstream.base_url, "small", "a-key")) as embedder:
        yield embedder


def answer(*vectors: object) -> bytes:
    return json.dumps({"data": [{"index": n, "embedding": vector} for n, vector in enumerate(vectors)]}).encode()


def test_it_asks_for_the_model_with_the_key(upstream: FakeUpstream, embedder: EndpointEmbedder) -> None:
    vectors = embedder.embed(["one", "two"], seconds=5)
    assert vectors.shape == (2, DIMENSIONS)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1], abs=1e-6)
    (asked,) = upstream.asked
    assert asked.body == {"model": "small", "encoding_format": "float", "input": ["one", "two"]}
    assert asked.headers["authorization"] == "Bearer a-key"


def test_it_asks_for_a_dimension_only_when_told_to(upstream: FakeUpstream) -> None:
    with closing(EndpointEmbedder(upstream.base_url, "small", dimension=4)) as embedder:
        embedder.embed(["one"], seconds=5)
    assert upstream.asked[0].body["dimensions"] == 4
    assert "authorization" not in upstream.asked[0].headers
    assert embedder.name == "openai:small:4"


@pytest.fixture
def with_tokens(upstream: FakeUpstream) -> Iterator[EndpointEmbedder]:
    credentials = ClientCredentials(upstream.token_url, "us", "secret")
    with closing(EndpointEmbedder(upstream.base_url, "small", credentials=credentials)) as embedder:
        yield embedder


def test_it_shows_a_token_and_a_new_one_where_that_is_refused(
    upstream: FakeUpstream, with_tokens: EndpointEmbedder
) -> None:
    def refuse_first(server: FakeUpstream, asked: Asked) -> Reply:
        behaviour = fail(401) if asked.headers["authorization"] == "Bearer token-1" else embed
        return behaviour(server, asked)

    upstream.embeddings = refuse_first
    with_tokens.embed(["one"], seconds=5)
    with_tokens.embed(["two"], seconds=5)
    shown = [asked.headers["authorization"] for asked in upstream.asked if asked.path == EMBEDDINGS]
    assert shown == ["Bearer token-1", "Bearer token-2", "Bearer token-2"]
    assert upstream.count("/token") == 2


def test_the_settings_say_where_tokens_are_had(upstream: FakeUpstream, settings: Any) -> None:
    values = {"base_url": upstream.base_url, "model": "small", "api_key": "a-key", "token_url": upstream.token_url}
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update={f"embeddings_{name}": v for name, v in values.items()})
    embedder = get_endpoint()
    assert isinstance(embedder, EndpointEmbedder)
    with closing(embedder):
        embedder.embed(["one"], seconds=5)
    assert upstream.asked[-1].headers["authorization"] == "Bearer token-1"


def test_the_settings_say_what_comes_before_questions_and_sections(upstream: FakeUpstream, settings: Any) -> None:
    values = {
        "base_url": upstream.base_url,
        "model": "small",
        "query_prefix": "query: ",
        "document_prefix": "passage: ",
    }
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update={f"embeddings_{name}": v for name, v in values.items()})
    embedder = get_endpoint()
    assert isinstance(embedder, EndpointEmbedder)
    with closing(embedder):
        embedder.embed_questions(["one"], seconds=5)
        embedder.embed_sections(["two"], seconds=5)
    assert [asked.body["input"] for asked in upstream.asked] == [["query: one"], ["passage: two"]]


def test_without_a_token_nobody_asks(upstream: FakeUpstream, with_tokens: EndpointEmbedder) -> None:
    upstream.token = fail(500)
    with pytest.raises(NoToken):
        with_tokens.embed(["one"], seconds=5)
    assert upstream.count(EMBEDDINGS) == 0


def test_many_texts_are_asked_for_in_batches(upstream: FakeUpstream, embedder: EndpointEmbedder) -> None:
    texts = [f"text {n}" for n in range(BATCH_TEXTS + 3)]
    vectors = embedder.embed(texts, seconds=5)
    assert [len(asked.body["input"]) for asked in upstream.asked] == [BATCH_TEXTS, 3]
    assert vectors[-1] == pytest.approx(embedder.embed(texts[-1:], seconds=5)[0], abs=1e-6)


def test_vectors_are_put_in_the_order_of_the_texts(upstream: FakeUpstream, embedder: EndpointEmbedder) -> None:
    items = [{"index": 1, "embedding": [0, 1]}, {"index": 0, "embedding": [1, 0]}]
    upstream.embeddings = say(json.dumps({"data": items}).encode())
    assert embedder.embed(["one", "two"], seconds=5).tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize(
    "body",
    [
        b"no json",
        b"[]",
        b'{"data": 1}',
        b'{"data": [{"index": 0}]}',
        answer(),
        answer([]),
        answer([1, "x"]),
        answer([1, None]),
        answer([10**400]),
        answer([1], [1]),
        b'{"data": [{"index": 0, "embedding": [NaN]}]}',
        b'{"data": [{"index": 0, "embedding": [1e400]}]}',
    ],
)
def test_what_are_no_embeddings_is_refused(upstream: FakeUpstream, embedder: EndpointEmbedder, body: bytes) -> None:
    upstream.embeddings = say(body)
    with pytest.raises(EmbeddingFailed, match="not with embeddings"):
        embedder.embed(["one"], seconds=5)


def test_vectors_of_different_lengths_are_refused(upstream: FakeUpstream, embedder: EndpointEmbedder) -> None:
    upstream.embeddings = say(answer([1, 2], [1]))
    with pytest.raises(EmbeddingFailed, match="different lengths"):
        embedder.embed(["one", "two"], seconds=5)


@pytest.mark.parametrize(
    "behaviour", [cut_off, flood, fail(500), fail(401), fail(503), fail(301, Location="http://localhost:port/")]
)
def test_a_server_in_trouble_is_told_as_that(
    upstream: FakeUpstream, embedder: EndpointEmbedder, behaviour: object
) -> None:
    upstream.embeddings = behaviour  # type: ignore[assignment]
    with pytest.raises(EmbeddingFailed):
        embedder.embed(["one"], seconds=0.4)


def test_one_that_does_not_answer_is_waited_for_no_longer(upstream: FakeUpstream, embedder: EndpointEmbedder) -> None:
    upstream.embeddings = stall
    with pytest.raises(EmbeddingFailed, match="in time"):
        embedder.embed(["one"], seconds=0.2)
    upstream.release()


def test_one_that_is_not_there_is_told(db: None) -> None:
    with pytest.raises(EmbeddingFailed, match="cannot be reached"):
        EndpointEmbedder("http://127.0.0.1:9", "small").embed(["one"], seconds=1)


def test_it_comes_again_when_the_server_is_busy(upstream: FakeUpstream, embedder: EndpointEmbedder) -> None:
    def busy_once(server: FakeUpstream, asked: object) -> Reply:
        behaviour = fail(429) if server.count(EMBEDDINGS) == 1 else embed
        return behaviour(server, asked)  # type: ignore[arg-type]

    upstream.embeddings = busy_once
    assert len(embedder.embed(["one"], seconds=10)) == 1
    assert upstream.count(EMBEDDINGS) == 2


def test_a_server_that_stays_busy_is_asked_a_few_times_only(upstream: FakeUpstream, embedder: EndpointEmbedder) -> None:
    upstream.embeddings = fail(503)
    with stamina.set_testing(True, attempts=100, cap=True), pytest.raises(EmbeddingFailed, match="503"):
        embedder.embed(["one"], seconds=60)
    assert upstream.count(EMBEDDINGS) == ATTEMPTS


def test_a_server_that_wants_more_time_than_there_is_is_asked_once(
    upstream: FakeUpstream, embedder: EndpointEmbedder
) -> None:
    upstream.embeddings = fail(503, Retry_After="60")
    with pytest.raises(EmbeddingFailed) as error:
        embedder.embed(["one"], seconds=30)
    assert error.value.details["retry_after"] == 60
    assert upstream.count(EMBEDDINGS) == 1


def test_what_the_server_does_not_take_is_not_its_failure(upstream: FakeUpstream, embedder: EndpointEmbedder) -> None:
    upstream.embeddings = fail(400)
    for _ in range(FAILURES_TO_OPEN + 1):
        with pytest.raises(EmbeddingRefused):
            embedder.embed(["one"], seconds=1)


def test_after_several_failures_nobody_asks_for_a_while(upstream: FakeUpstream, embedder: EndpointEmbedder) -> None:
    upstream.embeddings = fail(500)
    for _ in range(FAILURES_TO_OPEN):
        with pytest.raises(UpstreamUnavailable):
            embedder.embed(["one"], seconds=1)
    with pytest.raises(CircuitOpen):
        embedder.embed(["one"], seconds=1)
    assert upstream.count(EMBEDDINGS) == FAILURES_TO_OPEN
